//! Bad input of every kind: a clear error with a place, the right exit code, nothing written, never a crash.

use proptest::prelude::*;
use roadlaw_tests::{Program, Run, SHORTEST};
use std::fs;
use std::path::Path;

fn roadlaw(folder: &Path) -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), folder)
}

/// `check` of a policy in a folder of its own, as JSON.
fn check(bytes: &[u8]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.road"), bytes).expect("written");
    roadlaw(folder.path()).run(&["check", "p.road", "--format", "json"])
}

/// The shortest policy with one part replaced.
fn broken(old: &str, new: &str) -> Run {
    assert!(SHORTEST.contains(old), "{old}");
    check(SHORTEST.replacen(old, new, 1).as_bytes())
}

/// One error of this code on this line, whose message or help holds these words.
#[track_caller]
fn one(run: &Run, code: &str, line: u64, words: &[&str]) {
    let json = run.json();
    assert_eq!((run.code, json["verdict"].as_str()), (1, Some("rejected")), "{} {}", run.out, run.err);
    let all = json["diagnostics"].as_array().cloned().unwrap_or_default();
    let errors: Vec<_> = all.iter().filter(|d| d["severity"] == "error").collect();
    let found = errors.iter().any(|d| {
        let said = format!("{} {}", d["message"], d["help"]);
        d["code"] == code && d["span"]["line"] == line && words.iter().all(|w| said.contains(w))
    });
    assert!(found, "no {code} on line {line} with {words:?} in {}", run.out);
}

#[test]
fn the_shortest_policy_is_proved() {
    assert_eq!(check(SHORTEST.as_bytes()).code, 0);
    assert!(SHORTEST.lines().count() <= 20);
}

#[test]
fn deep_nesting_is_counted_not_followed() {
    let guard = "not labels empty";
    let line = 7;
    one(&broken(guard, &format!("{}labels empty{}", "(".repeat(500_000), ")".repeat(500_000))), "S009", line, &["64"]);
    one(&broken(guard, &format!("{} labels empty", "not ".repeat(200_000))), "S009", line, &["64"]);
    one(&check("{".repeat(1_000_000).as_bytes()), "S009", 1, &["64"]);
}

#[test]
fn a_huge_integer_is_named() {
    one(&broken("deadline 30s", "deadline 999999999999999999999999s"), "S003", 8, &["too large"]);
    let run = broken("sealed labels", "sealed size : int 0..99999999999  sealed labels");
    assert_eq!(run.code, 1, "{}", run.out);
    let run = broken("spend 5 cents", "spend 9223372036854775807 cents");
    assert!(matches!(run.code, 0 | 1 | 3), "{}", run.out);
}

#[test]
fn duplicate_names_show_both_places() {
    let road = "  road llama : native local_model { limits one { spend 0 } }\n";
    let run = broken(road, &format!("{road}{road}"));
    one(&run, "U002", 12, &["llama"]);
    let first = &run.json()["diagnostics"][0]["labels"][0]["span"]["line"];
    assert_eq!(*first, 11, "{}", run.out);
    one(&broken("spell \"ask\"", "spell \"ask\" spell \"ask\""), "U002", 5, &["spell"]);
}

#[test]
fn unknown_names_name_the_nearest() {
    one(&broken("std.first(llama, gpt)", "std.first(lama, gpt)"), "U001", 13, &["`lama`", "did you mean", "`llama`"]);
    one(&broken("use std.first", "use std.frist"), "U005", 4, &["did you mean", "std.first"]);
    one(&broken("when labelled", "when labeled"), "U001", 14, &["did you mean", "`labelled`"]);
}

#[test]
fn wrong_types_are_named() {
    one(&broken("not labels empty", "labels >= 3"), "U003", 7, &["labels"]);
    one(&broken("not labels empty", "labels"), "U003", 7, &["labels"]);
    one(&broken("{ labels { client }", "{ labels 4"), "U003", 15, &["labels"]);
}

