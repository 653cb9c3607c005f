//! Tables: one constructor that checks everything, then plain reads.

use crate::check;
use crate::choose::{ChooseRecord, Digit, Profile};
use crate::format::{
    CHECKSUM_AT, COUNTS_AT, DIGEST_AT, FLAG_COMPACT, FLAG_SYMBOLS, HEADER, MAGIC, MODEL_AT, NONE, PROOF_AT, SECTIONS,
    VERSION, cell, checksum, section,
};
use crate::records::{Cell, Edge, Flow, Node, Road};
use crate::wire::{Records, i64_at, ix, u8_at, u16_at, u32_at, u64_at};

/// Why bytes are no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The first bytes are not those of a table.
    Magic,
    /// The format version is not the one this runtime reads.
    Version {
        /// The table's.
        found: u16,
        /// This runtime's.
        known: u16,
    },
    /// The length in the header is not the length of the bytes.
    Length {
        /// By the header; 0 where there is none.
        written: usize,
        /// Of the bytes.
        found: usize,
    },
    /// The checksum does not fit the bytes.
    Checksum,
    /// A section lies outside the table, or its padding is not zero.
    Section {
        /// Its index in the directory.
        section: u8,
    },
    /// A record has a field outside its domain.
    Record {
        /// Index of its section.
        section: u8,
        /// Index of the record.
        record: u32,
    },
}

impl core::fmt::Display for TableError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Magic => f.write_str("not a road table: the magic bytes are missing"),
            Self::Version { found, known } => {
                write!(f, "format version {found} is not known; this runtime reads {known}")
            }
            Self::Length { written, found } => write!(f, "the header says {written} bytes, there are {found}"),
            Self::Checksum => f.write_str("the checksum does not fit: the table was altered"),
            Self::Section { section } => write!(f, "section {} is malformed", name(*section)),
            Self::Record { section, record } => write!(f, "record {record} of section {} is malformed", name(*section)),
        }
    }
}

impl core::error::Error for TableError {}

fn name(section: u8) -> &'static str {
    SECTIONS.get(usize::from(section)).map_or("header", |s| s.0)
}

/// A checked table over the caller's bytes.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    bytes: &'a [u8],
    sections: [Records<'a>; SECTIONS.len()],
}

