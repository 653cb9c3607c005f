//! The inner loop of choosing: rows picked by the facts, intersected a block at a time, and the best bit.
//!
//! A choose has *options*: its candidates, then its exits (the edges that lead on when every candidate is closed). Its facts
//! are digits; digits that are asked together form a group, and a group's digits together pick one row of masks. Rows of all
//! groups lie in one block for as many options as a row has bits. Nothing here branches on a road or on a fact: one row per
//! group is read, and the winner is a bit.

use crate::choose::{ChooseRecord, Digit, Profile};
use crate::format::{CANDIDATES, EXITS, HEADER, NONE, profile, section, source};
use crate::guard::View;
use crate::run::Latches;
use crate::table::Table;
use crate::wire::ix;

/// Words of 64 bits that hold every option of a choose.
const WORDS: usize = (CANDIDATES + EXITS) / 64;

/// What won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// This road of the table.
    Road(usize),
    /// Every candidate is closed, and this edge of the table leads on.
    Exit(usize),
    /// Every candidate is closed. The edges say what follows.
    None,
}

/// Profiles that a chooser holds ready: more are read when they are asked for.
const READY: usize = 8;

/// One choose of a table, ready to choose: what its records say is read once. Keep it beside the table.
#[derive(Debug, Clone, Copy)]
pub struct Chooser<'t, 'a> {
    table: &'t Table<'a>,
    record: ChooseRecord,
    stamp: u64,
    ready: [Ready<'a>; READY],
    /// From the first mask to the end of the table.
    masks: &'a [u8],
    /// Groups, in eights.
    steps: usize,
    profiles: &'a [[u8; 20]],
    indices: &'a [[u8; 2]],
    /// The road or edge that each option stands for.
    targets: &'a [[u8; 2]],
    first_rows: &'a [[u8; 2]],
    /// Offsets of the options' clauses, the clauses, and their sets; empty where there are none.
    checks: &'a [[u8; 2]],
}

/// Masks whose window is known when the chooser is made.
#[derive(Debug, Clone, Copy)]
enum Quick<'a> {
    /// One block of up to 32 options, ranked.
    Ranked(&'a [[u8; 4]; 512]),
    /// Blocks of up to 256 rows in the order of preference.
    Ordered,
    No,
}

/// A profile, ready to rank.
#[derive(Debug, Clone, Copy)]
struct Ready<'a> {
    quick: Quick<'a>,
    kind: u8,
    keys: u8,
    /// From its first row on.
    masks: &'a [u8],
    /// Two tables for each byte of a row.
    ranks: &'a [[u8; 16]],
    /// Positions, best first.
    order: &'a [[u8; 2]],
    /// What follows in the indices: its keys.
    rest: &'a [[u8; 2]],
}

impl<'a> Table<'a> {
    /// A choose, ready to choose; `None` if there is no such choose.
    #[must_use]
    pub fn chooser(&self, choose: usize) -> Option<Chooser<'_, 'a>> {
        let record = self.choose_record(choose)?;
        let digest = self.digest().first_chunk().map_or(0, |c| u64::from_le_bytes(*c));
        let indices = self.indices().bytes().as_chunks().0;
        let checks = self.section(section::CHECKS).bytes().as_chunks().0;
        let none =
            Ready { quick: Quick::No, kind: profile::LISTED, keys: 0, masks: &[], ranks: &[], order: &[], rest: &[] };
        let mut made = Chooser {
            table: self,
            record,
            stamp: digest ^ u64::from(record.node),
            ready: [none; READY],
            masks: self.bytes().get(HEADER..).unwrap_or(&[]),
            profiles: part(
                self.section(section::PROFILES).bytes().as_chunks().0,
                record.first_profile,
                record.profiles,
            ),
            indices,
            targets: part(indices, record.first_candidate, record.options()),
            steps: usize::from(record.groups).div_ceil(8),
            first_rows: part(indices, record.first_group, record.groups),
            checks: checks.get(ix(record.checks)..).unwrap_or(&[]),
        };
        for i in 0..READY.min(usize::from(record.profiles)) {
            if let (Some(ready), Some(slot)) = (made.read(i), made.ready.get_mut(i)) {
                *slot = ready;
            }
        }
        Some(made)
    }
}

/// So many records from the first one on; none if they are not all there.
fn part<T>(all: &[T], first: u32, count: impl TryInto<usize>) -> &[T] {
    all.get(ix(first)..ix(first).saturating_add(ix(count))).unwrap_or(&[])
}

