//! Decoded bytes against the model: per cell, per column, per road, per edge.

use super::reader::{DChoose, DColumn, DEdge, DSource, Decoded, read};
use crate::graph::Cond;
use crate::model::{
    Choose, Duty, EdgeId, EdgeKind, EdgeRank, FactId, Guard, Latch, Life, Model, NodeKind, Order, RoadId, Stop, Type,
};
use crate::prove::{alone, equivalent};
use roadlaw_grammar::diagnostic::Diagnostic;

/// Reads the finished bytes back and proves them equal to the model.
///
/// # Errors
/// RL901: what the table says differently, or could not be shown to say.
pub fn check(bytes: &[u8], model: &Model) -> Result<(), Vec<Diagnostic>> {
    let wrong = |what: String| {
        vec![
            Diagnostic::error(
                "RL901",
                model.span,
                format!("internal: the table does not say what the policy says: {what}"),
            )
            .with_help("this is a fault of roadlaw, not of the policy: please report it with the policy"),
        ]
    };
    let table = read(bytes).map_err(|e| wrong(format!("malformed: {e}")))?;
    // What this reader has no use for (padding, reserved fields) is still the runtime's to refuse.
    roadlaw_runtime::Table::from_bytes(bytes).map_err(|e| wrong(format!("the runtime refuses it: {e}")))?;
    alone(|| compare(&table, model)).map_err(wrong)
}

type Outcome = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, table: T, model: T) -> Outcome {
    if table == model { Ok(()) } else { Err(format!("{what}: {table:?} for {model:?}")) }
}

fn compare(t: &Decoded, m: &Model) -> Outcome {
    cells(t, m)?;
    same("number of roads", t.roads.len(), m.roads.len())?;
    for (d, r) in t.roads.iter().zip(&m.roads) {
        same("filters of a road", d.filters.len(), r.filters.len())?;
        same(
            "flags of a road",
            d.flags,
            u8::from(r.remote) + 2 * u8::from(r.reviewer.is_some()) + 4 * u8::from(r.leaves_invocation),
        )?;
        let shapes = ["local", "portal", "peer", "coding", "coding_local", "human", "option"];
        same("shape of a road", shapes.get(usize::from(d.shape)).copied(), Some(r.shape.word()))?;
        for (i, f) in r.filters.iter().enumerate() {
            let written = t.filters.get(d.filters.start + i).ok_or("a filter is missing")?;
            guards(m, &format!("filter `{}` of `{}`", f.name, r.name), written, &f.guard)?;
        }
    }
    same("number of chooses", t.chooses.len(), m.chooses.len())?;
    for (d, c) in t.chooses.iter().zip(&m.chooses) {
        choose(m, d, c)?;
    }
    same("counters", &t.counters, &m.counters.iter().map(|c| (c.max, u16::try_from(c.fact.0).unwrap_or(0))).collect())?;
    let flows = m.flows.iter().map(|f| (half(f.start.0), f.of.map_or(u16::MAX, |r| half(r.0)), f.calls)).collect();
    same("flows", &t.flows, &flows)?;
    nodes(t, m)?;
    symbols(t, m)
}

fn half(n: u32) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn cells(t: &Decoded, m: &Model) -> Outcome {
    same("number of cells", t.cells.len(), m.facts.len())?;
    for (d, f) in t.cells.iter().zip(&m.facts) {
        let (kind, count, range) = match &f.ty {
            Type::Bool => (0, 2, (0, 0)),
            Type::Enum(n) => (1, n.len(), (0, 0)),
            Type::Level(n) => (2, n.len(), (0, 0)),
            Type::Set(n) => (3, n.len(), (0, 0)),
            Type::Int { lo, hi } => (4, 0, (*lo, *hi)),
        };
        let life = match f.life {
            Life::Pinned => 0,
            Life::Sealed => 1,
            Life::Volatile => 2,
            Life::Latch => 3,
            Life::Rank => 4,
        };
        let latch = match f.latch {
            None => (0, u16::MAX),
            Some(Latch::Tried(r)) => (1, half(r.0)),
            Some(Latch::Judged) => (2, u16::MAX),
            Some(Latch::Consumed) => (3, u16::MAX),
            Some(Latch::Left(c)) => (4, half(c.0)),
        };
        same(&format!("cell `{}`", f.name), (d.kind, usize::from(d.count), d.range), (kind, count, range))?;
        same(&format!("life of `{}`", f.name), (d.life, d.latch, d.strict), (life, latch, f.unknown))?;
    }
    Ok(())
}

