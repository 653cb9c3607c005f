//! Runs.

use crate::facts::RoadlawFacts;
use crate::status::RoadlawStatus;
use crate::table::RoadlawTable;
use roadlaw_runtime::Run;

/// A run of a flow.
#[derive(Debug)]
pub struct RoadlawRun(pub(crate) Run);

/// One step of a run.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoadlawStep {
    /// The node that was entered.
    pub node: usize,
    /// `road` is the road of the node, or the one that a choose just took.
    pub has_road: bool,
    /// The road; else 0.
    pub road: usize,
    /// Obligations to acknowledge before the next step, as bits.
    pub obligations: u32,
    /// No step follows.
    pub ended: bool,
}

/// Starts a flow (0 is the policy's own), or returns null: the table has no such flow, or is null.
///
/// # Safety
/// `table` is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_new(table: *const RoadlawTable, flow: usize) -> *mut RoadlawRun {
    // SAFETY: by the caller's promise.
    let table = unsafe { table.as_ref() };
    let run = table.and_then(|t| Run::start(&t.0, flow).ok());
    run.map_or(std::ptr::null_mut(), |r| Box::into_raw(Box::new(RoadlawRun(r))))
}

/// Frees a run.
///
/// # Safety
/// `run` is null or came from `roadlaw_run_new`, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_free(run: *mut RoadlawRun) {
    if !run.is_null() {
        // SAFETY: the caller promises that it is a box of ours which nobody uses again.
        drop(unsafe { Box::from_raw(run) });
    }
}

/// Moves a run along the port of an outcome; at a choose the outcome is `ok`, and the facts decide. Any status but
/// `ROADLAW_STATUS_OK` leaves the run and `step` unchanged.
///
/// # Safety
/// Each pointer is null or live, `step` may be written, and nobody else uses `run` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_advance(
    run: *mut RoadlawRun,
    table: *const RoadlawTable,
    generation: u32,
    outcome: u32,
    facts: *const RoadlawFacts,
    step: *mut RoadlawStep,
) -> RoadlawStatus {
    // SAFETY: by the caller's promise.
    let found = unsafe { (run.as_mut(), table.as_ref(), facts.as_ref()) };
    let (Some(run), Some(table), Some(facts)) = found else { return RoadlawStatus::Null };
    let Ok(outcome) = u8::try_from(outcome) else { return RoadlawStatus::Outcome };
    if step.is_null() {
        return RoadlawStatus::Null;
    }
    match run.0.advance(&table.0, generation, outcome, &facts.0) {
        Err(e) => e.into(),
        Ok(s) => {
            let made = RoadlawStep {
                node: s.node,
                has_road: s.road.is_some(),
                road: s.road.unwrap_or(0),
                obligations: s.obligations,
                ended: s.ended,
            };
            // SAFETY: it is not null, so the caller promises that it may be written.
            unsafe { step.write(made) };
            RoadlawStatus::Ok
        }
    }
}

/// Says that obligations were met.
///
/// # Safety
/// `run` is null or live, and nobody else uses it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_acknowledge(run: *mut RoadlawRun, obligations: u32) {
    // SAFETY: by the caller's promise.
    if let Some(run) = unsafe { run.as_mut() } {
        run.0.acknowledge(obligations);
    }
}

/// The generation of a run, which an outcome must name; 0 for null.
///
/// # Safety
/// `run` is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_generation(run: *const RoadlawRun) -> u32 {
    // SAFETY: by the caller's promise.
    unsafe { run.as_ref() }.map_or(0, |r| r.0.generation())
}

/// The epoch that facts must be of; 0 for null.
///
/// # Safety
/// `run` is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_run_epoch(run: *const RoadlawRun) -> u32 {
    // SAFETY: by the caller's promise.
    unsafe { run.as_ref() }.map_or(0, |r| r.0.epoch())
}
