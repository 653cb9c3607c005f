//! Proof manifests: they fit their schema, the checker takes what is right, and refuses what somebody changed.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::manifest::{Group, Manifest, Test, hex};
use roadlaw_compiler::model::{Model, Type};
use roadlaw_compiler::prove::Settings;
use roadlaw_compiler::recheck::{Rechecked, Refusal, read, recheck};
use roadlaw_compiler::table::Options;
use roadlaw_compiler::{pipeline, table, validate};
use roadlaw_runtime::format::{CHECKSUM_AT, DIGEST_AT, PROOF_AT, checksum};
use roadlaw_tests::{Program, SHORTEST, policies, repository};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

struct Built {
    model: Model,
    table: Vec<u8>,
    proof: Manifest,
}

fn built(input: Input) -> Built {
    let model = lower(input.clone()).model.expect("a model");
    let checked = pipeline::check_with(input, Options::default(), Settings { record: true, ..Settings::default() });
    let table = checked.table.unwrap_or_else(|| panic!("{:?}", checked.report.diagnostics));
    let proof = checked.report.proof.and_then(|p| p.manifest(&model, &table)).expect("a recorded proof");
    Built { model, table, proof }
}

fn text(text: &str) -> Input {
    Input { name: "p.road".to_owned(), bytes: text.as_bytes().to_vec(), root: None }
}

fn file(path: &Path) -> Input {
    let bytes = fs::read(path).expect("a policy");
    Input { name: path.display().to_string(), bytes, root: path.parent().map(Path::to_owned) }
}

fn example(name: &str) -> Built {
    built(file(&repository().join("examples").join(name)))
}

impl Built {
    fn again(&self) -> Result<Rechecked, Refusal> {
        recheck(&self.proof, &self.model, &self.table)
    }

    /// Makes all digests fit again, as somebody who knows the formats could.
    fn reseal(&mut self) {
        let certificate = *blake3::hash(self.proof.certificate().as_bytes()).as_bytes();
        self.table[PROOF_AT..PROOF_AT + 32].copy_from_slice(&certificate);
        let sum = checksum(&self.table);
        self.table[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&sum.to_le_bytes());
        let digest = table::digest(&self.table);
        self.table[DIGEST_AT..DIGEST_AT + 32].copy_from_slice(&digest);
        self.proof.digests.proof = hex(&certificate);
        self.proof.digests.table = hex(&digest);
    }

    /// The proof is refused, and the refusal says this.
    fn refused(mut self, what: &str, reseal: bool) {
        if reseal {
            self.reseal();
        }
        match self.again() {
            Ok(r) => panic!("taken as right: {r:?}; wanted: {what}"),
            Err(e) => assert!(e.to_string().contains(what), "{e}\nwanted: {what}"),
        }
    }
}

#[test]
fn every_proved_policy_fits_the_schema_and_is_rechecked() {
    let schema: Value = serde_json::from_str(include_str!("../../compiler/proof.schema.json")).expect("a schema");
    let schema = jsonschema::validator_for(&schema).expect("a valid schema");
    let mut methods = std::collections::BTreeMap::new();
    for path in ["examples", "tests/accepted"].into_iter().flat_map(policies) {
        let b = built(file(&path));
        let json = b.proof.to_json();
        let value: Value = serde_json::from_str(&json).expect("JSON");
        let faults: Vec<String> = schema.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        assert_eq!(read(json.as_bytes()).as_ref(), Ok(&b.proof), "{}", path.display());
        let seen = b.again().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(seen.total, b.proof.obligations.len());
        assert_eq!(seen.total, seen.checked.values().sum::<usize>() + seen.trusted.len());
        for (how, n) in seen.checked {
            *methods.entry(how).or_insert(0) += n;
        }
        // The only figures above a ceiling that no facts reach.
        let trusted = if path.ends_with("never-both-costs.road") { 3 } else { 0 };
        assert_eq!(seen.trusted.len(), trusted, "{}: {:?}", path.display(), seen.trusted);
    }
    let reached: Vec<&str> = methods.into_keys().collect();
    assert_eq!(reached, ["counting", "facts", "invariant", "reading", "run", "two runs"]);
}

