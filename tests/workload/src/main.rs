//! Writes the workload's policies: `roadlaw-workload DIR` makes `DIR/roads-24.road` and `DIR/roads-1000.road`.

use roadlaw_workload::{Size, Workload, road};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: roadlaw-workload DIR");
        return ExitCode::from(2);
    };
    for size in Size::ALL {
        let file = Path::new(&folder).join(format!("roads-{}.road", size.roads()));
        if let Err(why) = std::fs::write(&file, road::text(&Workload::new(size))) {
            eprintln!("error: {}: {why}", file.display());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
