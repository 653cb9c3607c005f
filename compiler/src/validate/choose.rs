//! Chooses of decoded bytes against the model: orders, ranks, and for each option that its masks and checks say its guard.

use super::check::{Outcome, half, same};
use super::reader::{DChoose, DDigit, DProfile, DSource, Decoded};
use crate::graph::Cond;
use crate::model::{Choose, EdgeRank, FactId, Guard, Model, Order, RoadId, Type};
use crate::prove::equivalent;
use roadlaw_runtime::format::CLOSED;

pub(super) fn choose(t: &Decoded, m: &Model, d: &DChoose, c: &Choose) -> Outcome {
    same("node of a choose", u32::from(d.node), c.node.0)?;
    same("candidates", d.candidates.clone(), c.candidates.iter().map(|r| half(r.0)).collect())?;
    same("fact of a choose", d.by, c.by.map_or(u16::MAX, |f| half(f.0)))?;
    same("profiles", d.profiles.len(), c.profiles.len())?;
    for (p, (value, order)) in d.profiles.iter().zip(&c.profiles) {
        same("value of a profile", i64::from(p.value), *value)?;
        ranking(m, p, c, order)?;
        ranks(d, p)?;
    }
    let exits = exits(t, m, d, c)?;
    let meant: Vec<(String, Cond)> = c
        .candidates
        .iter()
        .map(|r| (m.road(*r).name.clone(), Cond::all(m.road(*r).filters.iter().map(|f| Cond::holds(&f.guard)))))
        .chain(exits)
        .collect();
    let groups = groups(m, d)?;
    for (option, (name, meant)) in meant.iter().enumerate() {
        eligibility(m, d, &groups, option, meant).map_err(|e| format!("{e} of `{name}`"))?;
    }
    for p in &d.profiles {
        let beyond = p.rows.iter().skip(1).any(|row| row.iter().skip(p.bits.len()).any(|b| *b));
        same("bits of a row beyond its options", beyond, false)?;
        same("the neutral row", p.rows.first().is_some_and(|row| row.iter().all(|b| *b)), true)?;
    }
    Ok(())
}

fn ranking(m: &Model, p: &DProfile, c: &Choose, order: &Order) -> Outcome {
    let position = |r: &RoadId| {
        c.candidates.iter().position(|q| q == r).map_or(u16::MAX, |i| u16::try_from(i).unwrap_or(u16::MAX))
    };
    let mut names: Vec<&str> = c.candidates.iter().map(|r| m.road(*r).name.as_str()).collect();
    names.sort_unstable();
    match order {
        Order::Static(roads) => same("order", p.order.clone(), roads.iter().map(position).collect()),
        Order::Keys(keys) if keys.is_empty() => {
            let candidate = |i: &u16| c.candidates.get(usize::from(*i));
            let written: Vec<&str> = p.order.iter().filter_map(candidate).map(|r| m.road(*r).name.as_str()).collect();
            same("order by name", written, names)
        }
        Order::Keys(keys) => {
            let cells: Vec<Vec<u16>> = keys.iter().map(|k| k.cells.iter().map(|f| half(f.0)).collect()).collect();
            same("keys", p.keys.clone(), cells)?;
            same("places by name", p.names.len(), c.candidates.len())?;
            for (place, r) in p.names.iter().zip(&c.candidates) {
                same("place by name", names.get(usize::from(*place)).copied(), Some(m.road(*r).name.as_str()))?;
            }
            Ok(())
        }
    }
}

/// The least rank of every set of four neighbouring options, by definition.
fn ranks(d: &DChoose, p: &DProfile) -> Outcome {
    let candidates = d.candidates.len();
    for (i, written) in p.ranks.iter().enumerate() {
        let (four, open) = (i / 16, i % 16);
        let mut least = 255;
        for option in (0..4).filter(|k| open >> k & 1 == 1).map(|k| 4 * four + k) {
            let place = p.order.iter().position(|o| usize::from(*o) == option);
            let exit = (candidates..candidates + d.exits.len()).position(|o| o == option).map(|k| p.order.len() + k);
            least = place.or(exit).map_or(least, |r| least.min(r));
        }
        same("rank of options", usize::from(*written), least)?;
    }
    Ok(())
}

