//! Why roads are closed: everything that closes one, by its filters and by the rows that chose.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::{pipeline, table::Options};
use roadlaw_runtime::{CellKind, Closed, Facts, Latches, Packed, Symbol, Table};
use roadlaw_tests::{Program, golden, repository};
use std::fs;

const PICK: &str = "examples/pick-model.road";

fn table_of(example: &str) -> Vec<u8> {
    let bytes = fs::read(repository().join(example)).expect("an example");
    let checked = pipeline::check(Input { name: example.to_owned(), bytes, root: None }, Options::default());
    checked.table.expect("a table")
}

/// A small generator (xorshift, Marsaglia 2003), so that every run asks the same.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Facts at random, every third one unknown.
fn random(table: &Table<'_>, state: &mut u64) -> Facts {
    let mut facts = Facts::new();
    for cell in 0..table.cells() {
        let c = table.cell(cell).expect("a cell");
        let n = next(state);
        if c.latch() || n.is_multiple_of(3) {
            continue;
        }
        let n = n >> 8;
        match c.kind() {
            CellKind::Bool => facts.set_bool(table, cell, !n.is_multiple_of(8)),
            CellKind::Enum { values } | CellKind::Level { values } => {
                facts.set_value(table, cell, u8::try_from(n % u64::from(values)).expect("small"))
            }
            CellKind::Set { labels } => facts.set_labels(table, cell, n % (1 << labels)),
            CellKind::Int { lo, hi } => {
                let size = u64::try_from(i64::from(hi) - i64::from(lo) + 1).expect("a range");
                facts.set_int(table, cell, lo + i32::try_from(n % size).expect("in range"))
            }
        }
        .expect("in the domain");
    }
    facts
}

#[test]
fn reasons_agree_with_the_masks_that_choose() {
    let examples = ["pick-model", "first-eligible", "eu-chat", "gateway", "peer-and-job", "independent-review"];
    let (mut closed, mut packed) = (0, 0);
    for example in examples {
        let bytes = table_of(&format!("examples/{example}.road"));
        let table = Table::from_bytes(&bytes).expect("a table");
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for round in 0..400 {
            let facts = random(&table, &mut state);
            let mut latches = Latches::fresh(&table);
            if round % 5 == 0 {
                latches = latches.with_tried(usize::try_from(next(&mut state) % 8).expect("small"));
            }
            for choose in 0..table.chooses() {
                let chooser = table.chooser(choose).expect("a choose");
                let chosen = table.choose_with(choose, &facts, &latches).road();
                for (position, road) in table.candidates(choose).enumerate() {
                    let reasons = table.reasons(choose, position, &facts, &latches).expect("a candidate");
                    let all: Vec<Closed> = reasons.clone().collect();
                    let but_profile = all.iter().filter(|c| **c != Closed::Profile).count();
                    assert_eq!(
                        table.is_eligible(choose, position, &facts, &latches),
                        but_profile == 0,
                        "{example}: {road} {all:?}"
                    );
                    assert!(chosen != Some(road) || all.is_empty(), "{example}: {road} is chosen and {all:?}");
                    assert_eq!(table.reason(choose, position, &facts, &latches), all.first().copied());
                    let mask = all.iter().fold(0_u64, |m, c| if let Closed::Filter(i) = c { m | 1 << i } else { m });
                    assert_eq!(reasons.mask(), mask);
                    closed += usize::from(mask != 0);
                    if let Ok(rows) = chooser.pack::<64>(&facts) {
                        packed += usize::from(mask != 0);
                        let cells: Vec<usize> = chooser.closing(&rows, position).collect();
                        assert_eq!(cells.is_empty(), mask == 0, "{example}: {road} {all:?} {cells:?}");
                        assert!(cells.is_sorted_by(|a, b| a < b), "{cells:?}");
                    }
                }
            }
        }
    }
    assert!(closed > 1_000 && packed > 500, "{closed} closed, {packed} of packed facts");
}

#[test]
fn rows_name_the_facts_that_close_a_road_and_no_others() {
    let bytes = table_of(PICK);
    let table = Table::from_bytes(&bytes).expect("a table");
    let chooser = table.chooser(0).expect("a choose");
    let mut names = Vec::new();
    let facts: Packed = chooser.packed().expect("packed");
    for (position, road) in table.candidates(0).enumerate() {
        let name = |s: Symbol| table.name(s).map(|n| n.to_string()).unwrap_or_default();
        let cells: Vec<String> = chooser.closing(&facts, position).map(|c| name(Symbol::Cell(c))).collect();
        names.push(format!("{}: {}", name(Symbol::Road(road)), cells.join(" ")));
    }
    assert_eq!(names, ["small: up[small]", "big: tier private up[big]"]);
    // Facts that were packed for another table say nothing.
    let other = table_of("examples/first-eligible.road");
    let other = Table::from_bytes(&other).expect("a table");
    let foreign = other.chooser(0).and_then(|c| c.packed::<64>().ok()).expect("packed");
    assert_eq!(chooser.closing(&foreign, 0).count(), 0);
    assert_eq!(chooser.closing(&facts, 99).count(), 0);
    assert!(table.reasons(0, 99, &Facts::new(), &Latches::fresh(&table)).is_none());
    assert!(table.reasons(99, 0, &Facts::new(), &Latches::fresh(&table)).is_none());
}

#[test]
fn decide_explains_every_filter_with_the_facts_that_it_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("desk.table"), table_of("examples/eu-chat.road")).expect("written");
    let facts = fs::read_to_string(repository().join("examples/facts/stays-home.json")).expect("facts");
    // Two facts are not told, one of them with a value that unknown stands for.
    let facts = facts.replace(r#""weight": 40, "class": "internal", "lineage": true, "#, "");
    let roadlaw = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), folder.path());
    let decide = ["decide", "desk.table", "--facts", "-", "--explain"];
    let human = roadlaw.run_with(&decide, facts.as_bytes());
    let json = roadlaw.run_with(&[&decide[..], &["--format", "json"]].concat(), facts.as_bytes());
    assert_eq!((human.code, json.code), (0, 0), "{}{}", human.err, json.out);
    golden("explained.txt", &human.out).expect("as it was");
    golden("explained.json", &json.out).expect("as it was");
    // Without the word the answer is the shorter one.
    let short = roadlaw.run_with(&[&decide[..4], &["--format", "json"]].concat(), facts.as_bytes()).json();
    assert!(short["chooses"][0]["candidates"][0].get("reasons").is_none());
}
