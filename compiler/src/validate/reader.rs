//! A second reader of the format: bytes to plain values, by FORMAT.md.

use crate::model::{Change, FactId, Guard};
use roadlaw_runtime::format::op;

/// A table, decoded.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) cells: Vec<DCell>,
    pub(super) roads: Vec<DRoad>,
    pub(super) filters: Vec<Guard>,
    pub(super) chooses: Vec<DChoose>,
    pub(super) nodes: Vec<DNode>,
    pub(super) counters: Vec<(u8, u16)>,
    pub(super) flows: Vec<(u16, u16, u32)>,
    pub(super) symbols: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct DCell {
    pub(super) kind: u8,
    pub(super) life: u8,
    pub(super) latch: (u8, u16),
    pub(super) strict: Option<i64>,
    pub(super) count: u16,
    pub(super) range: (i32, i32),
}

#[derive(Debug)]
pub(super) struct DRoad {
    pub(super) filters: std::ops::Range<usize>,
    pub(super) flags: u8,
    pub(super) shape: u8,
}

#[derive(Debug)]
pub(super) struct DChoose {
    pub(super) node: u16,
    pub(super) candidates: Vec<u16>,
    pub(super) by: u16,
    pub(super) profiles: Vec<DProfile>,
    pub(super) exits: std::ops::Range<usize>,
    pub(super) digits: Vec<DDigit>,
    /// First row and number of rows of each group.
    pub(super) groups: Vec<(usize, usize)>,
    /// Clauses of each option: groups, each with the set of its rows.
    pub(super) checks: Vec<Vec<DClause>>,
}

/// Groups of which one must be at a row of its set.
pub(super) type DClause = Vec<(usize, Vec<bool>)>;

#[derive(Debug)]
pub(super) struct DProfile {
    pub(super) value: u16,
    /// Positions, best first; empty where there are keys.
    pub(super) order: Vec<u16>,
    /// For each bit of the masks its option.
    pub(super) bits: Vec<usize>,
    /// All rows, for each whether the mask of each bit is set.
    pub(super) rows: Vec<Vec<bool>>,
    /// Least rank of each four options, 16 each; empty where there are no ranks.
    pub(super) ranks: Vec<u8>,
    /// Cells per key.
    pub(super) keys: Vec<Vec<u16>>,
    /// Place of each position by name.
    pub(super) names: Vec<u16>,
}

#[derive(Debug)]
pub(super) enum DSource {
    Cell { at: u16, cuts: Option<Vec<i32>> },
    Labels { at: u16, first: u16, count: u8 },
    Guard(Guard),
}

#[derive(Debug)]
pub(super) struct DDigit {
    pub(super) source: DSource,
    pub(super) group: usize,
    pub(super) stride: usize,
    pub(super) radix: usize,
}

#[derive(Debug)]
pub(super) struct DNode {
    pub(super) kind: u8,
    pub(super) road: u16,
    pub(super) obligations: u32,
    pub(super) choose: u16,
    pub(super) flow: u16,
    pub(super) ports: Vec<(u8, u16, Vec<DEdge>)>,
}

#[derive(Debug)]
pub(super) struct DEdge {
    pub(super) to: u16,
    pub(super) kind: u8,
    pub(super) rank: u8,
    pub(super) counter: u8,
    pub(super) ends_epoch: bool,
    pub(super) guard: Guard,
    pub(super) changes: Vec<Change>,
    pub(super) obligations: u32,
}

