//! Choosing a road: masks of roads, one per value of each fact, intersected; then a rank.

use crate::facts::Facts;
use crate::format::{NONE, section};
use crate::guard::View;
use crate::run::Latches;
use crate::table::Table;
use crate::wire::ix;

/// Words of a road mask.
pub(crate) const WORDS: usize = 16;

/// What a choose decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    choose: usize,
    road: Option<usize>,
    eligible: [u64; WORDS],
}

/// Why a candidate is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// The question is judged.
    Judged,
    /// The road was tried for this question.
    Tried,
    /// This filter of the road (counted from 0 in reason order) does not hold.
    Filter(usize),
    /// The profile in force leaves it out.
    Profile,
}

impl Decision {
    /// The road, or `None`: every candidate is closed.
    #[must_use]
    pub fn road(&self) -> Option<usize> {
        self.road
    }

    /// The choose that decided.
    #[must_use]
    pub fn choose(&self) -> usize {
        self.choose
    }

    /// The candidate at a position of the choose's list passed every filter.
    #[must_use]
    pub fn is_eligible(&self, position: usize) -> bool {
        self.eligible.get(position >> 6).is_some_and(|w| w >> (position & 63) & 1 == 1)
    }
}

impl Table<'_> {
    /// Decides a choose with no latch set. Constant time in the number of roads but for the rank: O(columns x words).
    /// A choose that does not exist decides nothing.
    #[must_use]
    pub fn choose(&self, choose: usize, facts: &Facts) -> Decision {
        self.choose_with(choose, facts, &Latches::fresh(self))
    }

    /// Decides a choose with the latches of a run.
    #[must_use]
    pub fn choose_with(&self, choose: usize, facts: &Facts, latches: &Latches) -> Decision {
        let view = View { table: self, facts, latches };
        let Some(c) = self.choose_record(choose) else {
            return Decision { choose, road: None, eligible: [0; WORDS] };
        };
        let mut eligible = [u64::MAX; WORDS];
        for i in 0..usize::from(c.columns) {
            self.intersect(&view, &c, ix(c.first_column).saturating_add(i), &mut eligible);
        }
        let mut road = None;
        for (k, word) in eligible.iter_mut().enumerate() {
            let begin = k.saturating_mul(64);
            let left = ix(c.candidates).saturating_sub(begin).min(64);
            *word &= if left == 64 { u64::MAX } else { (1_u64 << left).wrapping_sub(1) };
            if latches.judged() {
                *word = 0;
            }
        }
        for position in 0..ix(c.candidates) {
            let candidate = self.candidate(&c, position);
            if latches.tried(candidate)
                && let Some(w) = eligible.get_mut(position >> 6)
            {
                *w &= !(1_u64 << (position & 63));
            }
        }
        let made = Decision { choose, road, eligible };
        let profile = self.profile(&view, &c);
        if let Some(p) = profile {
            road = if p.keys == 0 { self.first_of(&c, &p, &made) } else { self.least_of(&view, &c, &p, &made) };
        }
        Decision { road, ..made }
    }

    fn intersect(&self, view: &View<'_, '_>, c: &ChooseRecord, column: usize, eligible: &mut [u64; WORDS]) {
        let col = self.column_record(column);
        let row = usize::from(col.first_row).saturating_add(self.row_of(view, &col));
        let width = usize::from(c.width);
        let at = ix(c.first_mask).saturating_add(row.saturating_mul(width));
        let bytes = self.section(section::MASKS).bytes().get(at..at.saturating_add(width)).unwrap_or(&[]);
        for (word, chunk) in eligible.iter_mut().zip(bytes.chunks(8)) {
            let mut wide = [0_u8; 8];
            wide.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            *word &= u64::from_le_bytes(wide);
        }
    }

    /// Which row of a column the facts pick. What unknown stands for is written into the row of unknown; columns of cells
    /// never read latches.
    fn row_of(&self, view: &View<'_, '_>, col: &Column) -> usize {
        match col.source {
            Source::Guard(guard) => usize::from(view.holds(guard)),
            Source::Label(at, label) => view.facts.get(at).map_or(2, |v| usize::from(v >> (label & 63) & 1 == 1)),
            Source::Cell(at) => {
                let unknown = view.table.cell(at).map_or(0, |c| c.count());
                view.facts.get(at).map_or(unknown, |v| ix(v).min(unknown))
            }
            Source::Int(at, first) => {
                let cuts = ix(self.cuts().u32(first));
                match view.facts.get(at) {
                    // The number of cuts that are at most v: cuts ascend.
                    Some(v) => {
                        (1..=cuts).take_while(|k| i64::from(self.cuts().i32(first.saturating_add(*k))) <= v).count()
                    }
                    None => cuts.saturating_add(1),
                }
            }
        }
    }

    pub(crate) fn candidate(&self, c: &ChooseRecord, position: usize) -> usize {
        usize::from(self.indices().u16(ix(c.first_candidate).saturating_add(position)))
    }

    fn profile(&self, view: &View<'_, '_>, c: &ChooseRecord) -> Option<Profile> {
        let value = if c.by == NONE { None } else { view.read(usize::from(c.by)) };
        let mut at = ix(c.first_profile);
        let mut first = None;
        for _ in 0..c.profiles {
            let p = Profile {
                value: self.indices().u16(at),
                keys: self.indices().u16(at.saturating_add(1)),
                length: self.indices().u16(at.saturating_add(2)),
                start: at.saturating_add(3),
            };
            let hit = value.is_none_or(|v| v == i64::from(p.value));
            at = p.start.saturating_add(p.size(c));
            if first.is_none() && value.is_none() {
                return Some(p);
            }
            if hit {
                return Some(p);
            }
            first = first.or(Some(p));
        }
        None
    }

    fn first_of(&self, c: &ChooseRecord, p: &Profile, d: &Decision) -> Option<usize> {
        (0..usize::from(p.length))
            .map(|i| usize::from(self.indices().u16(p.start.saturating_add(i))))
            .find(|position| d.is_eligible(*position))
            .map(|position| self.candidate(c, position))
    }

    fn least_of(&self, view: &View<'_, '_>, c: &ChooseRecord, p: &Profile, d: &Decision) -> Option<usize> {
        let names = p.start.saturating_add(usize::from(p.keys).saturating_mul(ix(c.candidates)));
        let mut best: Option<([Option<i64>; 4], u16, usize)> = None;
        for position in (0..ix(c.candidates)).filter(|i| d.is_eligible(*i)) {
            let mut keys = [None; 4];
            for (k, slot) in keys.iter_mut().take(usize::from(p.keys)).enumerate() {
                let at = p.start.saturating_add(k.saturating_mul(ix(c.candidates))).saturating_add(position);
                *slot = view.read(usize::from(self.indices().u16(at)));
            }
            let name = self.indices().u16(names.saturating_add(position));
            let better = best.as_ref().is_none_or(|(b, n, _)| less(&keys, name, b, *n));
            if better {
                best = Some((keys, name, position));
            }
        }
        best.map(|(_, _, position)| self.candidate(c, position))
    }

    /// Why a candidate (by its position) is closed; `None` if it is eligible or does not exist. The first reason in the
    /// order of the model: judged, tried, the road's filters, the profile.
    #[must_use]
    pub fn reason(&self, choose: usize, position: usize, facts: &Facts, latches: &Latches) -> Option<Closed> {
        let view = View { table: self, facts, latches };
        let c = self.choose_record(choose)?;
        if position >= ix(c.candidates) {
            return None;
        }
        let road = self.candidate(&c, position);
        if latches.judged() {
            return Some(Closed::Judged);
        }
        if latches.tried(road) {
            return Some(Closed::Tried);
        }
        let r = self.road(road)?;
        if let Some(i) = (0..r.filters()).find(|i| !view.holds(self.filter_guard(r.first_filter().saturating_add(*i))))
        {
            return Some(Closed::Filter(i));
        }
        let p = self.profile(&view, &c)?;
        let named = p.keys != 0
            || (0..usize::from(p.length))
                .any(|i| usize::from(self.indices().u16(p.start.saturating_add(i))) == position);
        if named { None } else { Some(Closed::Profile) }
    }
}

