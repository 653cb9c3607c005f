//! Chooses of a table against the model: orders and ranks as FORMAT.md writes them, and for each option that the rows which
//! facts pick, and its checks, leave it open exactly where its guards do.

use super::cells::Cells;
use super::diagrams::{Diagrams, Set};
use super::table::{Reader, Said, half, same};
use crate::graph::{Cond, Graph, narrow};
use crate::model::{Choose, EdgeId, EdgeRank, FactId, Guard, Model, Order, Outcome, RoadId, Type};
use roadlaw_runtime::format::{NONE, profile, section, source};
use std::collections::BTreeMap;

/// What a group of facts picks.
struct Group {
    /// Its first row.
    first: usize,
    /// When each of its rows is picked.
    rows: Vec<Set>,
    /// When one of some rows is picked.
    known: BTreeMap<Vec<bool>, Set>,
}

impl Group {
    fn some(&mut self, bits: &[bool], cells: &mut Cells<'_>) -> Set {
        if let Some(set) = self.known.get(bits) {
            return *set;
        }
        // Rows part the facts among them: the fewer ones are joined.
        let most = bits.iter().filter(|b| **b).count() * 2 > bits.len();
        let joined = self.rows.iter().zip(bits).filter(|(_, b)| **b != most);
        let joined = joined.fold(Diagrams::NONE, |all, (set, _)| cells.d.or(all, *set));
        let set = if most { cells.d.not(joined) } else { joined };
        self.known.insert(bits.to_vec(), set);
        set
    }
}

/// Whether the choose says what that of the model says.
pub(super) fn check(t: &Reader<'_>, i: usize, g: &Graph<'_>, cells: &mut Cells<'_>) -> Said<()> {
    let m = g.model;
    let c = &m.chooses[i];
    let at = t.record(section::CHOOSES, i)?;
    let n = usize::from(t.u16(at + 2)?);
    let first = t.u32(at + 4)?;
    same("candidates", t.indices(first, n)?, c.candidates.iter().map(|r| half(r.0)).collect())?;
    same("node", u32::from(t.u16(at)?), c.node.0)?;
    same("cell of the profile", t.u16(at + 8)?, c.by.map_or(NONE, |f| half(f.0)))?;
    same("profiles", usize::from(t.u8(at + 10)?), c.profiles.len())?;
    let exits = usize::from(t.u16(at + 30)?);
    let targets = t.indices(first + n, exits)?;
    let mut meant: Vec<(String, Cond)> = Vec::new();
    for r in &c.candidates {
        let road = m.road(*r);
        meant.push((road.name.clone(), Cond::all(road.filters.iter().map(|f| Cond::holds(&f.guard)))));
    }
    if exits > 0 {
        meant.extend(closed(t, g, c, &targets)?);
    }
    let shape = Shape { options: n + exits, rows: usize::from(t.u16(at + 28)?), width: usize::from(t.u8(at + 11)?) };
    let mut columns: Vec<Option<Vec<bool>>> = vec![None; shape.options];
    let first = t.u32(at + 12)?;
    for (k, (value, order)) in c.profiles.iter().enumerate() {
        let p = t.record(section::PROFILES, first + k)?;
        same("value of a profile", i64::from(t.u16(p)?), *value)?;
        let ordered = orders(t, m, p, c, order, &shape)?;
        for (bit, option) in ordered.into_iter().enumerate() {
            let column = (0..shape.rows).map(|row| shape.bit(t, p, row, bit)).collect::<Said<Vec<bool>>>()?;
            let slot = columns.get_mut(option).ok_or("an order names no option")?;
            if slot.as_ref().is_some_and(|c| *c != column) {
                return Err("rows differ between profiles".to_owned());
            }
            *slot = Some(column);
        }
    }
    let mut groups = groups(t, at, shape.rows, m, cells)?;
    let checks = t.u32(at + 36)?;
    // Rows read cells of other options as well: none speaks for what is no value of them.
    let all: Vec<FactId> = (0..m.facts.len()).map(|f| FactId(narrow(f))).collect();
    let valid = cells.valid(&all);
    for (option, ((name, meant), column)) in meant.iter().zip(&columns).enumerate() {
        // A candidate that no profile ranks is never chosen.
        let Some(column) = column else { continue };
        let mut open = valid;
        for g in &mut groups {
            let bits = column.get(g.first..g.first + g.rows.len()).ok_or("a group has more rows than the choose")?;
            let some = g.some(bits, cells);
            open = cells.d.and(open, some);
        }
        if checks != u32::MAX as usize {
            for clause in clauses(t, checks, option, &groups)? {
                let mut any = Diagrams::NONE;
                for (group, bits) in clause {
                    let some = groups[group].some(&bits, cells);
                    any = cells.d.or(any, some);
                }
                open = cells.d.and(open, any);
            }
        }
        let meant = cells.cond(meant);
        let meant = cells.d.and(meant, valid);
        if !t.equal(cells, &format!("`{name}` of choose `{}`, and what follows it", c.name), open, meant)? {
            return Ok(());
        }
    }
    Ok(())
}

