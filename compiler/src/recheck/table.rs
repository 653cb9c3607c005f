//! The bytes of a table against the model, read by FORMAT.md once more and compared with diagrams: whatever the facts are, the
//! same candidates are eligible, the same order ranks them, the same edges are open and lead to the same places.

use super::cells::Cells;
use super::chooses;
use super::diagrams::{Diagrams, Set};
use crate::graph::{Graph, carries, narrow};
use crate::model::{
    Change, Duty, EdgeId, EdgeKind, EdgeRank, FactId, Guard, Latch, Life, Model, NodeId, NodeKind, Outcome, Shape, Type,
};
use roadlaw_runtime::format::{self, HEADER, NONE, SECTIONS, cell, op, section, symbol};
use std::cell::RefCell;
use std::collections::BTreeSet;

pub(super) type Said<T> = Result<T, String>;

/// The digest of these bytes as a table.
pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(bytes.get(..format::CHECKSUM_AT).unwrap_or(bytes));
    hasher.update(bytes.get(format::COVERED_FROM..).unwrap_or(&[]));
    *hasher.finalize().as_bytes()
}

/// Whether the table says what the model says; what was too large to be compared.
pub(super) fn check(bytes: &[u8], g: &Graph<'_>, cells: &mut Cells<'_>) -> Said<Vec<String>> {
    // Form, padding and the order of indices; nothing that it makes of them is used here.
    roadlaw_runtime::Table::from_bytes(bytes).map_err(|e| e.to_string())?;
    if bytes.get(format::DIGEST_AT..format::DIGEST_AT + 32) != Some(&digest(bytes)) {
        return Err("its digest does not fit".to_owned());
    }
    cells.fresh();
    let t = Reader::new(bytes)?;
    t.cells(g.model)?;
    t.roads(g.model, cells)?;
    same("chooses", t.count(section::CHOOSES), g.model.chooses.len())?;
    for (i, c) in g.model.chooses.iter().enumerate() {
        cells.tidy();
        chooses::check(&t, i, g, cells).map_err(|e| format!("choose `{}`: {e}", c.name))?;
    }
    t.nodes(g, cells)?;
    t.rest(g.model)?;
    t.symbols(g.model)?;
    Ok(t.large.into_inner())
}

pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, table: T, model: T) -> Said<()> {
    if table == model { Ok(()) } else { Err(format!("{what}: {table:?} for {model:?}")) }
}

/// An index of the model as the format writes it.
pub(super) fn half(n: u32) -> u16 {
    u16::try_from(n).unwrap_or(NONE)
}

pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// First byte and number of records of each section.
    sections: Vec<(usize, usize)>,
    /// What was too large to be compared.
    large: RefCell<Vec<String>>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Said<Self> {
        let mut reader = Self { bytes, sections: Vec::new(), large: RefCell::default() };
        let mut at = HEADER;
        for (i, (_, size)) in SECTIONS.iter().enumerate() {
            let count = reader.number(format::COUNTS_AT + 4 * i, 4)? as usize;
            reader.sections.push((at, count));
            at = (at + count * size).next_multiple_of(8);
        }
        Ok(reader)
    }

    fn number(&self, at: usize, length: usize) -> Said<u64> {
        let bytes = self.bytes.get(at..at + length).ok_or("it is cut off")?;
        Ok(bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    pub(super) fn u8(&self, at: usize) -> Said<u8> {
        self.bytes.get(at).copied().ok_or_else(|| "it is cut off".to_owned())
    }

    pub(super) fn u16(&self, at: usize) -> Said<u16> {
        Ok(u16::try_from(self.number(at, 2)?).unwrap_or(NONE))
    }

    pub(super) fn i32(&self, at: usize) -> Said<i32> {
        Ok(u32::try_from(self.number(at, 4)?).unwrap_or(0).cast_signed())
    }

    pub(super) fn u32(&self, at: usize) -> Said<usize> {
        Ok(usize::try_from(self.number(at, 4)?).unwrap_or(usize::MAX))
    }

    /// Some of the indices.
    pub(super) fn indices(&self, from: usize, n: usize) -> Said<Vec<u16>> {
        (from..from + n).map(|i| self.u16(self.record(section::INDICES, i)?)).collect()
    }

    /// Whether two sets are the same; if not, it is an error, and if nobody knows, it is kept and the diagrams begin anew.
    pub(super) fn equal(&self, cells: &mut Cells<'_>, what: &str, a: Set, b: Set) -> Said<bool> {
        let not_b = cells.d.not(b);
        let differ = cells.d.choice(a, not_b, b);
        match cells.d.never(differ) {
            Ok(true) => Ok(true),
            Ok(false) => Err(format!("{what} is another for some facts")),
            Err(_) => {
                self.large.borrow_mut().push(what.to_owned());
                cells.fresh();
                Ok(false)
            }
        }
    }

    fn count(&self, s: usize) -> usize {
        self.sections[s].1
    }

    pub(super) fn record(&self, s: usize, i: usize) -> Said<usize> {
        let (at, count) = self.sections[s];
        if i < count { Ok(at + i * SECTIONS[s].1) } else { Err(format!("no record {i} of {}", SECTIONS[s].0)) }
    }

    /// A record of one of the sections that hold a number each.
    pub(super) fn value(&self, s: usize, i: usize) -> Said<i64> {
        Ok(self.number(self.record(s, i)?, SECTIONS[s].1)?.cast_signed())
    }

    fn cells(&self, m: &Model) -> Said<()> {
        same("cells", self.count(section::CELLS), m.facts.len())?;
        for (i, f) in m.facts.iter().enumerate() {
            let at = self.record(section::CELLS, i)?;
            let (kind, bits, size, other, strict) =
                (self.u8(at)?, self.u8(at + 1)?, self.u16(at + 2)?, self.u16(at + 4)?, self.u16(at + 6)?);
            let number = |i: u16| self.value(section::NUMBERS, usize::from(i));
            let domain = |n: usize| (i64::try_from(n).unwrap_or(0), 0);
            let (code, wanted) = match &f.ty {
                Type::Bool => (cell::BOOL, domain(2)),
                Type::Enum(n) => (cell::ENUM, domain(n.len())),
                Type::Level(n) => (cell::LEVEL, domain(n.len())),
                Type::Set(n) => (cell::SET, domain(n.len())),
                Type::Int { lo, hi } => (cell::INT, (i64::from(*lo), i64::from(*hi))),
            };
            let size = if kind == cell::INT { (number(size)?, number(size + 1)?) } else { (i64::from(size), 0) };
            let life = match f.life {
                Life::Pinned => 0,
                Life::Sealed => 1,
                Life::Volatile => 2,
                Life::Latch => 3,
                Life::Rank => 4,
            };
            let (latch, of) = match f.latch {
                None => (0, NONE),
                Some(Latch::Tried(r)) => (1, half(r.0)),
                Some(Latch::Judged) => (2, NONE),
                Some(Latch::Consumed) => (3, NONE),
                Some(Latch::Left(c)) => (4, half(c.0)),
            };
            let stands = match (bits & 8, kind) {
                (0, _) => None,
                (_, cell::SET | cell::INT) => Some(number(strict)?),
                _ => Some(i64::from(strict)),
            };
            let here = (kind, size, bits & 7, bits >> 4, other, stands);
            same(&format!("cell `{}`", f.name), here, (code, wanted, life, latch, of, f.unknown))?;
        }
        Ok(())
    }

    fn roads(&self, m: &Model, cells: &mut Cells<'_>) -> Said<()> {
        same("roads", self.count(section::ROADS), m.roads.len())?;
        for (i, r) in m.roads.iter().enumerate() {
            let at = self.record(section::ROADS, i)?;
            let shape = match r.shape {
                Shape::Local => 0,
                Shape::Portal => 1,
                Shape::Peer => 2,
                Shape::Coding => 3,
                Shape::CodingLocal => 4,
                Shape::Human => 5,
                Shape::Choice => 6,
            };
            let flags = [r.remote, r.reviewer.is_some(), r.leaves_invocation];
            let flags = flags.iter().enumerate().fold(0, |all, (i, b)| all | u8::from(*b) << i);
            let here = (usize::from(self.u16(at + 4)?), self.u8(at + 6)?, self.u8(at + 7)?);
            same(&format!("road `{}`", r.name), here, (r.filters.len(), flags, shape))?;
            let first = self.number(at, 4)? as usize;
            for (k, f) in r.filters.iter().enumerate() {
                let written = half(u32::try_from(self.value(section::FILTERS, first + k)?).unwrap_or(u32::MAX));
                self.guard(written, &f.guard, &format!("filter `{}` of `{}`", f.name, r.name), cells)?;
            }
        }
        Ok(())
    }

    /// The guard in the table holds exactly where that of the model does.
    fn guard(&self, written: u16, meant: &Guard, what: &str, cells: &mut Cells<'_>) -> Said<()> {
        let (a, b) = (self.code(written, cells)?.0, cells.guard(meant).0);
        self.equal(cells, what, a, b).map(|_| ())
    }

    /// Where a guard's code is true, and where it is false.
    pub(super) fn code(&self, guard: u16, cells: &mut Cells<'_>) -> Said<(Set, Set)> {
        if guard == NONE {
            return Ok((Diagrams::ALL, Diagrams::NONE));
        }
        let i = usize::from(guard);
        let code = self.record(section::CODE, 0)?;
        let mut at = code + self.number(self.record(section::GUARDS, i)?, 4)? as usize;
        let last = i + 1 == self.count(section::GUARDS);
        let end = if last {
            self.count(section::CODE)
        } else {
            self.number(self.record(section::GUARDS, i + 1)?, 4)? as usize
        };
        let mut stack: Vec<(Set, Set)> = Vec::new();
        while at < code + end {
            let operation = self.u8(at)?;
            at += 1;
            let argument = if operation > op::NOT { self.u16(at)? } else { 0 };
            at += if operation > op::NOT { 2 } else { 0 };
            let f = FactId(u32::from(argument));
            let made = match operation {
                op::TRUE => (Diagrams::ALL, Diagrams::NONE),
                op::FALSE => (Diagrams::NONE, Diagrams::ALL),
                op::NOT => {
                    let (yes, no) = stack.pop().ok_or("a guard negates nothing")?;
                    (no, yes)
                }
                op::AND | op::OR => {
                    let from = stack.len().checked_sub(usize::from(argument)).ok_or("a guard joins too many")?;
                    let all = operation == op::AND;
                    let start = if all { (Diagrams::ALL, Diagrams::NONE) } else { (Diagrams::NONE, Diagrams::ALL) };
                    stack.split_off(from).into_iter().fold(start, |(yes, no), (y, n)| {
                        if all {
                            (cells.d.and(yes, y), cells.d.or(no, n))
                        } else {
                            (cells.d.or(yes, y), cells.d.and(no, n))
                        }
                    })
                }
                _ => {
                    let ty = &cells.model.facts.get(f.index()).ok_or("a guard reads no cell")?.ty;
                    let bytes = match ty {
                        Type::Bool => 1,
                        Type::Enum(n) | Type::Level(n) | Type::Set(n) => n.len().div_ceil(8),
                        Type::Int { .. } => 0,
                    };
                    let atom = match (operation, ty) {
                        (op::UNKNOWN, _) => Guard::Unknown(f),
                        (op::RANGE, Type::Int { .. }) => {
                            at += 8;
                            Guard::Range(f, self.i32(at - 8)?, self.i32(at - 4)?)
                        }
                        (op::DIFF, Type::Int { .. }) => {
                            at += 6;
                            let right = FactId(u32::from(self.u16(at - 6)?));
                            let other = cells.model.facts.get(right.index()).map(|f| &f.ty);
                            if !matches!(other, Some(Type::Int { .. })) {
                                return Err("a guard compares no number".to_owned());
                            }
                            Guard::Diff { left: f, right, plus: self.i32(at - 4)? }
                        }
                        (op::ANY | op::ALL, Type::Set(_)) => {
                            at += bytes;
                            let mask = self.number(at - bytes, bytes)?;
                            let labels = if let Type::Set(n) = ty { n.len() } else { 0 };
                            if labels < 64 && mask >> labels != 0 {
                                return Err("a guard names a label that its cell cannot have".to_owned());
                            }
                            if operation == op::ANY { Guard::HasAny(f, mask) } else { Guard::HasAll(f, mask) }
                        }
                        (op::IN, Type::Bool | Type::Enum(_) | Type::Level(_)) => {
                            at += bytes;
                            let mut values = Vec::new();
                            for v in 0..bytes * 8 {
                                if self.u8(at - bytes + v / 8)? >> (v % 8) & 1 == 1 {
                                    values.push(i64::try_from(v).unwrap_or(0));
                                }
                            }
                            let domain = if let Type::Enum(n) | Type::Level(n) = ty { n.len() } else { 2 };
                            if values.last().is_some_and(|v| usize::try_from(*v).is_ok_and(|v| v >= domain)) {
                                return Err("a guard names a value that its cell cannot have".to_owned());
                            }
                            Guard::In(f, values)
                        }
                        _ => return Err(format!("operation {operation} on a cell of another type")),
                    };
                    cells.guard(&atom)
                }
            };
            stack.push(made);
        }
        match (stack.pop(), stack.is_empty(), at == code + end) {
            (Some(guard), true, true) => Ok(guard),
            _ => Err("a guard leaves not one value".to_owned()),
        }
    }

    /// Where the edges of a node begin, and which each of them stands for: by outcome, then candidate, then in the order in
    /// which they are tried. Behind a choose one edge that names no road may stand for those of all.
    pub(super) fn edges(&self, g: &Graph<'_>, n: NodeId) -> Said<(usize, Vec<Vec<EdgeId>>)> {
        let m = g.model;
        let mut edges = g.out[n.index()].clone();
        edges.sort_by_key(|e| {
            let e = m.edge(*e);
            (outcome(e.outcome.word()), e.candidate.map_or(NONE, |r| half(r.0)))
        });
        let first = usize::from(self.u16(self.record(section::NODES, n.index())? + 6)?);
        let (chosen, others): (Vec<EdgeId>, Vec<EdgeId>) =
            edges.into_iter().partition(|e| m.edge(*e).outcome == Outcome::Chosen);
        let candidates: BTreeSet<_> = chosen.iter().map(|e| m.edge(*e).candidate).collect();
        let mut out: Vec<Vec<EdgeId>> = Vec::new();
        if !chosen.is_empty() && self.extra(self.record(section::EDGES, first)?)?.0 == NONE {
            same("edges of one candidate", chosen.len(), candidates.len())?;
            out.push(chosen);
        } else {
            out.extend(chosen.into_iter().map(|e| vec![e]));
        }
        out.extend(others.into_iter().map(|e| vec![e]));
        Ok((first, out))
    }

    /// Road, counter, changes and duties of an edge.
    fn extra(&self, edge: usize) -> Said<(u16, u8, u64, u16)> {
        let extra = self.u16(edge + 6)?;
        if extra == NONE {
            return Ok((NONE, u8::MAX, 0, 0));
        }
        let x = self.record(section::EXTRAS, usize::from(extra))?;
        Ok((self.u16(x)?, self.u8(x + 2)?, self.number(x + 4, 4)?, self.u16(x + 8)?))
    }

    fn nodes(&self, g: &Graph<'_>, cells: &mut Cells<'_>) -> Said<()> {
        let m = g.model;
        same("nodes", self.count(section::NODES), m.nodes.len())?;
        for (i, n) in m.nodes.iter().enumerate() {
            let at = self.record(section::NODES, i)?;
            let subject = match n.kind {
                NodeKind::Choose(c) => half(c.0),
                _ => n.road.map_or(NONE, |r| half(r.0)),
            };
            let reviews = n.road.is_some_and(|r| m.road(r).reviewer.is_some());
            let found = if n.duty == Some(Duty::Provenance) { obligation("provenance") } else { 0 };
            let owed = entering(&n.kind, reviews).iter().fold(found, |all, w| all | obligation(w));
            let here = (self.u8(at)?, u16::from(self.u8(at + 1)?), self.u16(at + 2)?, self.u16(at + 4)?);
            same(&format!("node `{}`", n.name), here, (code_of(&n.kind), half(n.flow.0), subject, owed))?;
            let (first, edges) = self.edges(g, NodeId(narrow(i)))?;
            let end = if i + 1 < m.nodes.len() {
                usize::from(self.u16(self.record(section::NODES, i + 1)? + 6)?)
            } else {
                self.count(section::EDGES)
            };
            same(&format!("edges of `{}`", n.name), first..end, first..first + edges.len())?;
            let each = edges.iter().enumerate().flat_map(|(k, all)| all.iter().map(move |e| (k, *e)));
            for (k, id) in each {
                cells.tidy();
                let e = m.edge(id);
                let what = format!("edge of `{}` on {}", n.name, e.outcome.word());
                let at = self.record(section::EDGES, first + k)?;
                let (candidate, counter, changes, duties) = self.extra(at)?;
                let (rank, takes) = match e.rank {
                    EdgeRank::Guarded => (0, e.takes),
                    EdgeRank::Spent(c) => (1, Some(c)),
                    EdgeRank::Else => (2, None),
                };
                let kind = format::EDGES.iter().position(|w| *w == e.kind.word()).and_then(|k| u8::try_from(k).ok());
                let bits = kind.unwrap_or(u8::MAX) | rank << 3 | u8::from(e.kind != EdgeKind::Next) << 5;
                let said = e.changes.iter().flatten();
                let said =
                    said.filter_map(|c| Change::ALL.iter().position(|o| o == c)).fold(0_u64, |all, i| all | 1 << i);
                let owed = match e.kind {
                    EdgeKind::Fallback => obligation("fallback_receipt"),
                    EdgeKind::Redeliver => obligation("replay_proof"),
                    _ => 0,
                };
                let here = (usize::from(self.u8(at)?), self.u8(at + 1)?, self.u16(at + 2)?, candidate);
                // Where the record names no road, it is that of every road that has none of its own: of all that it stands for.
                let road = e.candidate.filter(|_| candidate != NONE).map_or(NONE, |r| half(r.0));
                same(&what, here, (outcome(e.outcome.word()), bits, half(e.to.0), road))?;
                let counter_here = takes.map_or(u8::MAX, |c| u8::try_from(c.0).unwrap_or(u8::MAX));
                same(&what, (counter, changes, duties), (counter_here, said, owed))?;
                let meant = match e.rank {
                    // Spent where any edge of the port that takes the counter asks.
                    EdgeRank::Spent(c) => Guard::or(g.out[i].iter().map(|o| m.edge(*o)).filter_map(|o| {
                        let one_port = (o.outcome, o.candidate) == (e.outcome, e.candidate);
                        (one_port && o.takes == Some(c)).then(|| o.guard.clone())
                    })),
                    EdgeRank::Guarded | EdgeRank::Else => e.guard.clone(),
                };
                self.guard(self.u16(at + 4)?, &meant, &what, cells)?;
            }
        }
        Ok(())
    }

    fn rest(&self, m: &Model) -> Said<()> {
        same("counters", self.count(section::COUNTERS), m.counters.len())?;
        for (i, c) in m.counters.iter().enumerate() {
            let at = self.record(section::COUNTERS, i)?;
            same(&format!("counter `{}`", c.name), (self.u8(at)?, self.u16(at + 2)?), (c.max, half(c.fact.0)))?;
        }
        same("flows", self.count(section::FLOWS), m.flows.len())?;
        for (i, f) in m.flows.iter().enumerate() {
            let at = self.record(section::FLOWS, i)?;
            let here = (self.u16(at)?, self.u16(at + 2)?, self.number(at + 4, 4)?);
            same(
                &format!("`{}`", f.name),
                here,
                (half(f.start.0), f.of.map_or(NONE, |r| half(r.0)), u64::from(f.calls)),
            )?;
        }
        Ok(())
    }

    /// The names, if it has any.
    fn symbols(&self, m: &Model) -> Said<()> {
        if self.number(12, 4)? & u64::from(format::FLAG_SYMBOLS) == 0 {
            return Ok(());
        }
        let mut wanted = vec![format!("{}@{}", m.name, m.version)];
        for f in &m.facts {
            wanted.push(f.name.clone());
            if let Type::Enum(n) | Type::Level(n) | Type::Set(n) = &f.ty {
                wanted.extend(n.iter().cloned());
            }
        }
        wanted.extend(m.roads.iter().map(|r| r.name.clone()));
        wanted.extend(m.roads.iter().flat_map(|r| r.filters.iter().map(|f| f.name.clone())));
        wanted.extend(m.nodes.iter().map(|n| n.name.clone()));
        wanted.extend(m.counters.iter().map(|c| c.name.clone()));
        wanted.extend(m.flows.iter().map(|f| f.name.clone()));
        let (start, count) = self.sections[section::SYMBOLS];
        let text = |at: usize, n: usize| {
            let bytes = self.bytes.get(at..at + n).ok_or("a name is cut off")?;
            Ok::<String, String>(String::from_utf8_lossy(bytes).into_owned())
        };
        let mut at = start + 2;
        let mut words = Vec::new();
        for _ in 0..self.u16(start)? {
            let n = usize::from(self.u8(at)?);
            words.push(text(at + 1, n)?);
            at += 1 + n;
        }
        let mut names = vec![String::new()];
        while at < start + count {
            let code = self.u8(at)?;
            at += 1;
            let word = match code {
                symbol::END => {
                    names.push(String::new());
                    continue;
                }
                symbol::WIDE.. => {
                    at += 1;
                    symbol::SHORT + usize::from(code - symbol::WIDE) * 256 + usize::from(self.u8(at - 1)?)
                }
                symbol::WORD.. => usize::from(code - symbol::WORD),
                _ => {
                    if let Some(name) = names.last_mut() {
                        name.push(char::from(code));
                    }
                    continue;
                }
            };
            let word = words.get(word).ok_or("a name has no such word")?;
            if let Some(name) = names.last_mut() {
                name.push_str(word);
            }
        }
        names.pop();
        same("names", names, wanted)
    }
}

fn outcome(word: &str) -> usize {
    format::OUTCOMES.iter().position(|o| *o == word).unwrap_or(usize::MAX)
}

fn obligation(word: &str) -> u16 {
    let names = format::obligation::NAMES;
    names.iter().position(|n| *n == word).map_or(0, |i| 1 << i)
}

/// What entering a node obliges to.
fn entering(kind: &NodeKind, reviews: bool) -> &'static [&'static str] {
    match kind {
        NodeKind::Checkpoint => &["checkpoint"],
        NodeKind::Resolve => &["re_resolve"],
        NodeKind::Quarantine => &["provenance"],
        NodeKind::Validate => &["question_equal", "context_equal"],
        NodeKind::Attempt => &["lease_fence", "fresh_identity"],
        NodeKind::Consume => &["consume_once"],
        NodeKind::Adopt => &["lease_fence", "compare_and_swap"],
        NodeKind::Egress => &["egress_once"],
        k if carries(k) && reviews => &["check_distinct", "check_blind"],
        _ => &[],
    }
}

/// The kind of a node as a byte.
fn code_of(kind: &NodeKind) -> u8 {
    let word = match kind {
        NodeKind::AwaitUser => "await_user",
        NodeKind::AwaitExternal => "await_external",
        NodeKind::Decide { fresh: true } => "decide_fresh",
        NodeKind::Own(_) => "own",
        NodeKind::Stop(s, _) => s.word(),
        k => k.word(),
    };
    let at = |words: &[&str]| words.iter().position(|w| *w == word).and_then(|i| u8::try_from(i).ok());
    if matches!(kind, NodeKind::Stop(..)) {
        at(&format::node::STOPS).map_or(u8::MAX, |i| i + format::node::STOP)
    } else {
        at(&format::node::WORDS).unwrap_or(u8::MAX)
    }
}
