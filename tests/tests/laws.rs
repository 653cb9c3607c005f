//! Every law on its own: a policy that breaks this law and no other, and its twin, mended in one place, that is proved.
//! `tests/laws/CODE/SHAPE.bad.road` and `SHAPE.good.road`.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline::{Checked, check};
use roadlaw_compiler::prove::{STRICT_LAWS, Verdict};
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity};
use roadlaw_tests::pairs::{Pair, pairs, two_at_a_time};
use roadlaw_tests::{Program, golden_at, repository};
use std::collections::BTreeSet;
use std::path::Path;

/// Laws about the compiler itself: no policy breaks them.
const INTERNAL: &[&str] = &["RL901", "RL902", "RL903"];

/// Laws that are broken by text, or by one fact vector, in some of their shapes: no run is there to be shown.
const WITHOUT_A_RUN: &[&str] = &["RL0", "RL209", "RL303", "RL4", "RL501", "RL502", "RL6", "RL70", "RL80"];

fn all() -> Vec<Pair> {
    pairs().unwrap_or_else(|stray| panic!("{stray}"))
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn checked(path: &Path) -> Checked {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    check(Input { name: name(path), bytes, root: path.parent().map(Path::to_owned) }, Options::default())
}

fn errors(c: &Checked) -> Vec<&Diagnostic> {
    c.report.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect()
}

fn shown(ds: &[&Diagnostic]) -> String {
    ds.iter().map(|d| format!("\n  {} {}", d.code, d.message)).collect()
}

/// What is wrong with a pair; empty if nothing is.
fn faults(pair: &Pair) -> Vec<String> {
    let (code, shape) = (pair.code.as_str(), pair.shape.as_str());
    let mut out = Vec::new();
    let mut say = |what: String| out.push(format!("{code}/{shape}: {what}"));
    let c = checked(&pair.file("bad.road"));
    let found = errors(&c);
    let codes: BTreeSet<&str> = found.iter().map(|d| d.code).collect();
    if codes != BTreeSet::from([code]) {
        say(format!("the bad policy breaks {codes:?}{}", shown(&found)));
    }
    if c.report.verdict != Verdict::Rejected || c.table.is_some() || c.report.proof.is_some() {
        say(format!("the bad policy is {:?}", c.report.verdict));
    }
    for d in &found {
        let length = c.sources.file(d.primary.file).map_or(0, |f| f.text.len());
        let inside = d.primary.start <= d.primary.end && usize::try_from(d.primary.end).is_ok_and(|e| e <= length);
        if !inside || c.sources.text(d.primary).is_empty() {
            say(format!("`{}` points nowhere", d.message));
        }
        let runs = !WITHOUT_A_RUN.iter().any(|w| code.starts_with(w)) || code == "RL705" || code == "RL707";
        let local = matches!((code, shape), ("RL109", "unknown") | ("RL207", "answered"));
        let runs = runs && !local && !["need", "local_only", "declared"].contains(&shape);
        if runs && d.witness.as_ref().is_none_or(|w| w.path.is_empty()) {
            say(format!("`{}` shows no run", d.message));
        }
    }
    let c = checked(&pair.file("good.road"));
    let found = errors(&c);
    if c.report.verdict != Verdict::Proved || !found.is_empty() {
        say(format!("the twin is {:?}{}", c.report.verdict, shown(&found)));
    }
    if c.table.is_none() {
        say("the twin has no table".to_owned());
    }
    out
}

#[test]
fn every_pair_breaks_its_law_alone_and_is_mended() {
    let wrong = two_at_a_time(&all(), faults);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What the program says about a policy, without the verdict: that changes with every law that is added to the catalogue.
fn said(pair: &Pair) -> Vec<String> {
    let roadlaw = Program::new(env!("CARGO_BIN_EXE_roadlaw-under-test"), &repository());
    let bad = pair.file("bad.road");
    let typed = bad.strip_prefix(repository()).unwrap_or(&bad).display().to_string();
    let human = roadlaw.run(&["check", &typed]).out;
    let human: String = human.lines().take_while(|l| !l.starts_with("rejected ")).map(|l| format!("{l}\n")).collect();
    let json = roadlaw.run(&["check", &typed, "--format", "json"]).json();
    // One diagnostic a line: the text for people beside it is what is read.
    let each: Vec<String> = json["diagnostics"].as_array().into_iter().flatten().map(ToString::to_string).collect();
    let json = format!("[\n{}\n]\n", each.join(",\n"));
    [("bad.txt", human), ("bad.json", json)]
        .into_iter()
        .filter_map(|(e, t)| golden_at(&pair.file(e), &t).err())
        .collect()
}

#[test]
fn what_is_said_about_each_bad_policy_is_as_recorded() {
    let wrong = two_at_a_time(&all(), said);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_law_that_runs_has_a_pair_and_every_pair_a_law_that_runs() {
    let have: BTreeSet<String> = all().into_iter().map(|p| p.code).collect();
    let want: BTreeSet<String> =
        STRICT_LAWS.iter().filter(|l| !INTERNAL.contains(l)).map(|l| (*l).to_owned()).collect();
    assert_eq!(have.symmetric_difference(&want).collect::<Vec<_>>(), Vec::<&String>::new());
}

/// The page of laws, from the data that `roadlaw explain` shows.
fn page() -> String {
    use roadlaw_compiler::laws::catalogue::profiles::left_out;
    use roadlaw_compiler::laws::catalogue::{LAWS, SHAPES};
    use roadlaw_compiler::model::Profile;
    use roadlaw_compiler::prove::checked_by;
    let mut out = String::from(
        "# Laws\n\nWritten from `compiler/src/laws/catalogue`, the data of `roadlaw explain CODE`; a test keeps it true. \
         Each law says in which\nprofiles it runs. `strict` is the default; `policy NAME@1 profile gateway` and `profile choice` are the only way to leave \
         a law out,\nand a verdict prints which laws ran and which were left out.\n\n## Profiles\n",
    );
    for profile in Profile::ALL.iter().filter(|p| !left_out(**p).is_empty()) {
        out += &format!("\n`{}` leaves out\n\n| laws | because |\n|---|---|\n", profile.word());
        for l in left_out(*profile) {
            out += &format!("| {} | {} |\n", l.codes.join(" "), l.why);
        }
    }
    out += "\n## Shapes\n\n| shape | meaning |\n|---|---|\n";
    for (shape, meaning) in SHAPES {
        out += &format!("| {shape} | {meaning} |\n");
    }
    for law in LAWS {
        let profiles = checked_by(law.code);
        out += &format!(
            "\n## {}: {}\n\n{} · {profiles}\n\n{}\n\nBroken:\n\n```\n{}\n```\n\nMended:\n\n```\n{}\n```\n\n{}\n",
            law.code, law.title, law.shape, law.protects, law.bad, law.repaired, law.fix
        );
    }
    out
}

#[test]
fn the_page_of_laws_is_that_of_the_catalogue() {
    let path = roadlaw_tests::repository().join("compiler/LAWS.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|v| v == "1") {
        std::fs::write(&path, page()).expect("compiler/LAWS.md can be written");
    }
    let found = std::fs::read_to_string(&path).expect("compiler/LAWS.md");
    assert!(found == page(), "set UPDATE_GOLDEN=1 to bring compiler/LAWS.md up to date");
}
