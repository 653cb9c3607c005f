//! A program that embeds a policy as source code: facts, roads and reasons are types, and the table is in the program.
//!
//! `roadlaw build examples/pick-model.road --emit rust examples/embed/src/pick_model.rs` wrote the module.

// Formatted already, in rustfmt's default style.
#[rustfmt::skip]
#[path = "../pick_model.rs"]
mod pick_model;

use pick_model::{Choose, Facts, Pick, Policy, Road, Tier};
use roadlaw_runtime::Latches;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once, at start: every byte of the table is checked here. Keep both.
    let table = pick_model::table()?;
    let policy = Policy::new(&table).ok_or("the table is another policy's")?;

    // What is not set is unknown, and unknown opens nothing. A setter packs what it is told: keep the facts and change them.
    let mut facts = Facts::new();
    facts.set_tier(Tier::Pro).set_private(false).set_up_big(true).set_up_small(true);
    for up in [Some(true), Some(false), None] {
        facts.set_up_big(up);
        // The decision: no allocation, no lock, and the same answer for the same facts.
        match policy.choose(&facts) {
            Pick::Road(road) => println!("big up: {up:?} -> {road}"),
            Pick::Exit(node) => println!("big up: {up:?} -> {node}"),
            Pick::None => println!("big up: {up:?} -> no road"),
        }
    }
    // Reasons are computed only when asked for.
    for road in Road::all() {
        let why = policy.why(Choose::Choose, road, &facts, &Latches::fresh(&table));
        println!("{road}: {}", why.map_or_else(|| "open".to_owned(), |why| format!("{why:?}")));
    }
    Ok(())
}