#[test]
fn the_schema_refuses_what_is_no_proof() {
    let schema: Value = serde_json::from_str(include_str!("../../compiler/proof.schema.json")).expect("a schema");
    let schema = jsonschema::validator_for(&schema).expect("a valid schema");
    let good = serde_json::to_value(built(text(SHORTEST)).proof).expect("JSON");
    assert!(schema.is_valid(&good));
    for (pointer, value) in [
        ("/schema", Value::from("roadlaw proof 2")),
        ("/digests/table", Value::from("abc")),
        ("/obligations/0/method", Value::from("hearsay")),
        ("/obligations/0/law", Value::from("RL1")),
        ("/tracks/0/invariant/0/states/0", Value::from(vec![1, 2])),
        ("/conditions", Value::from(vec![Value::from(vec![0, 1])])),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        assert!(!schema.is_valid(&bad), "{pointer}");
    }
}

#[test]
fn a_changed_digest_or_name_is_refused() {
    let fresh = || built(text(SHORTEST));
    let mut b = fresh();
    b.proof.digests.model = hex(&[7; 32]);
    b.refused("the model is another", false);
    let mut b = fresh();
    b.proof.digests.table = hex(&[7; 32]);
    b.refused("the table is another", false);
    let mut b = fresh();
    b.proof.digests.proof = hex(&[7; 32]);
    b.refused("the list of obligations is another", false);
    let mut b = fresh();
    b.proof.policy = "app.other@1".to_owned();
    b.refused("the policy is another", false);
    let mut b = fresh();
    b.proof.cells.swap(0, 1);
    b.refused("the list of cells is another", false);
}

#[test]
fn a_dropped_or_added_obligation_is_refused() {
    // Without new digests the table already says that one is gone.
    let mut b = example("first-eligible.road");
    b.proof.obligations.remove(0);
    b.refused("the list of obligations is another", false);
    // With them the checker still knows what is due: each single one.
    let whole = example("first-eligible.road");
    for i in 0..whole.proof.obligations.len() {
        let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
        let gone = b.proof.obligations.remove(i);
        b.refused(&format!("{} of", gone.law), true);
    }
    let mut b = example("first-eligible.road");
    let copy = b.proof.obligations[0].clone();
    b.proof.obligations.push(copy);
    b.refused("the policy owes no such thing", true);
}

/// The first track whose invariant bounds facts somewhere.
#[test]
fn an_obligation_that_was_not_settled_is_refused() {
    let count = example("first-eligible.road").proof.obligations.len();
    for method in ["undecided", "refuted", "not run", ""] {
        let mut b = example("first-eligible.road");
        b.proof.obligations[count / 2].method = method.to_owned();
        b.refused(&format!("it is not proved by `{method}`"), true);
    }
    // Nor by what settles obligations of another kind.
    let mut b = example("first-eligible.road");
    b.proof.obligations.iter_mut().find(|o| o.method == "invariant").expect("an invariant").method =
        "static".to_owned();
    b.refused("it is not proved by `static`", true);
}

fn bounded(b: &Built) -> usize {
    b.proof.tracks.iter().position(|t| t.invariant.iter().any(|g| g.condition > 1)).expect("a bounded invariant")
}

#[test]
fn an_invariant_without_one_of_its_states_is_refused() {
    let whole = example("first-eligible.road");
    let track = bounded(&whole);
    let groups = &whole.proof.tracks[track].invariant;
    let states: Vec<(usize, usize)> =
        groups.iter().enumerate().flat_map(|(g, group)| (0..group.states.len()).map(move |s| (g, s))).collect();
    assert!(states.len() > 20);
    for (g, s) in states {
        let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
        b.proof.tracks[track].invariant[g].states.remove(s);
        b.refused("the invariant of", true);
    }
}

