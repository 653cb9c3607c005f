//! Fact vectors: fixed size, unknown by default.

use crate::format::cell;
use crate::records::CellKind;
use crate::table::Table;

/// Cells that one [`Facts`] holds.
pub const CELLS: usize = 1_024;

/// Values of the cells of one table, and the epoch in which they were read.
///
/// Every cell is unknown until it is set. `Copy`, about 8 KiB: keep one and change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    values: [i64; CELLS],
    known: [u64; CELLS / 64],
    epoch: u32,
}

/// A value that a cell cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactsError {
    /// The table has no such cell, or it is beyond [`CELLS`].
    NoCell,
    /// The cell is of another type.
    Type,
    /// The value is outside the cell's domain.
    Domain,
    /// The run writes this cell, never the caller.
    Latch,
    /// The facts were packed for another choose or table.
    Foreign,
}

impl core::fmt::Display for FactsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NoCell => "no such fact cell",
            Self::Type => "the cell is of another type",
            Self::Domain => "the value is outside the cell's domain",
            Self::Latch => "the run writes this cell, never the caller",
            Self::Foreign => "the facts were packed for another choose or table",
        })
    }
}

impl core::error::Error for FactsError {}

impl Default for Facts {
    fn default() -> Self {
        Self::new()
    }
}

impl Facts {
    /// Everything unknown, in epoch 0.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: [0; CELLS], known: [0; CELLS / 64], epoch: 0 }
    }

    /// The value of a cell; `None` if it is unknown.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<i64> {
        let word = self.known.get(at >> 6)?;
        if word >> (at & 63) & 1 == 1 { self.values.get(at).copied() } else { None }
    }

    /// The epoch in which the volatile cells were read.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Says in which epoch the volatile cells were read.
    pub fn set_epoch(&mut self, epoch: u32) {
        self.epoch = epoch;
    }

    /// Sets a bool.
    ///
    /// # Errors
    /// The cell is no bool of this table that a caller may set.
    pub fn set_bool(&mut self, table: &Table<'_>, at: usize, value: bool) -> Result<(), FactsError> {
        self.checked(table, at, i64::from(value), |k| k == cell::BOOL)
    }

    /// Sets an enum or a level to its value number, from 0 in declared order.
    ///
    /// # Errors
    /// The cell is no enum or level of this table that a caller may set, or has no such value.
    pub fn set_value(&mut self, table: &Table<'_>, at: usize, value: u8) -> Result<(), FactsError> {
        self.checked(table, at, i64::from(value), |k| k == cell::ENUM || k == cell::LEVEL)
    }

    /// Sets an int.
    ///
    /// # Errors
    /// The cell is no int of this table that a caller may set, or the value is out of its range.
    pub fn set_int(&mut self, table: &Table<'_>, at: usize, value: i32) -> Result<(), FactsError> {
        self.checked(table, at, i64::from(value), |k| k == cell::INT)
    }

    /// Sets a set to a mask of its labels, bit 0 being the first declared.
    ///
    /// # Errors
    /// The cell is no set of this table that a caller may set, or it has no such label.
    pub fn set_labels(&mut self, table: &Table<'_>, at: usize, labels: u64) -> Result<(), FactsError> {
        self.checked(table, at, labels.cast_signed(), |k| k == cell::SET)
    }

    /// Makes a cell unknown again. Cells that do not exist stay unknown.
    pub fn unset(&mut self, at: usize) {
        if let Some(word) = self.known.get_mut(at >> 6) {
            *word &= !(1_u64 << (at & 63));
        }
    }

    fn checked(&mut self, table: &Table<'_>, at: usize, value: i64, is: impl Fn(u8) -> bool) -> Result<(), FactsError> {
        fits(table, at, value, is)?;
        self.put(at, value).ok_or(FactsError::NoCell)
    }

    /// Writes without a check: for the run's own latches.
    pub(crate) fn put(&mut self, at: usize, value: i64) -> Option<()> {
        *self.values.get_mut(at)? = value;
        *self.known.get_mut(at >> 6)? |= 1_u64 << (at & 63);
        Some(())
    }
}

/// A caller may set this cell to this value.
pub(crate) fn fits(table: &Table<'_>, at: usize, value: i64, is: impl Fn(u8) -> bool) -> Result<(), FactsError> {
    let c = table.cell(at).ok_or(FactsError::NoCell)?;
    if c.latch() {
        return Err(FactsError::Latch);
    }
    if !is(c.code()) {
        return Err(FactsError::Type);
    }
    let fits = match c.kind() {
        CellKind::Bool => (0..=1).contains(&value),
        CellKind::Enum { values } | CellKind::Level { values } => (0..i64::from(values)).contains(&value),
        CellKind::Int { lo, hi } => (i64::from(lo)..=i64::from(hi)).contains(&value),
        CellKind::Set { labels } => {
            labels >= 64 || value.cast_unsigned().checked_shr(u32::from(labels)).unwrap_or(0) == 0
        }
    };
    if fits { Ok(()) } else { Err(FactsError::Domain) }
}
