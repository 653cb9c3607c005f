//! What must hold of a choose: every row that facts can pick lies in its block, every index within its section.

use super::is_guard;
use crate::choose::{ChooseRecord, Digit, Profile};
use crate::format::{CANDIDATES, CLOSED, EXITS, GROUPS, NONE, cell, profile, section, source};
use crate::table::Table;
use crate::wire::{ix, u16_at};

/// Groups of a choose, mostly no more.
const FEW: usize = 64;

/// Bytes of a row for so many options: 1, 2, 4, 8, or 16 in as many blocks as it takes.
fn width(options: usize) -> usize {
    match options {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => 16,
    }
}

pub(super) fn choose(t: &Table<'_>, i: usize) -> bool {
    let Some(c) = t.choose_record(i) else { return false };
    let before = i.checked_sub(1).and_then(|k| t.choose_record(k));
    let indices = t.indices().len();
    let within = |start: u32, n: u16| ix(start).saturating_add(usize::from(n)) <= indices;
    let candidates = usize::from(c.candidates);
    let record = t.section(section::CHOOSES).record(i);
    let profiles = ix(c.first_profile)..ix(c.first_profile).saturating_add(usize::from(c.profiles));
    t.node(usize::from(c.node)).is_some_and(|n| n.choose() == Some(i))
        && candidates <= CANDIDATES
        && usize::from(c.exits) <= EXITS
        && usize::from(c.groups) <= GROUPS
        && within(c.first_candidate, u16::try_from(c.options()).unwrap_or(u16::MAX))
        && t.candidates(i).all(|r| r < t.roads())
        && (c.by == NONE || t.cell(usize::from(c.by)).is_some_and(|x| x.code() != cell::SET))
        && c.profiles >= 1
        && profiles.start == before.map_or(0, |b| ix(b.first_profile).saturating_add(usize::from(b.profiles)))
        && profiles.end <= t.section(section::PROFILES).len()
        && ix(c.first_digit) == before.map_or(0, |b| ix(b.first_digit).saturating_add(usize::from(b.digits)))
        && ix(c.first_digit).saturating_add(usize::from(c.digits)) <= t.section(section::DIGITS).len()
        && within(c.first_group, c.groups)
        && usize::from(c.width) == width(c.options())
        && u16_at(record, 34) == 0
        && exits(t, &c)
        && groups(t, &c)
        && profiles.into_iter().all(|k| profile(t, &c, k))
}

/// The exits are the edges that follow when every candidate is closed, or there are none.
fn exits(t: &Table<'_>, c: &ChooseRecord) -> bool {
    let first = usize::from(c.first_exit);
    let port = t.port(usize::from(c.node), CLOSED, None);
    let written = ix(c.first_candidate).saturating_add(usize::from(c.candidates));
    let named = |k: usize| usize::from(t.indices().u16(written.saturating_add(k)));
    let end = first.saturating_add(usize::from(c.exits));
    c.exits == 0 && first == 0 || port == (first..end) && (first..end).enumerate().all(|(k, edge)| named(k) == edge)
}

/// Digits are well formed and stand by cell, guards last; no facts pick a row beyond the block; sets of rows are whole.
fn groups(t: &Table<'_>, c: &ChooseRecord) -> bool {
    // Most chooses have few groups, and room for many takes long to clear.
    if usize::from(c.groups) <= FEW { groups_in::<FEW>(t, c) } else { groups_in::<GROUPS>(t, c) }
}

fn groups_in<const N: usize>(t: &Table<'_>, c: &ChooseRecord) -> bool {
    let count = usize::from(c.groups);
    let mut last = [0_u32; N];
    let mut before = 0_u16;
    for i in 0..usize::from(c.digits) {
        let d = t.digit_record(ix(c.first_digit).saturating_add(i));
        let group = usize::from(d.group);
        if radix(t, &d) != usize::from(d.radix) || d.radix < 2 || d.stride == 0 || group >= count || d.cell < before {
            return false;
        }
        before = d.cell;
        if let Some(l) = last.get_mut(group) {
            let most = u32::from(d.radix).saturating_sub(1).saturating_mul(u32::from(d.stride));
            *l = l.saturating_add(most);
        }
    }
    let first = |g: usize| u32::from(t.indices().u16(ix(c.first_group).saturating_add(g)));
    let inside = last.iter().enumerate().take(count).all(|(g, l)| first(g).saturating_add(*l) < u32::from(c.rows));
    c.rows >= 1 && inside && (c.checks == u32::MAX || checks(t, c, &last))
}

