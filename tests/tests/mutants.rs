//! `roadlaw mutate`: each fate on a small policy, every operator at work, and no mutant of an example that nothing notices.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::mutate::operators::{CATALOGUE, all};
use roadlaw_compiler::mutate::{Fate, Mutant, Mutated, mutate};
use roadlaw_tests::{Program, golden, repository};
use std::collections::BTreeSet;
use std::path::Path;

/// A pure decision: as small as a policy gets. `{tests}` is where its tests go.
const SMALL: &str = r#"edition 1
policy small.pick@1 profile choice {
  facts {
    sealed   private : bool  unknown = true
    volatile up      : bool per road
    pinned   size    : int 0..100
    pinned   kind    : enum { a, b, c }
  }
  road near : option { filters { up : up[near] } }
  road far  : option { filters { up : up[far]  clean : not private  small : size < 10  tiny : size <= 50  sort : kind in { a, b } } }
  flow {
    start -> choose
    choose { near, far } in order each -> done
    choose.none -> pending_no_road
    else        -> refused(input)
  }
  {tests}
}
"#;

fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_owned(), bytes: text.as_bytes().to_vec(), root: None }
}

fn small(tests: &str, only: &[&str]) -> Vec<Mutant> {
    match mutate(&input("small.road", &SMALL.replace("{tests}", tests)), only) {
        Mutated::Mutants { mutants, .. } => mutants,
        unfit => panic!("{unfit:?}"),
    }
}

fn fate<'m>(mutants: &'m [Mutant], what: &str) -> &'m Fate {
    let found: Vec<&Mutant> = mutants.iter().filter(|m| m.what.contains(what)).collect();
    let [one] = found.as_slice() else { panic!("{what}: {:#?}", mutants.iter().map(|m| &m.what).collect::<Vec<_>>()) };
    &one.fate
}

#[test]
fn a_law_rejects_a_test_catches_a_proof_excuses_and_the_rest_is_alive() {
    let untested = small("", &[]);
    // Without the `else` an unknown fact leads nowhere.
    assert!(matches!(fate(&untested, "`each -> done` left out"), Fate::Rejected { code: "RL703", .. }));
    // Whoever passes `small` passes `tiny`.
    assert_eq!(fate(&untested, "filter `tiny` left out"), &Fate::Equivalent { how: "the same decisions and runs" });
    let Fate::Alive { differs } = fate(&untested, "filter `small` left out") else { panic!("it is alive") };
    assert!(differs.contains("far"), "{differs}");
    let Fate::Alive { differs } = fate(&untested, "`near` and `far` swapped") else { panic!("it is alive") };
    assert!(differs.contains("choose"), "{differs}");

    let tested = small(
        r#"test "not too large" { not private, up[far], size 10, kind b } => pending_no_road because far: small
  test "near first" { not private, up[near], up[far], size 1, kind a } => done via choose.near"#,
        &["drop-filter", "swap-order"],
    );
    assert!(tested.iter().all(|m| ["drop-filter", "swap-order"].contains(&m.operator)));
    assert_eq!(fate(&tested, "filter `small` left out"), &Fate::Caught { test: "not too large".to_owned() });
    assert_eq!(fate(&tested, "`near` and `far` swapped"), &Fate::Caught { test: "near first".to_owned() });
}

/// A road that an order names behind `without` goes with the word, so that what is judged is a policy and not a slip of the pen.
#[test]
fn a_candidate_that_a_profile_leaves_out_goes_with_its_without() {
    let by = SMALL.replace(
        "in order each",
        "by kind { a : order near, far  b : order far without near  c : order near, far } each",
    );
    let by = by.replace("kind    : enum { a, b, c }", "kind    : enum { a, b, c }  unknown = a").replace("{tests}", "");
    let Mutated::Mutants { mutants, .. } = mutate(&input("small.road", &by), &["drop-candidate"]) else {
        panic!("proved")
    };
    let made: Vec<&str> = mutants.iter().map(|m| m.what.as_str()).collect();
    // Without `far` the profile `b` would list nothing, which means everything.
    assert_eq!(made, ["`near` is no candidate"]);
    let rejected = Fate::Rejected { code: "RL704", message: "the road `near` can never be used".to_owned() };
    assert_eq!(mutants[0].fate, rejected);
}

