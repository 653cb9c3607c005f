//! The product of a flow with one track, guards ignored: what the engines work on, and the first of them.
//!
//! A bad step that this product cannot reach is excluded for every assignment of facts (dominance). The converse says
//! nothing: what it can reach goes to [`super::fixpoint`].

use crate::graph::{Cond, Graph};
use crate::laws::track::{Bad, Subject, Track};
use crate::model::{EdgeId, NodeId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An edge of the product.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) from: usize,
    pub(crate) edge: EdgeId,
    pub(crate) to: usize,
    pub(crate) bad: Vec<Bad>,
}

/// The reachable product.
pub(crate) struct Product {
    /// (node, track state) of each product state; state 0 is the start.
    pub(crate) states: Vec<(NodeId, u16)>,
    pub(crate) steps: Vec<Step>,
    /// Steps out of each state.
    pub(crate) out: Vec<Vec<usize>>,
}

/// What one obligation says, and where its bad steps are.
pub(crate) type Sites = BTreeMap<(&'static str, Subject), Vec<(usize, usize)>>;

impl Product {
    pub(crate) fn new(g: &Graph<'_>, track: &dyn Track) -> Self {
        let start = (g.model.flows[track.flow().index()].start, track.start());
        let mut states = vec![start];
        let mut index = BTreeMap::from([(start, 0_usize)]);
        let mut out: Vec<Vec<usize>> = vec![Vec::new()];
        let mut steps = Vec::new();
        let mut work = VecDeque::from([0_usize]);
        while let Some(i) = work.pop_front() {
            let (node, state) = states[i];
            for e in &g.out[node.index()] {
                if g.effect(*e).open.contains(&Cond::False) {
                    continue;
                }
                let made = track.step(g, state, *e);
                let next = (g.model.edge(*e).to, made.next);
                let to = *index.entry(next).or_insert_with(|| {
                    states.push(next);
                    out.push(Vec::new());
                    work.push_back(states.len() - 1);
                    states.len() - 1
                });
                out[i].push(steps.len());
                steps.push(Step { from: i, edge: *e, to, bad: made.bad });
            }
        }
        Self { states, steps, out }
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
