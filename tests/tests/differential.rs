//! The compiler against the reference: random small policies, and the same verdicts and codes from both.
//!
//! `ROADLAW_CASES`, `ROADLAW_SEED` and `ROADLAW_FROM` make it longer and different: cases are numbered, and each depends on
//! the seed and its number alone, so that figures of several ranges add up.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::model::{Edge, FactId, NodeId, Outcome};
use roadlaw_compiler::prove::{Verdict, prove};
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_tests::SHORTEST;
use roadlaw_tests::differential::bases::{bases, clear, model, two_portals};
use roadlaw_tests::differential::compare::{Mended, Mix, case, replays};
use roadlaw_tests::differential::restrict::restricted;
use roadlaw_tests::reference::search;
use std::collections::BTreeSet;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_compiler_and_the_reference_give_the_same_verdicts() {
    let bases = bases();
    let (from, cases, seed) = (number("ROADLAW_FROM", 0), number("ROADLAW_CASES", 400), number("ROADLAW_SEED", 1));
    let (mut mended, mut mix) = (Mended::new(), Mix::default());
    for i in from..from + cases {
        let before = mix.wrong.len();
        case(&bases, &mut mended, seed, i, &mut mix);
        for w in &mix.wrong[before..] {
            println!("{w}");
        }
        // A long run that is stopped leaves the figures of all but its last cases.
        if (i + 1 - from) % 1_000 == 0 {
            println!("{} cases from {from} of seed {seed}: {}", i + 1 - from, mix.line());
        }
    }
    println!("{cases} cases from {from} of seed {seed}: {}", mix.line());
    assert!(mix.wrong.is_empty(), "{} disagree\n{}", mix.wrong.len(), mix.wrong.join("\n"));
    let often = |verdict| mix.verdicts.get(verdict).is_some_and(|n| *n > cases / 5);
    assert!(cases < 100 || often("proved") && often("rejected") && mix.codes.len() >= 12, "{}", mix.line());
}

/// The pairs of laws that random policies do not come to: the reference finds the law in the one and not in the other.
#[test]
fn pairs_of_rare_laws_on_runs_are_read_alike_by_the_reference() {
    for law in ["RL116", "RL309"] {
        let folder = roadlaw_tests::repository().join("tests/laws").join(law);
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).expect("a folder").map(|f| f.expect("an entry").path()).collect();
        files.sort();
        let mut seen = 0;
        for file in files {
            let name = file.display().to_string();
            let out = lower(Input { name: name.clone(), bytes: std::fs::read(&file).expect("text"), root: None });
            if out.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                // Broken by its text alone: no run is there to be searched.
                continue;
            }
            let model = out.model.expect("a model");
            let given = model.tests.last().map(|t| t.facts.clone()).unwrap_or_default();
            let m = restricted(&model, &given, &BTreeSet::new());
            let found = search::search(&m, 200_000);
            assert!(found.complete, "{name}: {} states", found.states);
            let broken: BTreeSet<&str> = found.broken.into_keys().collect();
            assert_eq!(broken.contains(law), name.ends_with(".bad.road"), "{name}: {broken:?}");
            seen += 1;
        }
        assert!(seen >= 4, "{law}: {seen}");
    }
}

#[test]
fn the_policies_that_are_changed_are_proved() {
    // With all other facts fixed, fewer pairs of roads are real, and so are fewer words of a fallback edge.
    for (text, stays) in [(SHORTEST.to_owned(), vec![false, true]), (two_portals(), vec![true])] {
        for stay in stays {
            let m = model(&clear(&text));
            let all: BTreeSet<FactId> = search::free(&m).into_iter().map(|(f, _)| f).collect();
            let given = m.tests.last().map(|t| t.facts.clone()).unwrap_or_default();
            let m = restricted(&m, &given, &if stay { all } else { BTreeSet::new() });
            let report = prove(&m);
            let why: Vec<_> = report
                .diagnostics
                .iter()
                .filter(|x| x.severity == Severity::Error)
                .map(|x| format!("{} {} {:?}", x.code, x.message, x.help))
                .collect();
            assert_eq!((report.verdict, why), (Verdict::Proved, Vec::new()), "{}", m.name);
        }
    }
}

/// Seen by a random policy: where nothing has returned there is nothing to be quarantined, and what is missing is its
/// validation.
#[test]
fn adopting_what_never_returned_lacks_its_validation() {
    let mut m = model(&clear(&two_portals()));
    let node = |name: &str| m.nodes.iter().position(|n| n.name == name).expect("a node");
    let (from, to) = (node("reserve(gpt)"), node("accept(gpt).adopt"));
    let ok = |e: &Edge| e.from.index() == from && e.outcome == Outcome::Ok;
    let edge = m.edges.iter().position(ok).expect("an edge");
    m.edges[edge].to = NodeId(u32::try_from(to).expect("small"));
    let given = m.tests.last().map(|t| t.facts.clone()).unwrap_or_default();
    let m = restricted(&m, &given, &BTreeSet::new());
    let found = search::search(&m, 200_000);
    assert!(replays(&m, &found.broken["RL111"], "RL111"), "the interpreter names another law");
}