fn radix(t: &Table<'_>, d: &Digit) -> usize {
    let own = t.cell(usize::from(d.cell));
    match d.source {
        source::CELL => match own {
            Some(c) if !matches!(c.code(), cell::INT | cell::SET) && !c.latch() && d.labels == 0 && d.argument == 0 => {
                c.count().saturating_add(1)
            }
            _ => 0,
        },
        source::INT => {
            let (cuts, first) = (t.cuts(), usize::from(d.argument));
            let count = ix(cuts.u32(first));
            let end = first.saturating_add(1).saturating_add(count);
            let ascending = || (first.saturating_add(2)..end).all(|k| cuts.i32(k.saturating_sub(1)) < cuts.i32(k));
            let typed = own.is_some_and(|c| c.code() == cell::INT && !c.latch()) && d.labels == 0;
            if typed && first < cuts.len() && end <= cuts.len() && ascending() { count.saturating_add(2) } else { 0 }
        }
        source::LABELS => match own {
            Some(c)
                if c.code() == cell::SET
                    && (1..=8).contains(&d.labels)
                    && usize::from(d.argument).saturating_add(usize::from(d.labels)) <= c.count() =>
            {
                (1_usize << (d.labels & 15)).saturating_add(1)
            }
            _ => 0,
        },
        source::GUARD if d.cell == NONE && d.labels == 0 && d.argument != NONE && is_guard(t, d.argument) => 2,
        _ => 0,
    }
}

/// Every clause of every option names groups, and sets with a bit for each of their rows.
fn checks(t: &Table<'_>, c: &ChooseRecord, last: &[u32]) -> bool {
    let section = t.section(section::CHECKS);
    let first = ix(c.checks);
    let word = |i: usize| {
        let at = first.saturating_add(i);
        if at < section.len() { Some(usize::from(section.u16(at))) } else { None }
    };
    let clause = |at: &mut usize| -> Option<bool> {
        let literals = word(*at)?;
        for k in 0..literals {
            let pair = at.saturating_add(1).saturating_add(k.saturating_mul(2));
            let (group, set) = (word(pair)?, word(pair.saturating_add(1))?);
            let words = ix(last.get(group).copied()?) >> 4;
            if group >= usize::from(c.groups) || word(set.saturating_add(words)).is_none() {
                return Some(false);
            }
        }
        *at = at.saturating_add(1).saturating_add(literals.saturating_mul(2));
        Some(literals > 0)
    };
    (0..c.options()).all(|option| {
        let Some(at) = word(option) else { return false };
        if at == usize::from(NONE) {
            return true;
        }
        let Some(clauses) = word(at) else { return false };
        let mut at = at.saturating_add(1);
        (0..clauses).all(|_| clause(&mut at) == Some(true))
    })
}

fn profile(t: &Table<'_>, c: &ChooseRecord, i: usize) -> bool {
    let p = t.profile_record(i);
    let masks = t.section(section::MASKS);
    let blank = u16_at(t.section(section::PROFILES).record(i), 6) == 0;
    let listed = ordered(t, c, &p);
    let (width, options) = (usize::from(c.width), c.options());
    let shown = if p.kind == profile::ORDERED { ix(p.length) } else { options };
    // A width that was checked is never 0: said again here, where the compiler sees that nothing is divided by it.
    let blocks = shown.div_ceil(width.saturating_mul(8).max(1)).max(1);
    let block = usize::from(c.rows).saturating_mul(width);
    let start = ix(p.rows);
    // Rows of no group are neutral: they close nothing.
    let neutral = (0..blocks).all(|b| {
        let at = start.saturating_add(b.saturating_mul(block));
        masks.bytes().get(at..at.saturating_add(width)).is_some_and(|row| row.iter().all(|x| *x == u8::MAX))
    });
    let whole = start.saturating_add(blocks.saturating_mul(block)) <= masks.len();
    let ranked = match p.kind {
        profile::RANKED => {
            let end = ix(p.ranks).saturating_add(width.saturating_mul(32));
            let ranks = masks.bytes().get(ix(p.ranks)..end);
            options <= 64
                && ranks.is_some_and(|r| r.iter().all(|x| *x == u8::MAX || usize::from(*x) < usize::from(p.length)))
        }
        _ => p.ranks == 0,
    };
    blank && listed && neutral && whole && ranked
}

/// Orders name options; keys name cells, then the places of the candidates by name.
fn ordered(t: &Table<'_>, c: &ChooseRecord, p: &Profile) -> bool {
    let (indices, candidates) = (t.indices(), usize::from(c.candidates));
    let below = |from: usize, n: usize, limit: usize| {
        let end = from.saturating_add(n);
        let all = indices.all().get(from..end);
        all.is_some_and(|all| all.iter().fold(true, |fine, k| fine & (usize::from(u16::from_le_bytes(*k)) < limit)))
    };
    match p.kind {
        profile::LISTED | profile::ORDERED | profile::RANKED => {
            p.keys == 0
                && (p.kind != profile::ORDERED || c.width == 16)
                && usize::from(p.length) <= c.options()
                && below(ix(p.first), usize::from(p.length), c.options())
        }
        profile::KEYED => {
            let cells = usize::from(p.keys).saturating_mul(candidates);
            (1..=4).contains(&p.keys)
                && usize::from(p.length) == candidates
                && below(ix(p.first), cells, t.cells())
                && below(ix(p.first).saturating_add(cells), candidates, candidates)
        }
        _ => false,
    }
}
