//! Facts held as the rows that they pick: setting one does the work once, choosing starts ready.

use crate::choose::Digit;
use crate::chooser::{Chooser, Pick};
use crate::facts::{Facts, FactsError, fits};
use crate::format::{NONE, source};
use crate::run::Latches;
use crate::wire::ix;

/// Groups that packed facts hold where nothing else is said.
pub(crate) const WIDTH: usize = 64;

/// Facts of one choose of one table, of up to `N` groups. Everything is unknown until it is set.
///
/// `Copy`, 16 + 2`N` bytes. It holds what the choose asks and no more: runs need [`Facts`]. `N` is a multiple of 8: most chooses need 16
/// or less ([`Chooser::groups`] says how many), and what is kept for many requests is read faster the less there is of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// In this order, so that what a small choose reads lies in one line of the cache, or in two.
#[repr(C)]
pub struct Packed<const N: usize = WIDTH> {
    stamp: u64,
    profile: u16,
    rows: [u16; N],
}

/// Why the facts of a choose cannot be packed: use [`Facts`] and [`crate::Table::choose`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPackable {
    /// It has more groups of facts than the [`Packed`] asked for holds.
    Groups,
    /// It compares facts with each other, or reads latches.
    Guard,
    /// It ranks by facts.
    Keys,
}

impl core::fmt::Display for NotPackable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Groups => "the choose has more groups of facts than packed facts hold",
            Self::Guard => "the choose compares facts with each other, or reads latches",
            Self::Keys => "the choose ranks by facts",
        })
    }
}

impl core::error::Error for NotPackable {}

impl<const N: usize> Packed<N> {
    /// Rows are read eight at a time, and none may be left out.
    const EIGHTS: () = assert!(N.is_multiple_of(8), "packed facts hold a multiple of eight groups");

    /// Puts together what was packed by other means: for code that `roadlaw build --emit rust` wrote. Rows that are not
    /// rows of the choose close every road or choose a wrong one; they do no other harm.
    #[must_use]
    pub const fn assembled(stamp: u64, profile: u16, rows: [u16; N]) -> Self {
        let () = Self::EIGHTS;
        Self { stamp, profile, rows }
    }

    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    pub(crate) fn rows(&self) -> &[u16] {
        &self.rows
    }

    pub(crate) fn profile(&self) -> usize {
        usize::from(self.profile)
    }
}

impl Chooser<'_, '_> {
    /// Packed facts of this choose, all unknown.
    ///
    /// # Errors
    /// The choose needs more than rows: see [`NotPackable`].
    pub fn packed<const N: usize>(&self) -> Result<Packed<N>, NotPackable> {
        self.pack_by(|_| None)
    }

    /// Packs what this choose asks of facts.
    ///
    /// # Errors
    /// The choose needs more than rows: see [`NotPackable`].
    pub fn pack<const N: usize>(&self, facts: &Facts) -> Result<Packed<N>, NotPackable> {
        self.pack_by(|cell| facts.get(cell))
    }

    fn pack_by<const N: usize>(&self, value: impl Fn(usize) -> Option<i64>) -> Result<Packed<N>, NotPackable> {
        let () = Packed::<N>::EIGHTS;
        if self.groups() > N {
            return Err(NotPackable::Groups);
        }
        let by = usize::from(self.record().by);
        let latched = self.record().by != NONE && self.table().cell(by).is_none_or(|c| c.latch());
        if latched || self.digits().any(|d| d.is_guard()) {
            return Err(NotPackable::Guard);
        }
        if !self.is_keyless() {
            return Err(NotPackable::Keys);
        }
        let mut rows = [0; N];
        self.first_rows(&mut rows);
        for d in self.digits() {
            let digit = self.digit(&d, value(usize::from(d.cell)));
            if let Some(row) = rows.get_mut(usize::from(d.group)) {
                *row = row.saturating_add(digit.saturating_mul(d.stride));
            }
        }
        Ok(Packed { stamp: self.stamp(), profile: self.profile_by(by, value(by)), rows })
    }

    /// The profile for a value of the cell that picks one; unknown is read strictly.
    fn profile_by(&self, cell: usize, value: Option<i64>) -> u16 {
        let strict = self.table().cell(cell).and_then(|c| c.strict());
        u16::try_from(self.profile_for(value.or(strict))).unwrap_or(0)
    }

    /// Chooses. Facts that were packed for another choose or table choose nothing.
    ///
    /// Time: one row per group and block; never an allocation, a panic or a loop over roads.
    #[must_use]
    #[inline]
    pub fn pick<const N: usize>(&self, packed: &Packed<N>) -> Pick {
        self.pick_packed(packed, None)
    }