/// Reads bytes; the error says what is malformed.
pub(super) fn read(bytes: &[u8]) -> Result<Decoded, String> {
    let b = Bytes { b: bytes };
    if bytes.get(..8) != Some(b"ROADLAW\0") || b.u16(8)? != 2 || b.u16(10)? != 208 {
        return Err("magic, version or header length".to_owned());
    }
    if b.u32(16)? as u64 != bytes.len() as u64 {
        return Err("total length".to_owned());
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..24]);
    hasher.update(&bytes[64..]);
    if bytes[32..64] != *hasher.finalize().as_bytes() {
        return Err("digest".to_owned());
    }
    let sections = b.sections()?;
    let s = |i: usize| sections[i];
    let number = |i: u16| b.i64(s(2).at(usize::from(i))?);
    let mut cells = Vec::new();
    for at in s(1) {
        let (kind, bits) = (b.u8(at)?, b.u8(at + 1)?);
        let (size, strict) = (b.u16(at + 2)?, b.u16(at + 6)?);
        let int = |i: u16| i32::try_from(number(i)?).map_err(|_| "range of a cell".to_owned());
        cells.push(DCell {
            kind,
            life: bits & 7,
            latch: (bits >> 4, b.u16(at + 4)?),
            strict: match (bits >> 3 & 1, kind) {
                (0, _) => None,
                (_, 3 | 4) => Some(number(strict)?),
                _ => Some(i64::from(strict)),
            },
            count: if kind == 4 { 0 } else { size },
            range: if kind == 4 { (int(size)?, int(size + 1)?) } else { (0, 0) },
        });
    }
    let code = Code { b: &b, starts: s(5), section: s(6), cells: &cells };
    let mut filters = Vec::new();
    for at in s(4) {
        filters.push(code.guard(b.u16(at)?)?);
    }
    let mut roads = Vec::new();
    for at in s(3) {
        let first = b.u32(at)? as usize;
        let n = usize::from(b.u16(at + 4)?);
        roads.push(DRoad { filters: first..first + n, flags: b.u8(at + 6)?, shape: b.u8(at + 7)? });
    }
    let mut chooses = Vec::new();
    for at in s(7) {
        chooses.push(choose(&b, &sections, &code, at)?);
    }
    let mut nodes = Vec::new();
    for (i, at) in s(13).into_iter().enumerate() {
        let first = usize::from(b.u16(at + 6)?);
        let end = if i + 1 < s(13).count { usize::from(b.u16(at + 14)?) } else { s(14).count };
        let mut ports: Vec<(u8, u16, Vec<DEdge>)> = Vec::new();
        for e in first..end {
            let (outcome, candidate, edge) = edge(&b, &sections, &code, e)?;
            match ports.last_mut() {
                Some((o, c, edges)) if (*o, *c) == (outcome, candidate) => edges.push(edge),
                _ => ports.push((outcome, candidate, vec![edge])),
            }
        }
        let (kind, subject) = (b.u8(at)?, b.u16(at + 2)?);
        let (road, choose) = if kind == 6 { (u16::MAX, subject) } else { (subject, u16::MAX) };
        let (flow, obligations) = (u16::from(b.u8(at + 1)?), u32::from(b.u16(at + 4)?));
        nodes.push(DNode { kind, road, obligations, choose, flow, ports });
    }
    let mut counters = Vec::new();
    for at in s(16) {
        counters.push((b.u8(at)?, b.u16(at + 2)?));
    }
    let mut flows = Vec::new();
    for at in s(17) {
        flows.push((b.u16(at)?, b.u16(at + 2)?, b.u32(at + 4)?));
    }
    let symbols = if b.u32(12)? & 1 == 1 { b.texts(s(18))? } else { Vec::new() };
    Ok(Decoded { cells, roads, filters, chooses, nodes, counters, flows, symbols })
}

