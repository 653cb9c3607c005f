//! Decision records: written and read a second time from `runtime/RECORD.md`, damaged, cut off, and driven through runs.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::{pipeline, table::Options};
use roadlaw_runtime::format::{OK, OUTCOMES, node};
use roadlaw_runtime::record::{
    Budgets, DecisionId, EvidenceKey, Field, LENGTH, RecordError, Recorder, RoadDecision, Scope, ScopeError, Selection,
};
use roadlaw_runtime::steps::State;
use roadlaw_runtime::{Facts, Run, RunError, Symbol, Table};
use roadlaw_tests::repository;
use std::collections::BTreeMap;
use std::fs;

/// Offset, size and name of every number and digest, as `RECORD.md` has them.
const LAYOUT: &[(usize, usize, &str)] = &[
    (8, 2, "version"),
    (10, 2, "presence"),
    (12, 4, "length"),
    (16, 4, "node"),
    (20, 4, "road"),
    (24, 4, "generation"),
    (28, 4, "epoch"),
    (32, 8, "policy epoch"),
    (40, 8, "expiry"),
    (48, 8, "time"),
    (56, 8, "requests"),
    (64, 8, "tokens in"),
    (72, 8, "tokens out"),
    (80, 8, "tokens"),
    (88, 8, "spend"),
    (96, 4, "purpose"),
    (100, 4, "retention"),
    (104, 2, "class"),
    (106, 2, "visibility"),
    (108, 4, "zero"),
    (112, 32, "policy"),
    (144, 32, "table"),
    (176, 32, "input"),
    (208, 32, "expected result"),
    (240, 32, "target"),
    (272, 32, "export"),
    (304, 32, "artifact set"),
    (336, 32, "source manifest"),
    (368, 32, "influence"),
    (400, 32, "residual disclosure"),
    (432, 32, "validators"),
    (464, 32, "parent"),
];

/// The second reader: fields by name, or `None` for bytes that are no record.
fn read(bytes: &[u8]) -> Option<BTreeMap<&'static str, Vec<u8>>> {
    if bytes.len() != 496 || !bytes.starts_with(b"ROADREC\0") {
        return None;
    }
    let fields: BTreeMap<_, _> = LAYOUT.iter().map(|(at, n, name)| (*name, bytes[*at..at + n].to_vec())).collect();
    let number = |name: &str| fields[name].iter().rev().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    let there = |name: &str| fields[name].iter().any(|b| *b != 0);
    let optional = LAYOUT.iter().skip(24).enumerate().all(|(i, f)| (number("presence") >> i & 1 == 1) == there(f.2));
    let wanted = ["time", "purpose", "retention", "class", "visibility", "policy", "table", "input", "expected result"];
    let sound = number("version") == 1
        && number("presence") < 256
        && number("length") == 496
        && number("zero") == 0
        && optional
        && wanted.iter().all(|w| there(w));
    sound.then_some(fields)
}

