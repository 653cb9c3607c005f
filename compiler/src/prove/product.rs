//! The product of a flow with one track, guards ignored: what the engines work on, and the first of them.
//!
//! A bad step that this product cannot reach is excluded for every assignment of facts (dominance). The converse says
//! nothing: what it can reach goes to [`super::fixpoint`].

use crate::graph::{Cond, Graph, Write, carries};
use crate::laws::catalogue::profiles::runs;
use crate::laws::track::{Bad, Subject, Track};
use crate::model::{EdgeId, EdgeKind, Latch, Model, NodeId, Outcome, RoadId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An edge of the product.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) from: usize,
    pub(crate) edge: EdgeId,
    pub(crate) to: usize,
    pub(crate) bad: Vec<Bad>,
    /// Latches that it writes. Which road is left is known here, so that a fallback tries that one and no other.
    pub(crate) writes: Vec<Write>,
}

/// The reachable product.
pub(crate) struct Product {
    /// (node, track state) of each product state; state 0 is the start.
    pub(crate) states: Vec<(NodeId, u16)>,
    /// The current road of each state, where a fallback may still leave it.
    pub(crate) current: Vec<Option<RoadId>>,
    pub(crate) steps: Vec<Step>,
    /// Steps out of each state.
    pub(crate) out: Vec<Vec<usize>>,
}

/// What one obligation says, and where its bad steps are.
pub(crate) type Sites = BTreeMap<Obligation, Vec<(usize, usize)>>;

/// A law and what it is about.
pub(crate) type Obligation = (&'static str, Subject);

impl Product {
    pub(crate) fn new(g: &Graph<'_>, track: &dyn Track) -> Self {
        let m = g.model;
        let leaving = leaving(g);
        let start = (m.flows[track.flow().index()].start, track.start());
        let mut states = vec![start];
        // The current road tells states apart only where a fallback may still leave it.
        let mut current: Vec<Option<RoadId>> = vec![None];
        let mut index = BTreeMap::from([((start, None), 0_usize)]);
        let mut out: Vec<Vec<usize>> = vec![Vec::new()];
        let mut steps = Vec::new();
        let mut work = VecDeque::from([0_usize]);
        while let Some(i) = work.pop_front() {
            let (node, state) = states[i];
            for e in &g.out[node.index()] {
                if g.effect(*e).open.contains(&Cond::False) {
                    continue;
                }
                let mut made = track.step(g, state, *e);
                made.bad.retain(|b| runs(m.profile, b.law));
                let edge = m.edge(*e);
                let next = (edge.to, made.next);
                let here = if carries(&m.node(node).kind) { m.node(node).road } else { current[i] };
                let after = if edge.outcome == Outcome::Chosen { edge.candidate } else { here };
                let after = after.filter(|_| leaving[edge.to.index()]);
                let to = *index.entry((next, after)).or_insert_with(|| {
                    states.push(next);
                    current.push(after);
                    out.push(Vec::new());
                    work.push_back(states.len() - 1);
                    states.len() - 1
                });
                out[i].push(steps.len());
                let writes = g.effect(*e).writes.iter().filter_map(|w| written(m, w, here)).collect();
                steps.push(Step { from: i, edge: *e, to, bad: made.bad, writes });
            }
        }
        Self { states, current, steps, out }
    }

    /// The obligations whose bad steps the product can reach.
    pub(crate) fn sites(&self) -> Sites {
        let mut out = Sites::new();
        for (i, s) in self.steps.iter().enumerate() {
            for (j, b) in s.bad.iter().enumerate() {
                if b.cond != Cond::False {
                    out.entry((b.law, b.subject)).or_default().push((i, j));
                }
            }
        }
        out
    }

    /// The shortest way from the start that ends with this step.
    pub(crate) fn shortest(&self, last: usize) -> Vec<usize> {
        let mut came: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut work = VecDeque::from([0_usize]);
        while let Some(s) = work.pop_front() {
            for i in &self.out[s] {
                let to = self.steps[*i].to;
                if to != 0 && came[to].is_none() {
                    came[to] = Some(*i);
                    work.push_back(to);
                }
            }
        }
        let mut steps = vec![last];
        let mut at = self.steps[last].from;
        while let Some(i) = came[at].filter(|_| at != 0) {
            steps.push(i);
            at = self.steps[i].from;
        }
        steps.reverse();
        steps
    }

    /// Keeps the steps that can still lead to one of these steps.
    pub(crate) fn slice(&self, sites: &Sites) -> BTreeSet<usize> {
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (i, s) in self.steps.iter().enumerate() {
            into[s.to].push(i);
        }
        let mut kept: BTreeSet<usize> = sites.values().flatten().map(|(i, _)| *i).collect();
        let mut seen = vec![false; self.states.len()];
        let mut work: Vec<usize> = kept.iter().map(|i| self.steps[*i].from).collect();
        while let Some(s) = work.pop() {
            if std::mem::replace(&mut seen[s], true) {
                continue;
            }
            for i in &into[s] {
                kept.insert(*i);
                work.push(self.steps[*i].from);
            }
        }
        kept
    }
}

/// What an edge writes where the current road is known.
fn written(m: &Model, w: &Write, current: Option<RoadId>) -> Option<Write> {
    match (w, current) {
        (Write::SetOneOf(_), Some(r)) => m.latch(Latch::Tried(r)).map(|f| Write::Set(f, 1)),
        (w, _) => Some(w.clone()),
    }
}

/// Nodes from which a fallback may leave the road that is current there: none was chosen, sent, called or awaited between.
fn leaving(g: &Graph<'_>) -> Vec<bool> {
    let m = g.model;
    let mut found = vec![false; m.nodes.len()];
    loop {
        let mut changed = false;
        for e in &m.edges {
            let onward = e.outcome != Outcome::Chosen && found[e.to.index()];
            let own = carries(&m.node(e.from).kind);
            if !own && !found[e.from.index()] && (e.kind == EdgeKind::Fallback || onward) {
                found[e.from.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}
