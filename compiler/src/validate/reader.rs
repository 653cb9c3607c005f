//! A second reader of the format: bytes to plain values, by FORMAT.md.

use crate::model::{Change, FactId, Guard};
use roadlaw_runtime::format::{self, op};

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
    pub(super) columns: Vec<DColumn>,
}

#[derive(Debug)]
pub(super) struct DProfile {
    pub(super) value: u16,
    /// Positions, best first; empty where there are keys.
    pub(super) order: Vec<u16>,
    /// Cells per key.
    pub(super) keys: Vec<Vec<u16>>,
    /// Place of each position by name.
    pub(super) names: Vec<u16>,
}

#[derive(Debug)]
pub(super) enum DSource {
    Cell { at: u16, cuts: Vec<i32> },
    Label { at: u16, label: u8 },
    Guard(Guard),
}

#[derive(Debug)]
pub(super) struct DColumn {
    pub(super) source: DSource,
    /// Rows of masks.
    pub(super) rows: Vec<Vec<u64>>,
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
    if bytes.get(..8) != Some(b"ROADLAW\0") || b.u16(8)? != 1 || b.u16(10)? != 256 {
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
    let sections = b.directory()?;
    let s = |i: usize| sections[i];
    let mut cells = Vec::new();
    for at in s(0) {
        let kind = b.u8(at)?;
        let strict = if b.u8(at + 3)? == 1 { Some(b.i64(at + 8)?) } else { None };
        cells.push(DCell {
            kind,
            life: b.u8(at + 1)?,
            latch: (b.u8(at + 2)?, b.u16(at + 6)?),
            strict,
            count: b.u16(at + 4)?,
            range: (b.i32(at + 16)?, b.i32(at + 20)?),
        });
    }
    let code = Code { b: &b, section: s(3), cells: &cells };
    let mut filters = Vec::new();
    for at in s(2) {
        filters.push(code.guard(b.u32(at)?)?);
    }
    let mut roads = Vec::new();
    for at in s(1) {
        let first = b.u32(at)? as usize;
        let n = usize::from(b.u16(at + 4)?);
        roads.push(DRoad { filters: first..first + n, flags: b.u8(at + 6)?, shape: b.u8(at + 7)? });
    }
    let mut chooses = Vec::new();
    for at in s(4) {
        chooses.push(choose(&b, &sections, &code, at)?);
    }
    let mut nodes = Vec::new();
    for at in s(9) {
        let first = usize::from(b.u16(at + 8)?);
        let mut ports = Vec::new();
        for p in first..first + usize::from(b.u16(at + 10)?) {
            let q = s(10).at(p)?;
            let start = usize::from(b.u16(q + 4)?);
            let mut edges = Vec::new();
            for e in start..start + usize::from(b.u16(q + 6)?) {
                let r = s(11).at(e)?;
                let bits = b.u32(r + 12)?;
                edges.push(DEdge {
                    to: b.u16(r)?,
                    kind: b.u8(r + 2)?,
                    rank: b.u8(r + 3)?,
                    counter: b.u8(r + 4)?,
                    ends_epoch: b.u8(r + 5)? == 1,
                    guard: code.guard(b.u32(r + 8)?)?,
                    changes: Change::ALL
                        .iter()
                        .enumerate()
                        .filter(|(i, _)| bits >> i & 1 == 1)
                        .map(|(_, c)| *c)
                        .collect(),
                    obligations: b.u32(r + 16)?,
                });
            }
            ports.push((b.u8(q)?, b.u16(q + 2)?, edges));
        }
        nodes.push(DNode {
            kind: b.u8(at)?,
            road: b.u16(at + 2)?,
            obligations: b.u32(at + 4)?,
            choose: b.u16(at + 12)?,
            flow: b.u16(at + 14)?,
            ports,
        });
    }
    let mut counters = Vec::new();
    for at in s(12) {
        counters.push((b.u8(at)?, b.u16(at + 2)?));
    }
    let mut flows = Vec::new();
    for at in s(13) {
        flows.push((b.u16(at)?, b.u16(at + 2)?, b.u32(at + 4)?));
    }
    let symbols = b.texts(s(format::SYMBOLS))?;
    Ok(Decoded { cells, roads, filters, chooses, nodes, counters, flows, symbols })
}

fn choose(b: &Bytes<'_>, sections: &[Section], code: &Code<'_>, at: usize) -> Result<DChoose, String> {
    let index = |i: usize| b.u16(sections[8].at(i)?);
    let n = usize::from(b.u16(at + 2)?);
    let first = b.u32(at + 4)? as usize;
    let candidates = (first..first + n).map(index).collect::<Result<Vec<_>, _>>()?;
    let words = usize::from(b.u8(at + 11)?);
    if words != n.div_ceil(64) {
        return Err("mask words of a choose".to_owned());
    }
    let mut p = b.u32(at + 12)? as usize;
    let mut profiles = Vec::new();
    for _ in 0..b.u8(at + 10)? {
        let (value, keys, length) = (index(p)?, usize::from(index(p + 1)?), usize::from(index(p + 2)?));
        p += 3;
        let mut take = |count: usize| {
            let out = (p..p + count).map(index).collect::<Result<Vec<_>, _>>();
            p += count;
            out
        };
        if keys == 0 {
            let order = take(length)?;
            profiles.push(DProfile { value, order, keys: Vec::new(), names: Vec::new() });
        } else {
            let cells = (0..keys).map(|_| take(n)).collect::<Result<Vec<_>, _>>()?;
            let names = take(n)?;
            profiles.push(DProfile { value, order: Vec::new(), keys: cells, names });
        }
    }
    let first = b.u32(at + 16)? as usize;
    let mut columns = Vec::new();
    for c in first..first + b.u32(at + 20)? as usize {
        let q = sections[5].at(c)?;
        let source = match b.u8(q)? {
            0 => {
                let cut = b.u32(q + 4)? as usize;
                let cuts = (cut..cut + usize::from(b.u16(q + 10)?))
                    .map(|i| b.i32(sections[6].at(i)?))
                    .collect::<Result<Vec<_>, _>>()?;
                DSource::Cell { at: b.u16(q + 2)?, cuts }
            }
            1 => DSource::Label { at: b.u16(q + 2)?, label: b.u8(q + 1)? },
            2 => DSource::Guard(code.guard(b.u32(q + 4)?)?),
            _ => return Err("source of a column".to_owned()),
        };
        let mask = b.u32(q + 12)? as usize;
        let rows = (0..usize::from(b.u16(q + 8)?))
            .map(|r| (0..words).map(|w| b.u64(sections[7].at(mask + r * words + w)?)).collect::<Result<Vec<_>, _>>())
            .collect::<Result<Vec<_>, String>>()?;
        columns.push(DColumn { source, rows });
    }
    Ok(DChoose { node: b.u16(at)?, candidates, by: b.u16(at + 8)?, profiles, columns })
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
    fn u64(&self, at: usize) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.array(at)?))
    }
    fn i32(&self, at: usize) -> Result<i32, String> {
        Ok(i32::from_le_bytes(self.array(at)?))
    }
    fn i64(&self, at: usize) -> Result<i64, String> {
        Ok(i64::from_le_bytes(self.array(at)?))
    }

    fn directory(&self) -> Result<Vec<Section>, String> {
        let mut at = 256_usize;
        let mut out = Vec::new();
        for i in 0..15 {
            let size = [24, 8, 8, 4, 24, 16, 4, 8, 2, 16, 8, 20, 4, 8, 1][i];
            let (offset, count) = (self.u32(128 + 8 * i)? as usize, self.u32(132 + 8 * i)? as usize);
            let end = count.checked_mul(size).and_then(|n| n.checked_add(offset)).ok_or("a section is too long")?;
            if offset != at || end > self.b.len() {
                return Err(format!("section {i} is not where it should be"));
            }
            at = end.next_multiple_of(8);
            out.push(Section { offset, count, size });
        }
        if at == self.b.len() { Ok(out) } else { Err("bytes after the last section".to_owned()) }
    }

    fn texts(&self, s: Section) -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        let mut at = s.offset;
        while at < s.offset + s.count {
            let n = usize::from(self.u16(at)?);
            let text = self.b.get(at + 2..at + 2 + n).ok_or("a symbol is cut off")?;
            out.push(std::str::from_utf8(text).map_err(|_| "a symbol is no UTF-8")?.to_owned());
            at += 2 + n;
        }
        Ok(out)
    }
}