#[test]
fn empty_sets_are_refused() {
    for (old, new) in [
        ("set { personal, secret, client }", "set { }"),
        ("not labels empty", "labels has any { }"),
        ("std.first(llama, gpt)", "std.first()"),
    ] {
        let run = broken(old, new);
        assert_eq!((run.code, run.codes()), (1, vec!["S001".to_owned()]), "{new}: {}", run.out);
    }
}

#[test]
fn text_that_is_no_utf8_has_a_place() {
    let mut bytes = SHORTEST.as_bytes().to_vec();
    let at = SHORTEST.find("policy").expect("the word");
    bytes[at] = 0xff;
    let run = check(&bytes);
    let json = run.json();
    assert_eq!(run.code, 1, "{}", run.out);
    assert_eq!(json["diagnostics"][0]["span"]["line"], 3, "{}", run.out);
    assert!(json["diagnostics"][0]["message"].as_str().is_some_and(|m| m.contains("UTF-8")), "{}", run.out);
}

#[test]
fn a_missing_final_brace_shows_where_it_was_opened() {
    let cut = SHORTEST.trim_end().trim_end_matches('}');
    let run = check(cut.as_bytes());
    let d = &run.json()["diagnostics"][0];
    assert_eq!((run.code, d["code"].as_str()), (1, Some("S006")), "{}", run.out);
    assert_eq!(d["labels"][0]["span"]["line"], 3, "{}", run.out);
}

#[test]
fn cyclic_use_and_use_of_nothing_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = |name: &str, uses: &str| {
        let text = format!("edition 1\nlibrary {name} {{\n  use {uses}\n}}\n");
        fs::write(folder.path().join(format!("{name}.road")), text).expect("written");
    };
    library("one", "two");
    library("two", "one");
    fs::write(folder.path().join("p.road"), SHORTEST.replacen("use std.first", "use std.first\n  use one", 1))
        .expect("written");
    let run = roadlaw(folder.path()).run(&["check", "p.road", "--format", "json"]);
    assert_eq!((run.code, run.codes()), (1, vec!["U005".to_owned()]), "{}", run.out);
    let run = broken("use std.first", "use std.first\n  use nothing");
    assert_eq!((run.code, run.codes()), (1, vec!["U005".to_owned()]), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn use_does_not_leave_the_folder_of_the_policy() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("lib.road"), "edition 1\nlibrary lib {\n}\n").expect("written");
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(outside.path().join("lib.road"), folder.path().join("lib.road")).expect("linked");
    fs::write(folder.path().join("p.road"), SHORTEST.replacen("use std.first", "use std.first\n  use lib", 1))
        .expect("written");
    let run = roadlaw(folder.path()).run(&["check", "p.road", "--format", "json"]);
    assert_eq!((run.code, run.codes()), (1, vec!["U005".to_owned()]), "{}", run.out);
}

#[test]
fn independent_errors_are_all_reported() {
    let text = SHORTEST.replacen("std.first(llama, gpt)", "std.first(lama, gpt)", 1).replacen(
        "when labelled",
        "when labeled",
        1,
    );
    let run = check(text.as_bytes());
    let count = run.json()["diagnostics"].as_array().map_or(0, Vec::len);
    assert!(run.code == 1 && count >= 2, "{}", run.out);
}

#[test]
fn a_rejected_policy_writes_nothing_and_leaves_what_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.road"), SHORTEST.replacen("filters { use std.filters.portal }", "", 1))
        .expect("written");
    fs::write(folder.path().join("old.table"), "as it was").expect("written");
    let run = roadlaw(folder.path()).run(&["build", "p.road", "-o", "old.table", "--proof", "proof.json"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert_eq!(fs::read_to_string(folder.path().join("old.table")).ok().as_deref(), Some("as it was"));
    let mut left: Vec<_> = fs::read_dir(folder.path()).expect("listed").flatten().map(|e| e.file_name()).collect();
    left.sort();
    assert_eq!(left, ["old.table", "p.road"]);
}

#[test]
fn files_that_cannot_be_read_or_written_end_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.road"), SHORTEST).expect("written");
    let program = roadlaw(folder.path());
    for arguments in [
        &["check", "nothing.road"][..],
        &["check", "."],
        &["check", "p.road", "nothing.road"],
        &["build", "p.road", "-o", "no/such/folder/t"],
        &["build", "p.road", "-o", "."],
        &["model", "nothing.road"],
        &["test", "nothing.road"],
        &["decide", "nothing.table", "--facts", "-"],
        &["trace", "nothing.table", "--events", "-"],
        &["inspect", "nothing.table"],
        &["verify", "nothing.table", "--source", "p.road"],
    ] {
        let run = program.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        assert!(format!("{}{}", run.out, run.err).contains("cannot"), "{arguments:?}: {}{}", run.out, run.err);
    }
    let left = fs::read_dir(folder.path()).expect("listed").count();
    assert_eq!(left, 1, "nothing is left behind");
}