/// Outcome, candidate, and the rest of an edge.
fn edge(b: &Bytes<'_>, sections: &[Section], code: &Code<'_>, i: usize) -> Result<(u8, u16, DEdge), String> {
    let at = sections[14].at(i)?;
    let bits = b.u8(at + 1)?;
    let mut edge = DEdge {
        to: b.u16(at + 2)?,
        kind: bits & 7,
        rank: bits >> 3 & 3,
        counter: u8::MAX,
        ends_epoch: bits >> 5 == 1,
        guard: code.guard(b.u16(at + 4)?)?,
        changes: Vec::new(),
        obligations: 0,
    };
    let mut candidate = u16::MAX;
    let extra = b.u16(at + 6)?;
    if extra != u16::MAX {
        let x = sections[15].at(usize::from(extra))?;
        candidate = b.u16(x)?;
        edge.counter = b.u8(x + 2)?;
        let changes = b.u32(x + 4)?;
        edge.changes = Change::ALL.iter().enumerate().filter(|(i, _)| changes >> i & 1 == 1).map(|(_, c)| *c).collect();
        edge.obligations = u32::from(b.u16(x + 8)?);
    }
    Ok((b.u8(at)?, candidate, edge))
}

fn choose(b: &Bytes<'_>, sections: &[Section], code: &Code<'_>, at: usize) -> Result<DChoose, String> {
    let index = |i: usize| b.u16(sections[11].at(i)?);
    let list = |first: usize, n: usize| (first..first + n).map(index).collect::<Result<Vec<_>, _>>();
    let candidates = list(b.u32(at + 4)? as usize, usize::from(b.u16(at + 2)?))?;
    let exits = usize::from(b.u16(at + 30)?);
    let options = candidates.len() + exits;
    let digits = digits(b, sections, code, at)?;
    let first_rows = list(b.u32(at + 24)? as usize, usize::from(b.u16(at + 22)?))?;
    let mut groups: Vec<(usize, usize)> = first_rows.iter().map(|r| (usize::from(*r), 1)).collect();
    for d in &digits {
        // A group has a row for each combination of its digits, and no other.
        let size = &mut groups.get_mut(d.group).ok_or("group of a digit")?.1;
        if d.stride != *size {
            return Err("stride of a digit".to_owned());
        }
        *size *= d.radix;
    }
    let rows = usize::from(b.u16(at + 28)?);
    let end = groups.iter().try_fold(1, |at, (first, size)| (*first == at).then_some(at + size));
    if end != Some(rows) {
        return Err("rows of a choose".to_owned());
    }
    let shape = Shape { candidates: candidates.len(), options, rows, width: usize::from(b.u8(at + 11)?) };
    let first = b.u32(at + 12)? as usize;
    let profiles = (first..first + usize::from(b.u8(at + 10)?))
        .map(|i| profile(b, sections, &shape, sections[8].at(i)?))
        .collect::<Result<Vec<_>, _>>()?;
    let checks = checks(b, sections, &groups, options, b.u32(at + 36)?)?;
    let first_exit = usize::from(b.u16(at + 32)?);
    let exits = first_exit..first_exit + exits;
    let named = list(b.u32(at + 4)? as usize + candidates.len(), exits.len())?;
    if !named.iter().map(|e| usize::from(*e)).eq(exits.clone()) {
        return Err("exits of a choose".to_owned());
    }
    Ok(DChoose { node: b.u16(at)?, candidates, by: b.u16(at + 8)?, profiles, exits, digits, groups, checks })
}

struct Shape {
    candidates: usize,
    options: usize,
    rows: usize,
    width: usize,
}

