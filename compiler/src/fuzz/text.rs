//! Bodies on source text.

use crate::lower::{Input, lower as lower_input};
use crate::model::Model;
use crate::pipeline;
use crate::program::fuzz::shown;
use crate::prove::Verdict;
use crate::table::Options;
use roadlaw_grammar::ast::File;
use roadlaw_grammar::diagnostic::{Diagnostic, Severity};
use roadlaw_grammar::span::{Sources, Span};
use roadlaw_runtime::Table;

/// A longer text is only slower to prove.
const CHECKED: usize = 8 << 10;

/// A larger model is only slower to prove.
const NODES: usize = 60;
const ROADS: usize = 6;
const FACTS: usize = 40;
const ROUNDS: u32 = 4;

fn read(text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("p.road", text);
    let (tree, found) = roadlaw_grammar::parse(&sources, id);
    (sources, tree, found)
}

/// Every place of a diagnostic is a piece of a file that was read; and it can be shown.
fn placed(sources: &Sources, all: &[Diagnostic]) {
    let at = |span: Span| {
        let text = sources.file(span.file).map(|f| f.text.as_str());
        let inside = text.is_some_and(|t| t.get(span.start as usize..span.end as usize).is_some());
        assert!(inside, "{span:?} is no place");
    };
    for d in all {
        at(d.primary);
        d.labels.iter().for_each(|l| at(l.span));
        assert!(!d.message.is_empty(), "{} says nothing", d.code);
    }
    shown(sources, all);
}

fn errors(all: &[Diagnostic]) -> usize {
    all.iter().filter(|d| d.severity == Severity::Error).count()
}

pub(super) fn input(bytes: &[u8]) -> Input {
    Input { name: "p.road".to_owned(), bytes: bytes.to_vec(), root: None }
}

/// Text to tree: a tree or errors, never both, and every error has a place. Pieces put one after the other are the text.
///
/// # Panics
/// If something does not hold that must.
pub fn parse(bytes: &[u8]) {
    let Ok(text) = roadlaw_grammar::decode(bytes) else { return };
    let (sources, tree, found) = read(&text);
    assert_eq!(tree.is_some(), errors(&found) == 0, "{found:?}");
    placed(&sources, &found);
    let mut end = 0;
    for piece in roadlaw_grammar::trivia::pieces(&text) {
        assert_eq!(piece.start, end, "text between pieces");
        end = piece.end;
    }
    assert_eq!(end, text.len(), "text behind the last piece");
}

/// Printed text is read as the same tree, and printing it again changes nothing.
///
/// # Panics
/// If something does not hold that must.
pub fn print(bytes: &[u8]) {
    let Ok(text) = roadlaw_grammar::decode(bytes) else { return };
    let (_, Some(tree), _) = read(&text) else { return };
    let once = roadlaw_grammar::print(&tree);
    if once.len() > roadlaw_grammar::LARGEST_FILE {
        return;
    }
    let (_, again, found) = read(&once);
    let Some(again) = again else { panic!("printed text is not read: {found:?}\n{once}") };
    assert!(again == tree, "another tree:\n{once}");
    assert_eq!(roadlaw_grammar::print(&again), once);
}

/// Text to model: a model or errors, and every diagnostic has a place.
///
/// # Panics
/// If something does not hold that must.
pub fn lower(bytes: &[u8]) {
    let out = lower_input(input(bytes));
    assert!(out.model.is_some() || errors(&out.diagnostics) > 0, "neither a model nor an error");
    placed(&out.sources, &out.diagnostics);
}

/// Small enough that its proof ends soon.
fn small(m: &Model) -> bool {
    m.nodes.len() <= NODES
        && m.roads.len() <= ROADS
        && m.facts.len() <= FACTS
        && m.counters.iter().map(|c| u32::from(c.max) + 1).product::<u32>() <= ROUNDS
}

/// Small policies, all the way: proved exactly where there is a table and no error, and the engines agree.
///
/// # Panics
/// If something does not hold that must.
pub fn check(bytes: &[u8]) {
    if bytes.len() > CHECKED || lower_input(input(bytes)).model.is_none_or(|m| !small(&m)) {
        return;
    }
    let checked = pipeline::check(input(bytes), Options::default());
    let all = &checked.report.diagnostics;
    placed(&checked.sources, all);
    let proved = checked.report.verdict == Verdict::Proved;
    assert_eq!(proved, checked.table.is_some(), "{all:?}");
    assert_eq!(proved, checked.report.proof.is_some(), "{all:?}");
    assert_eq!(proved, errors(all) == 0, "{all:?}");
    // Faults of the compiler, not of the policy: the table says something else, or the engines disagree.
    assert!(!all.iter().any(|d| matches!(d.code, "RL901" | "RL902")), "{all:?}");
    if let Some(table) = &checked.table {
        assert!(Table::from_bytes(table).is_ok(), "a table that cannot be read");
        let again = checked.model.as_ref().map(|m| crate::validate::check(table, m));
        assert!(matches!(again, Some(Ok(()))), "{again:?}");
    }
}