/// A folder with the table of the shortest policy.
fn built() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("p.road"), SHORTEST).expect("written");
    let run = roadlaw(folder.path()).run(&["build", "p.road", "-o", "t.table"]);
    assert_eq!(run.code, 0, "{}", run.out);
    folder
}

#[test]
fn damaged_tables_are_refused_by_every_command() {
    let folder = built();
    let good = fs::read(folder.path().join("t.table")).expect("a table");
    let program = roadlaw(folder.path());
    let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), b"not a table".to_vec(), [good.clone(), vec![0]].concat()];
    damaged.extend((0..good.len()).step_by(97).map(|n| good[..n].to_vec()));
    damaged.extend((0..good.len()).step_by(61).map(|n| {
        let mut bytes = good.clone();
        bytes[n] ^= 0x10;
        bytes
    }));
    for bytes in damaged {
        fs::write(folder.path().join("bad.table"), &bytes).expect("written");
        for arguments in [
            &["decide", "bad.table", "--facts", "-"][..],
            &["trace", "bad.table", "--events", "-"],
            &["inspect", "bad.table"],
        ] {
            let run = program.run_with(arguments, b"{}");
            assert_eq!(run.code, 2, "{} bytes, {arguments:?}: {}{}", bytes.len(), run.out, run.err);
        }
    }
    fs::write(folder.path().join("bad.table"), b"not a table").expect("written");
    assert_eq!(program.run(&["verify", "bad.table", "--source", "p.road"]).code, 2);
}

#[test]
fn bad_facts_have_a_place_and_end_with_2() {
    let folder = built();
    let program = roadlaw(folder.path());
    for (facts, code, column) in [
        ("{\"labels\": [\"client\"], \"labels\": []}", "F002", 24),
        ("{\"lables\": []}", "F003", 2),
        ("{\"labels\": [\"klient\"]}", "F004", 13),
        ("{\"labels\": true}", "F004", 12),
        ("{\"available\": {\"lama\": true}}", "F003", 16),
        ("{\"labels\": 1e99}", "F001", 12),
        ("{\"labels\": ", "F001", 12),
        ("[]", "F004", 1),
        ("", "F001", 1),
    ] {
        let run = program.run_with(&["decide", "t.table", "--facts", "-", "--format", "json"], facts.as_bytes());
        let d = &run.json()["diagnostics"][0];
        assert_eq!(run.code, 2, "{facts}: {}", run.out);
        assert_eq!(
            (d["code"].as_str(), d["span"]["column"].as_u64()),
            (Some(code), Some(column)),
            "{facts}: {}",
            run.out
        );
    }
    let run = program.run_with(&["decide", "t.table", "--facts", "-"], b"{\"labels\": \xff}");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("UTF-8") && run.err.contains("stdin:1:12"), "{}", run.err);
    for deep in ["[", "{\"a\":"] {
        let run = program.run_with(&["decide", "t.table", "--facts", "-"], deep.repeat(300_000).as_bytes());
        assert_eq!(run.code, 2);
    }
}