fn digits(b: &Bytes<'_>, sections: &[Section], code: &Code<'_>, at: usize) -> Result<Vec<DDigit>, String> {
    let first = b.u32(at + 16)? as usize;
    let mut out = Vec::new();
    for i in first..first + usize::from(b.u16(at + 20)?) {
        let q = sections[9].at(i)?;
        let (cell, argument) = (b.u16(q + 2)?, b.u16(q + 10)?);
        let (source, radix) = match b.u8(q)? {
            0 => {
                let count = code.cells.get(usize::from(cell)).ok_or("cell of a digit")?.count;
                (DSource::Cell { at: cell, cuts: None }, usize::from(count) + 1)
            }
            1 => {
                let cut = |i: usize| b.i32(sections[10].at(usize::from(argument) + i)?);
                let count = usize::try_from(cut(0)?).map_err(|_| "cuts of a digit")?;
                let cuts = (1..=count).map(cut).collect::<Result<Vec<_>, _>>()?;
                (DSource::Cell { at: cell, cuts: Some(cuts) }, count + 2)
            }
            2 => {
                let count = b.u8(q + 1)?;
                if count > 8 || argument > 63 {
                    return Err("labels of a digit".to_owned());
                }
                (DSource::Labels { at: cell, first: argument, count }, (1 << count) + 1)
            }
            3 => (DSource::Guard(code.guard(argument)?), 2),
            _ => return Err("source of a digit".to_owned()),
        };
        if usize::from(b.u16(q + 8)?) != radix {
            return Err("radix of a digit".to_owned());
        }
        out.push(DDigit { source, group: usize::from(b.u16(q + 4)?), stride: usize::from(b.u16(q + 6)?), radix });
    }
    Ok(out)
}

fn profile(b: &Bytes<'_>, sections: &[Section], s: &Shape, q: usize) -> Result<DProfile, String> {
    let index = |i: usize| b.u16(sections[11].at(i)?);
    let mask = |i: usize| b.u8(sections[0].at(i)?);
    let (kind, keys, length) = (b.u8(q + 2)?, usize::from(b.u8(q + 3)?), usize::from(b.u16(q + 4)?));
    let mut at = b.u32(q + 8)? as usize;
    let mut take = |count: usize| {
        let out = (at..at + count).map(index).collect::<Result<Vec<_>, _>>();
        at += count;
        out
    };
    let mut order = Vec::new();
    let (mut cells, mut names) = (Vec::new(), Vec::new());
    if kind == 3 {
        cells = (0..keys).map(|_| take(s.candidates)).collect::<Result<Vec<_>, _>>()?;
        names = take(s.candidates)?;
    } else {
        order = take(length)?;
    }
    let bits: Vec<usize> =
        if kind == 1 { order.iter().map(|i| usize::from(*i)).collect() } else { (0..s.options).collect() };
    let (first, per_block) = (b.u32(q + 12)? as usize, s.width * 8);
    if per_block == 0 {
        return Err("width of a choose".to_owned());
    }
    let bit = |row: usize, bit: usize| {
        let start = first + (bit / per_block * s.rows + row) * s.width;
        Ok(mask(start + bit % per_block / 8)? >> (bit % 8) & 1 == 1)
    };
    // Bits up to the end of the last block, so that those of no option are seen as well.
    let shown = bits.len().next_multiple_of(per_block);
    let rows = (0..s.rows)
        .map(|row| (0..shown).map(|k| bit(row, k)).collect::<Result<Vec<_>, String>>())
        .collect::<Result<Vec<_>, _>>()?;
    let ranks = if kind == 2 {
        let first = b.u32(q + 16)? as usize;
        (first..first + s.width * 32).map(mask).collect::<Result<Vec<_>, _>>()?
    } else {
        Vec::new()
    };
    // Behind the candidates of an order come the exits, in theirs.
    if kind != 3 {
        let exits: Vec<u16> = order.split_off(order.len().saturating_sub(s.options - s.candidates));
        if !exits.iter().map(|o| usize::from(*o)).eq(s.candidates..s.options) {
            return Err("exits of a profile".to_owned());
        }
    }
    Ok(DProfile { value: b.u16(q)?, order, bits, rows, ranks, keys: cells, names })
}

