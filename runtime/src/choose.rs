//! Choosing a road: the facts pick one row of masks per group of facts, the rows are intersected, and the best option that
//! is left wins. The data-driven part that needs no latches and no cells is [`crate::Chooser`]; this is the one for runs.

use crate::chooser::{Chooser, Pick};
use crate::facts::Facts;
use crate::format::{GROUPS, NONE};
use crate::guard::View;
use crate::packed::WIDTH;
use crate::run::Latches;
use crate::table::Table;
use crate::wire::{u8_at, u16_at, u32_at};

/// What a choose decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    choose: usize,
    pick: Pick,
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
        if let Pick::Road(road) = self.pick { Some(road) } else { None }
    }

    /// The edge that is taken because every candidate is closed, where the masks tell it.
    #[must_use]
    pub fn exit(&self) -> Option<usize> {
        if let Pick::Exit(edge) = self.pick { Some(edge) } else { None }
    }

    /// The choose that decided.
    #[must_use]
    pub fn choose(&self) -> usize {
        self.choose
    }
}

impl Table<'_> {
    /// Decides a choose with no latch set. A choose that does not exist decides nothing.
    ///
    /// Time: O(digits + groups x words), constant in the number of roads but for the words of a mask.
    #[must_use]
    pub fn choose(&self, choose: usize, facts: &Facts) -> Decision {
        self.choose_with(choose, facts, &Latches::fresh(self))
    }

    /// Decides a choose with the latches of a run.
    #[must_use]
    pub fn choose_with(&self, choose: usize, facts: &Facts, latches: &Latches) -> Decision {
        let pick = self.chooser(choose).map_or(Pick::None, |c| {
            let view = View { table: self, facts, latches };
            if c.groups() <= WIDTH { picked::<WIDTH>(&c, &view) } else { picked::<GROUPS>(&c, &view) }
        });
        Decision { choose, pick }
    }

    /// Whether the masks leave a candidate (by its position) open and no latch closes it: what [`Table::reason`] says of all
    /// but the profile, by the way that choosing itself takes.
    #[must_use]
    pub fn is_eligible(&self, choose: usize, position: usize, facts: &Facts, latches: &Latches) -> bool {
        self.chooser(choose).is_some_and(|c| {
            let view = View { table: self, facts, latches };
            let mut rows = [0; GROUPS];
            c.fill(&view, &mut rows);
            c.is_open(&rows, position, latches)
        })
    }
}

fn picked<const N: usize>(c: &Chooser<'_, '_>, view: &View<'_, '_>) -> Pick {
    let mut rows = [0; N];
    c.fill(view, &mut rows);
    c.best(&rows, c.profile_of(view), Some(view.latches), Some(view))
}

/// A choose as it stands in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChooseRecord {
    pub(crate) node: u16,
    pub(crate) candidates: u16,
    pub(crate) first_candidate: u32,
    /// The cell that picks a profile.
    pub(crate) by: u16,
    pub(crate) profiles: u8,
    /// Bytes of a row.
    pub(crate) width: u8,
    pub(crate) first_profile: u32,
    pub(crate) first_digit: u32,
    pub(crate) digits: u16,
    pub(crate) groups: u16,
    /// Where the first rows of the groups stand in the indices.
    pub(crate) first_group: u32,
    /// Rows of a block, the neutral one among them.
    pub(crate) rows: u16,
    pub(crate) exits: u16,
    pub(crate) first_exit: u16,
    /// Where the checks of the options stand; `u32::MAX`: there are none.
    pub(crate) checks: u32,
}

impl ChooseRecord {
    /// Candidates and exits.
    pub(crate) fn options(&self) -> usize {
        usize::from(self.candidates).saturating_add(usize::from(self.exits))
    }
}

/// A profile as it stands in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profile {
    pub(crate) value: u16,
    pub(crate) kind: u8,
    pub(crate) keys: u8,
    pub(crate) length: u16,
    /// Its order, or its keys, in the indices.
    pub(crate) first: u32,
    /// Its rows in the masks.
    pub(crate) rows: u32,
    /// Its ranks in the masks.
    pub(crate) ranks: u32,
}

impl Profile {
    pub(crate) fn of(b: &[u8; 20]) -> Self {
        Self {
            value: u16_at(b, 0),
            kind: u8_at(b, 2),
            keys: u8_at(b, 3),
            length: u16_at(b, 4),
            first: u32_at(b, 8),
            rows: u32_at(b, 12),
            ranks: u32_at(b, 16),
        }
    }
}

/// A digit as it stands in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digit {
    pub(crate) source: u8,
    /// Number of labels.
    pub(crate) labels: u8,
    pub(crate) cell: u16,
    pub(crate) group: u16,
    pub(crate) stride: u16,
    pub(crate) radix: u16,
    /// Cuts, first label, or guard.
    pub(crate) argument: u16,
}

impl Digit {
    /// It is read off a guard and not off a cell.
    pub(crate) fn is_guard(&self) -> bool {
        self.cell == NONE
    }
}
