//! Policies of `tests/cases`: bad ones and their repaired twins.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline::{Checked, check};
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity, WitnessFact};
use roadlaw_tests::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) fn folder() -> PathBuf {
    repository().join("tests/cases")
}

/// The policies of a row of one kind (`bad`, `good`): `AP20.bad.road` and, for another shape of it, `AP20-artifacts.bad.road`.
fn files(id: &str, kind: &str) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .filter(|p| {
            let name = p.file_name().expect("a name").to_string_lossy();
            let shape = name.strip_suffix(&format!(".{kind}.road")).and_then(|n| n.strip_prefix(id));
            shape.is_some_and(|s| s.is_empty() || s.starts_with('-'))
        })
        .collect();
    out.sort();
    out
}

pub(crate) fn checked(path: &Path) -> Checked {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    checked_text(&path.display().to_string(), bytes)
}

/// Checks a text that stands in `tests/cases`.
pub(crate) fn checked_text(name: &str, bytes: Vec<u8>) -> Checked {
    check(Input { name: name.to_owned(), bytes, root: Some(folder()) }, Options::default())
}

fn errors(c: &Checked) -> Vec<&Diagnostic> {
    c.report.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect()
}

fn codes(c: &Checked) -> BTreeSet<&'static str> {
    errors(c).into_iter().map(|d| d.code).collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("text")
}

/// The good policies of a row are proved.
pub(crate) fn accepted(id: &str) {
    let good = files(id, "good");
    assert!(!good.is_empty(), "{id} has no policy");
    for path in good {
        let c = checked(&path);
        let said: Vec<&str> = errors(&c).into_iter().map(|d| d.message.as_str()).collect();
        assert_eq!((c.report.verdict, said), (Verdict::Proved, Vec::new()), "{}", path.display());
        assert!(c.table.is_some() && c.report.proof.is_some(), "{}", path.display());
    }
}

/// The bad policies of a row break one of these laws; each says on its first line which codes it breaks, and it breaks no
/// other. Its twin differs in the fault alone, and is proved. Returns all errors.
pub(crate) fn rejected(id: &str, laws: &[&str]) -> Vec<Diagnostic> {
    accepted(id);
    let bad = files(id, "bad");
    assert_eq!(bad.len(), files(id, "good").len(), "{id}: each bad policy has a twin");
    assert!(!bad.is_empty(), "{id} has no bad policy");
    let mut out = Vec::new();
    for path in bad {
        let source = text(&path);
        let head = source.lines().next().and_then(|l| l.strip_prefix("// ")).and_then(|l| l.split_once(": "));
        let (said, _) = head.unwrap_or_else(|| panic!("{}: the first line says what is wrong", path.display()));
        let c = checked(&path);
        assert_eq!(codes(&c), said.split(' ').collect(), "{}: {:#?}", path.display(), errors(&c));
        assert!(codes(&c).iter().any(|found| laws.contains(found)), "{}: {:?}", path.display(), codes(&c));
        assert_eq!(c.report.verdict, Verdict::Rejected, "{}", path.display());
        assert!(c.table.is_none() && c.report.proof.is_none(), "{}", path.display());
        let twin = text(Path::new(&path.display().to_string().replace(".bad.road", ".good.road")));
        let kept = source.lines().filter(|l| twin.lines().any(|t| t == *l)).count();
        assert!(2 * kept > source.lines().count(), "{}: the twin is another policy", path.display());
        out.extend(errors(&c).into_iter().cloned());
    }
    out
}

/// Facts of the counterexamples of a code, first run and the one it is compared with.
pub(crate) fn shown(found: &[Diagnostic], code: &str) -> Vec<(String, String)> {
    let witnesses = found.iter().filter(|d| d.code == code).filter_map(|d| d.witness.as_ref());
    let facts = witnesses.flat_map(|w| w.facts.iter().chain(&w.other_facts));
    facts.map(|WitnessFact { name, value }| (name.clone(), value.clone())).collect()
}

/// As [`rejected`], and each error shows the run that breaks the law.
pub(crate) fn rejected_on_a_run(id: &str, laws: &[&str]) {
    for d in rejected(id, laws) {
        assert!(d.witness.as_ref().is_some_and(|w| !w.path.is_empty()), "{id}: {} shows no run", d.message);
    }
}
