//! Runs: a small value that a table drives.

use crate::choose::Decision;
use crate::facts::Facts;
use crate::format::{CHOSEN, CLOSED, FALLBACK, NONE, OK, latch, node, obligation, rank, section};
use crate::guard::View;
use crate::outcome::{
    DECLINED, DUPLICATE, EXPIRED, FAILED, FAILED_AFTER_SUBMIT, FAILED_BEFORE_SUBMIT, KNOWN_EFFECT, KNOWN_FAILED,
    KNOWN_NO_EFFECT, NEGATIVE, REFUSED, UNAVAILABLE,
};
use crate::records::{Cell, Edge, some};
use crate::table::Table;

/// Edges of a node up to which walking them is faster than bisecting.
const FEW: usize = 16;

/// Latches: what a run remembers for its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latches {
    tried: [u64; 16],
    left: [u8; 8],
    judged: bool,
    consumed: bool,
}

impl Latches {
    /// Nothing tried, nothing judged, counters full.
    #[must_use]
    pub fn fresh(table: &Table<'_>) -> Self {
        let mut left = [0; 8];
        for (i, slot) in left.iter_mut().enumerate() {
            *slot = table.counter_max(i);
        }
        Self { tried: [0; 16], left, judged: false, consumed: false }
    }

    /// The road was tried for this question.
    #[must_use]
    pub fn tried(&self, road: usize) -> bool {
        self.tried.get(road >> 6).is_some_and(|w| w >> (road & 63) & 1 == 1)
    }

    /// A verdict was given on this question.
    #[must_use]
    pub fn judged(&self) -> bool {
        self.judged
    }

    /// The return was consumed.
    #[must_use]
    pub fn consumed(&self) -> bool {
        self.consumed
    }

    /// What is left of a counter.
    #[must_use]
    pub fn left(&self, counter: usize) -> u8 {
        self.left.get(counter).copied().unwrap_or(0)
    }

    /// As an earlier run of the same question left it: judged.
    #[must_use]
    pub fn with_judged(mut self) -> Self {
        self.judged = true;
        self
    }

    /// As an earlier run of the same question left it: consumed.
    #[must_use]
    pub fn with_consumed(mut self) -> Self {
        self.consumed = true;
        self
    }

    /// As an earlier run of the same question left it: this road tried.
    #[must_use]
    pub fn with_tried(mut self, road: usize) -> Self {
        self.try_road(road);
        self
    }

    /// As an earlier run of the same question left it: what is left of a counter. Counters that do not exist change nothing.
    #[must_use]
    pub fn with_left(mut self, counter: usize, left: u8) -> Self {
        if let Some(slot) = self.left.get_mut(counter) {
            *slot = left;
        }
        self
    }

    /// As an earlier run of the same question left it: the latch of a cell, by value. Cells that are no latches, and values
    /// that clear one, change nothing.
    #[must_use]
    pub fn with_cell(self, table: &Table<'_>, cell: usize, value: i64) -> Self {
        let Some(c) = table.cell(cell) else { return self };
        let argument = usize::from(c.argument);
        match c.latch {
            latch::TRIED if value == 1 => self.with_tried(argument),
            latch::JUDGED if value == 1 => self.with_judged(),
            latch::CONSUMED if value == 1 => self.with_consumed(),
            latch::LEFT => self.with_left(argument, u8::try_from(value).unwrap_or(0)),
            _ => self,
        }
    }

    fn try_road(&mut self, road: usize) {
        if let Some(w) = self.tried.get_mut(road >> 6) {
            *w |= 1_u64 << (road & 63);
        }
    }

    /// The value of a latch cell; `None` for a cell that the caller supplies.
    pub(crate) fn read(&self, c: &Cell) -> Option<i64> {
        match c.latch {
            latch::TRIED => Some(i64::from(self.tried(usize::from(c.argument)))),
            latch::JUDGED => Some(i64::from(self.judged)),
            latch::CONSUMED => Some(i64::from(self.consumed)),
            latch::LEFT => Some(i64::from(self.left(usize::from(c.argument)))),
            _ => None,
        }
    }
}