fn word(list: &[[u8; 2]], i: usize) -> usize {
    list.get(i).map_or(0, |b| usize::from(u16::from_le_bytes(*b)))
}

impl<'t, 'a> Chooser<'t, 'a> {
    /// Number of groups of facts, at most [`GROUPS`](crate::format::GROUPS).
    #[must_use]
    pub fn groups(&self) -> usize {
        usize::from(self.record.groups)
    }

    /// Tells facts that are packed for this choose of this table from others.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    pub(crate) fn table(&self) -> &'t Table<'a> {
        self.table
    }

    pub(crate) fn record(&self) -> &ChooseRecord {
        &self.record
    }

    /// The candidate at a position, as a road of the table.
    pub(crate) fn road(&self, position: usize) -> Option<usize> {
        if position < usize::from(self.record.candidates) { Some(word(self.targets, position)) } else { None }
    }

    pub(crate) fn digits(&self) -> impl Iterator<Item = Digit> + use<'t, 'a> {
        let (table, first) = (self.table, ix(self.record.first_digit));
        (first..first.saturating_add(usize::from(self.record.digits))).map(|i| table.digit_record(i))
    }

    /// The first row of each group, as far as `rows` goes.
    pub(crate) fn first_rows(&self, rows: &mut [u16]) {
        for (i, row) in rows.iter_mut().take(self.groups()).enumerate() {
            *row = self.first_row(i);
        }
    }

    pub(crate) fn first_row(&self, group: usize) -> u16 {
        self.first_rows.get(group).map_or(0, |b| u16::from_le_bytes(*b))
    }

    /// The row that each group's facts pick. Rows beyond the groups stay as they are: 0 is neutral.
    pub(crate) fn fill(&self, view: &View<'_, '_>, rows: &mut [u16]) {
        self.first_rows(rows);
        for d in self.digits() {
            let digit = match d.source {
                source::GUARD => u16::from(view.holds(d.argument)),
                _ => self.digit(&d, view.facts.get(usize::from(d.cell))),
            };
            if let Some(row) = rows.get_mut(usize::from(d.group)) {
                *row = row.saturating_add(digit.saturating_mul(d.stride));
            }
        }
    }

    /// The digit that a value makes; unknown makes the greatest.
    pub(crate) fn digit(&self, d: &Digit, value: Option<i64>) -> u16 {
        let unknown = d.radix.saturating_sub(1);
        let Some(v) = value else { return unknown };
        match d.source {
            source::INT => {
                let cuts = self.table.cuts();
                let first = usize::from(d.argument).saturating_add(1);
                // Cuts ascend: those at or below v come first.
                (0..d.radix.saturating_sub(2))
                    .take_while(|k| i64::from(cuts.i32(first.saturating_add(usize::from(*k)))) <= v)
                    .fold(0, |n: u16, _| n.saturating_add(1))
            }
            source::LABELS => {
                let bits = v.cast_unsigned() >> (d.argument & 63) & u64::from(unknown.saturating_sub(1));
                u16::try_from(bits).unwrap_or(unknown)
            }
            _ => u16::try_from(v).unwrap_or(unknown).min(unknown),
        }
    }

    fn profile(&self, i: usize) -> Option<Profile> {
        self.profiles.get(i).map(Profile::of)
    }

    /// The profile in force.
    pub(crate) fn profile_of(&self, view: &View<'_, '_>) -> usize {
        let value = if self.record.by == NONE { None } else { view.read(usize::from(self.record.by)) };
        self.profile_for(value)
    }

    /// The profile for a value of the picking cell: the first one if it is unknown or has none of its own.
    pub(crate) fn profile_for(&self, value: Option<i64>) -> usize {
        let is = |i: &usize| self.profile(*i).is_some_and(|p| Some(i64::from(p.value)) == value);
        (0..usize::from(self.record.profiles)).find(is).unwrap_or(0)
    }

    /// No profile ranks by keys: the masks are enough to choose.
    pub(crate) fn is_keyless(&self) -> bool {
        (0..usize::from(self.record.profiles)).all(|i| self.profile(i).is_some_and(|p| p.kind != profile::KEYED))
    }

    fn read(&self, i: usize) -> Option<Ready<'a>> {
        let p = self.profile(i)?;
        let rest = self.indices.get(ix(p.first)..)?;
        let tables = usize::from(self.record.width).saturating_mul(2);
        let ranks = self.masks.get(ix(p.ranks)..)?.as_chunks().0;
        let masks = self.masks.get(ix(p.rows)..)?;
        let quick = match (p.kind, self.record.width, masks.as_chunks().0.first_chunk()) {
            (profile::RANKED, 4, Some(window)) if self.record.rows <= 512 => Quick::Ranked(window),
            (profile::ORDERED, 16, _) if self.record.rows <= 256 => Quick::Ordered,
            _ => Quick::No,
        };
        Some(Ready {
            quick,
            kind: p.kind,
            keys: p.keys,
            masks,
            ranks: if p.kind == profile::RANKED { ranks.get(..tables)? } else { &[] },
            order: if p.kind == profile::KEYED { &[] } else { rest.get(..usize::from(p.length))? },
            rest,
        })
    }

    #[inline(always)]
    fn with_profile(&self, i: usize, run: impl FnOnce(&Ready<'a>) -> Pick) -> Pick {
        match self.ready.get(i) {
            Some(ready) if i < usize::from(self.record.profiles) => run(ready),
            _ => self.read(i).map_or(Pick::None, |ready| run(&ready)),
        }
    }

    /// A profile ranks this candidate.
    pub(crate) fn names(&self, profile: usize, position: usize) -> bool {
        self.read(profile).is_some_and(|p| p.kind == profile::KEYED || place(&p, position).is_some())
    }

    /// The best option that is open, by masks alone where they suffice. `view` is needed where keys rank.
    #[inline(always)]
    pub(crate) fn best(
        &self,
        rows: &[u16],
        profile: usize,
        latches: Option<&Latches>,
        view: Option<&View<'_, '_>>,
    ) -> Pick {
        if latches.is_some_and(Latches::judged) {
            return Pick::None;
        }
        self.with_profile(profile, |p| match (p.kind, self.record.width) {
            (profile::RANKED, 4) => self.ranked::<u32, 4>(rows, p, latches),
            (profile::ORDERED, 16) => self.ordered(rows, p, latches),
            (profile::RANKED, 1) => self.ranked::<u8, 1>(rows, p, latches),
            (profile::RANKED, 2) => self.ranked::<u16, 2>(rows, p, latches),
            (profile::RANKED, 8) => self.ranked::<u64, 8>(rows, p, latches),
            _ => self.listed(rows, p, latches, view),
        })
    }

    /// What wins where no latch is set, for the two kinds of profile that a fast table has: masks with ranks, and masks in order.
    /// `None`: another kind, or the table is too short for a window.
    #[inline(always)]
    pub(crate) fn quick<const N: usize>(&self, rows: &[u16; N], profile: u16) -> Option<Pick> {
        // More profiles than stand ready are not quick.
        let p = self.ready.get(usize::from(profile) & (READY - 1))?;
        let eights = rows.as_chunks::<8>().0;
        match p.quick {
            Quick::Ranked(window) => {
                let mut open: u32 = intersect(window, eights.get(..self.steps)?);
                loop {
                    let least = open.least(p.ranks);
                    let Some(option) = p.order.get(ix(least)) else { return Some(Pick::None) };
                    let option = usize::from(u16::from_le_bytes(*option));
                    if let Some(pick) = self.taken(option, rows, None) {
                        return Some(pick);
                    }
                    open = open.without(option);
                }
            }
            Quick::Ordered => {
                let eights = eights.get(..self.steps)?;
                let stride = usize::from(self.record.rows);
                let mut rest = p.masks.as_chunks().0;
                for order in p.order.chunks(128) {
                    let mut open: Wide = intersect(rest.first_chunk::<256>()?, eights);
                    while let Some(bit) = open.first() {
                        let Some(option) = order.get(bit) else { break };
                        let option = usize::from(u16::from_le_bytes(*option));
                        if let Some(pick) = self.taken(option, rows, None) {
                            return Some(pick);
                        }
                        open = open.without(bit);
                    }
                    rest = rest.get(stride..)?;
                }
                Some(Pick::None)
            }
            Quick::No => None,
        }
    }

    /// The masks of a block that all picked rows leave.
    #[inline(always)]
    fn block<R: Row<N>, const N: usize>(&self, rows: &[u16], p: &Ready<'_>, block: usize) -> R {
        let count = usize::from(self.record.rows);
        let start = block.saturating_mul(count).saturating_mul(N);
        let all = p.masks.get(start..).unwrap_or(&[]).as_chunks::<N>().0;
        let eights = rows.as_chunks::<8>().0;
        let eights = eights.get(..self.steps).unwrap_or(eights);
        // A window of a fixed power of two is indexed by a masked row: no bounds are left to be checked. Where the table ends
        // before the window does, and beyond 1,024 rows, each row is checked.
        if count <= 128
            && let Some(window) = all.first_chunk::<128>()
        {
            return intersect(window, eights);
        }
        if count <= 512
            && let Some(window) = all.first_chunk::<512>()
        {
            return intersect(window, eights);
        }
        if count <= 1_024
            && let Some(window) = all.first_chunk::<1_024>()
        {
            return intersect(window, eights);
        }
        checked(all, eights)
    }

    /// Masks that stand in the order of preference, 128 options a block: the first bit wins.
    #[inline(never)]
    fn ordered(&self, rows: &[u16], p: &Ready<'_>, latches: Option<&Latches>) -> Pick {
        for block in 0..p.order.len().div_ceil(128) {
            let mut open: Wide = self.block(rows, p, block);
            while let Some(bit) = open.first() {
                let place = block.saturating_mul(128).saturating_add(bit);
                if place >= p.order.len() {
                    break;
                }
                let option = word(p.order, place);
                if let Some(pick) = self.taken(option, rows, latches) {
                    return pick;
                }
                open = open.without(bit);
            }
        }
        Pick::None
    }

    /// A table of ranks per four options: the least rank wins.
    #[inline(never)]
    fn ranked<R: Row<N>, const N: usize>(&self, rows: &[u16], p: &Ready<'_>, latches: Option<&Latches>) -> Pick {
        let mut open: R = self.block::<R, N>(rows, p, 0);
        loop {
            let least = open.least(p.ranks);
            if least == NO_RANK {
                return Pick::None;
            }
            let option = word(p.order, ix(least));
            match self.taken(option, rows, latches) {
                Some(pick) => return pick,
                None => open = open.without(option),
            }
        }
    }

    /// Masks in the order of the candidates: the order is walked, or keys are compared.
    #[inline(never)]
    fn listed(&self, rows: &[u16], p: &Ready<'_>, latches: Option<&Latches>, view: Option<&View<'_, '_>>) -> Pick {
        let open = self.open(rows, p);
        let is = |option: usize| open.get(option >> 6).is_some_and(|w| w >> (option & 63) & 1 == 1);
        let candidates = usize::from(self.record.candidates);
        let best = if p.kind == profile::KEYED {
            view.and_then(|view| self.least(p, view, |i| is(i) && self.taken(i, rows, latches).is_some()))
        } else {
            let places = (0..p.order.len()).map(|i| word(p.order, i));
            places.into_iter().find(|i| is(*i) && self.taken(*i, rows, latches).is_some())
        };
        let exits = if p.kind == profile::KEYED { candidates..self.record.options() } else { 0..0 };
        let option = best.or_else(|| exits.into_iter().find(|i| is(*i) && self.taken(*i, rows, latches).is_some()));
        option.and_then(|i| self.taken(i, rows, latches)).unwrap_or(Pick::None)
    }

    /// Every block of a profile whose bits are candidates.
    fn open(&self, rows: &[u16], p: &Ready<'_>) -> [u64; WORDS] {
        let mut out = [0; WORDS];
        let first = match self.record.width {
            1 => self.block::<u8, 1>(rows, p, 0).narrow(),
            2 => self.block::<u16, 2>(rows, p, 0).narrow(),
            4 => self.block::<u32, 4>(rows, p, 0).narrow(),
            8 => self.block::<u64, 8>(rows, p, 0),
            _ => {
                let blocks = self.record.options().div_ceil(128);
                for (i, two) in out.as_chunks_mut::<2>().0.iter_mut().take(blocks).enumerate() {
                    *two = self.block::<Wide, 16>(rows, p, i).0;
                }
                return out;
            }
        };
        out.iter_mut().take(1).for_each(|w| *w = first);
        out
    }

    fn least(&self, p: &Ready<'_>, view: &View<'_, '_>, is: impl Fn(usize) -> bool) -> Option<usize> {
        let candidates = usize::from(self.record.candidates);
        let keys = usize::from(p.keys);
        let index = |k: usize, i: usize| word(p.rest, k.saturating_mul(candidates).saturating_add(i));
        let mut best: Option<([Option<i64>; 4], usize, usize)> = None;
        for position in (0..candidates).filter(|i| is(*i)) {
            let mut read = [None; 4];
            for (k, slot) in read.iter_mut().take(keys).enumerate() {
                *slot = view.read(index(k, position));
            }
            let name = index(keys, position);
            if best.as_ref().is_none_or(|(b, n, _)| less(&read, name, b, *n)) {
                best = Some((read, name, position));
            }
        }
        best.map(|b| b.2)
    }

    /// What an option stands for, if its checks pass and it was not tried.
    #[inline(always)]
    fn taken(&self, option: usize, rows: &[u16], latches: Option<&Latches>) -> Option<Pick> {
        if !self.checks.is_empty() && word(self.checks, option) != usize::from(NONE) && !self.passes(option, rows) {
            return None;
        }
        let target = word(self.targets, option);
        let road = option < usize::from(self.record.candidates);
        if road && latches.is_some_and(|l| l.tried(target)) {
            return None;
        }
        Some(core::hint::select_unpredictable(road, Pick::Road(target), Pick::Exit(target)))
    }

    /// The clauses of an option that no single group decides: each needs one group whose row is in its set.
    #[inline(never)]
    fn passes(&self, option: usize, rows: &[u16]) -> bool {
        self.each_clause(option, rows, |_, _, holds| holds)
    }

    /// Goes through the clauses of an option as long as the caller wants: where its groups stand, how many they are, and
    /// whether one of them satisfies it. Whether the caller wanted all.
    #[inline(always)]
    fn each_clause(&self, option: usize, rows: &[u16], mut go_on: impl FnMut(usize, usize, bool) -> bool) -> bool {
        let checks = self.checks;
        let mut at = word(checks, option);
        let clauses = word(checks, at);
        for _ in 0..clauses {
            at = at.saturating_add(1);
            let (first, groups) = (at.saturating_add(1), word(checks, at));
            let mut holds = 0;
            for _ in 0..groups {
                let (group, set) = (word(checks, at.saturating_add(1)), word(checks, at.saturating_add(2)));
                let row = rows.get(group).copied().unwrap_or(0).wrapping_sub(self.first_row(group));
                holds |= word(checks, set.saturating_add(usize::from(row >> 4))) >> (row & 15);
                at = at.saturating_add(2);
            }
            if !go_on(first, groups, holds & 1 == 1) {
                return false;
            }
        }
        true
    }

    /// Tells of each group that closes a candidate under a profile: by its row's mask, or as part of a clause that no group
    /// satisfies.
    pub(crate) fn closing_groups(&self, rows: &[u16], in_force: usize, position: usize, mut tell: impl FnMut(usize)) {
        let Some(p) = self.read(in_force) else { return };
        let bit = if p.kind == profile::ORDERED { place(&p, position) } else { Some(position) };
        let width = usize::from(self.record.width);
        if let Some(bit) = bit {
            let (block, byte) =
                ((bit >> 3).checked_div(width).unwrap_or(0), (bit >> 3).checked_rem(width).unwrap_or(0));
            let first = block.saturating_mul(usize::from(self.record.rows));
            for (group, row) in rows.iter().enumerate().take(self.groups()) {
                let at = first.saturating_add(usize::from(*row)).saturating_mul(width).saturating_add(byte);
                if p.masks.get(at).is_some_and(|mask| mask >> (bit & 7) & 1 == 0) {
                    tell(group);
                }
            }
        }
        if !self.checks.is_empty() && word(self.checks, position) != usize::from(NONE) {
            self.each_clause(position, rows, |at, groups, holds| {
                if !holds {
                    (0..groups).for_each(|k| tell(word(self.checks, at.saturating_add(k.saturating_mul(2)))));
                }
                true
            });
        }
    }

    /// The masks, the checks and the latches leave a candidate open.
    pub(crate) fn is_open(&self, rows: &[u16], position: usize, latches: &Latches) -> bool {
        if latches.judged() || self.taken(position, rows, Some(latches)).is_none() {
            return false;
        }
        // Where masks stand in the order of a profile, a profile that names the candidate is asked.
        (0..usize::from(self.record.profiles)).filter_map(|i| self.read(i)).any(|p| {
            let bit = if p.kind == profile::ORDERED { place(&p, position) } else { Some(position) };
            bit.is_some_and(|b| self.open(rows, &p).get(b >> 6).is_some_and(|w| w >> (b & 63) & 1 == 1))
        })
    }
}

