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

#[test]
fn verify_asks_for_the_policy_or_for_the_key() {
    let run = roadlaw().run(&["verify", "app.table"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("<--source <FILE>|--key <PEM>>"), "{}", run.err);
}

/// Whatever `check` and `decide` print, `explain` knows: "more: roadlaw explain U001" leads somewhere.
#[test]
fn codes_that_are_no_laws_are_explained() {
    let text = roadlaw_grammar::code::ALL.iter();
    for (code, meaning) in text.chain(roadlaw_compiler::lower::codes::ALL) {
        let run = roadlaw().run(&["explain", code]);
        assert_eq!((run.code, run.out.as_str()), (0, format!("{code}  {meaning}\n").as_str()));
    }
    for code in ["F001", "F002", "F003", "F004", "F005", "T001"] {
        assert_eq!(roadlaw().run(&["explain", code]).code, 0, "{code}");
    }
}

/// The numbers of each family, without a gap. What a policy cannot break is explained as well, and says who keeps it.
#[test]
fn every_code_of_the_catalogue_is_explained() {
    let families = [(1, 10), (101, 117), (201, 209), (301, 313), (401, 409), (501, 502), (601, 604)];
    let numbers = families.into_iter().chain([(701, 707), (801, 803), (901, 904)]).flat_map(|(a, b)| a..=b);
    let codes: Vec<String> = numbers.map(|n| format!("RL{n:03}")).chain(["RA".to_owned()]).collect();
    let mut wrong = Vec::new();
    for code in &codes {
        let run = roadlaw().run(&["--format", "json", "explain", code]);
        if run.code != 0 {
            wrong.push(format!("{code}: {}", run.out));
            continue;
        }
        let json = run.json();
        let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
        let words = |key: &str| text(key).split_whitespace().count();
        if words("protects") < 12 || words("fix") < 6 || words("bad") < 3 || text("bad") == text("repaired") {
            wrong.push(format!("{code}: says too little: {json}"));
        }
        let keeper = if code == "RL904" { "kept by the runtime" } else { "strict" };
        if !text("checked").contains(keeper) {
            wrong.push(format!("{code}: checked by {}", text("checked")));
        }
        // A fault of the compiler, or of the program around the table, is not to be sought in the policy.
        let elsewhere = match code.as_str() {
            "RL901" | "RL902" => "never of your policy",
            "RL904" => "The runtime refuses",
            "RA" => "assertion",
            _ => "",
        };
        if !text("fix").contains(elsewhere) {
            wrong.push(format!("{code}: does not say where to look: {}", text("fix")));
        }
        let shown = roadlaw().run(&["explain", code]).out;
        if !shown.contains("rejected") || !shown.contains("accepted") || !shown.contains("how to mend it") {
            wrong.push(format!("{code}: {shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known = std::fs::read_to_string(repository().join("compiler/LAWS.md")).expect("the page of laws");
    let listed = known.lines().filter_map(|l| l.strip_prefix("## ")?.split_once(':')).map(|(code, _)| code.to_owned());
    assert_eq!(listed.collect::<Vec<_>>(), codes, "a code is explained that is not listed here");
}
