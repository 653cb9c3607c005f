//! Names of what a table holds, decoded without allocation: each name is a sequence of characters and of words of a
//! dictionary.

use crate::format::{section, symbol};
use crate::records::CellKind;
use crate::table::Table;
use crate::wire::{ix, u8_at, u16_at};

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// The policy, with its version: `desk.chat@1`.
    Policy,
    /// A fact cell.
    Cell(usize),
    /// A value or label of a cell.
    Value {
        /// The cell.
        cell: usize,
        /// Which of its values or labels, from 0.
        value: usize,
    },
    /// A road.
    Road(usize),
    /// A filter of the filters section.
    Filter(usize),
    /// A node.
    Node(usize),
    /// A counter.
    Counter(usize),
    /// A flow.
    Flow(usize),
}

/// A name; its text is what `Display` writes.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    words: &'a [u8],
    codes: &'a [u8],
}

impl core::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut rest = self.codes;
        while let Some((code, tail)) = next(rest) {
            match code {
                Code::Letter(c) => core::fmt::Write::write_char(f, char::from(c))?,
                Code::Word(k) => f.write_str(word(self.words, k).unwrap_or(""))?,
            }
            rest = tail;
        }
        Ok(())
    }
}

enum Code {
    Letter(u8),
    Word(usize),
}

fn next(codes: &[u8]) -> Option<(Code, &[u8])> {
    let (first, rest) = codes.split_first()?;
    match *first {
        b @ ..symbol::WORD => Some((Code::Letter(b), rest)),
        b @ ..symbol::WIDE => Some((Code::Word(usize::from(b.saturating_sub(symbol::WORD))), rest)),
        b => {
            let (low, rest) = rest.split_first()?;
            Some((Code::Word(wide(b, *low)), rest))
        }
    }
}

/// The word of a wide code and its low byte.
fn wide(b: u8, low: u8) -> usize {
    let high = usize::from(b.saturating_sub(symbol::WIDE));
    high.saturating_mul(256).saturating_add(usize::from(low)).saturating_add(symbol::SHORT)
}

/// A word of the dictionary.
fn word(words: &[u8], k: usize) -> Option<&str> {
    let mut at = 0_usize;
    for _ in 0..k {
        at = at.saturating_add(1).saturating_add(usize::from(*words.get(at)?));
    }
    let start = at.saturating_add(1);
    let text = words.get(start..start.saturating_add(usize::from(*words.get(at)?)))?;
    core::str::from_utf8(text).ok()
}

/// The dictionary, the number of its words, and the names after it.
fn parts<'a>(t: &Table<'a>) -> Option<(&'a [u8], usize, &'a [u8])> {
    let all = t.section(section::SYMBOLS).bytes();
    let count = usize::from(u16_at(all, 0));
    let body = all.get(2..)?;
    let mut at = 0_usize;
    for _ in 0..count {
        at = at.saturating_add(1).saturating_add(usize::from(*body.get(at)?));
    }
    Some((body.get(..at)?, count, body.get(at..)?))
}

fn values(t: &Table<'_>, cell: usize) -> usize {
    match t.cell(cell).map(|c| c.kind()) {
        Some(CellKind::Enum { values } | CellKind::Level { values }) => usize::from(values),
        Some(CellKind::Set { labels }) => usize::from(labels),
        _ => 0,
    }
}

/// Number of names before those of the roads.
fn before_roads(t: &Table<'_>) -> usize {
    (0..t.cells()).fold(1, |n, c| n.saturating_add(1).saturating_add(values(t, c)))
}

impl<'a> Table<'a> {
    /// The name of something; `None` if the table was stripped of names, or there is no such thing.
    #[must_use]
    pub fn name(&self, of: Symbol) -> Option<Name<'a>> {
        if !self.has_symbols() {
            return None;
        }
        let (words, _, names) = parts(self)?;
        let groups = [self.roads(), self.filters(), self.nodes(), self.counters(), self.flows()];
        let group = |g: usize, i: usize| {
            let before = groups.iter().take(g).fold(before_roads(self), |n, c| n.saturating_add(*c));
            if groups.get(g).is_some_and(|n| i < *n) { Some(before.saturating_add(i)) } else { None }
        };
        let of_cell = |cell: usize| (0..cell).fold(1_usize, |n, c| n.saturating_add(1).saturating_add(values(self, c)));
        let at = match of {
            Symbol::Policy => Some(0),
            Symbol::Cell(cell) if cell < self.cells() => Some(of_cell(cell)),
            Symbol::Value { cell, value } if value < values(self, cell) => {
                Some(of_cell(cell).saturating_add(1).saturating_add(value))
            }
            Symbol::Cell(_) | Symbol::Value { .. } => None,
            Symbol::Road(i) => group(0, i),
            Symbol::Filter(i) => group(1, i),
            Symbol::Node(i) => group(2, i),
            Symbol::Counter(i) => group(3, i),
            Symbol::Flow(i) => group(4, i),
        }?;
        // Codes never hold the end mark but as the low byte of a wide word.
        let mut rest = names;
        for _ in 0..at {
            rest = rest.get(length(rest)?.saturating_add(1)..)?;
        }
        Some(Name { words, codes: rest.get(..length(rest)?)? })
    }
}

/// Bytes of the first name, without its end mark.
fn length(names: &[u8]) -> Option<usize> {
    let mut at = 0_usize;
    loop {
        match *names.get(at)? {
            symbol::END => return Some(at),
            b if b >= symbol::WIDE => at = at.saturating_add(2),
            _ => at = at.saturating_add(1),
        }
    }
}

/// Symbols are absent, or there is one well-formed name for everything and nothing else.
pub(crate) fn check(t: &Table<'_>) -> bool {
    if !t.has_symbols() {
        return t.section(section::SYMBOLS).len() == 0;
    }
    let Some((words, count, names)) = parts(t) else { return false };
    let printable = |b: u8| (0x20..0x7f).contains(&b);
    let mut at = 0_usize;
    while at < words.len() {
        let length = usize::from(u8_at(words, at));
        let start = at.saturating_add(1);
        let text = words.get(start..start.saturating_add(length)).unwrap_or(&[]);
        if length == 0 || !text.iter().all(|b| printable(*b)) {
            return false;
        }
        at = start.saturating_add(length);
    }
    let groups = [t.roads(), t.filters(), t.nodes(), t.counters(), t.flows()];
    let wanted = groups.iter().fold(before_roads(t), |n, c| n.saturating_add(*c));
    // One pass: every code is a letter or a word that exists, and there is an end mark for each name, the last one at the end.
    let (mut ended, mut open) = (0_usize, false);
    let mut codes = names.iter();
    while let Some(code) = codes.next() {
        let fine = match *code {
            symbol::END => {
                ended = ended.saturating_add(1);
                true
            }
            b @ ..symbol::WORD => printable(b),
            b @ ..symbol::WIDE => usize::from(b.saturating_sub(symbol::WORD)) < count,
            b => codes.next().is_some_and(|low| wide(b, *low) < count),
        };
        if !fine {
            return false;
        }
        open = *code != symbol::END;
    }
    ended == wanted && !open && ix(count) <= symbol::WORDS
}