#[test]
fn an_invariant_that_is_too_wide_or_too_narrow_is_refused() {
    let whole = example("first-eligible.road");
    let track = bounded(&whole);
    let fresh = || Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
    // Always, everywhere: a bad step is open inside.
    let mut b = fresh();
    b.proof.tracks[track].invariant.iter_mut().for_each(|g| g.condition = 1);
    b.refused("is inside", true);
    // Never, everywhere: not even the start is inside.
    let mut b = fresh();
    b.proof.tracks[track].invariant.iter_mut().for_each(|g| g.condition = 0);
    b.refused("the start of the flow is not inside", true);
    // Every node with the gate missing, which no run reaches.
    let mut b = fresh();
    let gate = b.proof.tracks.iter().position(|t| t.name == "Cls(gpt)").expect("classify before send");
    let known: Vec<_> = b.proof.tracks[gate].invariant.iter().flat_map(|g| g.states.clone()).collect();
    let nodes = u32::try_from(b.model.nodes.len()).expect("few");
    let states: Vec<_> = (0..nodes).map(|n| (n, 0, None)).filter(|s| !known.contains(s)).collect();
    assert!(!states.is_empty());
    b.proof.tracks[gate].invariant.push(Group { condition: 1, states });
    b.refused("that breaks RL101 is inside", true);
    // Conditions that speak of later ones, or of no cell.
    let mut b = fresh();
    b.proof.conditions[0].1 = 2;
    b.refused("does not stand before it", true);
    let mut b = fresh();
    b.proof.conditions[0].0 = u32::MAX;
    b.refused("does not stand before it", true);
    // The evidence of another law.
    let mut b = fresh();
    b.proof.tracks.swap(0, 1);
    b.refused("stands where", true);
    let mut b = fresh();
    b.proof.tracks.pop();
    b.refused("invariants, and the policy asks for", true);
}

#[test]
fn every_test_of_an_invariant_counts() {
    // Each condition with its sides changed: the invariant is wider here and narrower there, and mostly wrong.
    let whole = example("eu-chat.road");
    let mut refused = 0;
    for i in 0..whole.proof.conditions.len() {
        let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
        let (test, yes, no) = b.proof.conditions[i];
        b.proof.conditions[i] = (test, no, yes);
        refused += usize::from(b.again().is_err());
    }
    assert_eq!(refused, whole.proof.conditions.len());
}

#[test]
fn a_run_that_does_not_run_is_refused() {
    let whole = example("eu-chat.road");
    let at = whole.proof.obligations.iter().position(|o| o.law == "RL303").expect("a fallback with words");
    let used = whole.proof.obligations.iter().position(|o| o.by == "liveness").expect("a road");
    let fresh = || Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
    let mut b = fresh();
    b.proof.obligations[at].run = None;
    b.refused("there is no run", true);
    let mut b = fresh();
    b.proof.obligations[used].run.as_mut().expect("a run").steps.pop();
    b.refused("the run does not show it", true);
    let mut b = fresh();
    b.proof.obligations[used].run.as_mut().expect("a run").steps.remove(1);
    b.refused("do not follow each other", true);
    let mut b = fresh();
    b.proof.obligations[used].run.as_mut().expect("a run").start.clear();
    b.refused("is not open", true);
    let mut b = fresh();
    let run = b.proof.obligations[at].run.as_mut().expect("a run");
    run.pair = run.pair.map(|(s, d)| (d, s));
    b.refused("the run does not show it", true);
    let mut b = fresh();
    b.proof.obligations[used].run.as_mut().expect("a run").steps[1].after.push((0, Some(1)));
    b.refused("changes where it may not", true);
}

#[test]
fn another_table_or_source_is_refused() {
    let a = example("first-eligible.road");
    let b = example("eu-chat.road");
    assert!(matches!(recheck(&a.proof, &b.model, &a.table), Err(Refusal::Digest { what: "policy", .. })));
    assert!(matches!(recheck(&a.proof, &a.model, &b.table), Err(Refusal::Digest { what: "table", .. })));
    let mut changed = a.model.clone();
    changed.roads[1].filters.pop();
    assert!(matches!(recheck(&a.proof, &changed, &a.table), Err(Refusal::Digest { what: "model", .. })));
}