#[test]
fn equivalence_is_claimed_only_where_no_facts_tell_the_two_apart() {
    // `<=` and `<` differ at 10 alone; 50 and 51 are both out of reach behind `small`.
    let mutants = small("", &["shift-number", "shift-comparison"]);
    for m in &mutants {
        let hidden = m.what.contains("`tiny`");
        assert_eq!(matches!(m.fate, Fate::Equivalent { .. }), hidden, "{m:?}");
        assert_eq!(matches!(m.fate, Fate::Alive { .. }), !hidden, "{m:?}");
    }
    assert_eq!(mutants.len(), 6, "{mutants:#?}");
}

#[test]
fn a_policy_that_is_not_proved_or_fails_its_tests_is_not_changed() {
    let broken = SMALL.replace("else        -> refused(input)", "").replace("{tests}", "");
    assert!(matches!(mutate(&input("small.road", &broken), &[]), Mutated::Unfit { failed, .. } if failed.is_empty()));
    let failing = SMALL.replace("{tests}", r#"test "wrong" { up[near] } => pending_no_road"#);
    let Mutated::Unfit { failed, checked } = mutate(&input("small.road", &failing), &[]) else { panic!("it is unfit") };
    assert_eq!((failed, checked.table.is_some()), (vec!["wrong".to_owned()], true));
}

#[test]
fn the_program_answers_with_exit_codes_and_in_both_formats() {
    let roadlaw = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.road");
    std::fs::write(&path, SMALL.replace("{tests}", "")).expect("written");
    let path = path.to_str().expect("a path");
    let run = roadlaw.run(&["mutate", path, "--only", "drop-filter", "--format", "json"]);
    let json = run.json();
    assert_eq!((run.code, json["verdict"].as_str()), (1, Some("rejected")), "{}", run.out);
    let of = |key: &str| json["score"][key].as_u64().expect("a number");
    assert_eq!(of("mutants"), ["rejected", "caught", "equivalent", "alive", "undecided"].map(of).iter().sum::<u64>());
    assert_eq!(json["mutants"].as_array().map(Vec::len), Some(6), "{}", run.out);
    let changed = &json["mutants"][0]["changed"][0];
    assert!(changed["before"][0].as_str().is_some_and(|l| l.contains("up[near]")), "{changed}");

    let run = roadlaw.run(&["mutate", "examples/pick-model.road", "--only", "drop-filter"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("none alive"), "{}", run.out);
    let run = roadlaw.run(&["mutate", "--list"]);
    assert_eq!((run.code, run.out.lines().count()), (0, all().count()));
    let run = roadlaw.run(&["mutate", path, "--only", "drop-gates"]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (2, "error: no operator `drop-gates`\n  help: did you mean `drop-gate`?\n")
    );
    assert_eq!(roadlaw.run(&["mutate"]).code, 2);
    assert_eq!(roadlaw.run(&["mutate", "nothing.road"]).code, 2);
    let run = roadlaw.run(&["mutate", "examples/bad/no-record.road", "--format", "json"]);
    assert_eq!((run.code, run.json()["verdict"].as_str()), (1, Some("rejected")), "{}", run.out);
}

#[test]
fn of_the_gateway_only_ceilings_that_its_profile_asks_of_nobody_are_alive() {
    let mutants = mutants_of(&repository().join("examples/gateway.road"));
    let noticed = |m: &&Mutant| !matches!(m.fate, Fate::Alive { .. } | Fate::Undecided { .. });
    let alive: Vec<&str> = mutants.iter().filter(|m| !noticed(m)).map(|m| m.what.as_str()).collect();
    assert_eq!(alive, ["ceiling `deadline` of `file` left out", "ceiling `retries` of `file` left out"]);
}

fn mutants_of(path: &Path) -> Vec<Mutant> {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let bytes = std::fs::read(path).expect("a policy");
    match mutate(&Input { name, bytes, root: path.parent().map(Path::to_owned) }, &[]) {
        Mutated::Mutants { mutants, .. } => mutants,
        unfit => panic!("{}: {unfit:?}", path.display()),
    }
}

/// Policies that stand for the others: `press-brief` and `independent-review` are larger ones of the same kinds.
const EXAMPLES: &[&str] = &["eu-chat", "first-eligible", "peer-and-job", "pick-model", "reach-answer", "review"];

#[test]
fn no_mutant_of_an_example_is_alive_and_every_operator_is_at_work() {
    let (mut scores, mut alive) = (String::new(), Vec::new());
    let mut idle: BTreeSet<&str> = all().map(|o| o.name).collect();
    for m in small("", &["drop-value"]) {
        idle.remove(m.operator);
    }
    for name in EXAMPLES {
        let mutants = mutants_of(&repository().join(format!("examples/{name}.road")));
        for m in &mutants {
            idle.remove(m.operator);
            if matches!(m.fate, Fate::Alive { .. } | Fate::Undecided { .. }) {
                alive.push(format!("{}:{} {}: {:?}", m.file, m.line, m.what, m.fate));
            }
        }
        let count = |word: &str| mutants.iter().filter(|m| m.fate.word() == word).count();
        let (rejected, caught, equivalent) = (count("rejected"), count("caught"), count("equivalent"));
        scores += &format!(
            "{name}: {} mutants, {rejected} rejected, {caught} caught, {equivalent} equivalent\n",
            mutants.len()
        );
    }
    assert!(alive.is_empty(), "\n{}", alive.join("\n"));
    assert_eq!(idle, BTreeSet::new(), "operators that have no place anywhere");
    if let Err(why) = golden("mutants.txt", &scores) {
        panic!("{why}");
    }
}

/// The page of operators, from the data that `roadlaw mutate --list` shows.
fn page() -> String {
    let mut out = String::from(
        "# Mutants\n\nWritten from `compiler/src/mutate/operators`, the data of `roadlaw mutate --list`; a test keeps it true.\n\n\
         `roadlaw mutate FILE` makes every change below, one at a time, wherever the policy has a place for it, and says for each\n\n\
         * **rejected**, by which code: a law, or a rule of the language, notices it;\n\
         * **caught**: a `test` block of the policy fails on it;\n\
         * **equivalent**: both policies are proved to decide and to run alike, for all facts and all outcomes;\n\
         * **alive**: nothing notices it, and a run is named in which the two part. A `test` is missing, or a promise;\n\
         * **undecided**: neither was proved. It is never counted as equivalent.\n\n\
         Promises (`never`, `always`) and tests are not changed: they say what must hold and change no run. A number that nothing\n\
         can call wrong (a deadline of 30 or 31 seconds) is not changed either, nor an attribute that has a default. Operators\n\
         marked *everywhere* also change what the policy uses of the shipped libraries: an author may write the same by hand.\n\
         The score counts the mutants that were noticed among those that are not equivalent.\n",
    );
    for family in CATALOGUE {
        out += &format!("\n## {}\n", family.title);
        for o in family.operators {
            let place = if o.shipped { " · *everywhere*" } else { "" };
            out += &format!("\n### {}{place}\n\n{}\n\n```diff\n{}\n```\n", o.name, o.meaning, o.example);
        }
    }
    out
}

#[test]
fn the_page_of_mutants_is_that_of_the_catalogue() {
    let path = repository().join("compiler/MUTANTS.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        std::fs::write(&path, page()).expect("compiler/MUTANTS.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "set UPDATE_GOLDEN=1 to bring compiler/MUTANTS.md up to date");
    let names: BTreeSet<&str> = all().map(|o| o.name).collect();
    assert_eq!(names.len(), all().count(), "names are unique");
}