impl<'a> Table<'a> {
    /// Checks bytes, in this order: magic, version, length, checksum, directory, records. The only constructor.
    /// Time: one pass over the bytes. Never panics, whatever they are.
    ///
    /// # Errors
    /// The bytes are no table of this version; which check failed, and where.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, TableError> {
        if bytes.len() < HEADER {
            return Err(TableError::Length { written: 0, found: bytes.len() });
        }
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(TableError::Magic);
        }
        if u16_at(bytes, 8) != VERSION {
            return Err(TableError::Version { found: u16_at(bytes, 8), known: VERSION });
        }
        let written = ix(u32_at(bytes, 16));
        if usize::from(u16_at(bytes, 10)) != HEADER || written != bytes.len() {
            return Err(TableError::Length { written, found: bytes.len() });
        }
        if u64_at(bytes, CHECKSUM_AT) != checksum(bytes) {
            return Err(TableError::Checksum);
        }
        let mut sections = [Records::new(&[], 1); SECTIONS.len()];
        let mut at = HEADER;
        for (i, (slot, (_, size))) in sections.iter_mut().zip(SECTIONS).enumerate() {
            let bad = TableError::Section { section: u8::try_from(i).unwrap_or(u8::MAX) };
            let count = ix(u32_at(bytes, COUNTS_AT.saturating_add(i.saturating_mul(4))));
            let length = count.checked_mul(size).ok_or(bad)?;
            let end = at.checked_add(length).ok_or(bad)?;
            let next = end.checked_add(7).ok_or(bad)? & !7;
            let body = bytes.get(at..end).ok_or(bad)?;
            if bytes.get(end..next).is_none_or(|padding| padding.iter().any(|b| *b != 0)) {
                return Err(bad);
            }
            *slot = Records::new(body, size);
            at = next;
        }
        let rest = COUNTS_AT.saturating_add(SECTIONS.len().saturating_mul(4));
        if at != bytes.len()
            || bytes.get(rest..HEADER).is_none_or(|r| r.iter().any(|b| *b != 0))
            || u32_at(bytes, 12) & !(FLAG_SYMBOLS | FLAG_COMPACT) != 0
            || u32_at(bytes, 20) != 0
        {
            return Err(TableError::Section { section: u8::MAX });
        }
        let table = Self { bytes, sections };
        check::check(&table)?;
        Ok(table)
    }

    /// The records of a section of [`SECTIONS`].
    pub(crate) fn section(&self, i: usize) -> Records<'a> {
        self.sections.get(i).copied().unwrap_or(Records::new(&[], 1))
    }

    /// Number of records of each section, in the order of [`SECTIONS`].
    #[must_use]
    pub fn section_sizes(&self) -> [usize; SECTIONS.len()] {
        self.sections.map(Records::len)
    }

    /// The writer laid the table out compactly: smaller, and slower to choose from.
    #[must_use]
    pub fn is_compact(&self) -> bool {
        u32_at(self.bytes, 12) & FLAG_COMPACT != 0
    }

    /// The table holds names.
    #[must_use]
    pub fn has_symbols(&self) -> bool {
        u32_at(self.bytes, 12) & FLAG_SYMBOLS != 0
    }

    /// Digest of the table: BLAKE3 over its covered bytes, as the writer computed it. This crate does not compute it:
    /// compare it with the digest that was pinned, and have `roadlaw verify` check that it fits.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest_at(DIGEST_AT)
    }

    /// Digest of the model that the table was made from.
    #[must_use]
    pub fn model_digest(&self) -> [u8; 32] {
        self.digest_at(MODEL_AT)
    }

    /// Digest of the proof that the table was written with.
    #[must_use]
    pub fn proof_digest(&self) -> [u8; 32] {
        self.digest_at(PROOF_AT)
    }

    fn digest_at(&self, at: usize) -> [u8; 32] {
        self.bytes.get(at..).and_then(|b| b.first_chunk::<32>()).copied().unwrap_or([0; 32])
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Number of fact cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.section(section::CELLS).len()
    }

    /// A fact cell.
    #[must_use]
    pub fn cell(&self, i: usize) -> Option<Cell> {
        let b = self.section(section::CELLS).of::<8>(i)?;
        let (code, bits, count, strict) = (u8_at(b, 0), u8_at(b, 1), u16_at(b, 2), u16_at(b, 6));
        let strict = match (bits & 8 != 0, code) {
            (false, _) => None,
            (true, cell::SET | cell::INT) => Some(self.number(usize::from(strict))),
            (true, _) => Some(i64::from(strict)),
        };
        let (count, lo, hi) = if code == cell::INT {
            let end = |k: usize| i32::try_from(self.number(usize::from(count).saturating_add(k))).unwrap_or(0);
            (0, end(0), end(1))
        } else {
            (count, 0, 0)
        };
        Some(Cell { code, life: bits & 7, latch: bits >> 4 & 7, count, argument: u16_at(b, 4), strict, lo, hi })
    }

    /// Kind of a cell by code, and the number of its values or labels: 0 for an int. Less to read than the whole cell.
    pub(crate) fn typed(&self, i: usize) -> Option<(u8, usize)> {
        let [code, _, low, high, ..] = *self.section(section::CELLS).of::<8>(i)?;
        Some((code, if code == cell::INT { 0 } else { usize::from(u16::from_le_bytes([low, high])) }))
    }

    pub(crate) fn number(&self, i: usize) -> i64 {
        i64_at(self.section(section::NUMBERS).record(i), 0)
    }

    /// Number of roads.
    #[must_use]
    pub fn roads(&self) -> usize {
        self.section(section::ROADS).len()
    }

    /// A road.
    #[must_use]
    pub fn road(&self, i: usize) -> Option<Road> {
        let b = self.section(section::ROADS).of::<8>(i)?;
        Some(Road { first_filter: u32_at(b, 0), filters: u16_at(b, 4), flags: u8_at(b, 6), shape: u8_at(b, 7) })
    }

    /// Number of filters of all roads.
    #[must_use]
    pub fn filters(&self) -> usize {
        self.section(section::FILTERS).len()
    }

    /// The guard of a filter.
    pub(crate) fn filter_guard(&self, i: usize) -> u16 {
        self.section(section::FILTERS).u16(i)
    }

    /// The code of a guard.
    pub(crate) fn guard_code(&self, guard: usize) -> &'a [u8] {
        let (starts, code) = (self.section(section::GUARDS), self.section(section::CODE).bytes());
        let next = guard.saturating_add(1);
        let end = if next < starts.len() { ix(starts.u32(next)) } else { code.len() };
        code.get(ix(starts.u32(guard))..end).unwrap_or(&[])
    }

    /// Number of chooses.
    #[must_use]
    pub fn chooses(&self) -> usize {
        self.section(section::CHOOSES).len()
    }

    pub(crate) fn choose_record(&self, i: usize) -> Option<ChooseRecord> {
        if i >= self.chooses() {
            return None;
        }
        let b = self.section(section::CHOOSES).record(i);
        Some(ChooseRecord {
            node: u16_at(b, 0),
            candidates: u16_at(b, 2),
            first_candidate: u32_at(b, 4),
            by: u16_at(b, 8),
            profiles: u8_at(b, 10),
            width: u8_at(b, 11),
            first_profile: u32_at(b, 12),
            first_digit: u32_at(b, 16),
            digits: u16_at(b, 20),
            groups: u16_at(b, 22),
            first_group: u32_at(b, 24),
            rows: u16_at(b, 28),
            exits: u16_at(b, 30),
            first_exit: u16_at(b, 32),
            checks: u32_at(b, 36),
        })
    }

    /// The candidates of a choose, as road indices, by position.
    pub fn candidates(&self, choose: usize) -> impl Iterator<Item = usize> + '_ {
        let record = self.choose_record(choose);
        let first = record.map_or(0, |c| ix(c.first_candidate));
        let count = record.map_or(0, |c| usize::from(c.candidates));
        (first..first.saturating_add(count)).map(|i| usize::from(self.indices().u16(i)))
    }

    pub(crate) fn profile_record(&self, i: usize) -> Profile {
        self.section(section::PROFILES).record(i).first_chunk().map_or(Profile::of(&[0; 20]), Profile::of)
    }

    pub(crate) fn digit_record(&self, i: usize) -> Digit {
        let b = self.section(section::DIGITS).of::<12>(i).unwrap_or(&[0; 12]);
        Digit {
            source: u8_at(b, 0),
            labels: u8_at(b, 1),
            cell: u16_at(b, 2),
            group: u16_at(b, 4),
            stride: u16_at(b, 6),
            radix: u16_at(b, 8),
            argument: u16_at(b, 10),
        }
    }

    pub(crate) fn cuts(&self) -> Records<'a> {
        self.section(section::CUTS)
    }

    pub(crate) fn indices(&self) -> Records<'a> {
        self.section(section::INDICES)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.section(section::NODES).len()
    }

    /// A node.
    #[must_use]
    pub fn node(&self, i: usize) -> Option<Node> {
        let b = self.section(section::NODES).of::<8>(i)?;
        Some(Node { kind: u8_at(b, 0), flow: u8_at(b, 1), subject: u16_at(b, 2), obligations: u16_at(b, 4) })
    }

    /// Indices of the edges of a node: ports in ascending order, the edges of a port in the order in which they are tried.
    #[must_use]
    pub fn edges_of(&self, node: usize) -> core::ops::Range<usize> {
        let first = |i: usize| self.section(section::NODES).of::<8>(i).map(|b| usize::from(u16_at(b, 6)));
        match first(node) {
            None => 0..0,
            Some(start) => start..first(node.saturating_add(1)).unwrap_or(self.edges()),
        }
    }

    /// Outcome (by code), candidate and edges of each port of a node, in ascending order.
    pub fn ports(&self, node: usize) -> impl Iterator<Item = (u8, Option<usize>, core::ops::Range<usize>)> + '_ {
        let mut rest = self.edges_of(node);
        core::iter::from_fn(move || {
            let first = rest.clone().next().and_then(|i| self.edge(i))?;
            let port = self.port(node, first.outcome(), first.candidate());
            rest.start = port.end;
            Some((first.outcome(), first.candidate(), port))
        })
    }

    /// The edges of one port of a node, found by bisection; empty if the node has no such port.
    #[must_use]
    pub fn port(&self, node: usize, outcome: u8, candidate: Option<usize>) -> core::ops::Range<usize> {
        let wanted = (outcome, candidate.map_or(NONE, |c| u16::try_from(c).unwrap_or(NONE)));
        let all = self.edges_of(node);
        let (edges, extras) = (self.section(section::EDGES), self.section(section::EXTRAS));
        // No more of an edge is read than tells its port.
        let port = |i: usize| {
            let (outcome, x) = edges.of::<8>(i).map_or((u8::MAX, NONE), |b| (u8_at(b, 0), u16_at(b, 6)));
            (outcome, if x == NONE { NONE } else { extras.of::<12>(usize::from(x)).map_or(NONE, |x| u16_at(x, 0)) })
        };
        let (mut start, mut end) = (all.start, all.end);
        while start < end {
            let middle = start.midpoint(end);
            if port(middle) < wanted {
                start = middle.saturating_add(1);
            } else {
                end = middle;
            }
        }
        // A port has few edges: its end is near.
        let end = (start..all.end).find(|i| port(*i) != wanted).unwrap_or(all.end);
        start..end
    }

    /// Number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.section(section::EDGES).len()
    }

    /// An edge.
    #[must_use]
    pub fn edge(&self, i: usize) -> Option<Edge> {
        self.section(section::EDGES).of::<8>(i).map(|b| self.edge_of(b))
    }

    /// The edge of a record.
    pub(crate) fn edge_of(&self, b: &[u8; 8]) -> Edge {
        let (outcome, bits, to, guard) = (u8_at(b, 0), u8_at(b, 1), u16_at(b, 2), u16_at(b, 4));
        let x = u16_at(b, 6);
        // Few edges have more.
        let more = if x == NONE { None } else { self.section(section::EXTRAS).of::<12>(usize::from(x)) };
        match more {
            None => Edge { outcome, bits, to, guard, candidate: NONE, counter: u8::MAX, changes: 0, obligations: 0 },
            Some(x) => Edge {
                outcome,
                bits,
                to,
                guard,
                candidate: u16_at(x, 0),
                counter: u8_at(x, 2),
                changes: u32_at(x, 4),
                obligations: u16_at(x, 8),
            },
        }
    }

    /// Number of counters.
    #[must_use]
    pub fn counters(&self) -> usize {
        self.section(section::COUNTERS).len()
    }

    /// What a counter begins with.
    #[must_use]
    pub fn counter_max(&self, i: usize) -> u8 {
        u8_at(self.section(section::COUNTERS).record(i), 0)
    }

    /// Number of flows.
    #[must_use]
    pub fn flows(&self) -> usize {
        self.section(section::FLOWS).len()
    }

    /// A flow.
    #[must_use]
    pub fn flow(&self, i: usize) -> Option<Flow> {
        if i >= self.flows() {
            return None;
        }
        let b = self.section(section::FLOWS).record(i);
        Some(Flow { start: u16_at(b, 0), of: u16_at(b, 2), calls: u32_at(b, 4) })
    }
}
