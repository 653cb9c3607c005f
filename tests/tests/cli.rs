//! The program at its edges: arguments, exit codes, streams.

use roadlaw_tests::{Program, repository};

fn roadlaw() -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository())
}

#[test]
fn explain_prints_the_law_in_both_formats() {
    let run = roadlaw().run(&["explain", "RL104"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("RL104  the payload is cut wherever the cut is needed\n"), "{}", run.out);
    assert!(!run.out.contains('\u{1b}'), "no colour into a pipe");
    let run = roadlaw().run(&["--format", "json", "explain", "rl104"]);
    assert_eq!((run.code, run.json()["code"].as_str()), (0, Some("RL104")));
}

#[test]
fn unknown_codes_are_usage_errors_with_a_suggestion() {
    let run = roadlaw().run(&["explain", "RL14"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(run.err, "error: no code `RL14`\n  help: did you mean `RL104`?\n");
    let run = roadlaw().run(&["explain", "RL14", "--format", "json"]);
    assert_eq!((run.code, run.json()["error"]["kind"].as_str()), (2, Some("usage")));
}

#[test]
fn colour_is_for_those_who_ask() {
    assert!(roadlaw().run(&["--color", "always", "explain", "RA"]).out.contains('\u{1b}'));
    assert!(!roadlaw().run(&["--color", "never", "explain", "RA"]).out.contains('\u{1b}'));
}

#[test]
fn wrong_arguments_end_with_2_and_help_with_0() {
    for arguments in [&[][..], &["frobnicate"], &["explain"], &["explain", "RA", "--format", "xml"]] {
        let run = roadlaw().run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(roadlaw().run(&["--help"]).code, 0);
    assert_eq!(roadlaw().run(&["--version"]).out, format!("roadlaw {}\n", env!("CARGO_PKG_VERSION")));
}
