//! The author's own `never` and `always` (MODEL.md section 9).

use super::facts::{changes, possible};
use super::gates::{Gate, Gates, gate_of, works};
use super::going::Going;
use roadlaw_compiler::model::{
    Cell, Change, ClaimKind, Edge, EdgeKind, Model, NodeId, NodeKind, Outcome, RoadId, Submitted,
};
use std::collections::BTreeSet;

/// What has happened that claims speak of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Claims {
    /// Of claim i: an `after` event of this road.
    after: BTreeSet<(usize, Option<RoadId>)>,
    /// Of claim i: what its demand j needs first has happened.
    first: BTreeSet<(usize, usize)>,
}

type Event = (NodeId, Option<Outcome>);

/// The edge leaves the node by the outcome, or, where none is named, enters it.
fn happens((n, outcome): Event, e: &Edge) -> bool {
    match outcome {
        None => n == e.to,
        Some(o) => n == e.from && o == e.outcome,
    }
}

/// A gate that is held for the road of what must follow.
fn by_gate(m: &Model, then: NodeId, first: &[(NodeId, Outcome)]) -> Option<(Gate, RoadId)> {
    let r = m.nodes[then.index()].road?;
    let gates: BTreeSet<Option<Gate>> = first.iter().map(|(n, _)| gate_of(&m.nodes[n.index()].kind)).collect();
    let g = gates.first().copied().flatten().filter(|_| gates.len() == 1)?;
    first.iter().all(|(_, o)| *o == Outcome::Ok).then_some((g, r))
}

/// Evidence that no gate holds is lost with the next work, and wherever a run begins anew.
fn begins_anew(m: &Model, e: &Edge) -> bool {
    let from = &m.nodes[e.from.index()].kind;
    works(&m.nodes[e.to.index()].kind)
        || !matches!(e.kind, EdgeKind::Next | EdgeKind::Redeliver | EdgeKind::Resume)
        || (*from == NodeKind::Repair && e.outcome == Outcome::Ok)
        || (*from == NodeKind::Review && e.outcome == Outcome::NewPlan)
        || (*from == NodeKind::AwaitUser && e.kind == EdgeKind::Resume)
        || [Change::Content, Change::Workspace, Change::Policy].iter().any(|c| changes(e, *c))
}

impl Claims {
    /// Takes an edge: `gates` and `going` as they are between its two nodes. Whether a claim is broken.
    pub fn step(&mut self, m: &Model, e: &Edge, gates: &Gates, going: &Going, at: &[Cell], then: &[Cell]) -> bool {
        let mut broken = false;
        for (i, c) in m.claims.iter().enumerate() {
            match &c.kind {
                ClaimKind::Never { at: places, after, submitted } => {
                    let roads: BTreeSet<Option<RoadId>> = match after {
                        None => BTreeSet::from([None]),
                        Some(events) => events.iter().map(|(n, _)| m.nodes[n.index()].road).collect(),
                    };
                    let mine = |r: &Option<RoadId>, of: &Event| m.nodes[of.0.index()].road == *r;
                    for r in roads {
                        let events: Vec<Event> = after.iter().flatten().filter(|x| mine(&r, x)).copied().collect();
                        if events.iter().any(|x| x.1.is_some() && happens(*x, e)) {
                            self.after.insert((i, r));
                        }
                        let sub = match r.map_or(0, |r| going.submitted(r)) {
                            0 => Submitted::None,
                            1 => Submitted::Unknown,
                            _ => Submitted::Known,
                        };
                        let armed =
                            (after.is_none() || self.after.contains(&(i, r))) && submitted.is_none_or(|s| s == sub);
                        broken |= armed
                            && places.iter().any(|(n, o, g)| {
                                happens((*n, *o), e) && possible(m, g, if o.is_none() { then } else { at })
                            });
                        if events.iter().any(|x| x.1.is_none() && happens(*x, e)) {
                            self.after.insert((i, r));
                        }
                    }
                }
                ClaimKind::Always { at: demands } => {
                    for (j, (n, o, g, first)) in demands.iter().enumerate() {
                        if first.iter().any(|(n, o)| happens((*n, Some(*o)), e)) {
                            self.first.insert((i, j));
                        }
                        let held = match by_gate(m, *n, first) {
                            Some((gate, r)) => gates.holds(m, gate, r),
                            None => self.first.contains(&(i, j)),
                        };
                        let now = if o.is_none() { then } else { at };
                        broken |= happens((*n, *o), e) && !held && possible(m, g, now);
                        if begins_anew(m, e) {
                            self.first.remove(&(i, j));
                        }
                    }
                }
            }
        }
        broken
    }
}
