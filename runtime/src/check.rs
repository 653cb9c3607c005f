//! What must hold of the records of a table, checked once, so that whoever reads them later need not.

mod choose;

use crate::format::{CANDIDATES, NONE, STACK, cell, latch, node, op, rank, section};
use crate::names;
use crate::table::{Table, TableError};
use crate::wire::{ix, u8_at, u16_at};

/// Checks every record of every section.
pub(crate) fn check(t: &Table<'_>) -> Result<(), TableError> {
    if t.roads() > CANDIDATES || t.counters() > 8 || t.flows() == 0 || t.flows() > 255 {
        return Err(bad(section::FLOWS, 0));
    }
    each(t, section::CELLS, |i| fits(t, i))?;
    each(t, section::ROADS, |i| {
        t.road(i).is_some_and(|r| {
            r.first_filter().saturating_add(r.filters()) <= t.filters() && r.shape() <= 6 && r.flags() <= 7
        })
    })?;
    let guards = t.section(section::GUARDS).len();
    let last = u16::try_from(guards).unwrap_or(NONE);
    let named = |g: &[u8; 2]| (u16::from_le_bytes(*g) == NONE) | (u16::from_le_bytes(*g) < last);
    if !t.section(section::FILTERS).all().iter().fold(true, |all, g| all & named(g)) {
        // Which it is, is asked only where it is one.
        each(t, section::FILTERS, |i| is_guard(t, t.filter_guard(i)))?;
    }
    each(t, section::GUARDS, |i| guard(t, i))?;
    each(t, section::CHOOSES, |i| choose::choose(t, i))?;
    each(t, section::NODES, |i| is_node(t, i))?;
    each(t, section::EDGES, |i| edge(t, i))?;
    each(t, section::EXTRAS, |i| {
        let b = t.section(section::EXTRAS).record(i);
        let candidate = u16_at(b, 0);
        let counter = u8_at(b, 2);
        (candidate == NONE || usize::from(candidate) < t.roads())
            && (counter == u8::MAX || usize::from(counter) < t.counters())
            && u8_at(b, 3) == 0
            && crate::wire::u32_at(b, 4) >> 20 == 0
            && u16_at(b, 8) >> 15 == 0
            && u16_at(b, 10) == 0
    })?;
    each(t, section::COUNTERS, |i| {
        let b = t.section(section::COUNTERS).record(i);
        u8_at(b, 1) == 0 && usize::from(u16_at(b, 2)) < t.cells()
    })?;
    each(t, section::FLOWS, |i| {
        t.flow(i)
            .is_some_and(|f| f.of().is_none_or(|r| r < t.roads()) && t.node(f.start()).is_some_and(|n| n.flow() == i))
    })?;
    let last = t.chooses().checked_sub(1).and_then(|i| t.choose_record(i));
    let digits = last.map_or(0, |c| ix(c.first_digit).saturating_add(usize::from(c.digits)));
    let profiles = last.map_or(0, |c| ix(c.first_profile).saturating_add(usize::from(c.profiles)));
    if digits != t.section(section::DIGITS).len() {
        return Err(bad(section::DIGITS, 0));
    }
    if profiles != t.section(section::PROFILES).len() {
        return Err(bad(section::PROFILES, 0));
    }
    if names::check(t) { Ok(()) } else { Err(bad(section::SYMBOLS, 0)) }
}

fn bad(section: usize, record: usize) -> TableError {
    TableError::Record {
        section: u8::try_from(section).unwrap_or(u8::MAX),
        record: u32::try_from(record).unwrap_or(u32::MAX),
    }
}

fn each(t: &Table<'_>, section: usize, ok: impl Fn(usize) -> bool) -> Result<(), TableError> {
    match (0..t.section(section).len()).find(|i| !ok(*i)) {
        None => Ok(()),
        Some(i) => Err(bad(section, i)),
    }
}

fn fits(t: &Table<'_>, i: usize) -> bool {
    let b = t.section(section::CELLS).record(i);
    let (count, strict, numbers) =
        (usize::from(u16_at(b, 2)), usize::from(u16_at(b, 6)), t.section(section::NUMBERS).len());
    let Some(c) = t.cell(i) else { return false };
    let typed = match c.code() {
        cell::BOOL => count == 2,
        cell::ENUM | cell::LEVEL => (1..=256).contains(&count),
        cell::SET => (1..=64).contains(&count),
        cell::INT => {
            let end = |k: usize| i32::try_from(t.number(count.saturating_add(k)));
            count.saturating_add(2) <= numbers && matches!((end(0), end(1)), (Ok(lo), Ok(hi)) if lo <= hi)
        }
        _ => false,
    };
    let strict = match (c.strict(), c.kind()) {
        (None, _) => strict == 0,
        (Some(v), crate::CellKind::Int { lo, hi }) => strict < numbers && (i64::from(lo)..=i64::from(hi)).contains(&v),
        (Some(v), crate::CellKind::Set { labels }) => {
            strict < numbers && (labels >= 64 || v.cast_unsigned() >> (labels & 63) == 0)
        }
        (Some(_), _) => strict < count,
    };
    let argument = usize::from(c.argument);
    let latch = match c.latch {
        latch::NONE => c.argument == NONE,
        latch::TRIED => argument < t.roads() && c.code() == cell::BOOL,
        latch::JUDGED | latch::CONSUMED => c.argument == NONE && c.code() == cell::BOOL,
        latch::LEFT => argument < t.counters() && c.code() == cell::INT,
        _ => false,
    };
    typed && strict && latch && c.life() <= 4 && u8_at(b, 1) & 0x80 == 0
}

