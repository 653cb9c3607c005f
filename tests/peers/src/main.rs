//! Measures road tables and other policy engines on the same 10,000 inputs, in one run, and prints a Markdown table.
//!
//! `roadlaw-peers DIR`, where `tests/workload/tables DIR` wrote the tables. `tests/peers/run` does both.

#[cfg(feature = "cedar")]
mod cedar;
#[cfg(feature = "cel")]
mod cel;
mod ifs;
mod measure;
mod ours;
#[cfg(feature = "regorus")]
mod rego;
mod walk;

use measure::{Engine, measure, report};
use roadlaw_workload::rows::rows;
use std::process::ExitCode;

#[global_allocator]
static COUNTING: measure::Counting = measure::Counting;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: roadlaw-peers DIR");
        return ExitCode::from(2);
    };
    let mut engines = match engines(folder.as_ref()) {
        Ok(engines) => engines,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::from(2);
        }
    };
    if let Err(why) = measure(&mut engines) {
        eprintln!("error: {why}");
        return ExitCode::FAILURE;
    }
    report(&mut engines);
    ExitCode::SUCCESS
}

fn engines(folder: &std::path::Path) -> Result<Vec<Engine>, String> {
    let rows = rows();
    let mut all = ours::engines(folder, &rows)?;
    all.extend(ifs::engines(&rows));
    all.extend(walk::engines(&rows));
    #[cfg(feature = "cel")]
    all.extend(cel::engines(&rows)?);
    #[cfg(feature = "regorus")]
    all.extend(rego::engines(&rows)?);
    #[cfg(feature = "cedar")]
    all.extend(cedar::engines(&rows)?);
    Ok(all)
}