/// A record by the second reader's layout: the byte of each field is its place in the layout.
fn made() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    bytes[..8].copy_from_slice(b"ROADREC\0");
    for (i, (at, n, name)) in LAYOUT.iter().enumerate() {
        let value = match *name {
            "version" => vec![1, 0],
            "presence" => vec![0xff, 0],
            "length" => vec![0xf0, 1, 0, 0],
            "zero" => vec![0; 4],
            _ => vec![u8::try_from(i).expect("few"); *n],
        };
        bytes[*at..at + n].copy_from_slice(&value);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn table_of(example: &str) -> Vec<u8> {
    let name = format!("examples/{example}.road");
    let bytes = fs::read(repository().join(&name)).expect("an example");
    pipeline::check(Input { name, bytes, root: None }, Options::default()).table.expect("a table")
}

fn selection() -> Selection {
    Selection {
        target: Some([1; 32]),
        input: [2; 32],
        export: Some([3; 32]),
        artifact_set: None,
        source_manifest: Some([4; 32]),
        influence: None,
        residual_disclosure: None,
        expected_result: [5; 32],
        validators: Some([6; 32]),
        purpose: 7,
        expiry: 1_000,
        budgets: Budgets { time: 30_000, requests: 1, tokens_in: 4_000, tokens_out: 1_000, tokens: 5_000, spend: 5 },
        class: 8,
        visibility: 9,
        retention: 10,
    }
}

/// Facts that open every road but `local`, in an epoch.
fn open(table: &Table<'_>, epoch: u32) -> Facts {
    let mut facts = Facts::new();
    let closing = ["available[local]", "prohibited", "local_only", "revoked", "expired", "reach", "judged"];
    for cell in 0..table.cells() {
        let name = table.name(Symbol::Cell(cell)).expect("a name").to_string();
        let yes = !closing.iter().any(|c| name.starts_with(c));
        let c = table.cell(cell).expect("a cell");
        // Latches are refused, and stay the run's.
        let _ = match c.kind() {
            roadlaw_runtime::CellKind::Bool => facts.set_bool(table, cell, yes),
            roadlaw_runtime::CellKind::Set { .. } => facts.set_labels(table, cell, 0),
            roadlaw_runtime::CellKind::Level { values } if name.starts_with("login") => {
                facts.set_value(table, cell, u8::try_from(values - 1).expect("few"))
            }
            roadlaw_runtime::CellKind::Level { .. } | roadlaw_runtime::CellKind::Enum { .. } => {
                facts.set_value(table, cell, 0)
            }
            roadlaw_runtime::CellKind::Int { lo, hi } => {
                facts.set_int(table, cell, if name.contains("left") { hi } else { lo })
            }
        };
    }
    facts.set_epoch(epoch);
    facts
}

/// Drives a run by `ok` to the next node of one of these kinds, or to its end.
fn to(run: &mut Run, table: &Table<'_>, kinds: &[u8]) {
    for _ in 0..200 {
        run.acknowledge(u32::MAX);
        let facts = open(table, run.epoch());
        run.advance(table, run.generation(), OK, &facts).expect("a step");
        let here = table.node(run.node()).expect("a node");
        if here.is_terminal() || kinds.contains(&here.kind()) {
            return;
        }
    }
    panic!("no such node on the way");
}

#[test]
fn both_readers_take_the_same_bytes_and_the_id_is_a_known_answer() {
    let bytes = made();
    let record = RoadDecision::read(&bytes).expect("a record");
    let fields = read(&bytes).expect("a record");
    assert_eq!(fields["generation"], record.generation().to_le_bytes());
    assert_eq!(fields["policy epoch"], record.policy_epoch().to_le_bytes());
    assert_eq!(
        (fields["table"].clone(), fields["policy"].clone()),
        (record.table().to_vec(), record.policy().to_vec())
    );
    let s = record.selection();
    assert_eq!(fields["expiry"], s.expiry.to_le_bytes());
    assert_eq!(fields["spend"], s.budgets.spend.to_le_bytes());
    assert_eq!(fields["visibility"], s.visibility.to_le_bytes());
    assert_eq!(Some(fields["residual disclosure"].clone()), s.residual_disclosure.map(|d| d.to_vec()));
    assert_eq!(Some(fields["parent"].clone()), record.parent().map(|d| d.0.to_vec()));
    let mut back = [0; LENGTH + 9];
    record.write(&mut back).expect("it fits");
    assert_eq!((&back[..LENGTH], &back[LENGTH..]), (&bytes[..], &[0; 9][..]));
    assert_eq!(record.id().0, blake3::derive_key("roadlaw road decision 1", &bytes));
    assert_eq!(hex(&record.id().0), "c9eca4692ff7ade1255fb74844849bfc3dfabbf9855f9ba4ed947c5ff26691a3");
    assert_eq!(RoadDecision::read_as(&bytes, &record.id()), Ok(record));
    assert_eq!(RoadDecision::read_as(&bytes, &DecisionId([1; 32])), Err(RecordError::Id));
}

#[test]
fn every_flipped_bit_is_refused_or_another_record_for_both_readers_alike() {
    let bytes = made();
    let whole = RoadDecision::read(&bytes).expect("a record");
    let mut refused = 0;
    for at in 0..LENGTH * 8 {
        let mut flipped = bytes;
        flipped[at / 8] ^= 1 << (at % 8);
        let one = RoadDecision::read(&flipped);
        assert_eq!(one.is_ok(), read(&flipped).is_some(), "bit {at}: {one:?}");
        assert!(RoadDecision::read_as(&flipped, &whole.id()).is_err(), "bit {at}");
        match one {
            Ok(other) => assert!(other != whole && other.id() != whole.id(), "bit {at}"),
            Err(_) => refused += 1,
        }
    }
    // Magic, version, presence, length and the zeros.
    assert_eq!(refused, 8 * (8 + 2 + 2 + 4 + 4));
    for length in 0..LENGTH {
        assert_eq!(RoadDecision::read(&bytes[..length]), Err(RecordError::Length));
    }
    assert_eq!(RoadDecision::read(&[&bytes[..], &[0]].concat()), Err(RecordError::Length));
    // Every field that is blanked: missing where it must be there, or is said to be.
    for (at, n, name) in LAYOUT {
        let mut blank = bytes;
        blank[*at..at + n].fill(0);
        let one = RoadDecision::read(&blank);
        assert_eq!(one.is_ok(), read(&blank).is_some(), "{name}");
        if at >= &112 {
            assert!(matches!(one, Err(RecordError::Missing(_))), "{name}: {one:?}");
        }
    }
    let mut silent = bytes;
    silent[10] = 0x7f;
    assert_eq!(RoadDecision::read(&silent), Err(RecordError::Absent(Field::Parent)));
}

#[test]
fn decisions_of_a_run_are_linked_and_fit_their_table() {
    let bytes = table_of("eu-chat");
    let table = Table::from_bytes(&bytes).expect("a table");
    let mut run = Run::start(&table, 0).expect("a run");
    let mut recorder = Recorder::new(4);
    let decide = [node::DECIDE, node::DECIDE_FRESH];
    let mut kept = Vec::new();
    // `local` is not available. Nothing reaches `mistral`, and `ovh` follows under a decision of its own.
    let mut buffer = [0xaa; 600];
    for _ in 0..8 {
        to(&mut run, &table, &[node::DECIDE, node::DECIDE_FRESH, node::SEND, node::CALL]);
        let here = table.node(run.node()).expect("a node");
        if decide.contains(&here.kind()) {
            let facts = open(&table, run.epoch());
            assert!(!recorder.has(&run));
            let w = recorder.record(&run, &table, &facts, &selection(), 10, &mut buffer).expect("a record");
            assert!(recorder.has(&run));
            assert_eq!((w.length, &buffer[LENGTH..]), (LENGTH, &[0xaa; 600 - LENGTH][..]));
            assert_eq!(RoadDecision::read_as(&buffer[..LENGTH], &w.id), Ok(w.decision));
            assert!(read(&buffer[..LENGTH]).is_some());
            w.decision.fits(&table).expect("its table");
            assert_eq!(w.decision.policy_epoch(), 4);
            kept.push(w);
        } else if here.is_terminal() {
            break;
        } else {
            // What was sent or called did not begin.
            run.acknowledge(u32::MAX);
            let facts = open(&table, run.epoch());
            let unavailable =
                u8::try_from(OUTCOMES.iter().position(|o| *o == "unavailable").expect("one")).expect("few");
            run.advance(&table, run.generation(), unavailable, &facts).expect("a step");
        }
    }
    assert_eq!(kept.len(), 2);
    for pair in kept.windows(2) {
        assert_eq!(pair[1].decision.parent(), Some(pair[0].id));
        pair[1].decision.follows(&pair[0].decision).expect("a chain");
        assert_ne!(pair[1].decision.road(), pair[0].decision.road());
        assert_eq!(pair[0].decision.follows(&pair[1].decision), Err(RecordError::Parent));
    }
    assert_eq!(kept[0].decision.parent(), None);
    // Resumed from what was kept, the next decision names the same parent.
    assert_eq!(Recorder::resume(kept[0].decision).last().map(RoadDecision::id), Some(kept[0].id));
    let other = table_of("first-eligible");
    let other = Table::from_bytes(&other).expect("a table");
    assert_eq!(kept[0].decision.fits(&other), Err(RecordError::PinnedPolicyUnavailable));
}

#[test]
fn what_cannot_be_recorded_changes_nothing() {
    let bytes = table_of("first-eligible");
    let table = Table::from_bytes(&bytes).expect("a table");
    let mut facts = open(&table, 0);
    let local = (0..table.cells())
        .find(|c| table.name(Symbol::Cell(*c)).is_some_and(|n| n.to_string() == "available[llama]"))
        .expect("the fact");
    facts.set_bool(&table, local, false).expect("a bool");
    let mut run = Run::start(&table, 0).expect("a run");
    let mut recorder = Recorder::default();
    let mut buffer = [0xaa; LENGTH];
    let mut refused =
        |recorder: &mut Recorder, run: &Run, table: &Table<'_>, facts: &Facts, s: &Selection, now: u64| {
            let before = *recorder;
            let why = recorder.record(run, table, facts, s, now, &mut buffer).expect_err("no record");
            assert_eq!((*recorder, buffer), (before, [0xaa; LENGTH]), "{why}");
            why
        };
    let good = selection();
    assert_eq!(refused(&mut recorder, &run, &table, &facts, &good, 0), RecordError::NotADecision);
    for _ in 0..200 {
        if table.node(run.node()).is_some_and(|n| n.kind() == node::DECIDE || n.kind() == node::DECIDE_FRESH) {
            break;
        }
        run.acknowledge(u32::MAX);
        facts.set_epoch(run.epoch());
        run.advance(&table, run.generation(), OK, &facts).expect("a step");
    }
    let road = table.node(run.node()).and_then(|n| n.road()).and_then(|r| table.road(r)).expect("a road");
    assert!(road.remote());
    let cases = [
        (Selection { target: None, ..good }, RecordError::Missing(Field::Target)),
        (Selection { export: None, ..good }, RecordError::Missing(Field::Export)),
        (Selection { target: Some([0; 32]), ..good }, RecordError::Missing(Field::Target)),
        (Selection { input: [0; 32], ..good }, RecordError::Missing(Field::Input)),
        (Selection { expected_result: [0; 32], ..good }, RecordError::Missing(Field::ExpectedResult)),
        (Selection { validators: Some([0; 32]), ..good }, RecordError::Missing(Field::Validators)),
        (Selection { purpose: 0, ..good }, RecordError::Missing(Field::Purpose)),
        (Selection { class: 0, ..good }, RecordError::Missing(Field::Class)),
        (Selection { visibility: 0, ..good }, RecordError::Missing(Field::Visibility)),
        (Selection { retention: 0, ..good }, RecordError::Missing(Field::Retention)),
        (Selection { budgets: Budgets { time: 0, ..good.budgets }, ..good }, RecordError::Missing(Field::Time)),
        (Selection { expiry: 50, ..good }, RecordError::Expired),
    ];
    for (s, why) in cases {
        assert_eq!(refused(&mut recorder, &run, &table, &facts, &s, 50), why);
    }
    let other_bytes = table_of("eu-chat");
    let other = Table::from_bytes(&other_bytes).expect("a table");
    assert_eq!(refused(&mut recorder, &run, &other, &facts, &good, 0), RecordError::PinnedPolicyUnavailable);
    for size in 0..LENGTH {
        let mut small = vec![0xaa; size];
        let why = recorder.record(&run, &table, &facts, &good, 0, &mut small);
        assert_eq!(why, Err(RecordError::Buffer { needed: LENGTH }));
        assert!(small.iter().all(|b| *b == 0xaa) && recorder.last().is_none());
    }
    // One second before its expiry it is none, and from there on it is.
    let w = recorder
        .record(&run, &table, &facts, &Selection { expiry: 50, ..good }, 49, &mut [0; LENGTH])
        .expect("a record");
    assert!(!w.decision.is_expired(49) && w.decision.is_expired(50));
}

