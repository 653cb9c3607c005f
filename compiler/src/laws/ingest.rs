//! RL116: what was found is kept only after provenance, then rights, were passed. That a search succeeded is no right to
//! take its result in.

use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph, carries};
use crate::model::{Change, Duty, Edge, EdgeId, EdgeKind, FlowId, Model, Node, NodeKind, Outcome, Shape};

/// Something found is at hand.
const FOUND: u16 = 1;
/// Its provenance was checked.
const PROVENANCE: u16 = 2;
/// And then its rights were.
const RIGHTS: u16 = 4;
/// The search is asked again: by a retry, on another road, or with the same bytes. Its question is the same.
const AGAIN: u16 = 8;
/// From here on the road that was last asked to search, counted from 1 (a policy has at most 1,024 roads): what comes back
/// from it later, from a wait or a reconciliation, is its find.
const ASKED: u32 = 4;

/// Follows found material to where it is kept.
pub(crate) struct IngestTrack {
    pub(crate) flow: FlowId,
}

impl IngestTrack {
    /// The track of a flow; none where nothing is kept.
    pub(crate) fn of(m: &Model, flow: FlowId) -> Option<Self> {
        m.nodes.iter().any(|n| n.flow == flow && n.duty == Some(Duty::Storage)).then_some(Self { flow })
    }
}

/// A search, or a job whose child searches: what the child found comes back with its return.
fn searches(m: &Model, n: &Node) -> bool {
    let child = n.road.filter(|_| n.kind == NodeKind::Send).and_then(|r| m.road(r).child);
    let inside = |f: FlowId| m.nodes.iter().any(|c| c.flow == f && c.duty == Some(Duty::Search));
    n.duty == Some(Duty::Search) || child.is_some_and(inside)
}

/// A node's road, counted from 1; 0 for none.
fn number(n: &Node) -> u16 {
    n.road.map_or(0, |r| u16::try_from(r.0 + 1).unwrap_or(0))
}

/// An edge that says that it changes the content ends these checks; what was found stays at hand. A loop or a person's
/// answer alone asks for a new classification and makes no other find.
fn other_content(edge: &Edge) -> bool {
    edge.changes.iter().flatten().any(|c| matches!(c, Change::Content | Change::Workspace | Change::Policy))
}

/// A child that stores begins with what its parent may have found: it has checks of its own, as it has gates.
fn handed_on(m: &Model, flow: FlowId) -> bool {
    let child = m.flows[flow.index()].of.is_some();
    child
        && m.nodes
            .iter()
            .any(|n| n.flow != flow && m.flows[n.flow.index()].of.is_none() && n.duty == Some(Duty::Search))
}

impl Track for IngestTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        "provenance and rights of what was found".to_owned()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        let mut s = state;
        if from.kind == NodeKind::Start && handed_on(m, self.flow) {
            s = FOUND;
        }
        let answers = match from.kind {
            NodeKind::Reconcile => edge.outcome == Outcome::KnownEffect,
            _ => carries(&from.kind) && edge.outcome == Outcome::Ok,
        };
        let late = answers && s >> ASKED != 0 && s >> ASKED == number(from);
        if late || (searches(m, from) && edge.outcome == Outcome::Ok) {
            s = FOUND | (s & !(PROVENANCE | RIGHTS));
        }
        match (from.duty, edge.outcome) {
            (Some(Duty::Provenance), Outcome::Ok) => s |= PROVENANCE,
            (Some(Duty::Rights), Outcome::Ok) if s & PROVENANCE != 0 => s |= RIGHTS,
            _ => {}
        }
        if other_content(edge) {
            s &= !(PROVENANCE | RIGHTS);
        }
        let mut bad = Vec::new();
        if to.duty == Some(Duty::Storage) && s & FOUND != 0 && s & RIGHTS == 0 {
            bad.push(Bad { law: "RL116", subject: Subject::Node(edge.to), when: When::Entry, cond: Cond::True });
        }
        match edge.kind {
            EdgeKind::Retry | EdgeKind::Redirect | EdgeKind::Fallback | EdgeKind::Redeliver if s >> ASKED != 0 => {
                s |= AGAIN;
            }
            EdgeKind::Loop => s &= !AGAIN,
            _ => {}
        }
        let person = carries(&to.kind) && to.road.is_some_and(|r| m.road(r).shape == Shape::Human);
        let asks = person || matches!(to.kind, NodeKind::Send | NodeKind::Call);
        if searches(m, to) {
            let asked = if carries(&to.kind) { number(to) << ASKED } else { 0 };
            s = (s & FOUND) | asked;
        } else if asks && s & AGAIN != 0 {
            s = (s & (FOUND | PROVENANCE | RIGHTS)) | number(to) << ASKED;
        } else if asks || (matches!(to.kind, NodeKind::Choose(_)) && s & AGAIN == 0) {
            // Other work is placed.
            s &= FOUND | PROVENANCE | RIGHTS;
        }
        match to.duty {
            Some(Duty::Provenance) => s &= !(PROVENANCE | RIGHTS),
            Some(Duty::Rights) => s &= !RIGHTS,
            _ => {}
        }
        Move { next: s, bad }
    }
}