#[test]
fn every_changed_byte_of_a_table_is_refused_or_harmless() {
    // Digests are repaired, so that only what the bytes say is left. Harmless is what the compiler's own validation, which has
    // another reader and Z3, finds equal as well: a column that points to other rows with the same bits.
    let whole = example("first-eligible.road");
    let header = roadlaw_runtime::format::HEADER;
    let mut harmless = 0;
    for at in header..whole.table.len() {
        let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
        b.table[at] ^= 1 << (at % 8);
        b.reseal();
        if b.again().is_ok() {
            assert!(validate::check(&b.table, &b.model).is_ok(), "byte {at}");
            harmless += 1;
        }
    }
    assert!(harmless < 5, "{harmless}");
}

#[test]
fn a_subject_that_stands_elsewhere_is_refused() {
    let mut b = example("first-eligible.road");
    b.proof.obligations[3].subject.start += 1;
    b.refused("stands elsewhere", false);
}

#[test]
fn laws_that_did_not_run_are_not_claimed() {
    let mut b = example("pick-model.road");
    assert!(!b.proof.laws.iter().any(|l| l == "RL104") && !b.proof.left_out.is_empty());
    b.proof.laws.push("RL104".to_owned());
    b.refused("list of laws", true);
    let mut b = example("pick-model.road");
    b.proof.left_out.pop();
    b.refused("left out", true);
}

#[test]
fn a_method_that_is_not_that_of_its_law_is_refused() {
    let whole = example("eu-chat.road");
    let methods = ["dominance", "invariant", "facts", "reached", "two runs", "static", "trusted", ""];
    let mut seen = std::collections::BTreeSet::new();
    for (i, o) in whole.proof.obligations.iter().enumerate() {
        if !seen.insert(o.method.as_str()) {
            continue;
        }
        for other in methods.into_iter().filter(|m| *m != o.method) {
            let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
            b.proof.obligations[i].method = other.to_owned();
            b.refused("it is not proved by", true);
        }
    }
    assert_eq!(
        seen.into_iter().collect::<Vec<_>>(),
        ["dominance", "facts", "invariant", "reached", "static", "two runs"]
    );
}

#[test]
fn evidence_that_its_method_does_not_have_is_refused() {
    let whole = example("eu-chat.road");
    let run = whole.proof.obligations.iter().find_map(|o| o.run.clone()).expect("a run");
    for i in 0..whole.proof.obligations.len() {
        let fresh = || Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
        let mut b = fresh();
        if b.proof.obligations[i].run.is_none() {
            b.proof.obligations[i].run = Some(run.clone());
            b.refused("of another method", false);
        }
        let mut b = fresh();
        if b.proof.obligations[i].track.is_none() {
            b.proof.obligations[i].track = Some(0);
            b.refused("of another method", false);
        }
    }
}

#[test]
fn numbers_beyond_every_cell_overflow_nothing() {
    let whole = example("eu-chat.road");
    for cell in 0..u32::try_from(whole.model.facts.len()).expect("few") {
        for range in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (i64::MIN, i64::MIN), (i64::MAX, i64::MAX)] {
            let mut b = Built { model: whole.model.clone(), table: whole.table.clone(), proof: whole.proof.clone() };
            b.proof.tests.push(Test::Values { cell, ranges: vec![range], unknown: true });
            // A set has no numbers; every other cell has a test that nothing asks.
            let set = matches!(b.model.facts[cell as usize].ty, Type::Set(_));
            assert_eq!(b.again().is_err(), set, "cell {cell}, {range:?}");
        }
    }
}

#[test]
fn what_is_no_proof_is_unusable() {
    let json = built(text(SHORTEST)).proof.to_json();
    for n in (0..json.len() - 2).step_by(97) {
        assert!(read(&json.as_bytes()[..n]).expect_err("truncated").unreadable(), "{n} bytes");
    }
    let later = json.replacen("roadlaw proof 1", "roadlaw proof 2", 1);
    let refusal = read(later.as_bytes()).expect_err("another version");
    assert_eq!(refusal.to_string(), "it is a `roadlaw proof 2`, and this program reads a `roadlaw proof 1`");
    let more = json.replacen("{", "{\"trust_me\":true,", 1);
    assert!(read(more.as_bytes()).expect_err("an unknown field").to_string().contains("trust_me"));
}

