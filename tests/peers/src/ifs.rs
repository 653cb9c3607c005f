//! The policy as `if`s, as an author would write them by hand: `build.rs` writes them.
#![allow(clippy::all, reason = "written by a program")]
#![allow(dead_code, reason = "a struct of facts has facts that no road asks")]

use crate::measure::Engine;
use roadlaw_workload::Size;
use roadlaw_workload::rows::Row;

include!(concat!(env!("OUT_DIR"), "/ifs.rs"));

pub fn engines(rows: &[Row]) -> Vec<Engine> {
    vec![
        Engine::new("hand-written `if`s over a struct", Size::Small, rows, Plain::of, plain, |n| n),
        Engine::new("hand-written `if`s over packed bits", Size::Small, rows, Bits::of, bits, |n| n),
    ]
}
