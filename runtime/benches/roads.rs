//! Times of everything that a service does with a table: `cargo bench -p roadlaw-runtime`, after
//! `tests/workload/tables target/workload` wrote the tables. Peers are measured by `tests/peers`, growth by
//! `tests/instructions`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::as_conversions,
    reason = "a benchmark stops where its files are not as they should be"
)]
#![allow(missing_docs, reason = "criterion's macros write public functions")]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use roadlaw_runtime::{Packed, Table};
use roadlaw_workload::bind::Bound;
use roadlaw_workload::rows::{Row, nothing_eligible, rows};
use roadlaw_workload::{Size, Workload, walk};
use std::hint::black_box;
use std::path::PathBuf;

fn bytes(name: &str) -> Vec<u8> {
    let folder = std::env::var_os("ROADLAW_TABLES").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../target/workload").into());
    let file = folder.join(name);
    std::fs::read(&file).unwrap_or_else(|why| {
        panic!("{}: {why}; write the tables by `tests/workload/tables target/workload`", file.display())
    })
}

/// Decisions, each on another input: few inputs in a circle would teach the branch predictor.
fn decide(c: &mut Criterion) {
    for size in Size::ALL {
        let bytes = bytes(&format!("roads-{}.table", size.roads()));
        let table = Table::from_bytes(&bytes).expect("the table is read");
        let bound = Bound::new(&table, &Workload::new(size));
        let chooser = table.chooser(0).expect("the only choose");
        let mut group = c.benchmark_group(format!("{} roads", size.roads()));
        group.throughput(Throughput::Elements(1));
        let mut packed = |name: &str, rows: &[Row]| {
            let inputs: Vec<Packed> = rows.iter().map(|row| bound.packed(&chooser, row)).collect();
            let mut next = inputs.iter().cycle();
            group.bench_function(name, |b| b.iter(|| next.next().map(|p| chooser.pick(black_box(p)))));
        };
        packed("pick, packed", &rows());
        if size == Size::Large {
            packed("pick, packed, nothing eligible", &nothing_eligible());
        }
        let rows = rows();
        let mut next = rows.iter().cycle();
        let mut held: Packed = chooser.packed().expect("the choose can be packed");
        group.bench_function("set every fact, pick", |b| {
            b.iter(|| {
                bound.set(&chooser, &mut held, next.next().unwrap_or(&rows[0]));
                chooser.pick(black_box(&held))
            });
        });
        let facts: Vec<_> = rows.iter().take(1_000).map(|row| bound.facts(&table, row)).collect();
        let mut next = facts.iter().cycle();
        group.bench_function("choose, from facts", |b| b.iter(|| next.next().map(|f| table.choose(0, black_box(f)))));
        group.finish();
    }
}

fn advance(c: &mut Criterion) {
    let bytes = bytes("gates.table");
    let table = Table::from_bytes(&bytes).expect("the table is read");
    let (run, mut facts) = walk::behind_the_choose(&table).expect("a run with a road");
    let mut group = c.benchmark_group("run");
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("advance, 1,000 steps", |b| {
        b.iter_batched(|| run, |run| walk::steps(&table, &mut facts, &run, 1_000), BatchSize::SmallInput);
    });
    group.finish();
}

fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("from_bytes");
    for name in ["roads-24.table", "roads-1000.table", "gates.table"] {
        let bytes = bytes(name);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |b| b.iter(|| Table::from_bytes(black_box(&bytes)).is_ok()));
    }
    group.finish();
}

criterion_group!(benches, decide, advance, load);
criterion_main!(benches);