#[test]
fn the_same_source_gives_the_same_proof() {
    let path = repository().join("examples/eu-chat.road");
    assert_eq!(built(file(&path)).proof.to_json(), built(file(&path)).proof.to_json());
}

#[test]
fn the_solvers_are_named_by_the_versions_that_are_locked() {
    let lock = fs::read_to_string(repository().join("Cargo.lock")).expect("Cargo.lock");
    let proof = built(text(SHORTEST)).proof;
    let (name, version) = proof.solvers["diagrams"].split_once(' ').expect("name and version");
    assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}.")), "{name} {version}");
    assert!(proof.solvers["z3"].contains("4."), "{}", proof.solvers["z3"]);
}

#[test]
fn the_checker_imports_neither_engines_nor_solvers() {
    let folder = repository().join("compiler/src/recheck");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    files.push(repository().join("compiler/src/manifest.rs"));
    files.push(repository().join("compiler/src/graph.rs"));
    for entry in fs::read_dir(repository().join("compiler/src/laws")).expect("a folder") {
        files.push(entry.expect("an entry").path());
    }
    assert!(files.len() > 15);
    for path in files.into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(&path).expect("a source file");
        let code = text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        for word in ["prove::", "z3::", "biodivine", "validate::", "table::build", "use z3", "{prove"] {
            assert!(!code.contains(word), "{} uses `{word}`", path.display());
        }
    }
}

#[test]
fn the_program_rechecks_and_says_why_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let roadlaw = || Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), folder.path());
    let source = fs::read_to_string(repository().join("examples/first-eligible.road")).expect("a policy");
    fs::write(folder.path().join("p.road"), &source).expect("written");
    fs::write(folder.path().join("q.road"), source.replace("spend 5 cents", "spend 6 cents")).expect("written");
    fs::write(folder.path().join("bad.road"), source.replace("road gpt", "raod gpt")).expect("written");
    let run = roadlaw().run(&["build", "p.road", "-o", "p.table", "--proof", "p.json"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = roadlaw().run(&["recheck", "p.json", "--source", "p.road", "--table", "p.table"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.starts_with("rechecked  p.json  policy app.ask@1\n"), "{}", run.out);
    let run = roadlaw().run(&["recheck", "p.json", "--source", "p.road", "--table", "p.table", "--format", "json"]);
    assert_eq!(run.json()["verdict"], "proved");
    assert_eq!(run.json()["trusted"], serde_json::json!([]));
    let run = roadlaw().run(&["recheck", "p.json", "--source", "q.road", "--table", "p.table"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("rejected   p.json: the model is another: "), "{}", run.out);
    let run = roadlaw().run(&["recheck", "p.json", "--source", "bad.road", "--table", "p.table"]);
    assert_eq!(run.code, 1, "{}", run.out);
    let json = fs::read_to_string(folder.path().join("p.json")).expect("a proof");
    fs::write(folder.path().join("cut.json"), &json[..json.len() / 2]).expect("written");
    let run = roadlaw().run(&["recheck", "cut.json", "--source", "p.road", "--table", "p.table"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("cut.json") && run.err.contains("it is no proof"), "{}", run.err);
    fs::write(folder.path().join("new.json"), json.replacen("roadlaw proof 1", "roadlaw proof 9", 1)).expect("written");
    let run = roadlaw().run(&["recheck", "new.json", "--source", "p.road", "--table", "p.table"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("`roadlaw proof 9`"), "{}", run.err);
    let run = roadlaw().run(&["recheck", "none.json", "--source", "p.road", "--table", "p.table"]);
    assert_eq!(run.code, 2);
    // Where the proof cannot be written, neither is the table.
    let run = roadlaw().run(&["build", "p.road", "-o", "other.table", "--proof", "no/such/folder.json"]);
    assert_eq!(run.code, 2);
    assert!(!folder.path().join("other.table").exists());
}
