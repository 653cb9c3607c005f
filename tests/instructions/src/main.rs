//! `roadlaw-instructions WHAT TABLE`: does one thing as often as [`OFTEN`] says, in a function of its own that callgrind counts.

use roadlaw_runtime::{Chooser, Facts, Packed, Pick, Table};
use roadlaw_workload::bind::Bound;
use roadlaw_workload::rows::{Row, nothing_eligible, rows};
use roadlaw_workload::{Size, Workload, walk};
use std::hint::black_box;
use std::process::ExitCode;

/// Decisions, or loads.
const OFTEN: usize = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, file] = arguments.as_slice() else {
        eprintln!("usage: roadlaw-instructions pick|nothing|set|choose|advance|load TABLE");
        return ExitCode::from(2);
    };
    match work(what, file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn work(what: &str, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(file)?;
    let table = Table::from_bytes(&bytes)?;
    if what == "load" {
        loads(&bytes);
        return Ok(());
    }
    if what == "advance" {
        let (run, mut facts) = walk::behind_the_choose(&table).ok_or("no run finds a road")?;
        let ends = walk::steps(&table, &mut facts, &run, OFTEN);
        // A run that ends at once would measure something else.
        return if ends > 0 && ends < OFTEN / 4 { Ok(()) } else { Err("the run is too short".into()) };
    }
    let workload = Workload::new(if table.roads() == Size::Small.roads() { Size::Small } else { Size::Large });
    let bound = Bound::new(&table, &workload);
    let chooser = table.chooser(0).ok_or("the table has no choose")?;
    let inputs: Vec<Row> =
        if what == "nothing" { nothing_eligible() } else { rows() }.into_iter().take(OFTEN).collect();
    match what {
        "pick" | "nothing" => {
            // As many groups as the tables have, rounded up.
            match chooser.groups() {
                0..=16 => picks(&chooser, &packed::<16>(&chooser, &bound, &inputs)),
                _ => picks(&chooser, &packed::<32>(&chooser, &bound, &inputs)),
            }
        }
        "set" => sets(&chooser, &bound, &inputs)?,
        "choose" => {
            let facts: Vec<_> = inputs.iter().map(|row| bound.facts(&table, row)).collect();
            chooses(&table, &facts);
        }
        other => return Err(format!("nothing is called `{other}`").into()),
    }
    Ok(())
}

#[inline(never)]
fn packed<const N: usize>(chooser: &Chooser<'_, '_>, bound: &Bound, inputs: &[Row]) -> Vec<Packed<N>> {
    inputs.iter().map(|row| bound.packed(chooser, row)).collect()
}

#[inline(never)]
fn picks<const N: usize>(chooser: &Chooser<'_, '_>, inputs: &[Packed<N>]) {
    for input in inputs {
        black_box(chooser.pick(black_box(input)));
    }
}

#[inline(never)]
fn sets(chooser: &Chooser<'_, '_>, bound: &Bound, inputs: &[Row]) -> Result<(), Box<dyn std::error::Error>> {
    let mut packed: Packed = chooser.packed()?;
    for row in inputs {
        bound.set(chooser, &mut packed, black_box(row));
        black_box(chooser.pick(&packed));
    }
    Ok(())
}

#[inline(never)]
fn chooses(table: &Table<'_>, inputs: &[Facts]) {
    for facts in inputs {
        let decision = table.choose(0, black_box(facts));
        black_box(decision.road().map(Pick::Road));
    }
}

#[inline(never)]
fn loads(bytes: &[u8]) {
    for _ in 0..OFTEN {
        let _ = black_box(Table::from_bytes(black_box(bytes)));
    }
}
