//! Laws as tracks: each law, or one key of it, is a small deterministic automaton that reads the edges of a run and
//! says at which steps, and under which condition on facts, the law is broken.
//!
//! A law holds iff no run of the flow, over all facts and outcomes, takes a bad step. The product of the flow with one
//! track is what the engines decide; tracks know nothing of engines.

use crate::graph::{Cond, Graph};
use crate::model::{EdgeId, FlowId, Model, NodeId};

/// What an obligation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// Entering a node.
    Node(NodeId),
    /// Taking an edge.
    Edge(EdgeId),
}

/// When the condition of a bad step is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum When {
    /// With the facts that the edge's guard reads.
    Edge,
    /// With the facts at the end of the edge, after latches were written and facts refreshed.
    Entry,
}

/// A step that breaks a law where the condition holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bad {
    pub(crate) law: &'static str,
    pub(crate) subject: Subject,
    pub(crate) when: When,
    pub(crate) cond: Cond,
}

/// What a track does on an edge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Move {
    pub(crate) next: u16,
    pub(crate) bad: Vec<Bad>,
}

/// An automaton over edges.
pub(crate) trait Track {
    /// The flow it runs on.
    fn flow(&self) -> FlowId;

    /// For people.
    fn name(&self, m: &Model) -> String;

    /// The state at the flow's start.
    fn start(&self) -> u16 {
        0
    }

    /// Deterministic.
    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move;

    /// Volatile and rank facts are read afresh at every edge.
    fn free_volatile(&self) -> bool {
        false
    }
}
