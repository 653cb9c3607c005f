//! Road tables.

use crate::measure::Engine;
use roadlaw_runtime::{Chooser, Packed, Pick, Table};
use roadlaw_workload::bind::Bound;
use roadlaw_workload::rows::{Row, nothing_eligible};
use roadlaw_workload::{Size, Workload};
use std::path::Path;

/// Edges are told from roads by this.
const EXIT: usize = 1 << 32;

fn code(pick: Pick) -> usize {
    match pick {
        Pick::Road(road) => road,
        Pick::Exit(edge) => edge | EXIT,
        Pick::None => usize::MAX,
    }
}

fn decoded(bound: &Bound, code: usize) -> usize {
    bound.outcome(if code == usize::MAX {
        Pick::None
    } else if code & EXIT != 0 {
        Pick::Exit(code ^ EXIT)
    } else {
        Pick::Road(code)
    })
}

/// The tables stand in `folder`: see `tests/workload/tables`.
pub fn engines(folder: &Path, rows: &[Row]) -> Result<Vec<Engine>, String> {
    let mut all = sized::<16>(folder, rows, Size::Small)?;
    all.extend(sized::<32>(folder, rows, Size::Large)?);
    Ok(all)
}

/// Packed facts hold `N` groups: so many as the table of this size has, rounded up.
fn sized<const N: usize>(folder: &Path, rows: &[Row], size: Size) -> Result<Vec<Engine>, String> {
    let mut all = Vec::new();
    {
        let file = folder.join(format!("roads-{}.table", size.roads()));
        let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        // Engines live as long as the program.
        let bytes: &'static [u8] = bytes.leak();
        let table: &'static Table<'static> =
            Box::leak(Box::new(Table::from_bytes(bytes).map_err(|e| format!("{}: {e}", file.display()))?));
        let bound: &'static Bound = Box::leak(Box::new(Bound::new(table, &Workload::new(size))));
        let chooser: &'static Chooser<'static, 'static> = Box::leak(Box::new(table.chooser(0).ok_or("no choose")?));
        let outcome = move |n| decoded(bound, n);
        let pack = move |row: &Row| bound.packed(chooser, row);
        let pick = move |packed: &Packed<N>| code(chooser.pick(packed));
        all.push(Engine::new("road table, facts packed", size, rows, pack, pick, outcome));
        let mut packed: Packed<N> = chooser.packed().map_err(|e| e.to_string())?;
        let from_struct = move |row: &Row| {
            bound.set(chooser, &mut packed, row);
            code(chooser.pick(&packed))
        };
        all.push(Engine::new("road table, all facts set by cell first", size, rows, |row| *row, from_struct, outcome));
        let choose = move |row: &Row| {
            let decision = table.choose(0, &bound.facts(table, row));
            code(decision.road().map(Pick::Road).or(decision.exit().map(Pick::Exit)).unwrap_or(Pick::None))
        };
        all.push(Engine::new("road table, `Facts` built and chosen from", size, rows, |row| *row, choose, outcome));
        if size == Size::Large {
            let name = "road table, facts packed, nothing eligible";
            all.push(Engine::new(name, size, &nothing_eligible(), pack, pick, outcome));
        }
    }
    Ok(all)
}
