//! The author's own assertions: `never` and `always` (RA).

use super::gate::{Gate, held_after_entering, held_after_leaving};
use super::outcome::submitted_after_leaving;
use super::returns::starts_anew;
use super::track::{Bad, Move, Subject, Track, When};
use crate::graph::{Cond, Graph};
use crate::model::{ClaimKind, EdgeId, FlowId, Guard, Model, NodeId, NodeKind, Outcome, RoadId, Submitted};
use std::collections::BTreeSet;

/// Event patterns: a node, and the outcome it is left by.
type Events = Vec<(NodeId, Option<Outcome>)>;

/// `never N when g after M with submitted s`, for the `after` nodes of one road. State: bit 0 M happened; then
/// `submitted` of the road.
struct NeverTrack {
    flow: FlowId,
    text: String,
    at: Vec<(NodeId, Option<Outcome>, Guard)>,
    after: Option<(Option<RoadId>, Events)>,
    submitted: Option<Submitted>,
}

impl Track for NeverTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        self.text.clone()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let to = m.node(edge.to);
        let (mut seen, mut sub) = (state & 1 == 1, state >> 1);
        if let Some((road, events)) = &self.after {
            seen |= events.iter().any(|(n, o)| *n == edge.from && *o == Some(edge.outcome));
            if let Some(r) = road {
                sub = submitted_after_leaving(m, *r, sub, e);
            }
        }
        let state_fits = self.submitted.is_none_or(|s| {
            sub == [Submitted::None, Submitted::Unknown, Submitted::Known]
                .iter()
                .position(|x| *x == s)
                .and_then(|i| u16::try_from(i).ok())
                .unwrap_or(0)
        });
        let armed = (self.after.is_none() || seen) && state_fits;
        let mut bad = Vec::new();
        if armed {
            for (n, outcome, guard) in &self.at {
                let hit = match outcome {
                    None => *n == edge.to,
                    Some(o) => *n == edge.from && *o == edge.outcome,
                };
                let cond = Cond::possible(guard);
                if hit && cond != Cond::False {
                    let (subject, when) = if outcome.is_none() {
                        (Subject::Node(*n), When::Entry)
                    } else {
                        (Subject::Edge(e), When::Edge)
                    };
                    bad.push(Bad { law: "RA", subject, when, cond });
                }
            }
        }
        if let Some((road, events)) = &self.after {
            seen |= events.iter().any(|(n, o)| *n == edge.to && o.is_none());
            if to.kind == NodeKind::Send && to.road == *road && road.is_some() {
                sub = 1;
            }
        }
        Move { next: u16::from(seen) | sub << 1, bad }
    }
}

/// `always A before B`: the evidence of A, for one node of B.
struct AlwaysTrack {
    flow: FlowId,
    text: String,
    then: NodeId,
    then_outcome: Option<Outcome>,
    guard: Guard,
    first: Vec<(NodeId, Outcome)>,
    /// A is a gate before transmissions, held on behalf of this road.
    gate: Option<(Gate, RoadId)>,
}

impl Track for AlwaysTrack {
    fn flow(&self) -> FlowId {
        self.flow
    }

    fn name(&self, _: &Model) -> String {
        self.text.clone()
    }

    fn step(&self, g: &Graph<'_>, state: u16, e: EdgeId) -> Move {
        let m = g.model;
        let edge = m.edge(e);
        let mut held = state == 1;
        match self.gate {
            Some((gate, r)) => held = held_after_leaving(g, r, gate, held, e),
            None => held |= self.first.contains(&(edge.from, edge.outcome)),
        }
        let mut bad = Vec::new();
        let hit = match self.then_outcome {
            None => edge.to == self.then,
            Some(o) => edge.from == self.then && edge.outcome == o,
        };
        if hit && !held {
            let cond = Cond::possible(&self.guard);
            let (subject, when) = if self.then_outcome.is_none() {
                (Subject::Node(self.then), When::Entry)
            } else {
                (Subject::Edge(e), When::Edge)
            };
            bad.push(Bad { law: "RA", subject, when, cond });
        }
        let held = match self.gate {
            Some((gate, r)) => held_after_entering(m, r, gate, held, m.node(edge.to)),
            None => held && !starts_anew(m, e),
        };
        Move { next: u16::from(held), bad }
    }
}

/// The tracks of claim `i`.
pub(crate) fn tracks(g: &Graph<'_>, i: usize) -> Vec<Box<dyn Track>> {
    let m = g.model;
    let claim = &m.claims[i];
    let mut out: Vec<Box<dyn Track>> = Vec::new();
    match &claim.kind {
        ClaimKind::Never { at, after, submitted } => {
            let flows: BTreeSet<FlowId> = at.iter().map(|(n, ..)| m.node(*n).flow).collect();
            for flow in flows {
                let here: Vec<_> = at.iter().filter(|(n, ..)| m.node(*n).flow == flow).cloned().collect();
                let afters: Vec<Option<(Option<RoadId>, Events)>> = match after {
                    None => vec![None],
                    Some(events) => {
                        let roads: BTreeSet<Option<RoadId>> = events.iter().map(|(n, _)| m.node(*n).road).collect();
                        roads
                            .into_iter()
                            .map(|r| Some((r, events.iter().filter(|(n, _)| m.node(*n).road == r).copied().collect())))
                            .collect()
                    }
                };
                for after in afters {
                    out.push(Box::new(NeverTrack {
                        flow,
                        text: claim.text.clone(),
                        at: here.clone(),
                        after,
                        submitted: *submitted,
                    }));
                }
            }
        }
        ClaimKind::Always { at } => {
            for (then, then_outcome, guard, first) in at {
                let node = m.node(*then);
                let kinds: BTreeSet<Option<Gate>> = first.iter().map(|(n, _)| Gate::of(&m.node(*n).kind)).collect();
                let ok = first.iter().all(|(_, o)| *o == Outcome::Ok);
                let gate = match (kinds.len(), kinds.first(), node.road) {
                    (1, Some(Some(gate)), Some(r)) if ok => Some((*gate, r)),
                    _ => None,
                };
                out.push(Box::new(AlwaysTrack {
                    flow: node.flow,
                    text: claim.text.clone(),
                    then: *then,
                    then_outcome: *then_outcome,
                    guard: guard.clone(),
                    first: first.clone(),
                    gate,
                }));
            }
        }
    }
    out
}
