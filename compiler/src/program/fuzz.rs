//! What fuzzing needs of this program: its readers of facts and events, and its renderers. See [`crate::fuzz`].

use super::opened::Opened;
use super::{decide, fault::Fault, files, inspect, render, trace};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::span::Sources;
use std::path::Path;

/// Diagnostics as people see them; cut in the middle of a character, this would panic.
pub(crate) fn shown(sources: &Sources, all: &[Diagnostic]) {
    assert_eq!(render::diagnostics(sources, all).is_empty(), all.is_empty());
    assert!(super::json::line(&super::json::diagnostics(sources, all)).len() > 2);
}

/// The answer of a command that reads a table and a text: each fault says something, the same text gives the same answer.
fn answered(table: &[u8], text: &[u8], command: impl Fn(&Opened<'_>, Sources) -> Result<String, Fault>) {
    let path = Path::new("p.table");
    let Ok(o) = Opened::new(path, table) else { panic!("a sound table") };
    let once = || match files::text("facts", text.to_vec()).and_then(|sources| command(&o, sources)) {
        Ok(answer) => answer,
        Err(fault) => {
            assert!(!fault.json().is_empty());
            fault.human()
        }
    };
    let answer = once();
    assert!(!answer.is_empty(), "no answer");
    assert_eq!(answer, once());
}

/// `roadlaw decide`.
pub(crate) fn facts(table: &[u8], text: &[u8]) {
    answered(table, text, |o, sources| decide::answer(o, sources, Path::new("p.table")));
}

/// `roadlaw trace`.
pub(crate) fn events(table: &[u8], text: &[u8]) {
    answered(table, text, |o, sources| trace::answer(o, sources, Path::new("p.table")));
}

/// `roadlaw inspect`.
pub(crate) fn listed(table: &[u8]) {
    let path = Path::new("p.table");
    if let Ok(o) = Opened::new(path, table) {
        let listing = inspect::listing(&o, path, table.len());
        assert!(!super::listing::human(&listing).is_empty());
    }
}