/// Two guards agree on every assignment: structurally, or by Z3.
fn guards(m: &Model, what: &str, written: &Guard, meant: &Guard) -> Outcome {
    if written == meant || equivalent(m, &Cond::holds(written), &Cond::holds(meant))? {
        return Ok(());
    }
    Err(format!("{what} is another guard"))
}

fn choose(m: &Model, d: &DChoose, c: &Choose) -> Outcome {
    same("node of a choose", u32::from(d.node), c.node.0)?;
    same("candidates", d.candidates.clone(), c.candidates.iter().map(|r| half(r.0)).collect())?;
    same("fact of a choose", d.by, c.by.map_or(u16::MAX, |f| half(f.0)))?;
    same("profiles", d.profiles.len(), c.profiles.len())?;
    let position = |r: &RoadId| {
        c.candidates.iter().position(|q| q == r).map_or(u16::MAX, |i| u16::try_from(i).unwrap_or(u16::MAX))
    };
    let by_name = || {
        let mut names: Vec<&str> = c.candidates.iter().map(|r| m.road(*r).name.as_str()).collect();
        names.sort_unstable();
        names
    };
    for (p, (value, order)) in d.profiles.iter().zip(&c.profiles) {
        same("value of a profile", i64::from(p.value), *value)?;
        match order {
            Order::Static(roads) => same("order", p.order.clone(), roads.iter().map(position).collect())?,
            Order::Keys(keys) if keys.is_empty() => {
                let written: Vec<&str> = p
                    .order
                    .iter()
                    .filter_map(|i| c.candidates.get(usize::from(*i)))
                    .map(|r| m.road(*r).name.as_str())
                    .collect();
                same("order by name", written, by_name())?;
            }
            Order::Keys(keys) => {
                let cells: Vec<Vec<u16>> = keys.iter().map(|k| k.cells.iter().map(|f| half(f.0)).collect()).collect();
                same("keys", p.keys.clone(), cells)?;
                for (place, r) in p.names.iter().zip(&c.candidates) {
                    same("place by name", by_name().get(usize::from(*place)).copied(), Some(m.road(*r).name.as_str()))?;
                }
            }
        }
    }
    for (i, r) in c.candidates.iter().enumerate() {
        eligibility(m, d, i, *r)?;
    }
    let beyond = |row: &Vec<u8>| (c.candidates.len()..row.len() * 8).any(|i| row[i / 8] >> (i % 8) & 1 == 1);
    same("bits of a row beyond its candidates", d.columns.iter().flat_map(|k| &k.rows).any(beyond), false)?;
    Ok(())
}

/// The rows that the facts pick leave the road's bit set iff all its filters are true. First each conjunct of the filters is
/// matched with the columns over the same cells; what remains goes to Z3 as one question about one road.
fn eligibility(m: &Model, d: &DChoose, i: usize, r: RoadId) -> Outcome {
    let bit = |row: &Vec<u8>| row.get(i / 8).is_some_and(|w| w >> (i % 8) & 1 == 1);
    let mut parts = Vec::new();
    for column in &d.columns {
        parts.push(column_condition(m, column, &bit)?);
    }
    let written = Cond::all(parts);
    let meant = Cond::all(m.road(r).filters.iter().map(|f| Cond::holds(&f.guard)));
    if equivalent(m, &written, &meant)? { Ok(()) } else { Err(format!("eligibility of `{}`", m.road(r).name)) }
}

