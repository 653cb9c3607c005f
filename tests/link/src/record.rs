//! A run in steps whose decisions are recorded, as a C program would have it.

use crate::{facts, slice};
use roadlaw_runtime::record::{Budgets, EvidenceKey, LENGTH, Recorder, RoadDecision, Scope, Selection};
use roadlaw_runtime::steps::State;
use roadlaw_runtime::{Run, Table, format};

/// A selection of which nothing is missing; `value` is in every digest.
fn selection(value: u8) -> Selection {
    let digest = [value.max(1); 32];
    Selection {
        target: Some(digest),
        input: digest,
        export: Some(digest),
        artifact_set: None,
        source_manifest: Some(digest),
        influence: None,
        residual_disclosure: None,
        expected_result: digest,
        validators: Some(digest),
        purpose: 1,
        expiry: 100,
        budgets: Budgets { time: 1, requests: 1, tokens_in: 1, tokens_out: 1, tokens: 1, spend: 1 },
        class: 1,
        visibility: 1,
        retention: 1,
    }
}

/// Runs the table's first flow by `ok` and writes the decision of the first `decide` on the way: how many bytes were written, 0
/// where none is on the way. What was written is read back and told in a scope.
///
/// # Safety
/// `bytes` points to `length` bytes, `buffer` to `size` that are nobody else's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_record(bytes: *const u8, length: usize, value: u8, buffer: *mut u8, size: usize) -> i64 {
    // SAFETY: the caller says so.
    let (bytes, buffer) = unsafe { (slice(bytes, length), core::slice::from_raw_parts_mut(buffer, size)) };
    let Ok(table) = Table::from_bytes(bytes) else { return i64::MIN };
    let mut facts = facts(&table, value);
    let mut recorder = Recorder::new(1);
    let Ok(mut state) = Run::start(&table, 0).and_then(|run| State::of(run, &table)) else { return i64::MIN };
    for _ in 0..256 {
        state = match state {
            State::Ready(ready) => {
                let run = *ready.run();
                facts.set_epoch(run.epoch());
                if recorder.record(&run, &table, &facts, &selection(value), 0, buffer).is_ok() {
                    return read_back(&table, &recorder, &run, buffer);
                }
                match ready.advance(&table, run.generation(), format::OK, &facts) {
                    Ok((next, _)) => next,
                    Err(refused) => State::Ready(refused.run),
                }
            }
            State::Due(due) => {
                let open = due.obligations();
                due.met(open)
            }
            State::Ended(_) => return 0,
        };
    }
    0
}

fn read_back(table: &Table<'_>, recorder: &Recorder, run: &Run, buffer: &[u8]) -> i64 {
    let Some(written) = buffer.get(..LENGTH) else { return i64::MIN };
    let Some(last) = recorder.last() else { return i64::MIN };
    let read = RoadDecision::read_as(written, &last.id());
    let told = EvidenceKey::new([1; 32], 1)
        .and_then(|key| key.digest(&Scope::new([2; 32], 1, 1, 1, 1)?, written))
        .is_ok_and(|digest| digest.0 != [0; 32]);
    let sound = read.is_ok_and(|r| r.fits(table).is_ok() && !r.is_expired(0)) && recorder.has(run) && told;
    if sound { i64::try_from(LENGTH).unwrap_or(i64::MIN) } else { i64::MIN }
}

/// 1 if the bytes are a record.
///
/// # Safety
/// `bytes` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn link_read(bytes: *const u8, length: usize) -> i64 {
    // SAFETY: the caller says so.
    i64::from(RoadDecision::read(unsafe { slice(bytes, length) }).is_ok())
}
