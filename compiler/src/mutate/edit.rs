//! Changes as edits of text: what an author would have written instead, and how it is shown.

use roadlaw_grammar::span::{FileId, Sources, Span};
use std::collections::BTreeSet;

/// Other text in the place of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) at: Span,
    pub(crate) text: String,
}

impl Edit {
    pub(crate) fn new(at: Span, text: impl Into<String>) -> Self {
        Self { at, text: text.into() }
    }

    pub(crate) fn delete(at: Span) -> Self {
        Self::new(at, "")
    }

    pub(crate) fn insert(file: FileId, at: u32, text: impl Into<String>) -> Self {
        Self::new(Span::new(file, at, at), text)
    }
}

/// One change of a policy; several edits where one change must be made in several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Where it is shown to be.
    pub(crate) at: Span,
    /// What was changed, for people.
    pub(crate) what: String,
    pub(crate) edits: Vec<Edit>,
}

impl Change {
    pub(crate) fn new(at: Span, what: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { at, what: what.into(), edits }
    }

    /// The files it changes.
    pub(crate) fn files(&self) -> BTreeSet<FileId> {
        self.edits.iter().map(|e| e.at.file).collect()
    }

    /// The edits of one file in order; `None` if two of them overlap.
    fn ordered(&self, file: FileId) -> Option<Vec<&Edit>> {
        let mut edits: Vec<&Edit> = self.edits.iter().filter(|e| e.at.file == file).collect();
        edits.sort_by_key(|e| (e.at.start, e.at.end));
        edits.windows(2).all(|w| w[0].at.end <= w[1].at.start).then_some(edits)
    }

    /// The whole text of a file with its edits made; `None` if they overlap.
    pub(crate) fn applied(&self, sources: &Sources, file: FileId) -> Option<String> {
        let text = &sources.file(file)?.text;
        Some(within(text, 0, &self.ordered(file)?))
    }

    /// The lines that change: as they were and as they are, by file and first line.
    pub(crate) fn excerpt(&self, sources: &Sources) -> Vec<Hunk> {
        let mut out = Vec::new();
        for file in self.files() {
            let (Some(source), Some(edits)) = (sources.file(file), self.ordered(file)) else { continue };
            let text = source.text.as_str();
            let mut rest = edits.as_slice();
            while let Some(first) = rest.first() {
                let start = text[..first.at.start as usize].rfind('\n').map_or(0, |i| i + 1);
                let mut end = line_end(text, first.at.end as usize);
                let mut n = 1;
                // Edits of neighbouring lines are shown together.
                while let Some(next) = rest.get(n).filter(|e| e.at.start as usize <= end + 1) {
                    end = line_end(text, next.at.end as usize);
                    n += 1;
                }
                let (before, after) = (&text[start..end], within(&text[start..end], start, &rest[..n]));
                out.push(Hunk {
                    file: source.name.clone(),
                    line: sources.line_column(file, u32::try_from(start).unwrap_or(u32::MAX)).0,
                    before: lines(before),
                    after: lines(&after),
                });
                rest = &rest[n..];
            }
        }
        for h in &mut out {
            h.narrow();
        }
        out
    }
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |i| at + i)
}

/// Non-empty lines.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim_end).filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

/// Edits of a piece of text that begins at `base` of its file.
fn within(text: &str, base: usize, edits: &[&Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = base;
    for e in edits {
        out.push_str(&text[at - base..e.at.start as usize - base]);
        out.push_str(&e.text);
        at = e.at.end as usize;
    }
    out.push_str(&text[at - base..]);
    out
}

/// Lines that change, as they were and as they are.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Hunk {
    /// The file, as it is shown.
    pub file: String,
    /// Its line where `before` begins, from 1.
    pub line: u32,
    /// As they were.
    pub before: Vec<String>,
    /// As they are.
    pub after: Vec<String>,
}

impl Hunk {
    /// Leaves out what is the same at both ends.
    fn narrow(&mut self) {
        while !self.before.is_empty() && self.before.first() == self.after.first() {
            self.before.remove(0);
            self.after.remove(0);
            self.line += 1;
        }
        while !self.before.is_empty() && self.before.last() == self.after.last() {
            self.before.pop();
            self.after.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Edit};
    use roadlaw_grammar::span::{FileId, Sources, Span};

    #[test]
    fn edits_are_made_and_shown_by_line() {
        let mut sources = Sources::default();
        let id = sources.add("p.road", "one\ntwo three\nfour\n");
        let at = |a, b| Span::new(id, a, b);
        let change = Change::new(at(4, 7), "x", vec![Edit::new(at(8, 13), "3"), Edit::new(at(4, 7), "2")]);
        assert_eq!(change.applied(&sources, FileId(0)).as_deref(), Some("one\n2 3\nfour\n"));
        let hunks = change.excerpt(&sources);
        assert_eq!((hunks.len(), hunks[0].line), (1, 2));
        assert_eq!((hunks[0].before.join("|"), hunks[0].after.join("|")), ("two three".into(), "2 3".into()));
        let gone = Change::new(at(4, 13), "x", vec![Edit::delete(at(4, 13))]);
        assert_eq!((gone.excerpt(&sources)[0].before.len(), gone.excerpt(&sources)[0].after.len()), (1, 0));
        let both = Change::new(at(4, 13), "x", vec![Edit::delete(at(4, 13)), Edit::delete(at(8, 9))]);
        assert_eq!(both.applied(&sources, FileId(0)), None);
    }
}
