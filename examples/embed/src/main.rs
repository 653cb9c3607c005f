//! A program that embeds a road table. It knows `roadlaw_runtime` and the bytes that `roadlaw build` wrote, nothing else:
//! no solver, no parser, no allocation on the path where it decides.
//!
//! `roadlaw build examples/first-eligible.road -o ask.table && roadlaw-example-embed ask.table`

use roadlaw_runtime::{Closed, Facts, FactsError, Latches, Run, RunError, Symbol, Table, format};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: roadlaw-example-embed TABLE");
        return ExitCode::from(2);
    };
    match embed(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn embed(path: &str) -> Result<(), Box<dyn std::error::Error>> {
    // Once, at start: every byte is checked here, so that nothing below can fail for want of form. A real program also
    // compares `table.digest()` with the digest it pinned.
    let bytes = std::fs::read(path)?;
    let table = Table::from_bytes(&bytes)?;
    println!("{} with {} roads", name(&table, Symbol::Policy), table.roads());

    // Cells are numbers in a hot path. Look them up by name once.
    let labels = cell(&table, "labels")?;
    let local = cell(&table, "available[llama]")?;

    // Facts are one fixed value without pointers: keep it and change it. What is not set is unknown, and unknown is strict.
    let mut facts = Facts::new();
    let mut answers = [0_usize; 2];
    for request in 0..1_000_u64 {
        // Whatever your service knows about this request.
        facts.set_bool(&table, local, request % 3 != 0)?;
        facts.set_labels(&table, labels, if request % 2 == 0 { 0b100 } else { 0 })?;
        // The decision: no allocation, no lock, no branch per road.
        let decision = table.choose(0, &facts);
        answers[usize::from(decision.road().is_none())] += 1;
    }
    println!("of 1000 requests {} found a road, {} did not", answers[0], answers[1]);

    // Why was a road closed? Reasons are computed only when asked for.
    facts.set_bool(&table, local, false)?;
    for (position, road) in table.candidates(0).enumerate() {
        let why = match table.reason(0, position, &facts, &Latches::fresh(&table)) {
            None => "open".to_owned(),
            Some(Closed::Filter(i)) => {
                let first = table.road(road).map_or(0, |r| r.first_filter());
                format!("closed by `{}`", name(&table, Symbol::Filter(first + i)))
            }
            Some(other) => format!("closed: {other:?}"),
        };
        println!("  {}: {why}", name(&table, Symbol::Road(road)));
    }

    facts.set_bool(&table, local, true)?;
    run(&table, &mut facts)?;
    Ok(())
}

/// One run from start to end. The run is a small value that can be stored between two steps.
fn run(table: &Table<'_>, facts: &mut Facts) -> Result<(), RunError> {
    let mut run = Run::start(table, 0)?;
    loop {
        // Volatile facts are read anew whenever the run's epoch has moved; this program has nothing to read them from.
        facts.set_epoch(run.epoch());
        // Here a real program does what the node stands for (minimises, reserves, sends ..) and learns its outcome.
        let step = run.advance(table, run.generation(), format::OK, facts)?;
        // What the step obliges to is done before the next one: persist, keep a receipt, compare and swap ..
        run.acknowledge(step.obligations);
        println!("  -> {}", name(table, Symbol::Node(step.node)));
        if step.ended {
            return Ok(());
        }
    }
}

fn name(table: &Table<'_>, of: Symbol) -> String {
    table.name(of).map_or_else(|| "(stripped)".to_owned(), |n| n.to_string())
}

fn cell(table: &Table<'_>, wanted: &str) -> Result<usize, FactsError> {
    let found = (0..table.cells()).find(|i| table.name(Symbol::Cell(*i)).is_some_and(|n| n.to_string() == wanted));
    found.ok_or(FactsError::NoCell)
}
