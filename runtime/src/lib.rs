//! Evaluates road tables that `roadlaw build` proved and wrote.
//!
//! `no_std`, no allocation, no unsafe code, no panic, and no dependency but where the feature `verify` asks for signed
//! tables; the feature `record` adds decision records. [`Table::from_bytes`] is the only way to a table: it checks everything once, so that
//! choosing and running cannot fail for want of form. What the bytes mean is specified in `FORMAT.md` beside this crate.
//!
//! ```
//! use roadlaw_runtime::{Facts, Table, TableError};
//! // Seven bytes are no table.
//! assert!(matches!(Table::from_bytes(b"ROADLAW"), Err(TableError::Length { .. })));
//! // Every fact is unknown until it is set.
//! let facts = Facts::new();
//! assert!(facts.get(0).is_none());
//! ```
//!
//! TRUSTED: the caller sets facts that are true, hands a run the outcomes that happened, and compares the table's digest with
//! the one it pinned. The digest itself is BLAKE3, which this crate computes over a table only with the feature `verify`: there
//! `verify::Verified` is a table that somebody signed.
#![no_std]
#![forbid(unsafe_code)]

mod check;
mod choose;
mod chooser;
pub mod control;
mod facts;
pub mod format;
mod guard;
mod names;
mod obligations;
mod outcome;
mod packed;
mod reasons;
#[cfg(feature = "record")]
pub mod record;
mod records;
mod run;
pub mod steps;
mod table;
#[cfg(feature = "verify")]
pub mod verify;
mod wire;

pub use choose::{Closed, Decision};
pub use chooser::{Chooser, Pick};
pub use facts::{CELLS, Facts, FactsError};
pub use names::{Name, Symbol};
pub use obligations::{Obligation, Obligations};
pub use packed::{NotPackable, Packed};
pub use reasons::Reasons;
pub use records::{Cell, CellKind, Edge, Flow, Node, Road};
pub use run::{Latches, Run, RunError, Step, Submitted};
pub use table::{Table, TableError};
