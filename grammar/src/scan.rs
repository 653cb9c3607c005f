//! A look at the bytes before the grammar runs: brackets, nesting, texts and stray characters.
//!
//! The grammar would find the same faults, but far from their cause: a missing brace shows at the end of the file.

use crate::code;
use crate::diagnostic::Diagnostic;
use crate::parse::ITEMS;
use crate::span::{FileId, Span};
use crate::trivia::{Kind, pieces};

/// Greatest depth of brackets and of `not` in a row.
pub const DEEPEST: usize = 64;

fn at32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Faults that make parsing pointless, in source order; at most one of each kind.
pub(crate) fn check(file: FileId, text: &str) -> Vec<Diagnostic> {
    let span = |a: usize, b: usize| Span::new(file, at32(a), at32(b));
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut nots = 0_usize;
    let mut i = 0;
    while i < bytes.len() {
        let c = bytes[i];
        match c {
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                i += text[i..].find('\n').unwrap_or(text.len() - i);
                continue;
            }
            b'"' => {
                let rest = &text[i + 1..];
                let end = rest.find(['"', '\n', '\\']).unwrap_or(rest.len());
                match rest.as_bytes().get(end) {
                    Some(b'"') => {
                        i += end + 2;
                        continue;
                    }
                    Some(b'\\') => {
                        let d = Diagnostic::error(code::TEXT, span(i + 1 + end, i + 2 + end), "a text has no escapes")
                            .with_help("write the text without `\\`");
                        return vec![d];
                    }
                    _ => {
                        let d =
                            Diagnostic::error(code::TEXT, span(i, i + 1 + end), "this text is not closed on its line")
                                .with_help("close it with `\"`");
                        return vec![d];
                    }
                }
            }
            b'{' | b'(' | b'[' => {
                open.push((i, c));
                if open.len() > DEEPEST {
                    return vec![deep(span(i, i + 1))];
                }
            }
            b'}' | b')' | b']' => {
                let want = match c {
                    b'}' => b'{',
                    b')' => b'(',
                    _ => b'[',
                };
                match open.pop() {
                    Some((_, o)) if o == want => {}
                    Some((at, o)) => {
                        let d = Diagnostic::error(
                            code::BRACKET,
                            span(i, i + 1),
                            format!("`{}` does not close `{}`", char::from(c), char::from(o)),
                        )
                        .with_label(span(at, at + 1), "opened here")
                        .with_help(format!("close it with `{}` first", closing(o)));
                        return vec![d];
                    }
                    None => {
                        let d = Diagnostic::error(
                            code::BRACKET,
                            span(i, i + 1),
                            format!("`{}` closes nothing", char::from(c)),
                        )
                        .with_help("delete it, or open it before");
                        return vec![d];
                    }
                }
            }
            _ if !c.is_ascii() => {
                let ch = text[i..].chars().next().unwrap_or('?');
                let d = Diagnostic::error(
                    code::NOT_ASCII,
                    span(i, i + ch.len_utf8()),
                    if ch == '\u{feff}' {
                        "a byte order mark stands here".to_owned()
                    } else {
                        format!("`{ch}` can only stand in texts and comments")
                    },
                );
                let help = match ch {
                    '\u{feff}' => "save the file as UTF-8 without a byte order mark",
                    '\u{201c}' | '\u{201d}' | '\u{201e}' => "a text stands in `\"`",
                    '\u{2192}' => "write `->`",
                    '\u{2264}' => "write `<=`",
                    '\u{2265}' => "write `>=`",
                    '\u{a0}' => "write an ordinary blank",
                    _ => "names are made of the letters a to z, digits and `_`",
                };
                return vec![d.with_help(help)];
            }
            _ => {}
        }
        if c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_' {
            let end = i + bytes[i..]
                .iter()
                .take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'_')
                .count();
            nots = if &text[i..end] == "not" { nots + 1 } else { 0 };
            if nots > DEEPEST {
                return vec![deep(span(i, end))];
            }
            i = end;
            continue;
        }
        if !c.is_ascii_whitespace() && c != b'(' {
            nots = 0;
        }
        i += 1;
    }
    if let Some((at, o)) = open.last() {
        let close = closing(*o);
        if let Some((at, line, end)) = outdented(text) {
            let word = &text[line..end];
            let d = Diagnostic::error(
                code::BRACKET,
                span(line, end),
                format!("`}}` is missing before `{word}`: the block above is not closed"),
            )
            .with_label(span(at, at + 1), "opened here")
            .with_help("close it with `}`");
            return vec![d];
        }
        let end = text.trim_end().len();
        let from = text[..end].char_indices().next_back().map_or(0, |(i, _)| i);
        let d = Diagnostic::error(
            code::BRACKET,
            span(from, end),
            format!("`{close}` is missing: this `{}` is never closed", char::from(*o)),
        )
        .with_label(span(*at, at + 1), "opened here")
        .with_help(format!("close it with `{close}`"));
        return vec![d];
    }
    Vec::new()
}

fn closing(open: u8) -> char {
    match open {
        b'{' => '}',
        b'(' => ')',
        _ => ']',
    }
}

/// The block that was most likely left open, and the first word of an item (start and end) that stands no further right
/// than the line that opened it: what a missing brace looks like in a file that is laid out.
fn outdented(text: &str) -> Option<(usize, usize, usize)> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut indent, mut fresh) = (0, true);
    for p in pieces(text) {
        let t = &text[p.start..p.end];
        match p.kind {
            Kind::Blank => {
                if let Some(n) = t.rfind('\n') {
                    (indent, fresh) = (t.len() - n - 1, true);
                }
                continue;
            }
            Kind::Word if fresh && ITEMS.contains(&t) => {
                if let Some((at, _)) = open.last().filter(|(_, i)| open.len() > 1 && indent <= *i) {
                    return Some((*at, p.start, p.end));
                }
            }
            Kind::Mark if t == "{" => open.push((p.start, indent)),
            Kind::Mark if t == "}" => {
                open.pop();
            }
            _ => {}
        }
        fresh = false;
    }
    None
}

fn deep(span: Span) -> Diagnostic {
    Diagnostic::error(code::DEEP, span, format!("nested more than {DEEPEST} deep"))
        .with_help("name a part of it: `let part = ..`")
}

/// The end of the token that begins at a byte.
pub(crate) fn token_end(text: &str, at: usize) -> usize {
    let Some(rest) = text.get(at..) else { return at };
    let wordy = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut chars = rest.char_indices();
    match chars.next() {
        None => at,
        Some((_, c)) if wordy(c) => at + rest.find(|c: char| !wordy(c)).unwrap_or(rest.len()),
        Some((_, '"')) => at + rest[1..].find(['"', '\n']).map_or(rest.len(), |n| n + 2),
        Some((_, '/')) if rest.starts_with("/*") => at + 2,
        Some((_, '/')) => at + rest.find(|c: char| c != '/').unwrap_or(rest.len()),
        Some((_, '-')) => {
            // An arrow as a whole, right or wrong: `-falback->`, `-->`.
            let inner = rest.trim_start_matches('-').trim_start_matches(wordy).trim_start_matches('-');
            at + if inner.starts_with('>') { rest.len() - inner.len() + 1 } else { 1 }
        }
        Some((_, c)) => {
            let double = ["=>", "==", "&&", "||", "!=", "<=", ">=", "/*", ".."];
            at + double.iter().find(|d| rest.starts_with(**d)).map_or(c.len_utf8(), |d| d.len())
        }
    }
}