#[test]
fn facts_of_an_older_epoch_are_refused() {
    let bytes = table_of("eu-chat");
    let table = Table::from_bytes(&bytes).expect("a table");
    let mut run = Run::start(&table, 0).expect("a run");
    let mut recorder = Recorder::new(0);
    for _ in 0..3 {
        to(&mut run, &table, &[node::DECIDE, node::DECIDE_FRESH]);
        if run.epoch() > 0 {
            let why = recorder.record(&run, &table, &open(&table, run.epoch() - 1), &selection(), 0, &mut [0; LENGTH]);
            assert_eq!(why, Err(RecordError::StaleFacts { needed: run.epoch() }));
            return;
        }
        to(&mut run, &table, &[node::SEND, node::CALL]);
        run.acknowledge(u32::MAX);
        let facts = open(&table, run.epoch());
        let unavailable = u8::try_from(OUTCOMES.iter().position(|o| *o == "unavailable").expect("one")).expect("few");
        run.advance(&table, run.generation(), unavailable, &facts).expect("a step");
    }
    panic!("no decision in a later epoch");
}

#[test]
fn evidence_digests_differ_in_each_scope_and_are_known_answers() {
    let key = EvidenceKey::new([9; 32], 3).expect("a key");
    let scope = |c: u8, p, class, e, r| Scope::new([c; 32], p, class, e, r);
    let here = scope(1, 2, 3, 3, 4).expect("a scope");
    let told = |s: &Scope| key.digest(s, b"what was seen").map(|d| hex(&d.0));
    let first = told(&here).expect("a digest");
    assert_eq!(first, "9df849cccbb2a397491dd932244720ba8ef8b7876d902717a24c0e2cb56f1bc4");
    // By the page: the scope's key first, then the evidence.
    let parts = [&[9; 32][..], &[1; 32], &[2, 0, 0, 0], &[3, 0], &[3, 0, 0, 0], &[4, 0, 0, 0]].concat();
    let scoped = blake3::derive_key("roadlaw evidence digest 1", &parts);
    assert_eq!(first, hex(blake3::keyed_hash(&scoped, b"what was seen").as_bytes()));
    let others = [scope(2, 2, 3, 3, 4), scope(1, 9, 3, 3, 4), scope(1, 2, 9, 3, 4), scope(1, 2, 3, 3, 9)];
    let mut all: Vec<String> = others.into_iter().map(|s| told(&s.expect("a scope")).expect("a digest")).collect();
    let next = EvidenceKey::new([9; 32], 4).expect("a key");
    all.push(hex(&next.digest(&scope(1, 2, 3, 4, 4).expect("a scope"), b"what was seen").expect("a digest").0));
    let renewed = EvidenceKey::new([8; 32], 3).expect("a key");
    all.push(hex(&renewed.digest(&here, b"what was seen").expect("a digest").0));
    all.push(hex(&key.digest(&here, b"what was not").expect("a digest").0));
    all.push(hex(blake3::hash(b"what was seen").as_bytes()));
    all.push(first);
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(scope(0, 2, 3, 3, 4), Err(ScopeError::Consumer));
    assert_eq!(scope(1, 0, 3, 3, 4), Err(ScopeError::Purpose));
    assert_eq!(scope(1, 2, 0, 3, 4), Err(ScopeError::Class));
    assert_eq!(scope(1, 2, 3, 0, 4), Err(ScopeError::Epoch));
    assert_eq!(scope(1, 2, 3, 3, 0), Err(ScopeError::Retention));
    assert_eq!(next.digest(&here, b"x"), Err(ScopeError::Epoch));
    // Every length up to the longest, against another BLAKE3.
    let evidence: Vec<u8> = (0..=1_024_u32).map(|i| u8::try_from(i % 251).expect("small")).collect();
    for length in 0..=1_024 {
        let d = key.digest(&here, &evidence[..length]).expect("a digest");
        assert_eq!(d.0, *blake3::keyed_hash(&scoped, &evidence[..length]).as_bytes(), "{length} bytes");
    }
    assert_eq!(key.digest(&here, &evidence), Err(ScopeError::Evidence));
    assert_eq!(EvidenceKey::new([0; 32], 1).err(), Some(ScopeError::Key));
    assert_eq!(EvidenceKey::new([1; 32], 0).err(), Some(ScopeError::Epoch));
    assert_eq!(format!("{key:?}"), "EvidenceKey { epoch: 3, .. }");
}

