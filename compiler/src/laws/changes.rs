//! Declared changes of fallbacks: RL301, RL302, RL303, RL309, RL310 (MODEL.md section 6).

use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph, carries};
use crate::model::{Change, EdgeId, EdgeKind, FlowId, Model, NodeKind, Outcome, RoadId, Shape};
use std::collections::BTreeSet;

/// The words in which two roads' full bindings differ.
#[must_use]
pub(crate) fn difference(m: &Model, a: RoadId, b: RoadId) -> BTreeSet<Change> {
    let (a, b) = (&m.road(a).binding, &m.road(b).binding);
    Change::ALL.iter().copied().filter(|c| a.get(c) != b.get(c)).collect()
}

/// Words that speak of the payload or of who acts: no two roads' bindings can show them.
pub(crate) fn not_of_bindings(c: Change) -> bool {
    matches!(c, Change::Content | Change::Workspace | Change::Policy | Change::Actor)
}

/// Follows one fallback edge to the next send, call or await of a person. State: 0 no road yet; r + 1 the current road;
/// with the top bit: the edge was taken from that road (0: from none); with the next: a repair made a new question since.
pub(crate) struct ChangesTrack {
    pub(crate) flow: FlowId,
    pub(crate) edge: EdgeId,
    /// Look for the pair (source, destination) instead of for undeclared differences.
    pub(crate) pair: Option<(RoadId, RoadId)>,
}

const TAKEN: u16 = 1 << 15;
const ANEW: u16 = 1 << 14;

impl Track for ChangesTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, m: &Model) -> String {
        let e = m.edge(self.edge);
        format!("changes of the fallback out of {}", m.node(e.from).name)
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        let mut state = state;
        if e == self.edge {
            state = (state & !ANEW) | TAKEN;
        } else if edge.kind == EdgeKind::Fallback {
            state &= !(TAKEN | ANEW);
        }
        if m.node(edge.from).kind == NodeKind::Repair && edge.outcome == Outcome::Ok && state & TAKEN != 0 {
            state |= ANEW;
        }
        if edge.outcome == Outcome::Chosen && state & TAKEN == 0 {
            state = edge.candidate.map_or(0, index);
        }
        let mut bad = Vec::new();
        let person = to.road.is_some_and(|r| m.road(r).shape == Shape::Human);
        let forms = matches!(to.kind, NodeKind::Send | NodeKind::Call) || (carries(&to.kind) && person);
        if forms && let Some(d) = to.road {
            let source = state & !(TAKEN | ANEW);
            if state & TAKEN != 0 && source != 0 {
                let s = RoadId(u32::from(source - 1));
                let asks = (self.pair.is_none() && state & ANEW == 0 && m.road(s).question != m.road(d).question)
                    .then_some("RL309");
                for law in asks.into_iter().chain(self.fault(m, s, d)) {
                    bad.push(Bad { law, subject: Subject::Edge(self.edge), when: When::Entry, cond: Cond::True });
                }
            }
            state = index(d);
        }
        Move { next: state, bad }
    }
}

/// What the source was held to as a reviewer the destination is not held to.
fn weaker(m: &Model, s: RoadId, d: RoadId) -> bool {
    m.road(s).reviewer.is_some_and(|floor| m.road(d).reviewer.is_none_or(|f| f < floor))
}

fn index(r: RoadId) -> u16 {
    u16::try_from(r.0 + 1).unwrap_or(ANEW - 1)
}

impl ChangesTrack {
    fn fault(&self, m: &Model, s: RoadId, d: RoadId) -> Option<&'static str> {
        if let Some(pair) = self.pair {
            return (pair == (s, d)).then_some("RL303");
        }
        let declared = m.edge(self.edge).changes.clone().unwrap_or_default();
        let missing: Vec<Change> = difference(m, s, d).into_iter().filter(|c| !declared.contains(c)).collect();
        match missing.as_slice() {
            [] => weaker(m, s, d).then_some("RL310"),
            [Change::Assurance] => Some("RL310"),
            [Change::Projection] => Some("RL302"),
            _ => Some("RL301"),
        }
    }
}
