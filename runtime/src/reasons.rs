//! Why a candidate is closed. Nothing here runs when a choose decides: it is computed when somebody asks, from the table that
//! decided.
//!
//! Two questions, two answers. *Which filters do not hold?* is read off the guards of the filters, which the masks were made
//! from and, before the table was released, were shown to agree with ([`Reasons`]; it needs [`Facts`]). *Which facts close the
//! road?* is read off the very rows of masks that chose ([`Chooser::closing`]; packed facts are enough).

use crate::choose::Closed;
use crate::chooser::Chooser;
use crate::facts::Facts;
use crate::format::GROUPS;
use crate::guard::View;
use crate::packed::Packed;
use crate::run::Latches;
use crate::table::Table;

/// Everything that closes one candidate, in the order of the model: judged, tried, the road's filters in reason order, the
/// profile. Each item is found when it is asked for; none comes if the candidate is eligible, or does not exist.
#[derive(Clone)]
pub struct Reasons<'x, 'a> {
    chooser: Chooser<'x, 'a>,
    view: View<'a, 'x>,
    position: usize,
    road: usize,
    first: usize,
    filters: usize,
    stage: usize,
}

/// Stages before the filters.
const LATCHES: usize = 2;

impl<'a> Table<'a> {
    /// Everything that closes a candidate (by its position); `None` if there is no such choose or candidate.
    #[must_use]
    pub fn reasons<'x>(
        &'x self,
        choose: usize,
        position: usize,
        facts: &'x Facts,
        latches: &'x Latches,
    ) -> Option<Reasons<'x, 'a>> {
        self.chooser(choose)?.reasons(position, facts, latches)
    }

    /// The first reason that closes a candidate (by its position); `None` if it is eligible or does not exist.
    #[must_use]
    pub fn reason(&self, choose: usize, position: usize, facts: &Facts, latches: &Latches) -> Option<Closed> {
        self.reasons(choose, position, facts, latches)?.next()
    }
}

impl<'t, 'a> Chooser<'t, 'a> {
    /// Everything that closes a candidate (by its position); `None` if there is no such candidate.
    #[must_use]
    pub fn reasons<'x>(&self, position: usize, facts: &'x Facts, latches: &'x Latches) -> Option<Reasons<'x, 'a>>
    where
        't: 'x,
    {
        let table: &'x Table<'a> = self.table();
        let road = self.road(position)?;
        let record = table.road(road)?;
        Some(Reasons {
            chooser: *self,
            view: View { table, facts, latches },
            position,
            road,
            first: record.first_filter(),
            filters: record.filters(),
            stage: 0,
        })
    }

    /// The facts (as cells of the table, ascending) whose rows close a candidate (by its position): what would have to be told
    /// otherwise. Facts that the table asks together are named together. None comes if no row closes it.
    pub fn closing<const N: usize>(
        &self,
        packed: &Packed<N>,
        position: usize,
    ) -> impl Iterator<Item = usize> + use<'t, 'a, N> {
        let mut closing = [0_u64; GROUPS / 64];
        if packed.stamp() == self.stamp() && self.road(position).is_some() {
            self.closing_groups(packed.rows(), packed.profile(), position, |group| {
                if let Some(word) = closing.get_mut(group >> 6) {
                    *word |= 1 << (group & 63);
                }
            });
        }
        let closes = move |group: usize| closing.get(group >> 6).is_some_and(|w| w >> (group & 63) & 1 == 1);
        let mut last = None;
        // The digits of a cell stand together.
        self.digits().filter_map(move |d| {
            let new = !d.is_guard() && last != Some(d.cell) && closes(usize::from(d.group));
            if new {
                last = Some(d.cell);
            }
            new.then_some(usize::from(d.cell))
        })
    }
}

impl Reasons<'_, '_> {
    /// The road of the candidate.
    #[must_use]
    pub fn road(&self) -> usize {
        self.road
    }

    /// The filters of the road that do not hold, as a mask: bit i is its filter i, bit 63 any filter from 63 on.
    #[must_use]
    pub fn mask(&self) -> u64 {
        (0..self.filters).filter(|i| !self.holds(*i)).fold(0, |mask, i| mask | 1 << i.min(63))
    }

    fn holds(&self, filter: usize) -> bool {
        self.view.holds(self.view.table.filter_guard(self.first.saturating_add(filter)))
    }
}

impl Iterator for Reasons<'_, '_> {
    type Item = Closed;

    fn next(&mut self) -> Option<Closed> {
        let profile = LATCHES.saturating_add(self.filters);
        while self.stage <= profile {
            let stage = self.stage;
            self.stage = stage.saturating_add(1);
            let latches = self.view.latches;
            let closed = match stage {
                0 => latches.judged().then_some(Closed::Judged),
                1 => latches.tried(self.road).then_some(Closed::Tried),
                _ if stage < profile => {
                    let filter = stage.saturating_sub(LATCHES);
                    (!self.holds(filter)).then_some(Closed::Filter(filter))
                }
                _ => {
                    let named = self.chooser.names(self.chooser.profile_of(&self.view), self.position);
                    (!named).then_some(Closed::Profile)
                }
            };
            if closed.is_some() {
                return closed;
            }
        }
        None
    }
}
