//! What a table says of cells, roads, nodes, edges and flows: plain values, read from its records on demand.

use crate::format::{NONE, cell, latch, node};
use crate::wire::ix;

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
    pub(crate) code: u8,
    pub(crate) life: u8,
    pub(crate) latch: u8,
    pub(crate) count: u16,
    pub(crate) argument: u16,
    pub(crate) strict: Option<i64>,
    pub(crate) lo: i32,
    pub(crate) hi: i32,
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
        self.strict
    }

    /// Lifetime: 0 pinned, 1 sealed, 2 volatile, 3 latch, 4 rank.
    #[must_use]
    pub fn life(&self) -> u8 {
        self.life
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// Number of values or labels; 0 for an int.
    pub(crate) fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// Bytes of a mask of its values or labels.
    pub(crate) fn mask_bytes(&self) -> usize {
        self.count().saturating_add(7) >> 3
    }
}

/// A road.
#[derive(Debug, Clone, Copy)]
pub struct Road {
    pub(crate) first_filter: u32,
    pub(crate) filters: u16,
    pub(crate) flags: u8,
    pub(crate) shape: u8,
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

    pub(crate) fn flags(&self) -> u8 {
        self.flags
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
    pub(crate) kind: u8,
    pub(crate) flow: u8,
    pub(crate) subject: u16,
    pub(crate) obligations: u16,
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
        if self.kind == node::CHOOSE { None } else { some(self.subject) }
    }

    /// Its choose.
    #[must_use]
    pub fn choose(&self) -> Option<usize> {
        if self.kind == node::CHOOSE { some(self.subject) } else { None }
    }

    /// Its flow.
    #[must_use]
    pub fn flow(&self) -> usize {
        usize::from(self.flow)
    }

    /// Obligations of entering it.
    #[must_use]
    pub fn obligations(&self) -> u32 {
        u32::from(self.obligations)
    }

    /// No edge leaves it.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.kind >= node::RETURN
    }

    /// The word of its kind in the language.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let stop = self.kind.checked_sub(node::STOP).and_then(|k| node::STOPS.get(usize::from(k)));
        stop.or_else(|| node::WORDS.get(usize::from(self.kind))).copied().unwrap_or("")
    }
}

pub(crate) fn some(n: u16) -> Option<usize> {
    if n == NONE { None } else { Some(usize::from(n)) }
}

/// An edge.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub(crate) outcome: u8,
    pub(crate) bits: u8,
    pub(crate) to: u16,
    pub(crate) guard: u16,
    pub(crate) candidate: u16,
    pub(crate) counter: u8,
    pub(crate) changes: u32,
    pub(crate) obligations: u16,
}

impl Edge {
    /// The outcome that it follows, by code: see [`crate::format::OUTCOMES`].
    #[must_use]
    pub fn outcome(&self) -> u8 {
        self.outcome
    }

    /// The road that a choose took, on an edge that follows `chosen`.
    #[must_use]
    pub fn candidate(&self) -> Option<usize> {
        some(self.candidate)
    }

    /// Where it leads.
    #[must_use]
    pub fn to(&self) -> usize {
        usize::from(self.to)
    }

    /// Kind by code: see [`crate::format::EDGES`].
    #[must_use]
    pub fn kind(&self) -> u8 {
        self.bits & 7
    }

    /// Rank by code: see [`crate::format::rank`].
    #[must_use]
    pub fn rank(&self) -> u8 {
        self.bits >> 3 & 3
    }

    /// The counter it takes, or whose end it is.
    #[must_use]
    pub fn counter(&self) -> Option<usize> {
        if self.counter == u8::MAX { None } else { Some(usize::from(self.counter)) }
    }

    /// It ends the epoch.
    #[must_use]
    pub fn ends_epoch(&self) -> bool {
        self.bits & 32 != 0
    }

    /// Its guard in the guards section; `None`: always open.
    #[must_use]
    pub fn guard(&self) -> Option<usize> {
        some(self.guard)
    }

    /// Declared changes, a bit per change word in the order of the model.
    #[must_use]
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Obligations of taking it.
    #[must_use]
    pub fn obligations(&self) -> u32 {
        u32::from(self.obligations)
    }
}

/// A flow.
#[derive(Debug, Clone, Copy)]
pub struct Flow {
    pub(crate) start: u16,
    pub(crate) of: u16,
    pub(crate) calls: u32,
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
