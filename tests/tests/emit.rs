//! `roadlaw build --emit`: the files are those that are committed, formatted, and compile where their users are strict.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline;
use roadlaw_compiler::table::Options;
use roadlaw_runtime::{Closed, Facts, Latches, Symbol, Table};
use roadlaw_tests::{Program, SHORTEST, golden_at, policies, repository};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    let sources = policies("examples").into_iter().chain(policies("tests/emitted"));
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

/// The C library, made as cargo makes it, without waiting for cargo.
fn library(folder: &Path) -> PathBuf {
    let (runtime, library) = (folder.join("libroadlaw_runtime.rlib"), folder.join("libroadlaw_ffi.a"));
    let rustc = |kind: &str, name: &str, out: &Path, source: &str| {
        let mut c = Command::new("rustc");
        c.args(["--edition", "2024", "--crate-type", kind, "--crate-name", name, "-D", "warnings", "-o"]);
        c.arg(out).arg(repository().join(source));
        c
    };
    passes(&mut rustc("rlib", "roadlaw_runtime", &runtime, "runtime/src/lib.rs"));
    let with = format!("roadlaw_runtime={}", runtime.display());
    passes(rustc("staticlib", "roadlaw_ffi", &library, "runtime/ffi/src/lib.rs").args(["--extern", &with]));
    library
}

/// A C compiler that looks closely, with the headers of the library.
fn cc(folder: &Path) -> Command {
    let mut c = Command::new("cc");
    c.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-fsanitize=address,undefined"]);
    c.args(["-fno-sanitize-recover=all", "-I"]).arg(repository().join("runtime/ffi/include")).arg("-I").arg(folder);
    c
}

#[test]
fn a_c_program_decides_as_the_table_does_under_the_address_sanitizer() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let stem = at("pick_model");
    let run = roadlaw().run(&["build", "examples/pick-model.road", "--emit", "c", stem.to_str().expect("a path")]);
    assert_eq!(run.code, 0, "{}", run.out);
    let mut wrong = Vec::new();
    for name in ["pick_model.h", "pick_model.c"] {
        let written = std::fs::read_to_string(at(name)).expect("a file");
        wrong.extend(golden_at(&repository().join("examples/embed-c").join(name), &written).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let library = library(folder.path());
    let program = repository().join("examples/embed-c/decide.c");
    passes(
        cc(folder.path())
            .arg(program)
            .arg(at("pick_model.c"))
            .arg(library)
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(at("decide")),
    );

    // Every combination of facts: what the program prints is what the table decides of them.
    let bools = ["-", "false", "true"];
    let mut lines = String::new();
    let mut expected = String::new();
    let table = pick_model();
    let table = Table::from_bytes(&table).expect("a table");
    for tier in ["-", "free", "pro"] {
        for private in bools {
            for small in bools {
                for big in bools {
                    lines += &format!("{tier} {private} {small} {big}\n");
                    expected += &format!("{}\n", decided(&table, [tier, private, small, big]));
                }
            }
        }
    }
    // The last line says that everything is well: its run is done.
    expected += "a run ends at done\n";
    let mut child = Command::new(at("decide"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a program");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(
        (String::from_utf8_lossy(&out.stdout).as_ref(), String::from_utf8_lossy(&out.stderr).as_ref()),
        (expected.as_str(), "")
    );
    assert!(out.status.success());
}

#[test]
fn strange_policies_are_strict_c_and_cpp() {
    let folder = tempfile::tempdir().expect("a folder");
    for policy in policies("tests/emitted") {
        let name = policy.file_stem().and_then(|n| n.to_str()).expect("a name");
        let stem = folder.path().join(name);
        let (policy, out) = (policy.to_str().expect("a path"), stem.to_str().expect("a path"));
        let run = roadlaw().run(&["build", policy, "--emit", "c", out]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{policy}\n{}", run.out);
        passes(cc(folder.path()).arg("-fsyntax-only").arg(stem.with_extension("c")));
        let used = format!("#include \"{name}.h\"\nint main() {{ return 0; }}\n");
        std::fs::write(folder.path().join("used.cc"), used).expect("a file");
        passes(
            Command::new("c++")
                .args(["-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"])
                .arg(repository().join("runtime/ffi/include"))
                .arg(folder.path().join("used.cc")),
        );
    }
}

#[test]
fn a_c_file_is_not_called_like_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, code) in
        [("roadlaw", 2), ("Roadlaw", 2), ("ROADLAW", 2), ("roadlaw-run", 2), ("Roadlaw_Table", 2), ("roadlaws", 0)]
    {
        let out = folder.path().join(name);
        let run = roadlaw().run(&["build", "examples/pick-model.road", "--emit", "c", out.to_str().expect("a path")]);
        assert_eq!(run.code, code, "{name}: {}{}", run.out, run.err);
        assert_eq!(out.with_extension("h").exists(), code == 0, "{name}");
    }
}

fn pick_model() -> Vec<u8> {
    let path = repository().join("examples/pick-model.road");
    let input = Input { name: "pick-model.road".to_owned(), bytes: std::fs::read(path).expect("a policy"), root: None };
    pipeline::check(input, Options::default()).table.expect("a proof")
}

/// The line that the example prints of these words.
fn decided(table: &Table<'_>, words: [&str; 4]) -> String {
    let mut facts = Facts::new();
    for (cell, word) in words.iter().enumerate().filter(|(_, w)| **w != "-") {
        match cell {
            0 => facts.set_value(table, 0, u8::from(*word == "pro")),
            _ => facts.set_bool(table, cell, *word == "true"),
        }
        .expect("a value of the cell");
    }
    let decision = table.choose(0, &facts);
    let name = |of: Symbol| table.name(of).expect("names").to_string();
    let exit = decision.exit().and_then(|e| table.edge(e)).map(|e| e.to());
    let mut line = match (decision.road(), exit) {
        (Some(road), _) => name(Symbol::Road(road)),
        (None, Some(node)) => name(Symbol::Node(node)),
        (None, None) => "no road".to_owned(),
    };
    for (position, road) in table.candidates(0).enumerate() {
        if let Some(Closed::Filter(i)) = table.reason(0, position, &facts, &Latches::fresh(table)) {
            let filter = table.road(road).expect("a road").first_filter() + i;
            line += &format!(" {}:{}", name(Symbol::Road(road)), name(Symbol::Filter(filter)));
        }
    }
    line
}

#[test]
fn every_example_is_c_and_c_plus_plus_without_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for source in policies("examples").into_iter().chain([repository().join("tests/emitted/names.road")]) {
        let name = source.file_stem().and_then(|n| n.to_str()).expect("a name").replace('-', "_");
        let stem = folder.path().join(&name);
        let run =
            roadlaw().run(&["build", source.to_str().expect("a path"), "--emit", "c", stem.to_str().expect("a path")]);
        assert_eq!(run.code, 0, "{}", run.out);
        let file = folder.path().join(format!("{name}.c"));
        passes(cc(folder.path()).args(["-fsyntax-only"]).arg(&file));
        let header = folder.path().join(format!("{name}.h"));
        passes(
            Command::new("c++")
                .args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-x", "c++", "-I"])
                .arg(repository().join("runtime/ffi/include"))
                .arg("-include")
                .arg(header)
                .arg("/dev/null"),
        );
        count += 1;
    }
    assert!(count >= 10, "{count}");
    for stem in ["roadlaw", "9", "a\"b"] {
        let stem = folder.path().join(stem);
        let run = roadlaw().run(&["build", "examples/pick-model.road", "--emit", "c", stem.to_str().expect("a path")]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("cannot begin the names in it"), "{}", run.err);
    }
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