/// The edges that follow when every candidate is closed, with what they ask; nothing if the choose has none as options.
fn exits(t: &Decoded, m: &Model, d: &DChoose, c: &Choose) -> Result<Vec<(String, Cond)>, String> {
    if d.exits.is_empty() {
        return Ok(Vec::new());
    }
    let mut at = 0;
    let mut port = 0..0;
    for (i, n) in t.nodes.iter().enumerate() {
        for (outcome, _, edges) in &n.ports {
            if i == c.node.index() && *outcome == CLOSED {
                port = at..at + edges.len();
            }
            at += edges.len();
        }
    }
    same("exits of a choose", d.exits.clone(), port)?;
    // Edges of one port stand in the order of the model: `check` compares them one by one.
    let meant = m.edges.iter().filter(|e| e.from == c.node && e.outcome == crate::model::Outcome::Closed);
    meant
        .map(|e| match e.rank {
            EdgeRank::Guarded if e.takes.is_none() => Ok((m.node(e.to).name.clone(), Cond::holds(&e.guard))),
            EdgeRank::Else => Ok((m.node(e.to).name.clone(), Cond::True)),
            _ => Err("an exit takes a counter".to_owned()),
        })
        .collect()
}

/// A digit with the condition of each of its values.
struct Valued<'d> {
    digit: &'d DDigit,
    values: Vec<Cond>,
}

/// The digits of each group.
fn groups<'d>(m: &Model, d: &'d DChoose) -> Result<Vec<Vec<Valued<'d>>>, String> {
    let mut out: Vec<Vec<Valued<'d>>> = d.groups.iter().map(|_| Vec::new()).collect();
    for digit in &d.digits {
        let values = values(m, digit)?;
        same("values of a digit", values.len(), digit.radix)?;
        out.get_mut(digit.group).ok_or("group of a digit")?.push(Valued { digit, values });
    }
    Ok(out)
}

/// When a digit has each of its values.
fn values(m: &Model, digit: &DDigit) -> Result<Vec<Cond>, String> {
    let (f, mut is): (FactId, Vec<Cond>) = match &digit.source {
        DSource::Guard(g) => return Ok(vec![Cond::fails(g), Cond::holds(g)]),
        DSource::Labels { at, first, count } => {
            let f = FactId(u32::from(*at));
            let has = |label: u16, wanted: bool| {
                let g = Guard::HasAny(f, 1 << label);
                if wanted { Cond::holds(&g) } else { Cond::holds(&g.negated()) }
            };
            let labels = *first..*first + u16::from(*count);
            let of = |bits: u32| Cond::all(labels.clone().map(|l| has(l, bits >> (l - first) & 1 == 1)));
            (f, (0..1_u32 << count).map(of).collect())
        }
        DSource::Cell { at, cuts } => {
            let f = FactId(u32::from(*at));
            let fact = m.facts.get(f.index()).ok_or("cell of a digit")?;
            let one = |v: usize| Cond::Holds(Guard::In(f, vec![i64::try_from(v).unwrap_or(-1)]));
            let is = match (&fact.ty, cuts) {
                (Type::Bool, None) => (0..2).map(one).collect(),
                (Type::Enum(n) | Type::Level(n), None) => (0..n.len()).map(one).collect(),
                (Type::Int { lo, hi }, Some(cuts)) => {
                    let mut from = vec![*lo];
                    from.extend(cuts);
                    let end = |k: usize| from.get(k + 1).map_or(*hi, |n| n.saturating_sub(1));
                    (0..from.len()).map(|k| Cond::Holds(Guard::Range(f, from[k], end(k)))).collect()
                }
                _ => return Err("type of a digit's cell".to_owned()),
            };
            (f, is)
        }
    };
    // The greatest value is unknown itself, also where unknown stands for a value: no other one speaks for it.
    let unknown = Cond::Holds(Guard::Unknown(f));
    is = is.into_iter().map(|c| Cond::all([c, unknown.clone().not()])).collect();
    is.push(unknown);
    Ok(is)
}

