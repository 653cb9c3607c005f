//! A lossless view of a text: its pieces, put one after the other, are the text again.
//!
//! The tree keeps doc comments only; whoever moves text about (`roadlaw fix`, an editor) finds the other comments here.
//! Linear in the length of the text; never panics; what is no token of the language is a piece of its own.

use crate::span::{FileId, Span};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Blanks and line ends.
    Blank,
    /// `// ..` up to the line's end.
    Comment,
    /// `/// ..` up to the line's end.
    Doc,
    /// A word or a number.
    Word,
    /// `".."`, or what there is of it up to the line's end.
    Text,
    /// Anything else: arrows and comparisons as a whole, other characters one by one.
    Mark,
}

/// One piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A comment that is no doc comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands, `//` included.
    pub span: Span,
    /// Its text, without `//`.
    pub text: String,
}

const MARKS: [&str; 14] = [
    "-redeliver->",
    "-redirect->",
    "-fallback->",
    "-resume->",
    "-retry->",
    "-loop->",
    "->",
    "=>",
    "<=",
    ">=",
    "==",
    "!=",
    "..",
    "-",
];

fn wordy(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// All pieces of a text, in order, without gaps.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some((kind, len)) = text.get(at..).and_then(piece) {
        out.push(Piece { kind, start: at, end: at + len });
        at += len;
    }
    out
}

/// Kind and length of the piece that a text begins with.
fn piece(rest: &str) -> Option<(Kind, usize)> {
    let c = rest.chars().next()?;
    let run = |p: fn(char) -> bool| rest.find(|c: char| !p(c)).unwrap_or(rest.len());
    if c.is_ascii_whitespace() {
        return Some((Kind::Blank, run(|c| c.is_ascii_whitespace())));
    }
    if rest.starts_with("//") {
        let doc = rest.starts_with("///") && !rest.starts_with("////");
        return Some((if doc { Kind::Doc } else { Kind::Comment }, rest.find('\n').unwrap_or(rest.len())));
    }
    if wordy(c) {
        return Some((Kind::Word, run(wordy)));
    }
    if let Some(inner) = rest.strip_prefix('"') {
        let end = inner.find(['"', '\n', '\\']).unwrap_or(inner.len());
        let closed = usize::from(inner.as_bytes().get(end) == Some(&b'"'));
        return Some((Kind::Text, 1 + end + closed));
    }
    let len = MARKS.iter().find(|m| rest.starts_with(**m)).map_or(c.len_utf8(), |m| m.len());
    Some((Kind::Mark, len))
}

/// The comments of a text that are no doc comments, in order.
#[must_use]
pub fn comments(file: FileId, text: &str) -> Vec<Comment> {
    let at32 = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    pieces(text)
        .into_iter()
        .filter(|p| p.kind == Kind::Comment)
        .map(|p| Comment {
            span: Span::new(file, at32(p.start), at32(p.end)),
            text: text.get(p.start..p.end).and_then(|t| t.strip_prefix("//")).unwrap_or("").to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        let text = "a -> b // one\n/// doc\n//// line\n\"t//x\" -loop-> c[d] <= 40 \"open\né";
        let back: String = pieces(text).iter().map(|p| &text[p.start..p.end]).collect();
        assert_eq!(back, text);
        let kinds: Vec<Kind> = pieces(text).iter().map(|p| p.kind).filter(|k| *k != Kind::Blank).collect();
        assert_eq!(kinds[..4], [Kind::Word, Kind::Mark, Kind::Word, Kind::Comment]);
    }

    #[test]
    fn comments_are_found_and_docs_are_not() {
        let text = "edition 1 // one\n/// doc\n//// line\n\"t//x\"";
        let found = comments(FileId(3), text);
        assert_eq!(found.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), [" one", "// line"]);
        assert_eq!(found[0].span, Span::new(FileId(3), 10, 16));
    }
}
