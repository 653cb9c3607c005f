//! Tables: one constructor that checks everything, then plain reads.

use crate::choose::{ChooseRecord, Column, Source, WORDS};
use crate::format::{
    ALWAYS, CHECKSUM_AT, DIGEST_AT, DIRECTORY, DIRECTORY_AT, FLAG_SYMBOLS, HEADER, MAGIC, MODEL_AT, NONE, PROOF_AT,
    SECTIONS, STACK, SYMBOLS, VERSION, cell, checksum, latch, node, op, rank,
};
use crate::wire::{Records, i32_at, i64_at, ix, u8_at, u16_at, u32_at, u64_at};

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
    /// A section lies outside the table, overlaps, leaves a gap or has a part of a record.
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
    SECTIONS.get(usize::from(section)).map_or("symbols", |s| s.0)
}

/// A checked table over the caller's bytes.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    bytes: &'a [u8],
    sections: [Records<'a>; SYMBOLS],
    symbols: &'a [u8],
}

/// Type of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// false, true
    Bool,
    /// Values 0..values, unordered.
    Enum {
        /// Number of values.
        values: u16,
    },
    /// Values 0..values, ascending.
    Level {
        /// Number of values.
        values: u16,
    },
    /// A mask of labels.
    Set {
        /// Number of labels.
        labels: u16,
    },
    /// lo..=hi
    Int {
        /// Least value.
        lo: i32,
        /// Greatest value.
        hi: i32,
    },
}

/// A fact cell.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    code: u8,
    life: u8,
    pub(crate) latch: u8,
    flags: u8,
    count: u16,
    pub(crate) argument: u16,
    strict: i64,
    lo: i32,
    hi: i32,
}

impl Cell {
    /// Its type.
    #[must_use]
    pub fn kind(&self) -> CellKind {
        match self.code {
            cell::BOOL => CellKind::Bool,
            cell::ENUM => CellKind::Enum { values: self.count },
            cell::LEVEL => CellKind::Level { values: self.count },
            cell::SET => CellKind::Set { labels: self.count },
            _ => CellKind::Int { lo: self.lo, hi: self.hi },
        }
    }

    /// The run writes it.
    #[must_use]
    pub fn latch(&self) -> bool {
        self.latch != latch::NONE
    }

    /// The value that unknown stands for.
    #[must_use]
    pub fn strict(&self) -> Option<i64> {
        if self.flags & 1 == 1 { Some(self.strict) } else { None }
    }

    /// Lifetime: 0 pinned, 1 sealed, 2 volatile, 3 latch, 4 rank.
    #[must_use]
    pub fn life(&self) -> u8 {
        self.life
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// Words of the value mask of an `IN`.
    pub(crate) fn value_words(&self) -> usize {
        usize::from(self.count).saturating_add(31) >> 5
    }
}

/// A road.
#[derive(Debug, Clone, Copy)]
pub struct Road {
    first_filter: u32,
    filters: u16,
    flags: u8,
    shape: u8,
}

impl Road {
    /// Number of its filters.
    #[must_use]
    pub fn filters(&self) -> usize {
        usize::from(self.filters)
    }

    /// Index of its first filter in the filters section.
    #[must_use]
    pub fn first_filter(&self) -> usize {
        ix(self.first_filter)
    }

    /// Something leaves this machine.
    #[must_use]
    pub fn remote(&self) -> bool {
        self.flags & 1 == 1
    }

    /// It is a reviewer.
    #[must_use]
    pub fn reviewer(&self) -> bool {
        self.flags & 2 == 2
    }

    /// Shape: 0 local, 1 portal, 2 peer, 3 coding, 4 coding_local, 5 human, 6 option.
    #[must_use]
    pub fn shape(&self) -> u8 {
        self.shape
    }
}

/// A node.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    kind: u8,
    road: u16,
    obligations: u32,
    first_port: u16,
    ports: u16,
    choose: u16,
    flow: u16,
}