fn checks(
    b: &Bytes<'_>,
    sections: &[Section],
    groups: &[(usize, usize)],
    options: usize,
    first: u32,
) -> Result<Vec<Vec<DClause>>, String> {
    if first == u32::MAX {
        return Ok(vec![Vec::new(); options]);
    }
    let word = |i: usize| b.u16(sections[12].at(first as usize + i)?).map(usize::from);
    let set = |at: usize, size: usize| {
        (0..size).map(|row| Ok(word(at + row / 16)? >> (row % 16) & 1 == 1)).collect::<Result<Vec<bool>, String>>()
    };
    (0..options)
        .map(|option| {
            let mut at = word(option)?;
            if at == usize::from(u16::MAX) {
                return Ok(Vec::new());
            }
            let mut clauses = Vec::new();
            for _ in 0..word(at)? {
                let count = word(at + 1)?;
                let literals = (0..count).map(|k| {
                    let group = word(at + 2 + 2 * k)?;
                    let size = groups.get(group).ok_or("group of a check")?.1;
                    Ok((group, set(word(at + 3 + 2 * k)?, size)?))
                });
                clauses.push(literals.collect::<Result<DClause, String>>()?);
                at += 1 + 2 * count;
            }
            Ok(clauses)
        })
        .collect()
}

struct Bytes<'a> {
    b: &'a [u8],
}

/// Offset, records, size of a record.
#[derive(Debug, Clone, Copy)]
struct Section {
    offset: usize,
    count: usize,
    size: usize,
}

impl Section {
    fn at(self, i: usize) -> Result<usize, String> {
        if i < self.count { Ok(self.offset + i * self.size) } else { Err(format!("index {i} beyond its section")) }
    }
}

impl IntoIterator for Section {
    type Item = usize;
    type IntoIter = std::iter::StepBy<std::ops::Range<usize>>;
    fn into_iter(self) -> Self::IntoIter {
        (self.offset..self.offset + self.count * self.size).step_by(self.size.max(1))
    }
}

impl Bytes<'_> {
    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], String> {
        self.b.get(at..at + N).and_then(|s| s.try_into().ok()).ok_or_else(|| format!("byte {at} is beyond the table"))
    }
    fn u8(&self, at: usize) -> Result<u8, String> {
        Ok(self.array::<1>(at)?[0])
    }
    fn u16(&self, at: usize) -> Result<u16, String> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }
    fn u32(&self, at: usize) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }
    fn i32(&self, at: usize) -> Result<i32, String> {
        Ok(i32::from_le_bytes(self.array(at)?))
    }
    fn i64(&self, at: usize) -> Result<i64, String> {
        Ok(i64::from_le_bytes(self.array(at)?))
    }

    /// Where the sections are: one after the other, each padded to 8 bytes.
    fn sections(&self) -> Result<Vec<Section>, String> {
        let mut offset = 208_usize;
        let mut out = Vec::new();
        for (i, size) in [1, 8, 8, 8, 2, 4, 1, 40, 20, 12, 4, 2, 2, 8, 8, 12, 4, 8, 1].into_iter().enumerate() {
            let count = self.u32(128 + 4 * i)? as usize;
            let end = count.checked_mul(size).and_then(|n| n.checked_add(offset)).ok_or("a section is too long")?;
            if end > self.b.len() {
                return Err(format!("section {i} ends beyond the table"));
            }
            out.push(Section { offset, count, size });
            offset = end.next_multiple_of(8);
        }
        if offset == self.b.len() { Ok(out) } else { Err("bytes after the last section".to_owned()) }
    }

    /// Dictionary and names.
    fn texts(&self, s: Section) -> Result<Vec<String>, String> {
        let end = s.offset + s.count;
        let mut at = s.offset + 2;
        let mut words = Vec::new();
        for _ in 0..self.u16(s.offset)? {
            let length = usize::from(self.u8(at)?);
            let text = self.b.get(at + 1..at + 1 + length).ok_or("a word of the symbols is cut off")?;
            words.push(std::str::from_utf8(text).map_err(|_| "a word of the symbols is no UTF-8")?);
            at += 1 + length;
        }
        let mut out = Vec::new();
        let mut name = String::new();
        while at < end {
            let code = self.u8(at)?;
            at += 1;
            let word = match code {
                0 => {
                    out.push(std::mem::take(&mut name));
                    continue;
                }
                1..0x80 => {
                    name.push(char::from(code));
                    continue;
                }
                0x80..0xf0 => usize::from(code) - 0x80,
                0xf0.. => {
                    at += 1;
                    (usize::from(code) - 0xf0) * 256 + usize::from(self.u8(at - 1)?) + 112
                }
            };
            name.push_str(words.get(word).ok_or("a symbol has no such word")?);
        }
        if name.is_empty() { Ok(out) } else { Err("a symbol is cut off".to_owned()) }
    }
}