#[test]
fn types_carry_obligations_through_a_run() {
    let bytes = table_of("first-eligible");
    let table = Table::from_bytes(&bytes).expect("a table");
    let mut plain = Run::start(&table, 0).expect("a run");
    let mut state = State::of(plain, &table).expect("its table");
    let (mut steps, mut dues) = (0, 0);
    loop {
        state = match state {
            State::Ready(ready) => {
                let facts = open(&table, ready.run().epoch());
                // An answer to another attempt gives the run back as it was.
                let other = ready.run().generation() + 1;
                let refused = ready.advance(&table, other, OK, &facts).expect_err("stale");
                assert_eq!(refused.why, RunError::StaleAttempt { current: other - 1 });
                let generation = refused.run.run().generation();
                let (next, step) = refused.run.advance(&table, generation, OK, &facts).expect("a step");
                plain.acknowledge(u32::MAX);
                assert_eq!(plain.advance(&table, generation, OK, &facts), Ok(step));
                steps += 1;
                next
            }
            State::Due(due) => {
                dues += 1;
                let open = due.obligations();
                assert_ne!(open, 0);
                assert_eq!(due.run().obligations(), open);
                // The lowest alone: while others are open it stays due.
                let lowest = open & open.wrapping_neg();
                match due.met(lowest) {
                    State::Due(rest) => {
                        assert_eq!(rest.obligations(), open & !lowest);
                        State::Due(rest)
                    }
                    other => {
                        assert_eq!(open, lowest);
                        other
                    }
                }
            }
            State::Ended(ended) => {
                assert_eq!(ended.run().node(), plain.node());
                break;
            }
        };
    }
    assert!(steps > 5 && dues > 2, "{steps} steps, {dues} obligations");
    let other = table_of("eu-chat");
    let other = Table::from_bytes(&other).expect("a table");
    assert_eq!(State::of(plain, &other), Err(RunError::PinnedPolicyUnavailable));
}