impl Node {
    /// Kind by code: see [`crate::format::node`].
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.kind
    }

    /// Its road.
    #[must_use]
    pub fn road(&self) -> Option<usize> {
        some(self.road)
    }

    /// Its choose.
    #[must_use]
    pub fn choose(&self) -> Option<usize> {
        some(self.choose)
    }

    /// Its flow.
    #[must_use]
    pub fn flow(&self) -> usize {
        usize::from(self.flow)
    }

    /// Obligations of entering it.
    #[must_use]
    pub fn obligations(&self) -> u32 {
        self.obligations
    }

    /// No edge leaves it.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.kind >= node::RETURN
    }

    /// Indices of its ports in the ports section.
    pub(crate) fn port_range(&self) -> core::ops::Range<usize> {
        let first = usize::from(self.first_port);
        first..first.saturating_add(usize::from(self.ports))
    }

    /// The word of its kind in the language.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let stop = self.kind.checked_sub(node::STOP).and_then(|k| node::STOPS.get(usize::from(k)));
        stop.or_else(|| node::WORDS.get(usize::from(self.kind))).copied().unwrap_or("")
    }
}

fn some(n: u16) -> Option<usize> {
    if n == NONE { None } else { Some(usize::from(n)) }
}

/// An edge.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    to: u16,
    kind: u8,
    rank: u8,
    counter: u8,
    flags: u8,
    guard: u32,
    changes: u32,
    obligations: u32,
}

impl Edge {
    /// Where it leads.
    #[must_use]
    pub fn to(&self) -> usize {
        usize::from(self.to)
    }

    /// Kind by code: see [`crate::format::EDGES`].
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.kind
    }

    /// Rank by code: see [`crate::format::rank`].
    #[must_use]
    pub fn rank(&self) -> u8 {
        self.rank
    }

    /// The counter it takes, or whose end it is.
    #[must_use]
    pub fn counter(&self) -> Option<usize> {
        if self.counter == u8::MAX { None } else { Some(usize::from(self.counter)) }
    }

    /// It ends the epoch.
    #[must_use]
    pub fn ends_epoch(&self) -> bool {
        self.flags & 1 == 1
    }

    /// Where its guard begins in the code section; [`ALWAYS`] for none.
    #[must_use]
    pub fn guard(&self) -> u32 {
        self.guard
    }

    /// Declared changes, a bit per change word in the order of the model.
    #[must_use]
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Obligations of taking it.
    #[must_use]
    pub fn obligations(&self) -> u32 {
        self.obligations
    }
}

/// A flow.
#[derive(Debug, Clone, Copy)]
pub struct Flow {
    start: u16,
    of: u16,
    calls: u32,
}

impl Flow {
    /// Its entry.
    #[must_use]
    pub fn start(&self) -> usize {
        usize::from(self.start)
    }

    /// The road whose child it is.
    #[must_use]
    pub fn of(&self) -> Option<usize> {
        some(self.of)
    }

