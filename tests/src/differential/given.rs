//! Facts and latches of the model as a table takes them.

use roadlaw_compiler::model::{Cell, Latch, Model, Type};
use roadlaw_runtime::{Facts, FactsError, Latches, Table};

/// Sets one cell, or makes it unknown. Latches are the run's.
///
/// # Errors
/// The table has no such cell.
pub fn set(m: &Model, t: &Table<'_>, facts: &mut Facts, i: usize, c: Cell) -> Result<(), FactsError> {
    let Cell::Known(x) = c else {
        facts.unset(i);
        return Ok(());
    };
    match m.facts[i].ty {
        Type::Bool => facts.set_bool(t, i, x == 1),
        Type::Enum(_) | Type::Level(_) => facts.set_value(t, i, u8::try_from(x).unwrap_or(u8::MAX)),
        Type::Int { .. } => facts.set_int(t, i, i32::try_from(x).unwrap_or(i32::MAX)),
        Type::Set(_) => facts.set_labels(t, i, x.cast_unsigned()),
    }
}

/// Everything that a caller supplies, read in an epoch.
///
/// # Errors
/// The table lacks a cell.
pub fn given(m: &Model, t: &Table<'_>, v: &[Cell], epoch: u32) -> Result<Facts, String> {
    let mut out = Facts::new();
    out.set_epoch(epoch);
    for (i, f) in m.facts.iter().enumerate().filter(|(_, f)| f.latch.is_none()) {
        set(m, t, &mut out, i, v[i]).map_err(|e| format!("{}: {e}", f.name))?;
    }
    Ok(out)
}

/// Latches as these cells say.
#[must_use]
pub fn latches(m: &Model, t: &Table<'_>, v: &[Cell]) -> Latches {
    let mut out = Latches::fresh(t);
    for (f, c) in m.facts.iter().zip(v) {
        let Cell::Known(x) = *c else { continue };
        out = match f.latch {
            Some(Latch::Tried(r)) if x == 1 => out.with_tried(r.index()),
            Some(Latch::Judged) if x == 1 => out.with_judged(),
            Some(Latch::Consumed) if x == 1 => out.with_consumed(),
            Some(Latch::Left(c)) => out.with_left(c.index(), u8::try_from(x).unwrap_or(0)),
            _ => out,
        };
    }
    out
}

/// Nothing is known, nothing was tried or judged, and every counter is full.
#[must_use]
pub fn nothing(m: &Model) -> Vec<Cell> {
    let cell = |latch| match latch {
        Some(Latch::Left(c)) => Cell::Known(i64::from(m.counters[c.index()].max)),
        Some(_) => Cell::Known(0),
        None => Cell::Unknown,
    };
    m.facts.iter().map(|f| cell(f.latch)).collect()
}
