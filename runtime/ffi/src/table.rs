//! Tables.

use crate::status::RoadlawStatus;
use roadlaw_runtime::Table;

/// A checked table over the caller's bytes.
#[derive(Debug)]
pub struct RoadlawTable(pub(crate) Table<'static>);

/// Checks bytes and returns a table over them, or null. `status` says why; it may be null.
///
/// # Safety
/// `bytes` is null or points to `length` bytes, which stay where they are and unchanged until the table is freed. `status` is
/// null or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_table_new(
    bytes: *const u8,
    length: usize,
    status: *mut RoadlawStatus,
) -> *mut RoadlawTable {
    let made = if bytes.is_null() || isize::try_from(length).is_err() {
        Err(RoadlawStatus::Null)
    } else {
        // SAFETY: the caller promises `length` bytes that live and stay unchanged as long as the table.
        let bytes: &'static [u8] = unsafe { std::slice::from_raw_parts(bytes, length) };
        Table::from_bytes(bytes).map_err(RoadlawStatus::from)
    };
    let why = made.as_ref().err().copied().unwrap_or(RoadlawStatus::Ok);
    if !status.is_null() {
        // SAFETY: it is not null, so the caller promises that it may be written.
        unsafe { status.write(why) };
    }
    made.map_or(std::ptr::null_mut(), |t| Box::into_raw(Box::new(RoadlawTable(t))))
}

/// Frees a table. Its bytes stay the caller's.
///
/// # Safety
/// `table` is null or came from `roadlaw_table_new`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_table_free(table: *mut RoadlawTable) {
    if !table.is_null() {
        // SAFETY: the caller promises that it is a box of ours which nobody uses again.
        drop(unsafe { Box::from_raw(table) });
    }
}

/// Writes the table's digest: 32 bytes, to be compared with those that were pinned. False, and nothing written, if a pointer
/// is null.
///
/// # Safety
/// `table` is null or a live table; `digest` is null or 32 bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_table_digest(table: *const RoadlawTable, digest: *mut u8) -> bool {
    // SAFETY: null, or a live table by the caller's promise.
    let Some(table) = (unsafe { table.as_ref() }) else { return false };
    if digest.is_null() {
        return false;
    }
    // SAFETY: it is not null, so the caller promises 32 bytes that may be written; a local array does not overlap them.
    unsafe { std::ptr::copy_nonoverlapping(table.0.digest().as_ptr(), digest, 32) };
    true
}
