//! What must not matter: how a policy is laid out, and in which order its assertions and counters stand. The verdict and
//! the codes stay; the layout changes not one byte of a table.

use roadlaw_compiler::lower::Input;
use roadlaw_compiler::pipeline::{Checked, check};
use roadlaw_compiler::table::Options;
use roadlaw_grammar::diagnostic::Severity;
use roadlaw_grammar::span::Sources;
use roadlaw_tests::{policies, repository};

fn checked(text: &str) -> Checked {
    let input = Input { name: "t.road".into(), bytes: text.as_bytes().to_vec(), root: Some(repository()) };
    check(input, Options::default())
}

/// The verdict, and each error's code as often as it is there.
fn said(c: &Checked) -> (String, Vec<&'static str>) {
    let errors = c.report.diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let mut codes: Vec<_> = errors.map(|d| d.code).collect();
    codes.sort_unstable();
    (format!("{:?}", c.report.verdict), codes)
}

/// Every third of the rejected examples, and all of the accepted ones.
fn texts() -> Vec<(String, String)> {
    let bad = policies("examples/bad").into_iter().step_by(3);
    let all = policies("examples").into_iter().chain(bad);
    all.map(|p| (p.display().to_string(), std::fs::read_to_string(p).expect("text"))).collect()
}

fn printed(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("t.road", text);
    roadlaw_grammar::print(&roadlaw_grammar::parse(&sources, id).0.expect("a tree"))
}

/// Runs of neighbouring lines that begin with this word, each in reverse. Only items of one line stand in such a run.
fn reversed(text: &str, word: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with(word) && !line.trim_end().ends_with('{') {
            run.push(line);
        } else {
            out.extend(run.drain(..).rev());
            out.push(line);
        }
    }
    out.extend(run.drain(..).rev());
    out.join("\n") + "\n"
}

#[test]
fn layout_changes_no_verdict_and_no_byte_of_a_table() {
    let mut tables = 0;
    for (name, text) in texts() {
        let before = checked(&text);
        let wide = text.replace('\n', "\n\n   ");
        for other in [printed(&text), wide] {
            let after = checked(&other);
            assert_eq!(said(&before), said(&after), "{name}");
            assert_eq!(before.table, after.table, "{name}");
        }
        tables += usize::from(before.table.is_some());
    }
    assert!(tables >= 9, "{tables}");
}

#[test]
fn the_order_of_assertions_changes_no_verdict_and_no_code() {
    let mut moved = 0;
    for (name, text) in texts() {
        let text = printed(&text);
        let other = reversed(&reversed(&text, "  never "), "  counter ");
        moved += usize::from(other != text);
        assert_eq!(said(&checked(&text)), said(&checked(&other)), "{name}");
    }
    assert!(moved >= 5, "{moved}");
}
