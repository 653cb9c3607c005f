//! Why a call did nothing.

use roadlaw_runtime::{FactsError, RunError, TableError};
use std::ffi::{CStr, c_char};

/// What became of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoadlawStatus {
    /// It was done.
    Ok = 0,
    /// A pointer is null.
    Null = 1,
    /// The bytes are no table, or damaged.
    Table = 2,
    /// The bytes are a table of another version of the format.
    Version = 3,
    /// The table has no such fact, or more facts than are held.
    NoCell = 4,
    /// The fact is of another type.
    Type = 5,
    /// The fact cannot have this value.
    Domain = 6,
    /// The run writes this fact, never the caller.
    Latch = 7,
    /// The outcome belongs to another attempt.
    StaleAttempt = 8,
    /// The facts were read in an older epoch than the node needs.
    StaleFacts = 9,
    /// Obligations of the last step were not acknowledged.
    Unacknowledged = 10,
    /// The table is not the one that the run began with.
    PinnedPolicyUnavailable = 11,
    /// The node cannot have this outcome.
    Outcome = 12,
    /// No edge is open for these facts.
    NoEdge = 13,
    /// The run has ended.
    Ended = 14,
    /// The table has no such flow.
    NoFlow = 15,
    /// Something else.
    Other = 16,
}

impl From<TableError> for RoadlawStatus {
    fn from(e: TableError) -> Self {
        if matches!(e, TableError::Version { .. }) { Self::Version } else { Self::Table }
    }
}

impl From<FactsError> for RoadlawStatus {
    fn from(e: FactsError) -> Self {
        match e {
            FactsError::NoCell => Self::NoCell,
            FactsError::Type => Self::Type,
            FactsError::Domain => Self::Domain,
            FactsError::Latch => Self::Latch,
            _ => Self::Other,
        }
    }
}

impl From<RunError> for RoadlawStatus {
    fn from(e: RunError) -> Self {
        match e {
            RunError::StaleAttempt { .. } => Self::StaleAttempt,
            RunError::StaleFacts { .. } => Self::StaleFacts,
            RunError::Unacknowledged { .. } => Self::Unacknowledged,
            RunError::PinnedPolicyUnavailable => Self::PinnedPolicyUnavailable,
            RunError::Outcome => Self::Outcome,
            RunError::NoEdge => Self::NoEdge,
            RunError::Ended => Self::Ended,
            RunError::NoFlow => Self::NoFlow,
            _ => Self::Other,
        }
    }
}

impl<E: Into<RoadlawStatus>> From<Result<(), E>> for RoadlawStatus {
    fn from(r: Result<(), E>) -> Self {
        r.map_or_else(Into::into, |()| Self::Ok)
    }
}

/// The status in words. The text is static: do not free it. It takes the number of a status, so that no number is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn roadlaw_status_text(status: u32) -> *const c_char {
    let text: &CStr = match status {
        0 => c"done",
        1 => c"a pointer is null",
        2 => c"the bytes are no table, or damaged",
        3 => c"a table of another version of the format",
        4 => c"no such fact",
        5 => c"the fact is of another type",
        6 => c"the fact cannot have this value",
        7 => c"the run writes this fact, never the caller",
        8 => c"the outcome belongs to another attempt",
        9 => c"the facts were read in an older epoch",
        10 => c"obligations are not acknowledged",
        11 => c"pinned policy unavailable",
        12 => c"the node cannot have this outcome",
        13 => c"no edge is open for these facts",
        14 => c"the run has ended",
        15 => c"no such flow",
        _ => c"unknown status",
    };
    text.as_ptr()
}