/// When the column's picked row has the bit.
fn column_condition(m: &Model, column: &DColumn, bit: &dyn Fn(&Vec<u8>) -> bool) -> Result<Cond, String> {
    let rows: Vec<bool> = column.rows.iter().map(bit).collect();
    let pick = |is: Vec<Cond>| -> Result<Cond, String> {
        if is.len() != rows.len() {
            return Err("rows of a column".to_owned());
        }
        if rows.iter().all(|r| *r) {
            return Ok(Cond::True);
        }
        Ok(Cond::any(is.into_iter().zip(&rows).filter(|(_, r)| **r).map(|(c, _)| c)))
    };
    match &column.source {
        DSource::Guard(g) => pick(vec![Cond::fails(g), Cond::holds(g)]),
        DSource::Label { at, label } => {
            let f = FactId(u32::from(*at));
            let has = Guard::HasAny(f, 1 << label);
            let (yes, no) = (Cond::holds(&has), Cond::holds(&has.negated()));
            pick(vec![known(f, no), known(f, yes), unknown(f)])
        }
        DSource::Cell { at, cuts } => {
            let f = FactId(u32::from(*at));
            let fact = m.facts.get(f.index()).ok_or("cell of a column")?;
            let mut is: Vec<Cond> = match &fact.ty {
                Type::Bool => vec![vec![0], vec![1]].into_iter().map(|v| Cond::Holds(Guard::In(f, v))).collect(),
                Type::Enum(n) | Type::Level(n) => {
                    (0..n.len()).map(|v| Cond::Holds(Guard::In(f, vec![i64::try_from(v).unwrap_or(0)]))).collect()
                }
                Type::Set(_) => return Err("a set as a cell column".to_owned()),
                Type::Int { lo, hi } => {
                    let mut from = vec![*lo];
                    from.extend(cuts);
                    (0..from.len())
                        .map(|k| Cond::Holds(Guard::Range(f, from[k], from.get(k + 1).map_or(*hi, |n| n - 1))))
                        .collect()
                }
            };
            is = is.into_iter().map(|c| known(f, c)).collect();
            is.push(unknown(f));
            pick(is)
        }
    }
}

/// The last row is that of unknown itself, also where unknown stands for a value: no other row speaks for it.
fn unknown(f: FactId) -> Cond {
    Cond::Holds(Guard::Unknown(f))
}

fn known(f: FactId, c: Cond) -> Cond {
    Cond::all([c, unknown(f).not()])
}

fn nodes(t: &Decoded, m: &Model) -> Outcome {
    same("number of nodes", t.nodes.len(), m.nodes.len())?;
    let mut seen = 0;
    for (i, (d, n)) in t.nodes.iter().zip(&m.nodes).enumerate() {
        same(&format!("kind of `{}`", n.name), kind_word(d.kind), model_word(&n.kind))?;
        let choose = if let NodeKind::Choose(c) = n.kind { half(c.0) } else { u16::MAX };
        same(
            &format!("record of `{}`", n.name),
            (d.road, d.choose, d.flow),
            (n.road.map_or(u16::MAX, |r| half(r.0)), choose, half(n.flow.0)),
        )?;
        same(&format!("obligations of `{}`", n.name), obligation_words(d.obligations), obliged(m, i))?;
        for (outcome, candidate, edges) in &d.ports {
            let port: Vec<EdgeId> = (0..m.edges.len())
                .map(|k| EdgeId(crate::graph::narrow(k)))
                .filter(|e| {
                    let e = m.edge(*e);
                    e.from.index() == i
                        && roadlaw_runtime::format::OUTCOMES.get(usize::from(*outcome)) == Some(&e.outcome.word())
                        && e.candidate.map_or(u16::MAX, |r| half(r.0)) == *candidate
                })
                .collect();
            same(&format!("edges of `{}`", n.name), edges.len(), port.len())?;
            seen += port.len();
            for (w, e) in edges.iter().zip(&port) {
                edge(m, w, *e, &port)?;
            }
        }
    }
    same("number of edges", seen, m.edges.len())
}