fn is_guard(t: &Table<'_>, guard: u16) -> bool {
    guard == NONE || usize::from(guard) < t.section(section::GUARDS).len()
}

/// One guard: known operations, operands within the table, a stack that never runs over or dry, exactly one result, and it
/// begins where the one before ends.
fn guard(t: &Table<'_>, i: usize) -> bool {
    let starts = t.section(section::GUARDS);
    let length = t.section(section::CODE).len();
    let start = ix(starts.u32(i));
    let next = i.saturating_add(1);
    let end = if next < starts.len() { ix(starts.u32(next)) } else { length };
    if start >= end || end > length || (i == 0 && start != 0) {
        return false;
    }
    let code = t.guard_code(i);
    let (mut at, mut depth) = (0_usize, 0_usize);
    while at < code.len() {
        let operation = u8_at(code, at);
        let operand = at.saturating_add(1);
        let arg = usize::from(u16_at(code, operand));
        // A cell is read where the operation has one.
        let int = |at: usize| t.typed(at).is_some_and(|(code, _)| code == cell::INT);
        let masked = |fits: fn(u8) -> bool| {
            let (code, count) = t.typed(arg).unwrap_or((u8::MAX, 0));
            (fits(code), 0, (count.saturating_add(7) >> 3).saturating_add(3))
        };
        let (fine, pops, bytes) = match operation {
            op::FALSE | op::TRUE => (true, 0, 1),
            op::NOT => (true, 1, 1),
            op::AND | op::OR => (arg <= STACK, arg, 3),
            op::IN => masked(|code| matches!(code, cell::BOOL | cell::ENUM | cell::LEVEL)),
            op::RANGE => (int(arg), 0, 11),
            op::DIFF => (int(arg) && int(usize::from(u16_at(code, operand.saturating_add(2)))), 0, 9),
            op::ANY | op::ALL => masked(|code| code == cell::SET),
            op::UNKNOWN => (arg < t.cells(), 0, 3),
            _ => return false,
        };
        at = at.saturating_add(bytes);
        if !fine || depth < pops || at > code.len() {
            return false;
        }
        depth = depth.saturating_sub(pops).saturating_add(1);
        if depth > STACK {
            return false;
        }
    }
    depth == 1
}

fn is_node(t: &Table<'_>, i: usize) -> bool {
    let Some(n) = t.node(i) else { return false };
    let kind = n.kind() <= node::RETURN || (node::STOP..node::STOP.saturating_add(8)).contains(&n.kind());
    let edges = t.edges_of(i);
    let mut last = (0, 0);
    let ports_ascend = t.section(section::EDGES).all::<8>().get(edges.clone()).is_some_and(|all| {
        all.iter().all(|record| {
            let edge = t.edge_of(record);
            let before = core::mem::replace(&mut last, (edge.outcome, edge.candidate));
            before <= last
        })
    });
    kind && n.road().is_none_or(|r| r < t.roads())
        && (i != 0 || edges.start == 0)
        && edges.start <= edges.end
        && edges.end <= t.edges()
        && ports_ascend
        && (n.kind() != node::CHOOSE
            || n.choose().and_then(|c| t.choose_record(c)).is_some_and(|c| usize::from(c.node) == i))
        && n.flow() < t.flows()
        && (!n.is_terminal() || edges.is_empty())
        && n.obligations() >> 15 == 0
}

fn edge(t: &Table<'_>, i: usize) -> bool {
    let Some(e) = t.edge(i) else { return false };
    let b = t.section(section::EDGES).record(i);
    let extra = u16_at(b, 6);
    e.to() < t.nodes()
        && e.outcome() < 32
        && e.kind() <= 6
        && e.rank() <= rank::ELSE
        && (e.rank() != rank::SPENT || e.counter().is_some())
        && u8_at(b, 1) & 0xc0 == 0
        && is_guard(t, u16_at(b, 4))
        && (extra == NONE || usize::from(extra) < t.section(section::EXTRAS).len())
}