/// What is known of the current road's transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submitted {
    /// Nothing was submitted.
    None,
    /// It may have been.
    Unknown,
    /// It was, and what became of it is known.
    Known,
}

/// Why a run did not move. It is unchanged then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// The outcome belongs to another attempt.
    StaleAttempt {
        /// The run's generation.
        current: u32,
    },
    /// The facts were read in an older epoch than the node needs.
    StaleFacts {
        /// The run's epoch.
        needed: u32,
    },
    /// Obligations of the last step were not acknowledged.
    Unacknowledged {
        /// The open ones.
        obligations: u32,
    },
    /// The table is not the one the run pinned: pinned policy unavailable.
    PinnedPolicyUnavailable,
    /// The node cannot have this outcome.
    Outcome,
    /// No edge is open for these facts. A proved table has one for every outcome.
    NoEdge,
    /// The run has ended.
    Ended,
    /// The table has no such flow.
    NoFlow,
}

impl core::fmt::Display for RunError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::StaleAttempt { current } => write!(f, "stale attempt: the run is at generation {current}"),
            Self::StaleFacts { needed } => write!(f, "stale facts: the run is in epoch {needed}"),
            Self::Unacknowledged { obligations } => write!(f, "obligations are not acknowledged: {obligations:#x}"),
            Self::PinnedPolicyUnavailable => f.write_str("pinned policy unavailable: the table has another digest"),
            Self::Outcome => f.write_str("the node cannot have this outcome"),
            Self::NoEdge => f.write_str("no edge is open for these facts"),
            Self::Ended => f.write_str("the run has ended"),
            Self::NoFlow => f.write_str("no such flow"),
        }
    }
}

impl core::error::Error for RunError {}

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The node that was entered.
    pub node: usize,
    /// The edge that was taken.
    pub edge: usize,
    /// The road of the node, or the one a choose just took.
    pub road: Option<usize>,
    /// Obligations to acknowledge before the next step.
    pub obligations: u32,
    /// No step follows.
    pub ended: bool,
}

/// A run of one flow: a small `Copy` value that only its table can drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    digest: [u8; 32],
    latches: Latches,
    node: u16,
    current: u16,
    generation: u32,
    epoch: u32,
    open: u32,
    submitted: Submitted,
    reserved: bool,
}

impl Run {
    /// Starts a flow (0 is the policy's own) with fresh latches.
    ///
    /// # Errors
    /// The table has no such flow.
    pub fn start(table: &Table<'_>, flow: usize) -> Result<Self, RunError> {
        Self::start_with(table, flow, Latches::fresh(table))
    }

    /// Starts a flow with the latches that earlier runs of the same question left.
    ///
    /// # Errors
    /// The table has no such flow.
    pub fn start_with(table: &Table<'_>, flow: usize, latches: Latches) -> Result<Self, RunError> {
        let f = table.flow(flow).ok_or(RunError::NoFlow)?;
        Ok(Self {
            digest: table.digest(),
            latches,
            node: u16::try_from(f.start()).unwrap_or(NONE),
            current: NONE,
            generation: 0,
            epoch: 0,
            open: 0,
            submitted: Submitted::None,
            reserved: false,
        })
    }

    /// The node the run is at.
    #[must_use]
    pub fn node(&self) -> usize {
        usize::from(self.node)
    }

    /// The generation: one per attempt. An outcome must name it.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The epoch that facts must be of.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// What is known of the current transmission.
    #[must_use]
    pub fn submitted(&self) -> Submitted {
        self.submitted
    }

    /// Latches.
    #[must_use]
    pub fn latches(&self) -> &Latches {
        &self.latches
    }

