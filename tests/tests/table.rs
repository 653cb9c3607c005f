//! Tables against damage and against a writer that lies.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::Model;
use roadlaw_compiler::table::Options;
use roadlaw_compiler::{pipeline, validate};
use roadlaw_runtime::format::{CHECKSUM_AT, COUNTS_AT, COVERED_FROM, DIGEST_AT, HEADER, SECTIONS, checksum, section};
use roadlaw_runtime::{Facts, Run, Table};
use roadlaw_tests::{SHORTEST, policies, repository};

fn input(text: &str) -> Input {
    Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None }
}

/// The model of a policy and its table.
fn built(text: &str) -> (Model, Vec<u8>) {
    let model = lower(input(text)).model.expect("a model");
    let checked = pipeline::check(input(text), Options::default());
    (model, checked.table.unwrap_or_else(|| panic!("{:?}", checked.report.diagnostics)))
}

/// Makes checksum and digest fit again, as somebody who knows the format could.
fn seal(bytes: &mut [u8]) {
    let sum = checksum(bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT]);
    hasher.update(&bytes[COVERED_FROM..]);
    let digest = *hasher.finalize().as_bytes();
    bytes[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
}

/// Where the records of a section begin and how many there are.
fn records(bytes: &[u8], wanted: usize) -> (usize, usize) {
    let mut at = HEADER;
    for (i, (_, size)) in SECTIONS.iter().enumerate() {
        let count = u32::from_le_bytes(bytes[COUNTS_AT + 4 * i..][..4].try_into().expect("four bytes")) as usize;
        if i == wanted {
            return (at, count);
        }
        at = (at + count * size).next_multiple_of(8);
    }
    panic!("no section {wanted}");
}

/// Uses everything that a table offers; only that it ends is asked.
fn exercise(table: &Table<'_>) {
    let facts = Facts::new();
    for choose in 0..table.chooses() {
        let decision = table.choose(choose, &facts);
        for (position, _) in table.candidates(choose).enumerate() {
            let latches = roadlaw_runtime::Latches::fresh(table);
            let reason = table.reason(choose, position, &facts, &latches);
            let open = table.is_eligible(choose, position, &facts, &latches);
            assert!(!(open && reason.is_none()) || decision.choose() == choose);
        }
    }
    for flow in 0..table.flows() {
        let Ok(mut run) = Run::start(table, flow) else { continue };
        for step in 0..200_u8 {
            run.acknowledge(u32::MAX);
            let mut facts = Facts::new();
            facts.set_epoch(run.epoch());
            if run.advance(table, run.generation(), 1 + step % 3, &facts).is_err() {
                break;
            }
        }
    }
}

#[test]
fn a_sound_table_is_read_and_every_truncation_is_refused() {
    let (_, bytes) = built(SHORTEST);
    exercise(&Table::from_bytes(&bytes).expect("a table"));
    for n in 0..bytes.len() {
        assert!(Table::from_bytes(&bytes[..n]).is_err(), "{n} bytes");
    }
    assert!(Table::from_bytes(&[bytes.clone(), vec![0; 8]].concat()).is_err());
}

