//! Facts: unknown until they are set.

use crate::status::RoadlawStatus;
use crate::table::RoadlawTable;
use roadlaw_runtime::{Facts, FactsError, Table};

/// Facts of one table: about 8 KiB. Keep one and change it.
#[derive(Debug)]
pub struct RoadlawFacts(pub(crate) Facts);

/// Facts that are all unknown.
#[unsafe(no_mangle)]
pub extern "C" fn roadlaw_facts_new() -> *mut RoadlawFacts {
    Box::into_raw(Box::new(RoadlawFacts(Facts::new())))
}

/// Frees facts.
///
/// # Safety
/// `facts` is null or came from `roadlaw_facts_new`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_facts_free(facts: *mut RoadlawFacts) {
    if !facts.is_null() {
        // SAFETY: the caller promises that it is a box of ours which nobody uses again.
        drop(unsafe { Box::from_raw(facts) });
    }
}

/// A setter, where both pointers are there. A value that is refused leaves the fact unknown, so that no older value decides.
///
/// # Safety
/// Each is null or live, and nobody else uses `facts` meanwhile.
unsafe fn set(
    facts: *mut RoadlawFacts,
    table: *const RoadlawTable,
    cell: usize,
    with: impl FnOnce(&mut Facts, &Table<'_>) -> Result<(), FactsError>,
) -> RoadlawStatus {
    // SAFETY: by the caller's promise.
    let (Some(facts), Some(table)) = (unsafe { (facts.as_mut(), table.as_ref()) }) else { return RoadlawStatus::Null };
    let done = with(&mut facts.0, &table.0);
    if done.is_err() {
        facts.0.unset(cell);
    }
    done.into()
}

/// Sets a bool. A value that is refused leaves the fact unknown.
///
/// # Safety
/// Each pointer is null or live, and nobody else uses `facts` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_set_bool(
    facts: *mut RoadlawFacts,
    table: *const RoadlawTable,
    cell: usize,
    value: bool,
) -> RoadlawStatus {
    // SAFETY: by the caller's promise.
    unsafe { set(facts, table, cell, |f, t| f.set_bool(t, cell, value)) }
}

/// Sets an enum or a level to its value number, from 0 in declared order. A value that is refused leaves the fact unknown.
///
/// # Safety
/// Each pointer is null or live, and nobody else uses `facts` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_set_value(
    facts: *mut RoadlawFacts,
    table: *const RoadlawTable,
    cell: usize,
    value: u32,
) -> RoadlawStatus {
    let narrow = u8::try_from(value).map_err(|_| FactsError::Domain);
    // SAFETY: by the caller's promise.
    unsafe { set(facts, table, cell, |f, t| f.set_value(t, cell, narrow?)) }
}

/// Sets an int. A value that is refused leaves the fact unknown.
///
/// # Safety
/// Each pointer is null or live, and nobody else uses `facts` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_set_int(
    facts: *mut RoadlawFacts,
    table: *const RoadlawTable,
    cell: usize,
    value: i32,
) -> RoadlawStatus {
    // SAFETY: by the caller's promise.
    unsafe { set(facts, table, cell, |f, t| f.set_int(t, cell, value)) }
}

/// Sets a set to a mask of its labels, bit 0 being the first declared. A value that is refused leaves the fact unknown.
///
/// # Safety
/// Each pointer is null or live, and nobody else uses `facts` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_set_labels(
    facts: *mut RoadlawFacts,
    table: *const RoadlawTable,
    cell: usize,
    labels: u64,
) -> RoadlawStatus {
    // SAFETY: by the caller's promise.
    unsafe { set(facts, table, cell, |f, t| f.set_labels(t, cell, labels)) }
}

/// Makes a fact unknown again.
///
/// # Safety
/// `facts` is null or live, and nobody else uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_unset(facts: *mut RoadlawFacts, cell: usize) {
    // SAFETY: by the caller's promise.
    if let Some(facts) = unsafe { facts.as_mut() } {
        facts.0.unset(cell);
    }
}

/// Says in which epoch of a run the volatile facts were read.
///
/// # Safety
/// `facts` is null or live, and nobody else uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_set_epoch(facts: *mut RoadlawFacts, epoch: u32) {
    // SAFETY: by the caller's promise.
    if let Some(facts) = unsafe { facts.as_mut() } {
        facts.0.set_epoch(epoch);
    }
}