/// Lexicographic; unknown last.
fn less(a: &[Option<i64>; 4], an: u16, b: &[Option<i64>; 4], bn: u16) -> bool {
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

/// A choose as it stands in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChooseRecord {
    pub(crate) node: u16,
    pub(crate) candidates: u16,
    pub(crate) first_candidate: u32,
    pub(crate) by: u16,
    pub(crate) profiles: u8,
    /// Bytes of a row.
    pub(crate) width: u8,
    pub(crate) first_profile: u32,
    pub(crate) first_column: u32,
    pub(crate) columns: u16,
    pub(crate) first_mask: u32,
}

impl ChooseRecord {
    /// Words of a row.
    pub(crate) fn words(&self) -> usize {
        usize::from(self.width).saturating_add(7) >> 3
    }
}

/// One profile in the index section: value, number of keys, length, then positions (keys = 0), or the cells of each key and
/// the name order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profile {
    pub(crate) value: u16,
    pub(crate) keys: u16,
    pub(crate) length: u16,
    pub(crate) start: usize,
}

impl Profile {
    /// Indices after its three heads.
    pub(crate) fn size(&self, c: &ChooseRecord) -> usize {
        if self.keys == 0 {
            usize::from(self.length)
        } else {
            usize::from(self.keys).saturating_add(1).saturating_mul(usize::from(c.candidates))
        }
    }
}

/// A column as it stands in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) source: Source,
    /// Counted from the first row of the choose.
    pub(crate) first_row: u16,
}

/// What picks the row of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    /// A cell: its value; last row unknown.
    Cell(usize),
    /// An int and where its cuts stand: their number, then the cuts. The interval; last row unknown.
    Int(usize, usize),
    /// One label of a set: absent, present, unknown.
    Label(usize, u8),
    /// A guard: not true, true.
    Guard(u16),
}