struct Code<'a> {
    b: &'a Bytes<'a>,
    starts: Section,
    section: Section,
    cells: &'a [DCell],
}

impl Code<'_> {
    fn guard(&self, index: u16) -> Result<Guard, String> {
        if index == u16::MAX {
            return Ok(Guard::True);
        }
        let index = usize::from(index);
        let start = |i: usize| self.b.u32(self.starts.at(i)?).map(|n| n as usize);
        let end = if index + 1 < self.starts.count { start(index + 1)? } else { self.section.count };
        let mut at = start(index)?;
        let mut stack: Vec<Guard> = Vec::new();
        let byte = |at: &mut usize| {
            let b = self.b.u8(self.section.at(*at)?);
            *at += 1;
            b
        };
        let number = |at: &mut usize, bytes: usize| -> Result<u64, String> {
            if bytes > 8 {
                return Err("a mask of more than 64 labels".to_owned());
            }
            (0..bytes).try_fold(0_u64, |n, k| Ok(n | u64::from(byte(at)?) << (8 * k)))
        };
        while at < end {
            let operation = number(&mut at, 1)? as u8;
            let made = match operation {
                op::FALSE => Guard::False,
                op::TRUE => Guard::True,
                op::NOT => Guard::Not(Box::new(stack.pop().ok_or("stack of a guard")?)),
                op::AND | op::OR => {
                    let parts = number(&mut at, 2)? as usize;
                    let from = stack.len().checked_sub(parts).ok_or("stack of a guard")?;
                    let parts = stack.split_off(from);
                    if operation == op::AND { Guard::And(parts) } else { Guard::Or(parts) }
                }
                op::IN | op::ANY | op::ALL | op::RANGE | op::DIFF | op::UNKNOWN => {
                    let cell = number(&mut at, 2)? as u32;
                    let fact = FactId(cell);
                    let count = usize::from(self.cells.get(cell as usize).ok_or("cell of a guard")?.count);
                    match operation {
                        op::RANGE => {
                            let lo = (number(&mut at, 4)? as u32).cast_signed();
                            Guard::Range(fact, lo, (number(&mut at, 4)? as u32).cast_signed())
                        }
                        op::DIFF => {
                            let right = FactId(number(&mut at, 2)? as u32);
                            Guard::Diff { left: fact, right, plus: (number(&mut at, 4)? as u32).cast_signed() }
                        }
                        op::UNKNOWN => Guard::Unknown(fact),
                        op::IN => {
                            let mut values = Vec::new();
                            for first in (0..count).step_by(8) {
                                let mask = number(&mut at, 1)?;
                                values.extend((first..first + 8).filter(|v| mask >> (v - first) & 1 == 1));
                            }
                            Guard::In(fact, values.into_iter().map(|v| v as i64).collect())
                        }
                        _ => {
                            let mask = number(&mut at, count.div_ceil(8))?;
                            if operation == op::ANY { Guard::HasAny(fact, mask) } else { Guard::HasAll(fact, mask) }
                        }
                    }
                }
                other => return Err(format!("operation {other}")),
            };
            stack.push(made);
        }
        match (stack.pop(), stack.is_empty(), at == end) {
            (Some(g), true, true) => Ok(g),
            _ => Err("stack of a guard".to_owned()),
        }
    }
}