/// The edges that follow when every candidate is closed, and what each asks.
fn closed(t: &Reader<'_>, g: &Graph<'_>, c: &Choose, targets: &[u16]) -> Said<Vec<(String, Cond)>> {
    let m = g.model;
    let (first, edges) = t.edges(g, c.node)?;
    let each = edges.iter().enumerate().flat_map(|(k, all)| all.iter().map(move |e| (k, e)));
    let port: Vec<(usize, &EdgeId)> = each.filter(|(_, e)| m.edge(**e).outcome == Outcome::Closed).collect();
    same("exits", targets.to_vec(), port.iter().map(|(k, _)| half(narrow(first + k))).collect())?;
    let meant = port.into_iter().map(|(_, e)| {
        let e = m.edge(*e);
        match e.rank {
            EdgeRank::Guarded if e.takes.is_none() => Ok((m.node(e.to).name.clone(), Cond::holds(&e.guard))),
            EdgeRank::Else => Ok((m.node(e.to).name.clone(), Cond::True)),
            _ => Err("an exit takes a counter".to_owned()),
        }
    });
    meant.collect()
}

struct Shape {
    options: usize,
    rows: usize,
    /// Bytes of a row.
    width: usize,
}

impl Shape {
    /// A bit of a row of a profile.
    fn bit(&self, t: &Reader<'_>, p: usize, row: usize, bit: usize) -> Said<bool> {
        let block = bit.checked_div(self.width * 8).ok_or("a row has no width")?;
        let start = t.u32(p + 12)? + (block * self.rows + row) * self.width;
        Ok(t.value(section::MASKS, start + bit % (self.width * 8) / 8)? >> (bit % 8) & 1 == 1)
    }
}

/// Compares the order of a profile; which option each bit of its rows stands for.
fn orders(t: &Reader<'_>, m: &Model, p: usize, c: &Choose, order: &Order, shape: &Shape) -> Said<Vec<usize>> {
    let n = c.candidates.len();
    let (kind, keys, length) = (t.u8(p + 2)?, usize::from(t.u8(p + 3)?), usize::from(t.u16(p + 4)?));
    let from = t.u32(p + 8)?;
    let place = |r: &RoadId| c.candidates.iter().position(|q| q == r).unwrap_or(usize::MAX);
    let mut by_name: Vec<RoadId> = c.candidates.clone();
    by_name.sort_by(|a, b| m.road(*a).name.cmp(&m.road(*b).name));
    let ranked = match order {
        Order::Static(roads) => Some(roads),
        Order::Keys(keys) if keys.is_empty() => Some(&by_name),
        Order::Keys(_) => None,
    };
    let mut bits: Vec<usize> = (0..shape.options).collect();
    match (ranked, order) {
        (Some(roads), _) if kind != profile::KEYED && keys == 0 => {
            let wanted: Vec<usize> = roads.iter().map(place).chain(n..shape.options).collect();
            let written: Vec<usize> = t.indices(from, length)?.into_iter().map(usize::from).collect();
            same("order", &written, &wanted)?;
            if kind == profile::RANKED {
                ranks(t, t.u32(p + 16)?, shape.width * 2, &wanted)?;
            } else if kind == profile::ORDERED {
                bits = wanted;
            }
        }
        (None, Order::Keys(wanted)) if kind == profile::KEYED => {
            same("keys", keys, wanted.len())?;
            for (i, k) in wanted.iter().enumerate() {
                same("cells of a key", t.indices(from + i * n, n)?, k.cells.iter().map(|f| half(f.0)).collect())?;
            }
            let names = c.candidates.iter().map(|r| by_name.iter().position(|q| q == r).unwrap_or(usize::MAX));
            let written = t.indices(from + keys * n, n)?;
            same("places by name", written, names.map(|i| half(narrow(i))).collect())?;
        }
        _ => return Err("a profile is of another kind".to_owned()),
    }
    let shown = bits.len().next_multiple_of(shape.width.max(1) * 8);
    for row in 0..shape.rows {
        // Row 0 leaves everything open; no other row has a bit of no option.
        for bit in if row == 0 { 0..shown } else { bits.len()..shown } {
            if shape.bit(t, p, row, bit)? != (row == 0) {
                return Err("a row speaks of an option that there is not".to_owned());
            }
        }
    }
    Ok(bits)
}

/// For each four neighbouring options and each set of them, the place of the best one in the order.
fn ranks(t: &Reader<'_>, from: usize, fours: usize, order: &[usize]) -> Said<()> {
    for four in 0..fours {
        for open in 0..16_usize {
            let best = order.iter().position(|o| o / 4 == four && open >> (o % 4) & 1 == 1);
            let written = t.value(section::MASKS, from + four * 16 + open)?;
            same("rank of options", written, best.map_or(255, |b| i64::try_from(b).unwrap_or(-1)))?;
        }
    }
    Ok(())
}

