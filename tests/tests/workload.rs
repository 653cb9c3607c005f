//! The routing workload that engines are measured on: the tables built from it reach the recorded outcome for every input.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline;
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::{Layout, Options};
use roadlaw_runtime::{Pick, Table};
use roadlaw_workload::bind::Bound;
use roadlaw_workload::rows::{nothing_eligible, rows};
use roadlaw_workload::{Size, Workload, road, walk};

fn table(workload: &Workload, layout: Layout) -> Vec<u8> {
    let bytes = road::text(workload).into_bytes();
    let input = Input { name: "roads.road".to_owned(), bytes, root: None };
    let checked = pipeline::check(input, Options { layout: Some(layout), ..Options::default() });
    assert_eq!(checked.report.verdict, Verdict::Proved, "{:?}", checked.report.diagnostics);
    checked.table.expect("a proved policy has a table")
}

/// Every input by packed facts, and some of them by facts as they were told.
fn same(size: Size, layout: Layout) {
    let workload = Workload::new(size);
    let bytes = table(&workload, layout);
    let table = Table::from_bytes(&bytes).expect("the table is read");
    let bound = Bound::new(&table, &workload);
    let chooser = table.chooser(0).expect("the only choose");
    let worst = nothing_eligible();
    for (i, row) in rows().iter().chain(&worst).enumerate() {
        let outcome = bound.outcome(chooser.pick(&bound.packed::<64>(&chooser, row)));
        assert_eq!(outcome, row.expected(size), "input {i} at {} roads, {layout:?}", size.roads());
        if i % 10 == 0 {
            let decision = table.choose(0, &bound.facts(&table, row));
            let pick = decision.road().map(Pick::Road).or(decision.exit().map(Pick::Exit));
            assert_eq!(bound.outcome(pick.unwrap_or(Pick::None)), outcome, "input {i}, told as facts");
        }
    }
}

#[test]
fn small_and_fast() {
    same(Size::Small, Layout::Fast);
}

#[test]
fn small_and_compact() {
    same(Size::Small, Layout::Compact);
}

#[test]
fn large_and_fast() {
    same(Size::Large, Layout::Fast);
}

#[test]
fn large_and_compact() {
    same(Size::Large, Layout::Compact);
}

#[test]
fn an_input_that_is_turned_is_decided_otherwise() {
    let workload = Workload::new(Size::Small);
    let bytes = table(&workload, Layout::Fast);
    let table = Table::from_bytes(&bytes).expect("the table is read");
    let bound = Bound::new(&table, &workload);
    let chooser = table.chooser(0).expect("the only choose");
    let others = rows().into_iter().filter(|row| {
        let mut turned = *row;
        turned.bools = !turned.bools;
        bound.outcome(chooser.pick(&bound.packed::<64>(&chooser, &turned))) != row.expected(Size::Small)
    });
    assert!(others.count() > 5_000);
}

/// The run that benchmarks walk through passes every gate of its road.
#[test]
fn the_measured_run_is_a_long_one() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/eu-chat.road")).expect("the example");
    let input = Input { name: "eu-chat.road".to_owned(), bytes, root: None };
    let bytes = pipeline::check(input, Options::default()).table.expect("the example is proved");
    let table = Table::from_bytes(&bytes).expect("the table is read");
    let (run, mut facts) = walk::behind_the_choose(&table).expect("a road is found");
    let ends = walk::steps(&table, &mut facts, &run, 1_000);
    assert!((10..=200).contains(&ends), "{ends} runs in 1,000 steps");
}
