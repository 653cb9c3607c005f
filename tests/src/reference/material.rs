//! LAWS.md, RL116: search, provenance, rights, storage. The two checks count in their order, and anew in each round.

use super::facts::changes;
use super::gates::works;
use super::going::answers;
use roadlaw_compiler::model::{Change, Duty, Edge, EdgeKind, Model, Node, NodeKind, Outcome, RoadId};

/// What was found in a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Material {
    /// Found material, and how many of its two checks it passed in order.
    found: Option<u8>,
    /// The road that was last asked for something, where that is a search.
    seeking: Option<RoadId>,
    /// It is about to be asked once more.
    anew: bool,
}

impl Material {
    /// Takes an edge; whether it stores what was not checked.
    pub fn step(&mut self, m: &Model, e: &Edge) -> bool {
        let (from, to) = (&m.nodes[e.from.index()], &m.nodes[e.to.index()]);
        let finds = |n: &Node| {
            let child = n.road.and_then(|r| m.roads[r.index()].child).filter(|_| n.kind == NodeKind::Send);
            n.duty == Some(Duty::Search)
                || m.nodes.iter().any(|c| Some(c.flow) == child && c.duty == Some(Duty::Search))
        };
        if from.kind == NodeKind::Start && from.flow.index() > 0 {
            // A child may be handed what its parent found.
            let parent = m.nodes.iter().any(|n| n.flow.index() == 0 && n.duty == Some(Duty::Search));
            self.found = parent.then_some(0);
        }
        let back = if from.kind == NodeKind::Reconcile { Outcome::KnownEffect } else { Outcome::Ok };
        let returns = works(&from.kind) || from.kind == NodeKind::Reconcile;
        let later = returns && from.road.is_some() && from.road == self.seeking && e.outcome == back;
        if later || (finds(from) && e.outcome == Outcome::Ok) {
            self.found = Some(0);
        }
        self.found = self.found.map(|n| match (from.duty, e.outcome, n) {
            (Some(Duty::Provenance), Outcome::Ok, _) => 1,
            (Some(Duty::Rights), Outcome::Ok, 1) => 2,
            _ => n,
        });
        if [Change::Content, Change::Workspace, Change::Policy].iter().any(|c| changes(e, *c)) {
            self.found = self.found.map(|_| 0);
        }
        let raw = to.duty == Some(Duty::Storage) && self.found.is_some_and(|n| n < 2);
        if finds(to) || to.duty == Some(Duty::Provenance) {
            self.found = self.found.map(|_| 0);
        }
        if to.duty == Some(Duty::Rights) {
            self.found = self.found.map(|n| n.min(1));
        }
        // The same question, once more: what another road finds is found as well.
        use EdgeKind as E;
        if matches!(e.kind, E::Retry | E::Redirect | E::Fallback | E::Redeliver) && self.seeking.is_some() {
            self.anew = true;
        }
        if e.kind == E::Loop {
            self.anew = false;
        }
        let asks = answers(m, to);
        let placed = matches!(to.kind, NodeKind::Choose(_)) && !self.anew;
        if finds(to) {
            self.seeking = to.road.filter(|_| works(&to.kind));
        } else if asks {
            self.seeking = to.road.filter(|_| self.anew);
        } else if placed {
            self.seeking = None;
        }
        self.anew &= !(asks || finds(to));
        raw
    }
}
