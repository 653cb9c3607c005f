//! Choosing, and why a road is closed.

use crate::facts::RoadlawFacts;
use crate::run::RoadlawRun;
use crate::table::RoadlawTable;
use roadlaw_runtime::{Closed, Latches, Table};

/// What won.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoadlawPickKind {
    /// Every road is closed.
    None = 0,
    /// `index` is a road.
    Road = 1,
    /// Every road is closed, and a run goes on to the node `index`.
    Exit = 2,
}

/// What a choose decided.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoadlawPick {
    /// What won.
    pub kind: RoadlawPickKind,
    /// The road, or the node; else 0.
    pub index: usize,
}

/// Why a road is closed.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoadlawClosedKind {
    /// It is open.
    Open = 0,
    /// The question is judged.
    Judged = 1,
    /// The road was tried for this question.
    Tried = 2,
    /// The filter `filter` of the table does not hold.
    Filter = 3,
    /// The order in force leaves it out.
    Profile = 4,
    /// It is no candidate of this choose, a pointer is null, or the run is another table's.
    NoCandidate = 5,
}

/// Why a road is closed.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoadlawClosed {
    /// Why.
    pub kind: RoadlawClosedKind,
    /// The filter, counted through the roads of the table; else 0.
    pub filter: usize,
}

fn pick(table: &Table<'_>, choose: usize, facts: &RoadlawFacts, latches: &Latches) -> RoadlawPick {
    let decision = table.choose_with(choose, &facts.0, latches);
    let exit = decision.exit().and_then(|e| table.edge(e)).map(|e| e.to());
    match (decision.road(), exit) {
        (Some(index), _) => RoadlawPick { kind: RoadlawPickKind::Road, index },
        (None, Some(index)) => RoadlawPick { kind: RoadlawPickKind::Exit, index },
        (None, None) => RoadlawPick { kind: RoadlawPickKind::None, index: 0 },
    }
}

const NOTHING: RoadlawPick = RoadlawPick { kind: RoadlawPickKind::None, index: 0 };

/// Decides a choose where nothing was tried or judged before.
///
/// # Safety
/// Each pointer is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_choose(
    table: *const RoadlawTable,
    choose: usize,
    facts: *const RoadlawFacts,
) -> RoadlawPick {
    // SAFETY: by the caller's promise.
    let (Some(table), Some(facts)) = (unsafe { (table.as_ref(), facts.as_ref()) }) else { return NOTHING };
    pick(&table.0, choose, facts, &Latches::fresh(&table.0))
}

/// Decides a choose with what a run remembers: roads that were tried, verdicts that were given. What a run of another table
/// remembers is of other roads: then nothing is open.
///
/// # Safety
/// Each pointer is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_choose_in_run(
    table: *const RoadlawTable,
    choose: usize,
    facts: *const RoadlawFacts,
    run: *const RoadlawRun,
) -> RoadlawPick {
    // SAFETY: by the caller's promise.
    let found = unsafe { (table.as_ref(), facts.as_ref(), run.as_ref()) };
    let (Some(table), Some(facts), Some(run)) = found else { return NOTHING };
    if run.0.table_digest() != table.0.digest() {
        return NOTHING;
    }
    pick(&table.0, choose, facts, run.0.latches())
}

/// Why a road is closed at a choose, where nothing was tried or judged before (`run` is null) or with what a run remembers.
///
/// # Safety
/// Each pointer is null or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadlaw_why(
    table: *const RoadlawTable,
    choose: usize,
    road: usize,
    facts: *const RoadlawFacts,
    run: *const RoadlawRun,
) -> RoadlawClosed {
    let plain = |kind| RoadlawClosed { kind, filter: 0 };
    // SAFETY: by the caller's promise.
    let (found, run) = unsafe { ((table.as_ref(), facts.as_ref()), run.as_ref()) };
    let (Some(table), Some(facts)) = found else { return plain(RoadlawClosedKind::NoCandidate) };
    let table = &table.0;
    if run.is_some_and(|r| r.0.table_digest() != table.digest()) {
        return plain(RoadlawClosedKind::NoCandidate);
    }
    let Some(position) = table.candidates(choose).position(|r| r == road) else {
        return plain(RoadlawClosedKind::NoCandidate);
    };
    let latches = run.map_or_else(|| Latches::fresh(table), |r| *r.0.latches());
    match table.reason(choose, position, &facts.0, &latches) {
        None => plain(RoadlawClosedKind::Open),
        Some(Closed::Judged) => plain(RoadlawClosedKind::Judged),
        Some(Closed::Tried) => plain(RoadlawClosedKind::Tried),
        Some(Closed::Profile) => plain(RoadlawClosedKind::Profile),
        Some(Closed::Filter(i)) => {
            let first = table.road(road).map_or(0, |r| r.first_filter());
            RoadlawClosed { kind: RoadlawClosedKind::Filter, filter: first.saturating_add(i) }
        }
    }
}
