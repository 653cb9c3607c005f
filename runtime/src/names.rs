//! Names of what a table holds, decoded without allocation: each name is a sequence of characters and of words of a
//! dictionary.

use crate::format::{cell, section, symbol};
use crate::table::Table;
use crate::wire::{ix, u8_at, u16_at};

/// Bytes of names that are looked at together.
const BLOCK: usize = 16;

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

/// Number of names of values or labels: bools and ints have none.
fn values(t: &Table<'_>, cell: usize) -> usize {
    match t.typed(cell) {
        Some((cell::ENUM | cell::LEVEL | cell::SET, count)) => count,
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

/// How many bytes of a block are so: a block has too few to wrap, and what may wrap is counted many at once.
fn counted(block: &[u8], so: impl Fn(u8) -> bool) -> u8 {
    block.iter().fold(0, |n, b| n.wrapping_add(u8::from(so(*b))))
}

/// Symbols are absent, or there is one well-formed name for everything and nothing else.
pub(crate) fn check(t: &Table<'_>) -> bool {
    if !t.has_symbols() {
        return t.section(section::SYMBOLS).len() == 0;
    }
    let Some((words, count, names)) = parts(t) else { return false };
    let printable = |b: u8| b.wrapping_sub(0x20) < 0x5f;
    // What is not printable among lengths and letters is a length: counted over all bytes, as many are looked at at once.
    let mut lengths = 0_usize;
    let mut at = 0_usize;
    while at < words.len() {
        let length = u8_at(words, at);
        if length == 0 {
            return false;
        }
        lengths = lengths.saturating_add(usize::from(!printable(length)));
        at = at.saturating_add(1).saturating_add(usize::from(length));
    }
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    let unprintable = |block: &[u8]| usize::from(counted(block, |b| !printable(b)));
    if blocks.iter().map(|b| unprintable(b)).fold(unprintable(rest), usize::saturating_add) != lengths {
        return false;
    }
    let groups = [t.roads(), t.filters(), t.nodes(), t.counters(), t.flows()];
    let wanted = groups.iter().fold(before_roads(t), |n, c| n.saturating_add(*c));
    // One pass: every code is a letter or a word that exists, and there is an end mark for each name, the last one at the end.
    let (mut ended, mut open) = (0_usize, false);
    // Words that one byte can name end here.
    let short = u8::try_from(count.min(symbol::SHORT)).unwrap_or(0).saturating_add(symbol::WORD);
    let narrow = |b: u8| (b == symbol::END) | printable(b) | ((b >= symbol::WORD) & (b < short));
    let mut rest = names;
    while !rest.is_empty() {
        // Blocks without wide codes, which are most, are looked at as a whole.
        if let Some((block, after)) = rest.split_first_chunk::<BLOCK>()
            && block.iter().fold(true, |all, b| all & narrow(*b))
        {
            ended = ended.saturating_add(usize::from(counted(block, |b| b == symbol::END)));
            open = block.last() != Some(&symbol::END);
            rest = after;
            continue;
        }
        let left = rest.len().saturating_sub(BLOCK);
        while rest.len() > left {
            let Some((code, after)) = next(rest) else { return false };
            (open, rest) = (true, after);
            let fine = match code {
                Code::Letter(symbol::END) => {
                    (ended, open) = (ended.saturating_add(1), false);
                    true
                }
                Code::Letter(b) => printable(b),
                Code::Word(k) => k < count,
            };
            if !fine {
                return false;
            }
        }
    }
    ended == wanted && !open && ix(count) <= symbol::WORDS
}