/// The rows that the facts pick leave the option's bit set, and its checks pass, exactly where it is meant to be open.
fn eligibility(m: &Model, d: &DChoose, groups: &[Vec<Valued<'_>>], option: usize, meant: &Cond) -> Outcome {
    let column = |p: &DProfile| -> Option<Vec<bool>> {
        let bit = p.bits.iter().position(|o| *o == option)?;
        Some(p.rows.iter().map(|row| row.get(bit) == Some(&true)).collect())
    };
    let mut columns = d.profiles.iter().filter_map(column);
    // A candidate that no profile ranks is never chosen: no mask says anything of it.
    let Some(first) = columns.next() else { return Ok(()) };
    if columns.any(|c| c != first) {
        return Err("masks differ between profiles: eligibility".to_owned());
    }
    let mut parts = Vec::new();
    for (group, (start, size)) in groups.iter().zip(&d.groups) {
        parts.push(set(group, first.get(*start..start + size).ok_or("rows of a group")?));
    }
    for clause in d.checks.get(option).ok_or("checks of a choose")? {
        let literal = |(group, rows): &(usize, Vec<bool>)| groups.get(*group).map(|g| set(g, rows));
        parts.push(Cond::any(clause.iter().map(literal).collect::<Option<Vec<_>>>().ok_or("group of a check")?));
    }
    if equivalent(m, &Cond::all(parts), meant)? { Ok(()) } else { Err("eligibility".to_owned()) }
}

/// When the row that a group's digits pick is in a set. Where the set is a product or a sum over digits it is said so, which
/// is shorter; that it is one is tested row by row.
fn set(group: &[Valued<'_>], rows: &[bool]) -> Cond {
    if rows.iter().all(|r| *r) {
        return Cond::True;
    }
    let value = |v: &Valued<'_>, row: usize| row / v.digit.stride % v.digit.radix;
    let per = |v: &Valued<'_>, some: bool| -> Vec<bool> {
        let of = |n: usize| rows.iter().enumerate().filter(move |(row, _)| value(v, *row) == n).map(|(_, r)| *r);
        (0..v.digit.radix).map(|n| if some { of(n).any(|r| r) } else { of(n).all(|r| r) }).collect()
    };
    let says = |v: &Valued<'_>, ns: &[bool]| {
        if ns.iter().all(|n| *n) {
            return Cond::True;
        }
        Cond::any(v.values.iter().zip(ns).filter(|(_, n)| **n).map(|(c, _)| c.clone()))
    };
    let some: Vec<Vec<bool>> = group.iter().map(|v| per(v, true)).collect();
    if rows.iter().enumerate().all(|(row, r)| *r == group.iter().zip(&some).all(|(v, ns)| ns[value(v, row)])) {
        return Cond::all(group.iter().zip(&some).map(|(v, ns)| says(v, ns)));
    }
    let every: Vec<Vec<bool>> = group.iter().map(|v| per(v, false)).collect();
    if rows.iter().enumerate().all(|(row, r)| *r == group.iter().zip(&every).any(|(v, ns)| ns[value(v, row)])) {
        return Cond::any(group.iter().zip(&every).map(|(v, ns)| says(v, ns)));
    }
    let row = |row: usize| Cond::all(group.iter().map(|v| v.values[value(v, row)].clone()));
    Cond::any((0..rows.len()).filter(|r| rows[*r]).map(row))
}