/// Where a candidate stands in the order of a profile without keys.
fn place(p: &Ready<'_>, position: usize) -> Option<usize> {
    (0..p.order.len()).find(|i| word(p.order, *i) == position)
}

/// Lexicographic; unknown last.
fn less(a: &[Option<i64>; 4], an: usize, b: &[Option<i64>; 4], bn: usize) -> bool {
    for (x, y) in a.iter().zip(b) {
        match (x, y) {
            (Some(x), Some(y)) if x != y => return x < y,
            (Some(_), None) => return true,
            (None, Some(_)) => return false,
            _ => {}
        }
    }
    an < bn
}

#[inline]
fn intersect<R: Row<N>, const N: usize, const M: usize>(window: &[[u8; N]; M], eights: &[[u16; 8]]) -> R {
    let mut open = R::ALL;
    for eight in eights {
        for row in eight {
            let row = usize::from(*row) & M.saturating_sub(1);
            open = open.and(window.get(row).map_or(R::NONE, |b| R::of(*b)));
        }
    }
    open
}

#[cold]
#[inline(never)]
fn checked<R: Row<N>, const N: usize>(all: &[[u8; N]], eights: &[[u16; 8]]) -> R {
    let picked = eights.iter().flatten().map(|r| all.get(usize::from(*r)).map_or(R::NONE, |b| R::of(*b)));
    picked.fold(R::ALL, R::and)
}

