//! Text to tree: [`crate::ast`] from bytes, or diagnostics.
//!
//! Guarantees: never panics, whatever the text; work grows with the length of the text; nesting is counted before the
//! grammar runs, so that what is refused does not depend on the size of a stack.

use crate::ast::File;
use crate::build::Build;
use crate::code;
use crate::diagnostic::{Diagnostic, sort};
use crate::explain::explain;
use crate::rules::{Grammar, Rule};
use crate::scan;
use crate::span::{FileId, Sources, Span};
use crate::trivia::{Kind, Piece, pieces};
use pest::Parser as _;

/// Greatest size of one file, in bytes.
pub const LARGEST_FILE: usize = 1 << 20;

/// Text of bytes, or the offset of the first byte that is no UTF-8.
///
/// # Errors
/// The bytes are not UTF-8.
pub fn decode(bytes: &[u8]) -> Result<String, usize> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|e| e.valid_up_to())
}

/// Parses one file of a set. The tree is there iff no diagnostic is an error.
#[must_use]
pub fn parse(sources: &Sources, file: FileId) -> (Option<File>, Vec<Diagnostic>) {
    let Some(source) = sources.file(file) else { return (None, Vec::new()) };
    let text = source.text.as_str();
    if text.len() > LARGEST_FILE {
        let d = Diagnostic::error(code::TOO_LARGE, Span::new(file, 0, 0), "the file is larger than 1 MiB")
            .with_help("split it with `use`");
        return (None, vec![d]);
    }
    let found = scan::check(file, text);
    if !found.is_empty() {
        return (None, found);
    }
    let mut build = Build::new(file, 0);
    match Grammar::parse(Rule::file, text) {
        Ok(mut pairs) => {
            let tree = pairs.next().map(|p| build.file(p));
            if build.errors.is_empty() { (tree, Vec::new()) } else { (None, build.errors) }
        }
        Err(e) => {
            let mut all = piecewise(file, text);
            if all.is_empty() {
                all.push(explain(file, text, 0, &e));
            }
            sort(&mut all);
            (None, all)
        }
    }
}

/// Words that begin an item.
pub(crate) const ITEMS: [&str; 24] = [
    "use",
    "pins",
    "facts",
    "const",
    "let",
    "need",
    "limits",
    "target",
    "projection",
    "filters",
    "role",
    "road",
    "counter",
    "record",
    "export",
    "lane",
    "child",
    "flow",
    "never",
    "always",
    "given",
    "test",
    "policy",
    "library",
];

/// Greatest number of syntax errors reported at once.
const MOST_ERRORS: usize = 20;

/// The errors of a file that does not parse, item by item: a fault in one item does not hide those of the others.
/// Items are told apart by their first word, where it stands first on its line directly in the body.
fn piecewise(file: FileId, text: &str) -> Vec<Diagnostic> {
    let all = pieces(text);
    let Some(body) = all.iter().position(|p| &text[p.start..p.end] == "{") else { return Vec::new() };
    let mut out = Vec::new();
    let head = &text[..all[body].end];
    if let Err(e) = Grammar::parse(Rule::file_head, head) {
        out.push(explain(file, text, 0, &e));
    }
    for (from, to) in chunks(text, &all, body) {
        if out.len() >= MOST_ERRORS {
            break;
        }
        let chunk = &text[from..to];
        match Grammar::parse(Rule::one_item, chunk) {
            Err(e) => out.push(explain(file, text, from, &e)),
            Ok(mut pairs) => {
                let mut build = Build::new(file, from);
                if let Some(p) = pairs.next() {
                    build.one_item(&p);
                }
                out.append(&mut build.errors);
            }
        }
    }
    out
}

/// Byte ranges of the items of the body that the piece `body` opens.
fn chunks(text: &str, all: &[Piece], body: usize) -> Vec<(usize, usize)> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    let mut docs: Option<usize> = None;
    let mut line_start = false;
    let mut end = text.len();
    for p in &all[body..] {
        let t = &text[p.start..p.end];
        let first = depth == 1 && line_start;
        match p.kind {
            Kind::Blank => {
                line_start |= t.contains('\n');
                continue;
            }
            Kind::Comment => continue,
            Kind::Doc => {
                if depth == 1 && docs.is_none() {
                    docs = Some(p.start);
                }
                continue;
            }
            Kind::Word if starts.is_empty() && depth == 1 || first && ITEMS.contains(&t) => {
                starts.push(docs.unwrap_or(p.start));
            }
            Kind::Mark if matches!(t, "{" | "(" | "[") => depth += 1,
            Kind::Mark if matches!(t, "}" | ")" | "]") => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    end = p.start;
                    break;
                }
            }
            Kind::Mark if starts.is_empty() && depth == 1 => starts.push(p.start),
            _ => {}
        }
        docs = None;
        line_start = false;
    }
    let ends = starts.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(a, b)| (a, a + text[a..b].trim_end().len())).collect()
}
