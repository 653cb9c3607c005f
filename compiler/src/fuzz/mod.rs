//! What fuzzing does with hostile bytes: one body a target. `tests/fuzz` drives them with libFuzzer, and a plain test
//! replays every seed and every input that once was a fault.
//!
//! A body takes any bytes and returns nothing. It panics where something that must hold for every input does not, and
//! so does whatever it calls, if that panics: both are faults. Inputs that would only take long are left out by their
//! size, never by their form.

mod bytes;
mod proof;
mod text;

pub use bytes::{decide, packing, run, table, unpacked};
pub use proof::{proof, sound_proof};
pub use text::{check, lower, parse, print};

use crate::lower::Input;
use crate::pipeline;
use crate::program::fuzz::{events as follow, facts as settle};
use crate::table::Options;
use std::sync::OnceLock;

/// What a target does with bytes.
pub type Body = fn(&[u8]);

/// Every target: its name, the folder of its seeds, and its body.
pub const TARGETS: &[(&str, &str, Body)] = &[
    ("parse", "text", parse),
    ("print", "text", print),
    ("lower", "text", lower),
    ("check", "check", check),
    ("facts", "facts", facts),
    ("events", "events", events),
    ("proof", "proof", proof),
    ("table", "table", table),
    ("decide", "decide", decide),
    ("run", "run", run),
];

/// Policies whose tables the targets on facts, events, decisions and runs use: a flow with every gate, a short one, and
/// a choice that ranks by facts.
const POLICIES: [&str; 3] = [
    include_str!("../lower/policies/a-eu-chat.road"),
    include_str!("../lower/policies/d-first-eligible.road"),
    include_str!("ranked.road"),
];

/// Tables of sound policies, built once.
///
/// # Panics
/// If one of these policies is not proved.
#[must_use]
pub fn tables() -> &'static [Vec<u8>] {
    static TABLES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let built = POLICIES.iter().map(|text| {
            let input = Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None };
            let checked = pipeline::check(input, Options::default());
            checked.table.unwrap_or_else(|| panic!("{:?}", checked.report.diagnostics))
        });
        built.collect()
    })
}

/// The first byte picks a table; the rest is the input.
fn with_table(bytes: &[u8]) -> (&'static [u8], &[u8]) {
    let all = tables();
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    (&all[usize::from(*first) % all.len()], rest)
}

/// Facts as JSON, and the decision on them: `roadlaw decide`.
///
/// # Panics
/// If something does not hold that must.
pub fn facts(bytes: &[u8]) {
    let (table, rest) = with_table(bytes);
    settle(table, rest);
}

/// Events as lines of JSON, and the run they drive: `roadlaw trace`.
///
/// # Panics
/// If something does not hold that must.
pub fn events(bytes: &[u8]) {
    let (table, rest) = with_table(bytes);
    follow(table, rest);
}
