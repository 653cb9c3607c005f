//! The rules as they stand in the workload's JSON, walked as a tree.

use crate::measure::Engine;
use roadlaw_workload::rows::Row;
use roadlaw_workload::{Size, Workload};

pub fn engines(rows: &[Row]) -> Vec<Engine> {
    let w = Workload::new(Size::Small);
    vec![Engine::new("syntax tree, walked", Size::Small, rows, |row| *row, move |row| w.decide(row), |n| n)]
}
