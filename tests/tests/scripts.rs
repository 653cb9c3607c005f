//! `roadlaw prove --smt2`: every script stands by itself and has the status that it says. `--engine`: one alone proves nothing.

use roadlaw_compiler::lower::{Input, lower};
use roadlaw_compiler::pipeline;
use roadlaw_compiler::prove::{Script, Settings};
use roadlaw_compiler::table::Options;
use roadlaw_tests::{Program, SHORTEST, policies, repository};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use z3::{SatResult, Solver};

fn scripts(input: Input) -> (Vec<Script>, usize) {
    let model = lower(input.clone()).model.expect("a model");
    let checked = pipeline::check_with(input, Options::default(), Settings { scripts: true, ..Settings::default() });
    let proof = checked.report.proof.unwrap_or_else(|| panic!("{:?}", checked.report.diagnostics));
    proof.scripts(&model)
}

fn file(path: &Path) -> Input {
    let bytes = fs::read(path).expect("a policy");
    Input { name: path.display().to_string(), bytes, root: path.parent().map(Path::to_owned) }
}

/// What a script says of itself.
fn status(text: &str) -> &str {
    let line = text.lines().find(|l| l.starts_with("(set-info :status ")).expect("a status");
    line.trim_start_matches("(set-info :status ").trim_end_matches(')')
}

#[test]
fn z3_reads_every_script_and_finds_its_status() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for path in ["examples", "tests/accepted"].into_iter().flat_map(policies) {
        let (all, _) = scripts(file(&path));
        for s in all {
            assert!(s.text.starts_with("; ") && s.text.ends_with("(exit)\n") && s.text.is_ascii(), "{}", s.name);
            let solver = Solver::new();
            // The commands that only tell a program what to do are not for this parser.
            let text = s.text.replace("(check-sat)", "").replace("(exit)", "");
            solver.from_string(text);
            assert!(!solver.get_assertions().is_empty(), "{} of {} was not read", s.name, path.display());
            let found = match solver.check() {
                SatResult::Sat => "sat",
                SatResult::Unsat => "unsat",
                SatResult::Unknown => "unknown",
            };
            assert_eq!(found, status(&s.text), "{} of {}", s.name, path.display());
            *seen.entry(status(&s.text).to_owned()).or_default() += 1;
        }
    }
    assert!(seen["sat"] > 100 && seen["unsat"] > 1000, "{seen:?}");
}

#[test]
fn every_obligation_but_those_counted_has_a_script() {
    let (all, without) = scripts(file(&repository().join("examples/first-eligible.road")));
    let checked = pipeline::check(file(&repository().join("examples/first-eligible.road")), Options::default());
    let by = &checked.report.obligations.by_method;
    assert_eq!(without, by["static"]);
    assert_eq!(all.len() + without, checked.report.obligations.total);
}

#[test]
fn the_program_writes_a_whole_folder_or_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let roadlaw = |arguments: &[&str]| Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), at).run(arguments);
    fs::write(at.join("p.road"), SHORTEST).expect("written");
    let run = roadlaw(&["prove", "p.road", "--smt2", "out"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let first: Vec<_> = fs::read_dir(at.join("out")).expect("a folder").collect();
    assert!(run.out.contains(&format!("wrote {} scripts to out", first.len())), "{}", run.out);
    // A folder with something in it is left as it is.
    let run = roadlaw(&["prove", "p.road", "--smt2", "out"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert_eq!(fs::read_dir(at.join("out")).expect("a folder").count(), first.len());
    fs::copy(repository().join("examples/bad/answer-taken-raw.road"), at.join("bad.road")).expect("copied");
    let run = roadlaw(&["prove", "bad.road", "--smt2", "none"]);
    assert_eq!(run.code, 1);
    assert!(!at.join("none").exists());
    let left: Vec<_> =
        fs::read_dir(at).expect("a folder").filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    assert!(left.iter().all(|n| !n.starts_with(".roadlaw-")), "{left:?}");
}

#[test]
fn one_engine_alone_proves_nothing() {
    let at = repository();
    let roadlaw = |arguments: &[&str]| Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &at).run(arguments);
    for engine in ["diagrams", "z3"] {
        let run = roadlaw(&["check", "examples/first-eligible.road", "--engine", engine]);
        assert_eq!(run.code, 3, "{}", run.out);
        assert!(run.out.contains(&format!("only the engine `{engine}` ran")), "{}", run.out);
        let run = roadlaw(&["check", "examples/bad/answer-taken-raw.road", "--engine", engine]);
        assert_ne!(run.code, 0, "{}", run.out);
        let run = roadlaw(&["build", "examples/first-eligible.road", "-o", "/dev/null", "--engine", engine]);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.contains("a table needs both engines"), "{}", run.err);
    }
    // The diagrams leave nothing open on their own; Z3 finds the fault by itself.
    let run = roadlaw(&["check", "examples/first-eligible.road", "--engine", "diagrams"]);
    assert!(!run.out.contains("error[RL903]"), "{}", run.out);
    let run = roadlaw(&["check", "examples/bad/answer-taken-raw.road", "--engine", "z3"]);
    assert!(run.out.contains("error[RL110]"), "{}", run.out);
}