    /// The road last sent, called or awaited, else chosen.
    #[must_use]
    pub fn road(&self) -> Option<usize> {
        if self.current == NONE { None } else { Some(usize::from(self.current)) }
    }

    /// The digest of the table that the run pinned.
    #[must_use]
    pub fn table_digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Obligations that are still open.
    #[must_use]
    pub fn obligations(&self) -> u32 {
        self.open
    }

    /// Says that obligations were met.
    pub fn acknowledge(&mut self, obligations: u32) {
        self.open &= !obligations;
    }

    /// What the choose at the run's node decides; `None` at any other node.
    #[must_use]
    pub fn decision(&self, table: &Table<'_>, facts: &Facts) -> Option<Decision> {
        let choose = table.node(self.node())?.choose()?;
        Some(table.choose_with(choose, facts, &self.latches))
    }

    /// Moves along the port of an outcome (a code of [`crate::format::OUTCOMES`]). At a choose the outcome is `ok`: the facts decide.
    ///
    /// # Errors
    /// Nothing changed; see [`RunError`].
    pub fn advance(
        &mut self,
        table: &Table<'_>,
        generation: u32,
        outcome: u8,
        facts: &Facts,
    ) -> Result<Step, RunError> {
        if self.digest != table.digest() {
            return Err(RunError::PinnedPolicyUnavailable);
        }
        if generation != self.generation {
            return Err(RunError::StaleAttempt { current: self.generation });
        }
        if self.open != 0 {
            return Err(RunError::Unacknowledged { obligations: self.open });
        }
        if facts.epoch() < self.epoch {
            return Err(RunError::StaleFacts { needed: self.epoch });
        }
        let from = table.node(self.node()).ok_or(RunError::Ended)?;
        if from.is_terminal() {
            return Err(RunError::Ended);
        }
        let mut outcome = outcome;
        let mut candidate = None;
        let mut exit = None;
        if from.choose().is_some() {
            if outcome != OK {
                return Err(RunError::Outcome);
            }
            let decision = self.decision(table, facts).ok_or(RunError::NoEdge)?;
            (candidate, exit) = (decision.road(), decision.exit());
            outcome = if candidate.is_some() { CHOSEN } else { CLOSED };
        }
        let (at, edge) = match exit {
            Some(edge) => (edge, table.edge(edge).ok_or(RunError::NoEdge)?),
            None => {
                let mut port = (outcome, candidate.map_or(NONE, |road| u16::try_from(road).unwrap_or(NONE)));
                loop {
                    match self.open_edge(table, port, facts) {
                        // One edge for whatever was chosen.
                        Err(RunError::Outcome) if port.1 != NONE => port.1 = NONE,
                        found => break found?,
                    }
                }
            }
        };
        let to = table.node(edge.to()).ok_or(RunError::NoEdge)?;
        // From here on nothing fails: a run moves whole or not at all.
        let next = &mut *self;
        next.leave(from.kind(), outcome);
        if let Some(road) = candidate {
            next.current = u16::try_from(road).unwrap_or(NONE);
        }
        if edge.rank() == rank::GUARDED
            && let Some(slot) = edge.counter().and_then(|c| next.latches.left.get_mut(c))
        {
            *slot = slot.saturating_sub(1);
        }
        if edge.kind() == FALLBACK
            && let Some(road) = next.road()
        {
            next.latches.try_road(road);
        }
        if edge.ends_epoch() {
            next.epoch = next.epoch.saturating_add(1);
        }
        let extra = next.enter(to.kind(), to.road(), to.is_terminal());
        next.node = edge.to;
        next.open = to.obligations() | edge.obligations() | extra;
        Ok(Step {
            node: edge.to(),
            edge: at,
            road: to.road().or(candidate),
            obligations: self.open,
            ended: to.is_terminal(),
        })
    }