/// What the tables of ranks hold where no option is open.
const NO_RANK: u32 = 255;

/// A row of N bytes as a number.
trait Row<const N: usize>: Copy {
    const ALL: Self;
    const NONE: Self;
    fn of(bytes: [u8; N]) -> Self;
    fn and(self, other: Self) -> Self;
    /// The lowest bit.
    fn first(self) -> Option<usize>;
    fn without(self, bit: usize) -> Self;
    /// The lowest 64 bits.
    fn narrow(self) -> u64;
    /// The least rank, with two tables for each byte.
    fn least(self, ranks: &[[u8; 16]]) -> u32;
}

macro_rules! row {
    ($number:ty, $bytes:literal, $narrow:expr) => {
        impl Row<$bytes> for $number {
            const ALL: Self = Self::MAX;
            const NONE: Self = 0;
            #[inline]
            fn of(bytes: [u8; $bytes]) -> Self {
                Self::from_le_bytes(bytes)
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn first(self) -> Option<usize> {
                if self == 0 { None } else { Some(ix(self.trailing_zeros())) }
            }
            #[inline]
            fn without(self, bit: usize) -> Self {
                self & !(Self::from(1_u8).wrapping_shl(u32::try_from(bit).unwrap_or(0)))
            }
            #[inline]
            fn narrow(self) -> u64 {
                $narrow(self)
            }
            #[inline]
            fn least(self, ranks: &[[u8; 16]]) -> u32 {
                let Some(tables) = ranks.first_chunk::<{ 2 * $bytes }>() else { return NO_RANK };
                let mut least = NO_RANK;
                let mut rest = self;
                for table in tables {
                    let four = usize::try_from(rest & 15).unwrap_or(0);
                    let rank = table.get(four).map_or(NO_RANK, |r| u32::from(*r));
                    // Without a branch, since none could be foretold.
                    least = core::hint::select_unpredictable(rank < least, rank, least);
                    rest = rest.wrapping_shr(4);
                }
                least
            }
        }
    };
}

row!(u8, 1, u64::from);
row!(u16, 2, u64::from);
row!(u32, 4, u64::from);
row!(u64, 8, |n: u64| n);

/// 128 options, as two words: they are read and intersected at once.
#[derive(Debug, Clone, Copy)]
struct Wide([u64; 2]);

impl Row<16> for Wide {
    const ALL: Self = Self([u64::MAX; 2]);
    const NONE: Self = Self([0; 2]);
    #[inline]
    fn of(bytes: [u8; 16]) -> Self {
        let [low, high] =
            [0, 8].map(|at| bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b)));
        Self([low, high])
    }
    #[inline]
    fn and(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([a & c, b & d])
    }
    #[inline]
    fn first(self) -> Option<usize> {
        let [low, high] = self.0;
        let (word, at) = if low == 0 { (high, 64) } else { (low, 0) };
        if word == 0 { None } else { Some(at | ix(word.trailing_zeros())) }
    }
    #[inline]
    fn without(self, bit: usize) -> Self {
        let [low, high] = self.0;
        let gone = 1_u64.wrapping_shl(u32::try_from(bit & 63).unwrap_or(0));
        if bit < 64 { Self([low & !gone, high]) } else { Self([low, high & !gone]) }
    }
    #[inline]
    fn narrow(self) -> u64 {
        let [low, _] = self.0;
        low
    }
    #[inline]
    fn least(self, _: &[[u8; 16]]) -> u32 {
        // Rows of this width are never ranked.
        NO_RANK
    }
}
