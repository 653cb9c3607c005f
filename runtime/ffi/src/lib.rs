//! Road tables for C: a thin layer over `roadlaw_runtime`, which checks and decides. The header is `include/roadlaw.h`.
//!
//! Pointers are the only thing that is unsafe here. Null ones are answered, never read: nothing happens, and the answer is
//! the one that opens nothing.
#![deny(clippy::indexing_slicing, clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod choose;
mod facts;
mod run;
mod status;
mod table;

pub use choose::{
    RoadlawClosed, RoadlawClosedKind, RoadlawPick, RoadlawPickKind, roadlaw_choose, roadlaw_choose_in_run, roadlaw_why,
};
pub use facts::{
    RoadlawFacts, roadlaw_facts_free, roadlaw_facts_new, roadlaw_set_bool, roadlaw_set_epoch, roadlaw_set_int,
    roadlaw_set_labels, roadlaw_set_value, roadlaw_unset,
};
pub use run::{
    RoadlawRun, RoadlawStep, roadlaw_run_acknowledge, roadlaw_run_advance, roadlaw_run_epoch, roadlaw_run_free,
    roadlaw_run_generation, roadlaw_run_new,
};
pub use status::{RoadlawStatus, roadlaw_status_text};
pub use table::{RoadlawTable, roadlaw_table_digest, roadlaw_table_free, roadlaw_table_new};