    /// The first edge of a port that is open, with its index. Most nodes have few edges: those are walked, not bisected.
    #[inline]
    fn open_edge(&self, table: &Table<'_>, port: (u8, u16), facts: &Facts) -> Result<(usize, Edge), RunError> {
        let all = table.edges_of(self.node());
        let few = all.end.saturating_sub(all.start) <= FEW;
        let first = if few { all.start } else { table.port(self.node(), port.0, some(port.1)).start };
        let mut why = RunError::Outcome;
        let edges = table.section(section::EDGES).all::<8>();
        for (k, record) in edges.get(first..all.end).unwrap_or(&[]).iter().enumerate() {
            let [outcome, ..] = *record;
            if outcome < port.0 {
                continue;
            }
            let edge = table.edge_of(record);
            if (outcome, edge.candidate) > port {
                break;
            }
            if edge.candidate == port.1 {
                if self.is_open(table, &edge, facts) {
                    return Ok((first.saturating_add(k), edge));
                }
                why = RunError::NoEdge;
            }
        }
        Err(why)
    }

    fn is_open(&self, table: &Table<'_>, edge: &Edge, facts: &Facts) -> bool {
        let spent = || edge.counter().is_some_and(|c| self.latches.left(c) == 0);
        let holds = || edge.guard == NONE || View { table, facts, latches: &self.latches }.holds(edge.guard);
        match edge.rank() {
            rank::GUARDED => !spent() && holds(),
            rank::SPENT => spent() && holds(),
            _ => true,
        }
    }

    /// What leaving a node by an outcome says.
    fn leave(&mut self, kind: u8, outcome: u8) {
        match kind {
            node::SEND => {
                self.submitted = match outcome {
                    UNAVAILABLE | FAILED_BEFORE_SUBMIT => Submitted::None,
                    OK | REFUSED | FAILED | FAILED_AFTER_SUBMIT | DECLINED => Submitted::Known,
                    _ => Submitted::Unknown,
                };
            }
            node::CALL | node::AWAIT_USER | node::AWAIT_EXTERNAL => match outcome {
                EXPIRED => self.submitted = Submitted::Unknown,
                OK | FAILED | DECLINED => self.submitted = Submitted::Known,
                UNAVAILABLE if kind == node::CALL => self.submitted = Submitted::None,
                _ => {}
            },
            node::RECONCILE => match outcome {
                KNOWN_NO_EFFECT => self.submitted = Submitted::None,
                KNOWN_EFFECT | KNOWN_FAILED => self.submitted = Submitted::Known,
                _ => {}
            },
            node::VALIDATE if outcome == NEGATIVE => self.latches.judged = true,
            node::CONSUME if outcome == OK || outcome == DUPLICATE => self.latches.consumed = true,
            node::REPAIR if outcome == OK => {
                (self.latches.judged, self.latches.consumed) = (false, false);
                self.latches.tried = [0; 16];
            }
            node::RESERVE if outcome == OK => self.reserved = true,
            node::RELEASE if outcome == OK => self.reserved = false,
            _ => {}
        }
    }

    /// Entering a node; returns the obligation that only the run knows of.
    fn enter(&mut self, kind: u8, road: Option<usize>, terminal: bool) -> u32 {
        if matches!(kind, node::SEND | node::CALL | node::AWAIT_USER | node::AWAIT_EXTERNAL)
            && let Some(r) = road
        {
            self.current = u16::try_from(r).unwrap_or(NONE);
        }
        if matches!(kind, node::SEND | node::CALL) {
            self.generation = self.generation.saturating_add(1);
        }
        if kind == node::SEND {
            self.submitted = Submitted::Unknown;
        }
        if matches!(
            kind,
            node::SEND | node::CALL | node::AWAIT_USER | node::AWAIT_EXTERNAL | node::RECONCILE | node::REVIEW
        ) {
            // What these answer ends the epoch: facts handed in with the answer must be read after it.
            self.epoch = self.epoch.saturating_add(1);
        }
        if terminal && self.reserved && self.submitted == Submitted::None { obligation::RELEASE } else { 0 }
    }
}
