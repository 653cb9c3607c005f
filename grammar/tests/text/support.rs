//! Shared by the tests of this binary.

use roadlaw_grammar::ast::File;
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_grammar::parse;
use roadlaw_grammar::span::Sources;

/// The tree of a text, or its diagnostics.
pub(crate) fn read(text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("x.road", text);
    let (tree, found) = parse(&sources, id);
    (sources, tree, found)
}

/// The tree of a text that must parse.
pub(crate) fn good(text: &str) -> File {
    let (_, tree, found) = read(text);
    assert!(found.is_empty(), "{found:?}\n{text}");
    tree.expect("no diagnostic, so there is a tree")
}

/// The diagnostics of a text, one a line: `line:column code message`, then `| help`.
pub(crate) fn told(text: &str) -> Vec<String> {
    let (sources, tree, found) = read(text);
    assert_eq!(tree.is_none(), !found.is_empty());
    found
        .iter()
        .map(|d| {
            let (line, column) = sources.line_column(d.primary.file, d.primary.start);
            let help = d.help.as_ref().map_or(String::new(), |h| format!(" | {h}"));
            format!("{line}:{column} {} {}{help}", d.code, d.message)
        })
        .collect()
}

/// A policy with these items.
pub(crate) fn policy(items: &str) -> String {
    format!("edition 1\npolicy a@1 {{\n{items}\n}}\n")
}

/// All sources that ship: the examples and the standard library.
pub(crate) fn shipped() -> Vec<(String, String)> {
    let mut out = Vec::new();
    for folder in ["../examples", "../compiler/std"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(path).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|e| e == "road") {
                let text = std::fs::read_to_string(&path).expect("it can be read");
                out.push((path.display().to_string(), text));
            }
        }
    }
    out.sort();
    assert!(out.len() >= 8, "{}", out.len());
    out
}