fn edge(m: &Model, d: &DEdge, id: EdgeId, port: &[EdgeId]) -> Outcome {
    let e = m.edge(id);
    let what = format!("edge of `{}` on {}", m.node(e.from).name, e.outcome.word());
    same(&what, u32::from(d.to), e.to.0)?;
    same(&what, roadlaw_runtime::format::EDGES.get(usize::from(d.kind)).copied(), Some(e.kind.word()))?;
    let (rank, counter, guard) = match e.rank {
        EdgeRank::Guarded => (0, e.takes, e.guard.clone()),
        EdgeRank::Spent(c) => {
            let asks = port.iter().map(|o| m.edge(*o)).filter(|o| o.takes == Some(c)).map(|o| o.guard.clone());
            (1, Some(c), Guard::or(asks))
        }
        EdgeRank::Else => (2, None, e.guard.clone()),
    };
    same(&what, (d.rank, u32::from(d.counter)), (rank, counter.map_or(255, |c| c.0)))?;
    same(&what, d.ends_epoch, e.kind != EdgeKind::Next)?;
    same(&what, d.changes.clone(), e.changes.iter().flatten().copied().collect())?;
    let owed = match e.kind {
        EdgeKind::Fallback => vec!["fallback_receipt"],
        EdgeKind::Redeliver => vec!["replay_proof"],
        _ => Vec::new(),
    };
    same(&what, obligation_words(d.obligations), owed)?;
    guards(m, &what, &d.guard, &guard)
}

fn obligation_words(bits: u32) -> Vec<&'static str> {
    let names = roadlaw_runtime::format::obligation::NAMES;
    names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, n)| *n).collect()
}

/// What entering a node obliges to, stated once more.
fn obliged(m: &Model, i: usize) -> Vec<&'static str> {
    let n = &m.nodes[i];
    let reviews = n.road.is_some_and(|r| m.road(r).reviewer.is_some());
    let mut words = match &n.kind {
        NodeKind::Checkpoint => vec!["checkpoint"],
        NodeKind::Resolve => vec!["re_resolve"],
        k if crate::graph::carries(k) && reviews => vec!["check_distinct", "check_blind"],
        NodeKind::Quarantine => vec!["provenance"],
        NodeKind::Validate => vec!["question_equal", "context_equal"],
        NodeKind::Attempt => vec!["lease_fence", "fresh_identity"],
        NodeKind::Consume => vec!["consume_once"],
        NodeKind::Adopt => vec!["lease_fence", "compare_and_swap"],
        NodeKind::Egress => vec!["egress_once"],
        _ => Vec::new(),
    };
    if n.duty == Some(Duty::Provenance) {
        words.push("provenance");
    }
    // In the order of their bits, which is that of their names.
    let names = roadlaw_runtime::format::obligation::NAMES;
    words.sort_by_key(|w| names.iter().position(|n| n == w));
    words.dedup();
    words
}

fn kind_word(code: u8) -> String {
    use roadlaw_runtime::format::node;
    let stop = code.checked_sub(node::STOP).and_then(|k| node::STOPS.get(usize::from(k)));
    stop.or_else(|| node::WORDS.get(usize::from(code))).map_or_else(String::new, |w| (*w).to_owned())
}

fn model_word(k: &NodeKind) -> String {
    match k {
        NodeKind::AwaitUser => "await_user".to_owned(),
        NodeKind::AwaitExternal => "await_external".to_owned(),
        NodeKind::Decide { fresh: true } => "decide_fresh".to_owned(),
        NodeKind::Own(_) => "own".to_owned(),
        NodeKind::Stop(s, _) => Stop::word(*s).to_owned(),
        k => k.word().to_owned(),
    }
}

fn symbols(t: &Decoded, m: &Model) -> Outcome {
    if t.symbols.is_empty() {
        return Ok(());
    }
    let mut names = vec![format!("{}@{}", m.name, m.version)];
    for f in &m.facts {
        names.push(f.name.clone());
        if let Type::Enum(n) | Type::Level(n) | Type::Set(n) = &f.ty {
            names.extend(n.iter().cloned());
        }
    }
    names.extend(m.roads.iter().map(|r| r.name.clone()));
    names.extend(m.roads.iter().flat_map(|r| &r.filters).map(|f| f.name.clone()));
    names.extend(m.nodes.iter().map(|n| n.name.clone()));
    names.extend(m.counters.iter().map(|c| c.name.clone()));
    names.extend(m.flows.iter().map(|f| f.name.clone()));
    same("symbols", &t.symbols, &names)
}
