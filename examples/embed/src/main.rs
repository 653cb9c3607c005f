//! A program that embeds a road table. It knows `roadlaw_runtime` and the bytes that `roadlaw build` wrote, nothing else:
//! no solver, no parser, no allocation on the path where it decides.
//!
//! `roadlaw build examples/first-eligible.road -o ask.table && roadlaw-example-embed ask.table`

use roadlaw_runtime::{Closed, Facts, FactsError, Latches, Packed, Pick, Run, RunError, Symbol, Table, format};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The table is data: a service reads it from a file, or compiles it in with `include_bytes!`.
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
    // Once, at start: every byte is checked here, so that nothing below can fail for want of form. The table borrows the
    // bytes and copies nothing; keep them as long as the table.
    let bytes = std::fs::read(path)?;
    let table = Table::from_bytes(&bytes)?;
    // A real program compares `table.digest()` with the digest it pinned: a sound table may still be another policy's.
    println!("{} with {} roads", name(&table, Symbol::Policy), table.roads());

    // On a hot path a fact is the number of a cell. Look the numbers up by name once; a table that was built with `--strip`
    // has no names, and its numbers are then taken from `roadlaw inspect` of the unstripped one.
    let labels = cell(&table, "labels")?;
    let local = cell(&table, "available[llama]")?;

    // A chooser holds what the records of the table's first `choose` say: keep it beside the table. Packed facts are one small
    // value without pointers, held as the rows of masks that they pick, so that setting one does the work: keep it, change it,
    // copy it. What is not set is unknown, and unknown opens nothing. That is why the portal of this policy, of which nothing
    // is told here, stays closed.
    let chooser = table.chooser(0).ok_or("the table has no choose")?;
    let mut packed: Packed = chooser.packed()?;
    // How many requests found a road, and how many did not.
    let mut answers = [0_usize; 2];
    for request in 0..1_000_u64 {
        // Whatever your service knows about this request; here two of three times the local model is up ..
        chooser.set_bool(&mut packed, local, request % 3 != 0)?;
        // .. and every other request carries the third label of the set. A set is a mask: bit i is label i.
        chooser.set_labels(&mut packed, labels, if request % 2 == 0 { 0b100 } else { 0 })?;
        // The decision: no allocation, no lock, and the same answer for the same facts. No road is an answer too: the work
        // waits, and nothing is sent.
        match chooser.pick(&packed) {
            Pick::Road(_) => answers[0] += 1,
            Pick::Exit(_) | Pick::None => answers[1] += 1,
        }
    }
    println!("of 1000 requests {} found a road, {} did not", answers[0], answers[1]);

    // Why was a road closed? Reasons are computed only when asked for, from facts as they were told: `Facts`, one value per cell.
    let mut facts = Facts::new();
    facts.set_labels(&table, labels, 0)?;
    facts.set_bool(&table, local, false)?;
    for (position, road) in table.candidates(0).enumerate() {
        // Latches are what a run remembers (roads tried, verdicts given). A fresh one remembers nothing.
        let why = match table.reason(0, position, &facts, &Latches::fresh(&table)) {
            None => "open".to_owned(),
            // The first filter that is not true, counted within its road.
            Some(Closed::Filter(i)) => {
                let first = table.road(road).map_or(0, |r| r.first_filter());
                format!("closed by `{}`", name(&table, Symbol::Filter(first + i)))
            }
            // Tried already, or the question is judged.
            Some(other) => format!("closed: {other:?}"),
        };
        println!("  {}: {why}", name(&table, Symbol::Road(road)));
    }

    // A decision says where to go; a run says what is due on the way, and what each outcome leads to.
    facts.set_bool(&table, local, true)?;
    run(&table, &mut facts)?;
    Ok(())
}

/// One run from start to end. The run is a small value that can be stored between two steps.
fn run(table: &Table<'_>, facts: &mut Facts) -> Result<(), RunError> {
    // Flow 0 is the policy's own; further flows are those of its coding jobs.
    let mut run = Run::start(table, 0)?;
    loop {
        // Where the run's epoch has moved (after a send, a call, a wait), volatile facts are to be read anew: facts of an
        // older epoch are refused. This program has nothing to read them from, and says that they still hold.
        facts.set_epoch(run.epoch());
        // Here a real program does what the node stands for (minimises, reserves, calls ..) and learns its outcome. The
        // generation is that of the attempt: an answer to an earlier attempt is refused and changes nothing.
        let step = run.advance(table, run.generation(), format::OK, facts)?;
        // What the step obliges to is done first: persist, fence the lease, keep a receipt. Only then is it acknowledged,
        // and without that the run does not go on.
        run.acknowledge(step.obligations);
        println!("  -> {}", name(table, Symbol::Node(step.node)));
        // The node is an end: done, refused, pending_no_road ..
        if step.ended {
            return Ok(());
        }
    }
}

/// A name for people. Names are in the table unless it was built with `--strip`.
fn name(table: &Table<'_>, of: Symbol) -> String {
    table.name(of).map_or_else(|| "(stripped)".to_owned(), |n| n.to_string())
}

/// The number of the cell that holds a fact, spelled as in `decide --facts`.
fn cell(table: &Table<'_>, wanted: &str) -> Result<usize, FactsError> {
    let found = (0..table.cells()).find(|i| table.name(Symbol::Cell(*i)).is_some_and(|n| n.to_string() == wanted));
    found.ok_or(FactsError::NoCell)
}