struct Code<'a> {
    b: &'a Bytes<'a>,
    section: Section,
    cells: &'a [DCell],
}

impl Code<'_> {
    fn guard(&self, start: u32) -> Result<Guard, String> {
        if start == u32::MAX {
            return Ok(Guard::True);
        }
        let mut stack: Vec<Guard> = Vec::new();
        let mut i = start as usize;
        let word = |i: usize| self.b.u32(self.section.at(i)?);
        loop {
            let w = word(i)?;
            i += 1;
            let (operation, arg) = ((w & 0xff) as u8, w >> 8);
            let fact = FactId(arg);
            let made = match operation {
                op::FALSE => Guard::False,
                op::TRUE => Guard::True,
                op::NOT => Guard::Not(Box::new(stack.pop().ok_or("stack of a guard")?)),
                op::AND | op::OR => {
                    let from = stack.len().checked_sub(arg as usize).ok_or("stack of a guard")?;
                    let parts = stack.split_off(from);
                    if operation == op::AND { Guard::And(parts) } else { Guard::Or(parts) }
                }
                op::IN => {
                    let count = usize::from(self.cells.get(arg as usize).ok_or("cell of a guard")?.count);
                    let mut values = Vec::new();
                    for v in 0..count {
                        if word(i + v / 32)? >> (v % 32) & 1 == 1 {
                            values.push(v as i64);
                        }
                    }
                    i += count.div_ceil(32);
                    Guard::In(fact, values)
                }
                op::RANGE => {
                    let g = Guard::Range(fact, word(i)?.cast_signed(), word(i + 1)?.cast_signed());
                    i += 2;
                    g
                }
                op::DIFF => {
                    let g = Guard::Diff { left: fact, right: FactId(word(i)?), plus: word(i + 1)?.cast_signed() };
                    i += 2;
                    g
                }
                op::ANY | op::ALL => {
                    let mask = u64::from(word(i)?) | u64::from(word(i + 1)?) << 32;
                    i += 2;
                    if operation == op::ANY { Guard::HasAny(fact, mask) } else { Guard::HasAll(fact, mask) }
                }
                op::UNKNOWN => Guard::Unknown(fact),
                op::END => {
                    let g = stack.pop().ok_or("stack of a guard")?;
                    return if stack.is_empty() { Ok(g) } else { Err("stack of a guard".to_owned()) };
                }
                other => return Err(format!("operation {other}")),
            };
            stack.push(made);
        }
    }
}
