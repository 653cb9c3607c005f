//! Same source, same table, proof and diagnostics: whenever, wherever and under whatever settings the program runs.
//! Debug against release is compared by `tests/reproducible`, since a test has only its own build.

use roadlaw_tests::repository;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Policies of each profile, and one that is rejected with a counterexample.
const POLICIES: [&str; 4] = ["first-eligible", "gateway", "pick-model", "bad/silent-provider"];

/// Settings that change how other programs sort, spell, and tell the time, and where they put things.
const SETTINGS: [&[(&str, &str)]; 3] = [
    &[("LANG", "C"), ("LC_ALL", "C"), ("TZ", "UTC")],
    &[("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("LANGUAGE", "tr"), ("TZ", "Pacific/Kiritimati")],
    &[
        ("LANG", "de_DE.ISO-8859-1"),
        ("LC_COLLATE", "de_DE"),
        ("TZ", "America/St_Johns"),
        ("COLUMNS", "20"),
        ("HOME", "/"),
    ],
];

fn command(folder: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadlaw-under-test"));
    command.current_dir(folder).args(arguments).env_clear().envs(settings.iter().copied());
    command.output().expect("the program starts")
}

/// Everything that the program says about a policy and makes of it.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    table: Option<Vec<u8>>,
    proof: Option<Vec<u8>>,
    human: String,
    json: String,
    model: String,
}

/// `file` is the path as it is given in `folder`; where it is shown, `P` stands for it.
fn made(folder: &Path, settings: &[(&str, &str)], file: &str) -> Made {
    let out = tempfile::tempdir().expect("a folder");
    let at = |name: &str| out.path().join(name).display().to_string();
    let said = |arguments: &[&str]| {
        let output = command(folder, settings, arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text").replace(file, "P")
    };
    let human = said(&["check", file]);
    let json = said(&["check", file, "--format", "json"]);
    let model = String::from_utf8(command(folder, settings, &["model", file]).stdout).expect("text");
    said(&["build", file, "-o", &at("table"), "--proof", &at("proof")]);
    Made {
        table: std::fs::read(at("table")).ok(),
        proof: std::fs::read(at("proof")).ok(),
        human,
        json,
        model: model.replace(file, "P"),
    }
}

/// What is compared where the path has another length: padding may differ.
fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn locale_time_zone_and_home_change_nothing() {
    for policy in POLICIES {
        let file = format!("examples/{policy}.road");
        let first = made(&repository(), &[], &file);
        assert_eq!(first.table.is_some(), !policy.starts_with("bad"), "{policy}");
        assert_eq!(first.table.is_some(), first.proof.is_some(), "{policy}");
        for settings in SETTINGS {
            assert_eq!(made(&repository(), settings, &file), first, "{policy} under {settings:?}");
        }
    }
}

#[test]
fn the_folder_and_the_way_to_the_file_change_nothing_but_the_name_that_is_shown() {
    for policy in POLICIES {
        let file = format!("examples/{policy}.road");
        let first = made(&repository(), &[], &file);
        let absolute = repository().join(&file).display().to_string();
        // The same text somewhere else, under another name.
        let elsewhere = tempfile::tempdir().expect("a folder");
        let copy = elsewhere.path().join("of another name.road");
        std::fs::copy(&absolute, &copy).expect("copied");
        let ways: [(PathBuf, String); 4] = [
            (elsewhere.path().to_owned(), absolute.clone()),
            (repository().join("tests"), format!("../{file}")),
            (repository().join("compiler/src"), format!("./../../{file}")),
            (elsewhere.path().to_owned(), "of another name.road".to_owned()),
        ];
        for (folder, way) in &ways {
            let again = made(folder, &[], way);
            assert_eq!(again.table, first.table, "{way}");
            assert_eq!(again.proof, first.proof, "{way}");
            assert_eq!(again.json, first.json, "{way}");
            assert_eq!(again.model, first.model, "{way}");
            assert_eq!(words(&again.human), words(&first.human), "{way}");
        }
    }
}

/// Whatever else is checked in the same run, and in whatever order, each policy is told the same.
#[test]
fn company_and_order_change_nothing() {
    let told = |files: &[&str]| -> Vec<serde_json::Value> {
        let arguments: Vec<&str> = ["check", "--format", "json"].into_iter().chain(files.iter().copied()).collect();
        let output = command(&repository(), &[], &arguments);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut all = json["results"].as_array().cloned().unwrap_or_else(|| vec![json]);
        all.sort_by_key(ToString::to_string);
        all
    };
    let files = ["examples/pick-model.road", "examples/bad/silent-provider.road", "examples/first-eligible.road"];
    let there = told(&files);
    let back: Vec<&str> = files.iter().rev().copied().collect();
    assert!(there.len() == 3 && told(&back) == there, "another order, another answer");
}

/// No map whose order differs from run to run is in the sources that make a table: there is nothing to shuffle. Ordered maps
/// are ordered by what the author wrote.
#[test]
fn no_source_of_the_product_knows_a_map_without_an_order() {
    let mut seen = 0;
    for folder in ["grammar/src", "compiler/src", "runtime/src"] {
        for file in sources(&repository().join(folder)) {
            let text = std::fs::read_to_string(&file).expect("text");
            for word in ["HashMap", "HashSet", "RandomState", "SystemTime", "Instant::", "rand::", "current_dir"] {
                let found = text.lines().position(|l| l.contains(word) && !l.trim_start().starts_with("//"));
                // Tests may look at the clock.
                let test = file.components().any(|c| c.as_os_str() == "tests");
                assert!(found.is_none() || test, "{}:{}: {word}", file.display(), found.unwrap_or(0) + 1);
            }
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()) {
        if entry.is_dir() {
            out.extend(sources(&entry));
        } else if entry.extension().is_some_and(|e| e == "rs") {
            out.push(entry);
        }
    }
    out
}