#[test]
fn every_flipped_bit_is_refused() {
    let (_, mut bytes) = built(SHORTEST);
    // The digest is the one part that the checksum does not cover: it is compared, not read.
    for at in (0..bytes.len()).filter(|at| !(DIGEST_AT..DIGEST_AT + 32).contains(at)) {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(Table::from_bytes(&bytes).is_err(), "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn with_a_repaired_digest_a_flipped_bit_is_refused_or_harmless_and_never_passes_validation() {
    let (model, sound) = built(SHORTEST);
    let (mut refused, mut harmless) = (0, 0);
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        seal(&mut bytes);
        match Table::from_bytes(&bytes) {
            Err(_) => refused += 1,
            Ok(table) => {
                harmless += 1;
                exercise(&table);
            }
        }
        // Digests of model and proof are taken as given, a repaired checksum and digest are as they were, and other code may
        // be the same guard (a range that ends beyond its cell's).
        let (code, length) = records(&sound, section::CODE);
        let given =
            (CHECKSUM_AT..COVERED_FROM).contains(&at) || (64..128).contains(&at) || (code..code + length).contains(&at);
        if at % 7 == 0 && !given {
            assert!(validate::check(&bytes, &model).is_err(), "byte {at}");
        }
    }
    assert!(refused > 100 && harmless > 100, "{refused} refused, {harmless} harmless");
}

/// A fault of the writer: what it does to the bytes of a section's record.
type Plant = (&'static str, usize, fn(&mut [u8]));

#[test]
fn validation_refuses_what_a_faulty_writer_writes() {
    let faults: [Plant; 7] = [
        ("a mask opens a road", section::MASKS, |r| r[0] ^= 1),
        ("an edge leads elsewhere", section::EDGES, |r| r[2] ^= 1),
        ("an outcome is another", section::EDGES, |r| r[0] ^= 2),
        ("an obligation is dropped", section::NODES, |r| r[4..6].fill(0)),
        ("a changes word is dropped", section::EXTRAS, |r| r[4..8].fill(0)),
        ("a cell's strict value is another", section::CELLS, |r| r[6] ^= 1),
        ("a filter has the guard of another", section::FILTERS, |r| r[0] ^= 1),
    ];
    let text = std::fs::read_to_string(repository().join("examples/eu-chat.road")).expect("an example");
    let (model, sound) = built(&text);
    validate::check(&sound, &model).expect("the sound table is the policy's");
    for (what, part, plant) in faults {
        let (start, count) = records(&sound, part);
        let size = SECTIONS[part].1;
        let mut planted = 0;
        // Masks are many and alike.
        for i in (0..count).step_by(if part == section::MASKS { 23 } else { 1 }) {
            let mut bytes = sound.clone();
            plant(&mut bytes[start + i * size..][..size]);
            if bytes == sound {
                continue;
            }
            planted += 1;
            seal(&mut bytes);
            let found = validate::check(&bytes, &model).expect_err(what);
            assert_eq!(found[0].code, "RL901", "{what}, record {i}");
        }
        assert!(planted > 0, "{what}");
    }
    // Off by one in every threshold, in both directions.
    let (start, count) = records(&sound, section::CUTS);
    for i in 0..count {
        for by in [-1, 1] {
            let mut bytes = sound.clone();
            let at = start + 4 * i;
            let cut = i32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
            bytes[at..at + 4].copy_from_slice(&(cut + by).to_le_bytes());
            seal(&mut bytes);
            assert!(validate::check(&bytes, &model).is_err(), "cut {i} by {by}");
        }
    }
    // Two edges change places.
    let (start, _) = records(&sound, section::EDGES);
    let mut bytes = sound.clone();
    let (first, second) = bytes[start..start + 16].split_at_mut(8);
    first[2..4].swap_with_slice(&mut second[2..4]);
    seal(&mut bytes);
    assert!(validate::check(&bytes, &model).is_err());
}

#[test]
fn names_are_read_without_allocation_and_are_those_of_the_policy() {
    use roadlaw_runtime::Symbol;
    for file in policies("examples") {
        let text = std::fs::read_to_string(&file).expect("text");
        let folder = file.parent().map(std::path::Path::to_owned);
        let input = || Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: folder.clone() };
        let model = lower(input()).model.expect("a model");
        let Some(bytes) = pipeline::check(input(), Options::default()).table else { panic!("{}", file.display()) };
        let table = Table::from_bytes(&bytes).expect("a table");
        let name = |s: Symbol| table.name(s).map(|n| n.to_string());
        assert_eq!(name(Symbol::Policy), Some(format!("{}@{}", model.name, model.version)));
        for (i, f) in model.facts.iter().enumerate() {
            assert_eq!(name(Symbol::Cell(i)).as_ref(), Some(&f.name));
        }
        for (i, r) in model.roads.iter().enumerate() {
            assert_eq!(name(Symbol::Road(i)).as_ref(), Some(&r.name));
        }
        for (i, n) in model.nodes.iter().enumerate() {
            assert_eq!(name(Symbol::Node(i)).as_ref(), Some(&n.name));
        }
        assert_eq!(name(Symbol::Node(model.nodes.len())), None);

        let stripped = pipeline::check(input(), Options { strip: true, ..Options::default() }).table.expect("a table");
        let table = Table::from_bytes(&stripped).expect("a table");
        assert!(table.name(Symbol::Policy).is_none() && stripped.len() < bytes.len());
    }
}
