//! `roadlaw build --emit`: the files are those that are committed, formatted, and compile where their users are strict.

use roadlaw_tests::{Program, SHORTEST, golden_at, policies, repository};
use std::path::{Path, PathBuf};
use std::process::Command;

fn roadlaw() -> Program {
    Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository())
}

/// Policies and the files that are committed for them. `tests/emitted` compiles them and holds them against their tables.
const COMMITTED: [(&str, &str); 4] = [
    ("examples/pick-model.road", "examples/embed/src/pick_model.rs"),
    ("examples/first-eligible.road", "tests/emitted/src/first_eligible.rs"),
    ("examples/review.road", "tests/emitted/src/review.rs"),
    ("tests/emitted/names.road", "tests/emitted/src/names.rs"),
];

fn emit(policy: &Path, out: &Path) {
    let (policy, out) = (policy.to_str().expect("a path"), out.to_str().expect("a path"));
    let run = roadlaw().run(&["build", policy, "--emit", "rust", out]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{policy}\n{}", run.out);
    assert!(run.out.contains(&format!("wrote {out}")), "{}", run.out);
}

/// Runs a tool of the toolchain; what it says is shown where it fails.
fn passes(command: &mut Command) {
    let out = command.output().expect("the toolchain is installed");
    let said = String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{command:?}\n{said}");
}

#[test]
fn emitted_files_are_those_that_are_committed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.rs");
    let mut wrong = Vec::new();
    for (policy, committed) in COMMITTED {
        emit(Path::new(policy), &out);
        let written = std::fs::read_to_string(&out).expect("a file");
        wrong.extend(golden_at(&repository().join(committed), &written).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_is_formatted_documented_and_compiles_without_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let sources = policies("examples").into_iter().chain([repository().join("tests/emitted/names.road")]);
    let mut crate_root =
        "//! Policies.\n#![no_std]\n#![deny(warnings, missing_docs)]\n#![forbid(unsafe_code)]\n".to_owned();
    let mut files: Vec<PathBuf> = Vec::new();
    for source in sources {
        let name = source.file_stem().and_then(|n| n.to_str()).expect("a name").replace('-', "_");
        let file = at(&format!("{name}.rs"));
        emit(&source, &file);
        crate_root += &format!("/// A policy.\npub mod {name};\n");
        files.push(file);
    }
    assert!(files.len() >= 10, "{files:?}");
    // A module that nothing uses and nobody can see warns of nothing either.
    crate_root += "#[path = \"pick_model.rs\"]\nmod unused;\n";
    std::fs::write(at("lib.rs"), crate_root).expect("a file");
    std::fs::write(at("rustfmt.toml"), "").expect("a file");

    // The default style, whatever this repository has.
    passes(
        Command::new("rustfmt").args(["--check", "--edition", "2024", "--config-path"]).arg(folder.path()).args(&files),
    );
    let runtime = at("libroadlaw_runtime.rlib");
    let rustc = |tool: &str, name: &str| {
        let mut c = Command::new(tool);
        c.args(["--edition", "2024", "--crate-type", "rlib", "--crate-name", name]).current_dir(folder.path());
        c
    };
    let source = repository().join("runtime/src/lib.rs");
    passes(rustc("rustc", "roadlaw_runtime").arg("-o").arg(&runtime).arg(source));
    let with = format!("roadlaw_runtime={}", runtime.display());
    passes(rustc("rustc", "policies").args(["-D", "warnings", "--emit", "metadata", "--extern", &with, "lib.rs"]));
    passes(rustc("rustdoc", "policies").args(["-D", "warnings", "--extern", &with, "-o", "doc", "lib.rs"]));
}

#[test]
fn nothing_is_emitted_without_a_proof() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.rs");
    let path = out.to_str().expect("a path");
    let run = roadlaw().run(&["build", "examples/bad/answer-taken-raw.road", "--emit", "rust", path]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("nothing was written"), "{}", run.out);
    assert!(!out.exists());
}

#[test]
fn what_cannot_be_emitted_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let (policy, out) = (folder.path().join("p.road"), folder.path().join("out.rs"));
    let paths = [&policy, &out].map(|p| p.to_str().expect("a path"));
    let long = "l".repeat(80);
    std::fs::write(&policy, SHORTEST.replace("personal", &long)).expect("a file");
    let run = roadlaw().run(&["build", paths[0], "--emit", "rust", paths[1]]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains(&format!("`{long}` would be a name of 80 characters")), "{}", run.err);
    assert!(!out.exists());

    let run = roadlaw().run(&["build", paths[0], "--emit", "cobol", paths[1]]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("`cobol`") && run.err.contains("--emit rust OUT.rs"), "{}", run.err);
    assert_eq!(roadlaw().run(&["build", paths[0]]).code, 2);
}
