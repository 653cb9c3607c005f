//! A run to be measured: of any table with gates, such as that of `examples/eu-chat.road`.

use roadlaw_runtime::{Facts, Run, Table, format};

/// A run that stands just behind its first choose with a road, and the facts that led there. What follows are plain steps,
/// each with the outcome `ok`, to an end. `None` if the table has no such run.
#[must_use]
pub fn behind_the_choose(table: &Table<'_>) -> Option<(Run, Facts)> {
    // Facts that open roads differ from policy to policy: bools true or false, the rest as low or as high as it goes.
    (0..8_u8).find_map(|kind| {
        let mut facts = Facts::new();
        for cell in 0..table.cells() {
            let _ = facts.set_bool(table, cell, kind & 1 == 0);
            let _ = facts.set_value(table, cell, kind >> 1 & 1);
            let _ = facts.set_labels(table, cell, 0);
            let _ = facts.set_int(table, cell, i32::from(kind >> 2 & 1));
        }
        let mut run = Run::start(table, 0).ok()?;
        // A run is no longer than its table has edges, unless it goes in circles.
        for _ in 0..table.edges() {
            facts.set_epoch(run.epoch());
            let step = run.advance(table, run.generation(), format::OK, &facts).ok()?;
            run.acknowledge(step.obligations);
            if step.ended {
                return None;
            }
            if run.road().is_some() {
                return Some((run, facts));
            }
        }
        None
    })
}

/// Steps from `start` on until so many are done; where a run ends, it starts again. Returns how often it ended.
#[inline(never)]
pub fn steps(table: &Table<'_>, facts: &mut Facts, start: &Run, count: usize) -> usize {
    let mut run = *start;
    let mut ends = 0;
    for _ in 0..count {
        facts.set_epoch(run.epoch());
        match run.advance(table, run.generation(), std::hint::black_box(format::OK), facts) {
            Ok(step) if !step.ended => run.acknowledge(step.obligations),
            _ => {
                ends += 1;
                run = *start;
            }
        }
    }
    ends
}
