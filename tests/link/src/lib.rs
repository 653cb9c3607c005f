//! The runtime as a C program would use it, with nothing beneath it: no allocator exists, so that code that allocates does not
//! compile, and the panic handler calls a function that nobody defines, so that code that may panic does not link.
#![no_std]

mod record;

use roadlaw_runtime::{Chooser, Facts, Packed, Pick, Run, Table};

unsafe extern "C" {
    /// Defined nowhere.
    fn roadlaw_may_panic() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: a program in which this is called does not link.
    unsafe { roadlaw_may_panic() }
}

/// The caller's bytes.
///
/// # Safety
/// `bytes` points to `length` bytes that stay as they are.
unsafe fn slice<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: the caller says so.
    unsafe { core::slice::from_raw_parts(bytes, length) }
}

fn code(pick: Pick) -> i64 {
    let code = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    match pick {
        Pick::Road(road) => code(road),
        Pick::Exit(edge) => code(edge).saturating_neg().saturating_sub(2),
        Pick::None => -1,
    }
}

/// 1 if the bytes are a table.
///
/// # Safety
/// `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_load(bytes: *const u8, length: usize) -> i64 {
    // SAFETY: the caller says so.
    let bytes = unsafe { slice(bytes, length) };
    if cfg!(feature = "careless") && bytes[length / 2] == 0 {
        return -1;
    }
    i64::from(Table::from_bytes(bytes).is_ok())
}

/// Sets every cell of the first choose in turn, by all setters of packed facts.
fn set(chooser: &Chooser<'_, '_>, packed: &mut Packed, cells: usize, value: u8) {
    for cell in 0..cells {
        let _ = chooser.set_bool(packed, cell, value & 1 == 1);
        let _ = chooser.set_value(packed, cell, value & 1);
        let _ = chooser.set_int(packed, cell, i32::from(value));
        let _ = chooser.set_labels(packed, cell, u64::from(value & 1));
        if value == u8::MAX {
            chooser.unset(packed, cell);
        }
    }
}

/// What the first choose picks by packed facts.
///
/// # Safety
/// `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_pick(bytes: *const u8, length: usize, value: u8) -> i64 {
    // SAFETY: the caller says so.
    let Ok(table) = Table::from_bytes(unsafe { slice(bytes, length) }) else { return i64::MIN };
    let Some(chooser) = table.chooser(0) else { return i64::MIN };
    let Ok(mut packed) = chooser.packed::<64>() else { return i64::MIN };
    set(&chooser, &mut packed, table.cells(), value);
    if chooser.closing(&packed, 0).count() > table.cells() {
        return i64::MIN;
    }
    code(chooser.pick(&packed))
}

fn facts(table: &Table<'_>, value: u8) -> Facts {
    let mut facts = Facts::new();
    for cell in 0..table.cells() {
        let _ = facts.set_bool(table, cell, value & 1 == 1);
        let _ = facts.set_value(table, cell, value & 1);
        let _ = facts.set_int(table, cell, i32::from(value));
        let _ = facts.set_labels(table, cell, u64::from(value & 1));
        if value == u8::MAX {
            facts.unset(cell);
        }
    }
    facts
}

/// What the first choose decides by facts, and why its first candidate is closed.
///
/// # Safety
/// `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_choose(bytes: *const u8, length: usize, value: u8) -> i64 {
    // SAFETY: the caller says so.
    let Ok(table) = Table::from_bytes(unsafe { slice(bytes, length) }) else { return i64::MIN };
    let facts = facts(&table, value);
    let latches = roadlaw_runtime::Latches::fresh(&table);
    let decision = table.choose(0, &facts);
    let reasons = table.reasons(0, 0, &facts, &latches);
    let closed = reasons.is_some_and(|r| r.mask() != 0 || r.count() != 0);
    let eligible = table.is_eligible(0, 0, &facts, &latches);
    if closed == eligible {
        return i64::MIN;
    }
    let pick = decision.road().map(Pick::Road).or(decision.exit().map(Pick::Exit));
    code(pick.unwrap_or(Pick::None))
}

/// Runs the table's first flow, always by one outcome, for so many steps at most: the node where it stands then.
///
/// # Safety
/// `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_run(bytes: *const u8, length: usize, value: u8, outcome: u8, steps: u32) -> i64 {
    // SAFETY: the caller says so.
    let Ok(table) = Table::from_bytes(unsafe { slice(bytes, length) }) else { return i64::MIN };
    let mut facts = facts(&table, value);
    let Ok(mut run) = Run::start(&table, 0) else { return i64::MIN };
    for _ in 0..steps {
        facts.set_epoch(run.epoch());
        match run.advance(&table, run.generation(), outcome, &facts) {
            Ok(step) => run.acknowledge(step.obligations),
            Err(_) => break,
        }
    }
    i64::try_from(run.node()).unwrap_or(i64::MAX)
}