    /// Greatest number of runs of a child.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.calls
    }
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
        let mut sections = [Records::new(&[], 1); SYMBOLS];
        let mut at = HEADER;
        let mut symbols: &[u8] = &[];
        for i in 0..DIRECTORY {
            let bad = TableError::Section { section: u8::try_from(i).unwrap_or(u8::MAX) };
            let entry = DIRECTORY_AT.saturating_add(i.saturating_mul(8));
            let (offset, count) = (ix(u32_at(bytes, entry)), ix(u32_at(bytes, entry.saturating_add(4))));
            let size = SECTIONS.get(i).map_or(1, |s| s.1);
            let length = count.checked_mul(size).ok_or(bad)?;
            let end = offset.checked_add(length).ok_or(bad)?;
            let body = bytes.get(offset..end).ok_or(bad)?;
            let padded = length.checked_add(7).ok_or(bad)? & !7;
            let next = offset.checked_add(padded).ok_or(bad)?;
            let padding = bytes.get(end..next).ok_or(bad)?;
            if offset != at || padding.iter().any(|b| *b != 0) {
                return Err(bad);
            }
            at = next;
            match sections.get_mut(i) {
                Some(slot) => *slot = Records::new(body, size),
                None => symbols = body,
            }
        }
        let rest = DIRECTORY_AT.saturating_add(DIRECTORY.saturating_mul(8));
        if at != bytes.len()
            || bytes.get(rest..HEADER).is_none_or(|r| r.iter().any(|b| *b != 0))
            || u32_at(bytes, 12) & !FLAG_SYMBOLS != 0
            || u32_at(bytes, 20) != 0
        {
            return Err(TableError::Section { section: 14 });
        }
        let table = Self { bytes, sections, symbols };
        table.check()?;
        Ok(table)
    }

    fn section(&self, i: usize) -> Records<'a> {
        self.sections.get(i).copied().unwrap_or(Records::new(&[], 1))
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

    /// The symbols, if the table was not stripped: see `FORMAT.md`.
    #[must_use]
    pub fn symbols(&self) -> &'a [u8] {
        self.symbols
    }

    /// Number of fact cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.section(0).len()
    }

    /// A fact cell.
    #[must_use]
    pub fn cell(&self, i: usize) -> Option<Cell> {
        if i >= self.cells() {
            return None;
        }
        let b = self.section(0).record(i);
        Some(Cell {
            code: u8_at(b, 0),
            life: u8_at(b, 1),
            latch: u8_at(b, 2),
            flags: u8_at(b, 3),
            count: u16_at(b, 4),
            argument: u16_at(b, 6),
            strict: i64_at(b, 8),
            lo: i32_at(b, 16),
            hi: i32_at(b, 20),
        })
    }

    /// Number of roads.
    #[must_use]
    pub fn roads(&self) -> usize {
        self.section(1).len()
    }

    /// A road.
    #[must_use]
    pub fn road(&self, i: usize) -> Option<Road> {
        if i >= self.roads() {
            return None;
        }
        let b = self.section(1).record(i);
        Some(Road { first_filter: u32_at(b, 0), filters: u16_at(b, 4), flags: u8_at(b, 6), shape: u8_at(b, 7) })
    }

    /// Number of filters of all roads.
    #[must_use]
    pub fn filters(&self) -> usize {
        self.section(2).len()
    }

    pub(crate) fn filter_guard(&self, i: usize) -> u32 {
        u32_at(self.section(2).record(i), 0)
    }

    pub(crate) fn code(&self) -> Records<'a> {
        self.section(3)
    }

    /// Number of chooses.
    #[must_use]
    pub fn chooses(&self) -> usize {
        self.section(4).len()
    }

    pub(crate) fn choose_record(&self, i: usize) -> Option<ChooseRecord> {
        if i >= self.chooses() {
            return None;
        }
        let b = self.section(4).record(i);
        Some(ChooseRecord {
            node: u16_at(b, 0),
            candidates: u16_at(b, 2),
            first_candidate: u32_at(b, 4),
            by: u16_at(b, 8),
            profiles: u8_at(b, 10),
            words: u8_at(b, 11),
            first_profile: u32_at(b, 12),
            first_column: u32_at(b, 16),
            columns: u32_at(b, 20),
        })
    }

    /// The candidates of a choose, as road indices, by position.
    pub fn candidates(&self, choose: usize) -> impl Iterator<Item = usize> + '_ {
        let record = self.choose_record(choose);
        let count = record.map_or(0, |c| usize::from(c.candidates));
        (0..count).filter_map(move |i| record.map(|c| self.candidate(&c, i)))
    }

    pub(crate) fn column_record(&self, i: usize) -> Column {
        let b = self.section(5).record(i);
        let at = usize::from(u16_at(b, 2));
        let source = match u8_at(b, 0) {
            0 => Source::Cell(at),
            1 => Source::Label(at, u16::from(u8_at(b, 1))),
            _ => Source::Guard(u32_at(b, 4)),
        };
        // A guard column needs no cuts, a cell column no code: they share the field.
        Column { source, rows: u16_at(b, 8), cuts: u16_at(b, 10), first_cut: u32_at(b, 4), first_mask: u32_at(b, 12) }
    }

    pub(crate) fn cuts(&self) -> Records<'a> {
        self.section(6)
    }

    pub(crate) fn masks(&self) -> Records<'a> {
        self.section(7)
    }

    pub(crate) fn indices(&self) -> Records<'a> {
        self.section(8)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.section(9).len()
    }

    /// A node.
    #[must_use]
    pub fn node(&self, i: usize) -> Option<Node> {
        if i >= self.nodes() {
            return None;
        }
        let b = self.section(9).record(i);
        Some(Node {
            kind: u8_at(b, 0),
            road: u16_at(b, 2),
            obligations: u32_at(b, 4),
            first_port: u16_at(b, 8),
            ports: u16_at(b, 10),
            choose: u16_at(b, 12),
            flow: u16_at(b, 14),
        })
    }

    /// Outcome (by code), candidate and edges of each port of a node, in ascending order.
    pub fn ports(&self, node: usize) -> impl Iterator<Item = (u8, Option<usize>, core::ops::Range<usize>)> + '_ {
        let range = self.node(node).map_or(0..0, |n| n.port_range());
        range.map(move |i| {
            let b = self.section(10).record(i);
            let first = usize::from(u16_at(b, 4));
            (u8_at(b, 0), some(u16_at(b, 2)), first..first.saturating_add(usize::from(u16_at(b, 6))))
        })
    }

    /// Number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.section(11).len()
    }

    /// An edge.
    #[must_use]
    pub fn edge(&self, i: usize) -> Option<Edge> {
        if i >= self.edges() {
            return None;
        }
        let b = self.section(11).record(i);
        Some(Edge {
            to: u16_at(b, 0),
            kind: u8_at(b, 2),
            rank: u8_at(b, 3),
            counter: u8_at(b, 4),
            flags: u8_at(b, 5),
            guard: u32_at(b, 8),
            changes: u32_at(b, 12),
            obligations: u32_at(b, 16),
        })
    }

    /// Number of counters.
    #[must_use]
    pub fn counters(&self) -> usize {
        self.section(12).len()
    }

    /// What a counter begins with.
    #[must_use]
    pub fn counter_max(&self, i: usize) -> u8 {
        u8_at(self.section(12).record(i), 0)
    }

    /// Number of flows.
    #[must_use]
    pub fn flows(&self) -> usize {
        self.section(13).len()
    }

    /// A flow.
    #[must_use]
    pub fn flow(&self, i: usize) -> Option<Flow> {
        if i >= self.flows() {
            return None;
        }
        let b = self.section(13).record(i);
        Some(Flow { start: u16_at(b, 0), of: u16_at(b, 2), calls: u32_at(b, 4) })
    }

    fn check(&self) -> Result<(), TableError> {
        self.each(0, |i| self.check_cell(i))?;
        self.each(1, |i| {
            self.road(i).is_some_and(|r| {
                r.first_filter().saturating_add(r.filters()) <= self.filters() && r.shape <= 6 && r.flags <= 7
            })
        })?;
        self.each(2, |i| self.check_guard(self.filter_guard(i)) && u32_at(self.section(2).record(i), 4) == 0)?;
        self.each(4, |i| self.check_choose(i))?;
        self.each(5, |i| self.check_column(i))?;
        self.each(9, |i| self.check_node(i))?;
        self.each(10, |i| self.check_port(i))?;
        self.each(11, |i| self.check_edge(i))?;
        self.each(12, |i| {
            let b = self.section(12).record(i);
            u8_at(b, 1) == 0 && usize::from(u16_at(b, 2)) < self.cells()
        })?;
        self.each(13, |i| {
            self.flow(i).is_some_and(|f| f.start() < self.nodes() && f.of().is_none_or(|r| r < self.roads()))
        })?;
        if self.roads() > 1_024 || self.counters() > 8 || self.flows() == 0 {
            return Err(TableError::Section { section: 1 });
        }
        Ok(())
    }

    fn each(&self, section: u8, ok: impl Fn(usize) -> bool) -> Result<(), TableError> {
        let count = self.section(usize::from(section)).len();
        match (0..count).find(|i| !ok(*i)) {
            None => Ok(()),
            Some(i) => Err(TableError::Record { section, record: u32::try_from(i).unwrap_or(u32::MAX) }),
        }
    }

    fn check_cell(&self, i: usize) -> bool {
        let Some(c) = self.cell(i) else { return false };
        let typed = match c.code {
            cell::BOOL => c.count == 2,
            cell::ENUM | cell::LEVEL => (1..=256).contains(&c.count),
            cell::SET => (1..=64).contains(&c.count),
            cell::INT => c.count == 0 && c.lo <= c.hi,
            _ => false,
        };
        let strict = match c.code {
            cell::INT => (i64::from(c.lo)..=i64::from(c.hi)).contains(&c.strict),
            cell::SET => c.count == 64 || c.strict.cast_unsigned() >> (c.count & 63) == 0,
            _ => (0..i64::from(c.count)).contains(&c.strict),
        };
        let latch = match c.latch {
            latch::NONE => c.argument == NONE,
            latch::TRIED => usize::from(c.argument) < self.roads() && c.code == cell::BOOL,
            latch::JUDGED | latch::CONSUMED => c.argument == NONE && c.code == cell::BOOL,
            latch::LEFT => usize::from(c.argument) < self.counters() && c.code == cell::INT,
            _ => false,
        };
        typed && latch && c.life <= 4 && c.flags <= 1 && if c.flags == 1 { strict } else { c.strict == 0 }
    }

    /// One guard: known operations, operands within the table, a stack that never runs over or dry, exactly one result.
    fn check_guard(&self, start: u32) -> bool {
        if start == ALWAYS {
            return true;
        }
        let code = self.code();
        let (mut at, mut depth) = (ix(start), 0_usize);
        loop {
            if at >= code.len() {
                return false;
            }
            let word = code.u32(at);
            let arg = ix(word >> 8);
            let [operation, ..] = word.to_le_bytes();
            at = at.saturating_add(1);
            let of = self.cell(arg);
            let is = |wanted: &[u8]| of.is_some_and(|c| wanted.contains(&c.code));
            let (fine, pops, words) = match operation {
                op::FALSE | op::TRUE => (arg == 0, 0, 0),
                op::NOT => (arg == 0, 1, 0),
                op::AND | op::OR => (arg <= STACK, arg, 0),
                op::IN => (is(&[cell::BOOL, cell::ENUM, cell::LEVEL]), 0, of.map_or(0, |c| c.value_words())),
                op::RANGE => (is(&[cell::INT]), 0, 2),
                op::DIFF => {
                    let other = self.cell(ix(code.u32(at))).is_some_and(|c| c.code == cell::INT);
                    (is(&[cell::INT]) && other, 0, 2)
                }
                op::ANY | op::ALL => (is(&[cell::SET]), 0, 2),
                op::UNKNOWN => (of.is_some(), 0, 0),
                op::END => return depth == 1 && arg == 0,
                _ => return false,
            };
            at = at.saturating_add(words);
            if !fine || depth < pops || at > code.len() {
                return false;
            }
            depth = depth.saturating_sub(pops).saturating_add(1);
            if depth > STACK {
                return false;
            }
        }
    }

    fn check_choose(&self, i: usize) -> bool {
        let Some(c) = self.choose_record(i) else { return false };
        let count = usize::from(c.candidates);
        let indices = self.indices();
        let within = |start: usize, n: usize| start.saturating_add(n) <= indices.len();
        let first = ix(c.first_candidate);
        let mut fine = within(first, count)
            && (0..count).all(|k| usize::from(indices.u16(first.saturating_add(k))) < self.roads())
            && usize::from(c.node) < self.nodes()
            && (c.by == NONE || self.cell(usize::from(c.by)).is_some_and(|x| x.code != cell::SET))
            && ix(c.first_column).saturating_add(ix(c.columns)) <= self.section(5).len()
            && usize::from(c.words) == count.saturating_add(63) >> 6
            && usize::from(c.words) <= WORDS
            && c.profiles >= 1;
        let columns = ix(c.first_column)..ix(c.first_column).saturating_add(ix(c.columns));
        fine &= columns.into_iter().all(|k| {
            let col = self.column_record(k);
            let needed = usize::from(col.rows).saturating_mul(usize::from(c.words));
            ix(col.first_mask).saturating_add(needed) <= self.masks().len()
        });
        let mut at = ix(c.first_profile);
        for _ in 0..c.profiles {
            if !within(at, 3) {
                return false;
            }
            let p = crate::choose::Profile {
                value: indices.u16(at),
                keys: indices.u16(at.saturating_add(1)),
                length: indices.u16(at.saturating_add(2)),
                start: at.saturating_add(3),
            };
            let size = p.size(&c);
            if !within(p.start, size) || p.keys > 4 || usize::from(p.length) > count {
                return false;
            }
            let body = |from: usize, n: usize, limit: usize| {
                (from..from.saturating_add(n)).all(|k| usize::from(indices.u16(k)) < limit)
            };
            if p.keys == 0 {
                fine &= body(p.start, usize::from(p.length), count);
            } else {
                let cells = usize::from(p.keys).saturating_mul(count);
                fine &= body(p.start, cells, self.cells()) && body(p.start.saturating_add(cells), count, count);
            }
            at = p.start.saturating_add(size);
        }
        fine
    }

    fn check_column(&self, i: usize) -> bool {
        let b = self.section(5).record(i);
        let col = self.column_record(i);
        match col.source {
            Source::Cell(at) => match self.cell(at) {
                Some(c) if c.code == cell::INT => {
                    let first = ix(col.first_cut);
                    let cuts = usize::from(col.cuts);
                    let ascending = (1..cuts).all(|k| {
                        self.cuts().i32(first.saturating_add(k).saturating_sub(1))
                            < self.cuts().i32(first.saturating_add(k))
                    });
                    first.saturating_add(cuts) <= self.cuts().len()
                        && ascending
                        && usize::from(col.rows) == cuts.saturating_add(2)
                        && u8_at(b, 1) == 0
                }
                Some(c) if c.code != cell::SET => {
                    col.rows == c.count.saturating_add(1) && col.cuts == 0 && col.first_cut == 0 && u8_at(b, 1) == 0
                }
                _ => false,
            },
            Source::Label(at, label) => {
                self.cell(at).is_some_and(|c| c.code == cell::SET && label < c.count)
                    && col.rows == 3
                    && col.cuts == 0
                    && col.first_cut == 0
            }
            Source::Guard(code) => {
                u8_at(b, 0) == 2
                    && u8_at(b, 1) == 0
                    && u16_at(b, 2) == NONE
                    && code != ALWAYS
                    && self.check_guard(code)
                    && col.rows == 2
                    && col.cuts == 0
            }
        }
    }

    fn check_node(&self, i: usize) -> bool {
        let Some(n) = self.node(i) else { return false };
        let kind = n.kind <= node::RETURN || (node::STOP..node::STOP.saturating_add(8)).contains(&n.kind);
        let range = n.port_range();
        kind && n.road().is_none_or(|r| r < self.roads())
            && range.end <= self.section(10).len()
            && (n.kind == node::CHOOSE) == n.choose().is_some()
            && n.choose().is_none_or(|c| self.choose_record(c).is_some_and(|c| usize::from(c.node) == i))
            && n.flow() < self.flows()
            && (!n.is_terminal() || n.ports == 0)
            && u8_at(self.section(9).record(i), 1) == 0
    }

    fn check_port(&self, i: usize) -> bool {
        let b = self.section(10).record(i);
        let first = usize::from(u16_at(b, 4));
        u8_at(b, 1) == 0
            && u8_at(b, 0) < 32
            && some(u16_at(b, 2)).is_none_or(|r| r < self.roads())
            && u16_at(b, 6) >= 1
            && first.saturating_add(usize::from(u16_at(b, 6))) <= self.edges()
    }

    fn check_edge(&self, i: usize) -> bool {
        let Some(e) = self.edge(i) else { return false };
        e.to() < self.nodes()
            && e.kind <= 6
            && e.rank <= rank::ELSE
            && e.counter().is_none_or(|c| c < self.counters())
            && (e.rank != rank::SPENT || e.counter().is_some())
            && e.flags <= 1
            && self.check_guard(e.guard)
            && u16_at(self.section(11).record(i), 6) == 0
            && e.obligations >> 15 == 0
            && e.changes >> 20 == 0
    }
}