    /// Chooses with the latches of a run.
    #[must_use]
    #[inline]
    pub fn pick_with<const N: usize>(&self, packed: &Packed<N>, latches: &Latches) -> Pick {
        self.pick_packed(packed, Some(latches))
    }

    #[inline]
    fn pick_packed<const N: usize>(&self, packed: &Packed<N>, latches: Option<&Latches>) -> Pick {
        if packed.stamp != self.stamp() || self.groups() > N {
            return Pick::None;
        }
        if latches.is_none()
            && let Some(pick) = self.quick(&packed.rows, packed.profile)
        {
            return pick;
        }
        self.slow(&packed.rows, usize::from(packed.profile), latches)
    }

    /// Whatever is not quick, out of the way of what is.
    #[inline(never)]
    fn slow(&self, rows: &[u16], profile: usize, latches: Option<&Latches>) -> Pick {
        self.best(rows, profile, latches, None)
    }

    /// Sets a bool.
    ///
    /// # Errors
    /// The cell is no bool of this table that a caller may set.
    pub fn set_bool<const N: usize>(&self, packed: &mut Packed<N>, cell: usize, value: bool) -> Result<(), FactsError> {
        self.set(packed, cell, i64::from(value), |k| k == crate::format::cell::BOOL)
    }

    /// Sets an enum or a level to its value number, from 0 in declared order.
    ///
    /// # Errors
    /// The cell is no enum or level of this table that a caller may set, or has no such value.
    pub fn set_value<const N: usize>(&self, packed: &mut Packed<N>, cell: usize, value: u8) -> Result<(), FactsError> {
        use crate::format::cell::{ENUM, LEVEL};
        self.set(packed, cell, i64::from(value), |k| k == ENUM || k == LEVEL)
    }

    /// Sets an int.
    ///
    /// # Errors
    /// The cell is no int of this table that a caller may set, or the value is out of its range.
    pub fn set_int<const N: usize>(&self, packed: &mut Packed<N>, cell: usize, value: i32) -> Result<(), FactsError> {
        self.set(packed, cell, i64::from(value), |k| k == crate::format::cell::INT)
    }

    /// Sets a set to a mask of its labels, bit 0 being the first declared.
    ///
    /// # Errors
    /// The cell is no set of this table that a caller may set, or it has no such label.
    pub fn set_labels<const N: usize>(
        &self,
        packed: &mut Packed<N>,
        cell: usize,
        labels: u64,
    ) -> Result<(), FactsError> {
        self.set(packed, cell, labels.cast_signed(), |k| k == crate::format::cell::SET)
    }

    /// Makes a cell unknown again. Cells that do not exist change nothing.
    pub fn unset<const N: usize>(&self, packed: &mut Packed<N>, cell: usize) {
        if packed.stamp == self.stamp() {
            self.put(packed, cell, None);
        }
    }

    fn set<const N: usize>(
        &self,
        packed: &mut Packed<N>,
        cell: usize,
        value: i64,
        is: impl Fn(u8) -> bool,
    ) -> Result<(), FactsError> {
        if packed.stamp != self.stamp() {
            return Err(FactsError::Foreign);
        }
        fits(self.table(), cell, value, is)?;
        self.put(packed, cell, Some(value));
        Ok(())
    }

    fn put<const N: usize>(&self, packed: &mut Packed<N>, cell: usize, value: Option<i64>) {
        let wanted = u16::try_from(cell).unwrap_or(NONE);
        for d in self.digits_of(wanted) {
            let new = self.digit(&d, value);
            let first = self.first_row(usize::from(d.group));
            if let Some(row) = packed.rows.get_mut(usize::from(d.group)) {
                let inside = row.saturating_sub(first);
                let old = inside.checked_div(d.stride).and_then(|n| n.checked_rem(d.radix)).unwrap_or(0);
                *row = row.wrapping_sub(old.wrapping_mul(d.stride)).wrapping_add(new.wrapping_mul(d.stride));
            }
        }
        if wanted == self.record().by {
            packed.profile = self.profile_by(cell, value);
        }
    }

    /// The digits that are read off a cell: they stand together, cells ascending, guards last.
    fn digits_of(&self, cell: u16) -> impl Iterator<Item = Digit> {
        let table = self.table();
        let first = ix(self.record().first_digit);
        let (mut lo, mut hi) = (first, first.saturating_add(usize::from(self.record().digits)));
        let end = hi;
        while lo < hi {
            let middle = lo.midpoint(hi);
            if table.digit_record(middle).cell < cell {
                lo = middle.saturating_add(1);
            } else {
                hi = middle;
            }
        }
        (lo..end).map(move |i| table.digit_record(i)).take_while(move |d| d.cell == cell && d.source != source::GUARD)
    }
}