/// The groups of a choose, each with when its rows are picked.
fn groups(t: &Reader<'_>, choose: usize, rows: usize, m: &Model, cells: &mut Cells<'_>) -> Said<Vec<Group>> {
    let (first, digits) = (t.u32(choose + 16)?, usize::from(t.u16(choose + 20)?));
    let starts = t.indices(t.u32(choose + 24)?, usize::from(t.u16(choose + 22)?))?;
    let mut out: Vec<Group> = starts
        .into_iter()
        .map(|s| Group { first: usize::from(s), rows: vec![Diagrams::ALL], known: BTreeMap::new() })
        .collect();
    for k in first..first + digits {
        let at = t.record(section::DIGITS, k)?;
        let values = digit(t, at, m, cells)?;
        let group = out.get_mut(usize::from(t.u16(at + 4)?)).ok_or("a digit has no group")?;
        let shape = (usize::from(t.u16(at + 6)?), usize::from(t.u16(at + 8)?));
        same("stride and radix of a digit", shape, (group.rows.len(), values.len()))?;
        let before = std::mem::take(&mut group.rows);
        for value in values {
            for row in &before {
                group.rows.push(cells.d.and(*row, value));
            }
        }
    }
    let mut next = 1;
    for g in &out {
        same("first row of a group", g.first, next)?;
        next += g.rows.len();
    }
    same("rows of a choose", rows, next)?;
    Ok(out)
}

/// When a digit has each of its values.
fn digit(t: &Reader<'_>, at: usize, m: &Model, cells: &mut Cells<'_>) -> Said<Vec<Set>> {
    let (kind, labels, f, other) =
        (t.u8(at)?, t.u8(at + 1)?, FactId(u32::from(t.u16(at + 2)?)), usize::from(t.u16(at + 10)?));
    if kind == source::GUARD {
        let holds = t.code(half(narrow(other)), cells)?.0;
        return Ok(vec![cells.d.not(holds), holds]);
    }
    let ty = &m.facts.get(f.index()).ok_or("a digit reads no cell")?.ty;
    let one = |v: usize| Guard::In(f, vec![i64::try_from(v).unwrap_or(-1)]);
    let values: Vec<Guard> = match (kind, ty) {
        (source::CELL, Type::Bool) => (0..2).map(one).collect(),
        (source::CELL, Type::Enum(n) | Type::Level(n)) => (0..n.len()).map(one).collect(),
        (source::LABELS, Type::Set(n)) if labels <= 8 && other + usize::from(labels) <= n.len() => {
            let labels = usize::from(labels);
            let has = |k: usize| Guard::HasAny(f, 1 << (other + k));
            let of = |bits: usize| (0..labels).map(move |k| if bits >> k & 1 == 1 { has(k) } else { has(k).negated() });
            (0..1 << labels).map(|bits| Guard::and(of(bits))).collect()
        }
        (source::INT, Type::Int { lo, hi }) => {
            let cut = |i: usize| t.i32(t.record(section::CUTS, other + i)?);
            let count = usize::try_from(cut(0)?).map_err(|_| "a digit has no cuts")?;
            let cuts = (1..=count).map(cut).collect::<Said<Vec<i32>>>()?;
            same("ascending cuts", cuts.is_sorted_by(|a, b| a < b), true)?;
            let from: Vec<i32> = std::iter::once(*lo).chain(cuts.iter().copied()).collect();
            let upto = cuts.iter().map(|c| c.saturating_sub(1)).chain([*hi]);
            from.iter().zip(upto).map(|(a, b)| Guard::Range(f, *a, b)).collect()
        }
        _ => return Err("a digit reads a cell of another type".to_owned()),
    };
    // No value but the last speaks for a cell that is unknown, whatever unknown stands for.
    let unknown = cells.guard(&Guard::Unknown(f)).0;
    let mut out = Vec::new();
    for g in values {
        let holds = cells.guard(&g).0;
        out.push(cells.d.without(holds, unknown));
    }
    out.push(unknown);
    Ok(out)
}

/// Groups, and which of their rows: one of the groups picks one of them.
type Clause = Vec<(usize, Vec<bool>)>;

/// What an option asks beyond its masks: in each clause one of the groups picks one of these rows.
fn clauses(t: &Reader<'_>, from: usize, option: usize, groups: &[Group]) -> Said<Vec<Clause>> {
    let word = |i: usize| t.value(section::CHECKS, from + i).map(|v| usize::try_from(v).unwrap_or(usize::MAX));
    let mut at = word(option)?;
    if at == usize::from(NONE) {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for _ in 0..word(at)? {
        let count = word(at + 1)?;
        let mut clause = Vec::new();
        for k in 0..count {
            let (group, set) = (word(at + 2 + 2 * k)?, word(at + 3 + 2 * k)?);
            let size = groups.get(group).ok_or("a check reads no group")?.rows.len();
            let bits = (0..size).map(|r| Ok(word(set + r / 16)? >> (r % 16) & 1 == 1)).collect::<Said<Vec<bool>>>()?;
            clause.push((group, bits));
        }
        out.push(clause);
        at += 1 + 2 * count;
    }
    Ok(out)
}