#[test]
fn bad_events_have_a_place_and_end_with_2() {
    let folder = built();
    let program = roadlaw(folder.path());
    for (events, line) in [
        ("{\"facts\": {}}\n{\"outcome\": \"okay\"}\n", 2),
        ("{\"facts\": {\"lables\": []}}\n", 1),
        ("{\"facts\": {}}\n\n{\"outcom\": \"ok\"}\n", 3),
        ("{\"facts\": {}}\nok\n", 2),
        ("{\"facts\": {}}\n{\"outcome\": \"ok\", \"ack\": [\"everything\"]}\n", 2),
        ("{\"facts\": {}}\n{\"outcome\": 4}\n", 2),
    ] {
        let run = program.run_with(&["trace", "t.table", "--events", "-", "--format", "json"], events.as_bytes());
        let d = &run.json()["diagnostics"][0];
        assert_eq!((run.code, d["span"]["line"].as_u64()), (2, Some(line)), "{events}: {}{}", run.out, run.err);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_rejected_policy(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let run = check(&bytes);
        prop_assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    }

    #[test]
    fn a_policy_with_a_piece_cut_out_never_crashes(from in 0..SHORTEST.len(), length in 1..120_usize) {
        let mut bytes = SHORTEST.as_bytes().to_vec();
        let to = (from + length).min(bytes.len());
        bytes.drain(from..to);
        let run = check(&bytes);
        prop_assert!(matches!(run.code, 0 | 1 | 3), "{} {}{}", run.code, run.out, run.err);
    }
}

#[test]
fn nothing_is_written_over_what_was_read_or_over_another_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let library = "edition 1\nlibrary more {\n}\n";
    let policy = SHORTEST.replacen("use std.first", "use std.first use more", 1);
    fs::write(at("p.road"), &policy).expect("written");
    fs::write(at("more.road"), library).expect("written");
    fs::create_dir(at("sub")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink("p.road", at("link.road")).expect("a link");
    let run = roadlaw(folder.path()).run(&["build", "p.road", "-o", "good.table"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let whole = fs::read(at("good.table")).expect("a table");
    let over = "would be written over what is read from there";
    let twice = "is named for two outputs";
    let mut refused = vec![
        (&["build", "p.road", "-o", "p.road"][..], over),
        (&["build", "p.road", "-o", "sub/../p.road"], over),
        (&["build", "p.road", "-o", "more.road"], over),
        (&["build", "p.road", "-o", "x", "--proof", "./p.road"], over),
        (&["build", "p.road", "--emit", "rust", "p.road"], over),
        (&["build", "p.road", "-o", "x", "--proof", "./x"], twice),
        (&["build", "p.road", "-o", "x.h", "--emit", "c", "x"], twice),
        (&["build", "p.road", "--proof", "sub/../x.c", "--emit", "c", "x"], twice),
        (&["build", "p.road", "-o", "x", "--emit", "rust", "x"], twice),
        (&["build", "p.road", "-o", "-"], "needs a file of its own"),
        (&["sign", "good.table", "--key", "k", "--epoch", "1", "-o", "good.table"], over),
        (&["sign", "good.table", "--key", "k", "--epoch", "1", "-o", "k"], over),
        (&["check", "-", "-"], "can be read once"),
        (&["recheck", "-", "--source", "-", "--table", "x"], "can be read once"),
        (&["recheck", "x", "--source", "-", "--table", "-"], "can be read once"),
        (&["decide", "-", "--facts", "-"], "can be read once"),
        (&["trace", "-", "--events", "-"], "can be read once"),
        (&["verify", "-", "--source", "-"], "can be read once"),
    ];
    if cfg!(unix) {
        refused.push((&["build", "link.road", "-o", "p.road"], over));
        refused.push((&["build", "link.road", "-o", "link.road"], over));
    }
    for (arguments, why) in refused {
        let run = roadlaw(folder.path()).run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?} {}", run.err);
        assert!(run.err.contains(why), "{arguments:?} {}", run.err);
    }
    assert_eq!(fs::read(at("p.road")).expect("a policy"), policy.as_bytes());
    assert_eq!(fs::read(at("more.road")).expect("a library"), library.as_bytes());
    assert_eq!(fs::read(at("good.table")).expect("a table"), whole);
    for name in ["x", "x.h", "x.c", "-"] {
        assert!(!at(name).exists(), "{name}");
    }
}
