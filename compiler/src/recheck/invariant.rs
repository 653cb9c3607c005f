//! Invariants of a manifest: the start is inside, every edge leads from inside to inside, no bad step is open inside.
//!
//! Facts of which neither the invariant nor the law speaks are left aside, conjunct by conjunct: that opens edges and closes
//! none.

use super::cells::Cells;
use super::diagrams::{Diagrams, Set, TooLarge};
use super::obligations::Key;
use crate::graph::{Cond, Graph, Write, carries};
use crate::laws::catalogue::profiles::runs;
use crate::laws::track::{Track, When};
use crate::manifest::{self, About, Manifest, Test};
use crate::model::{EdgeId, FactId, Latch, Life, Model, NodeId, Outcome, RoadId};
use std::collections::{BTreeMap, BTreeSet};

/// Why an invariant is not taken.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is wrong.
    Wrong(String),
    /// It is too large to look at.
    TooLarge,
}

impl From<TooLarge> for Fault {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// Node, state of the track, current road.
type State = (u32, u16, Option<u32>);

/// The laws and subjects of which a track speaks: those whose bad steps a path can reach when guards are ignored, and those
/// that it would raise if nothing had happened before. Whether a path reaches one says how it was to be settled.
pub(super) fn subjects(g: &Graph<'_>, track: &dyn Track) -> BTreeMap<Key, bool> {
    let m = g.model;
    let start = (m.flows[track.flow().index()].start, track.start());
    let mut seen = BTreeSet::from([start]);
    let mut work = vec![start];
    let mut out = BTreeMap::new();
    while let Some((node, state)) = work.pop() {
        for e in &g.out[node.index()] {
            let fresh = track.step(g, track.start(), *e).bad;
            let mut bad: Vec<_> = fresh.into_iter().map(|b| (b, false)).collect();
            if !g.effect(*e).open.contains(&Cond::False) {
                let made = track.step(g, state, *e);
                bad.extend(made.bad.into_iter().map(|b| (b, true)));
                let next = (m.edge(*e).to, made.next);
                if seen.insert(next) {
                    work.push(next);
                }
            }
            for (b, reached) in bad.into_iter().filter(|(b, _)| b.cond != Cond::False && runs(m.profile, b.law)) {
                let key = (b.law.to_owned(), About::from(b.subject).key(), track.name(m));
                *out.entry(key).or_insert(false) |= reached;
            }
        }
    }
    out
}

/// Checks the invariants of a manifest.
pub(super) struct Checker<'g, 'm, 'c> {
    g: &'g Graph<'m>,
    proof: &'c Manifest,
    cells: Cells<'m>,
    /// Conditions of the manifest, and the cells of each.
    made: Vec<Option<Set>>,
    support: Vec<BTreeSet<FactId>>,
    projected: BTreeMap<(EdgeId, usize, Vec<FactId>), Set>,
    volatile: Vec<FactId>,
}

impl<'g, 'm, 'c> Checker<'g, 'm, 'c> {
    /// Refuses conditions that speak of what is not there.
    pub(super) fn new(g: &'g Graph<'m>, proof: &'c Manifest) -> Result<Self, String> {
        let mut cells = Cells::new(g);
        let mut support: Vec<BTreeSet<FactId>> = vec![BTreeSet::new(), BTreeSet::new()];
        for (i, t) in proof.tests.iter().enumerate() {
            if cells.test(t).is_none() {
                return Err(format!("test {i} fits no cell of the policy"));
            }
        }
        for (i, (test, yes, no)) in proof.conditions.iter().enumerate() {
            let at = i + 2;
            let earlier = |c: &u32| support.get(*c as usize).filter(|_| (*c as usize) < at);
            let (Some(t), Some(a), Some(b)) = (proof.tests.get(*test as usize), earlier(yes), earlier(no)) else {
                return Err(format!("condition {at} speaks of a test or condition that does not stand before it"));
            };
            let (Test::Values { cell, .. } | Test::Label { cell, .. } | Test::Bit { cell, .. }) = t;
            let mut of: BTreeSet<FactId> = a.union(b).copied().collect();
            of.insert(FactId(*cell));
            support.push(of);
        }
        let volatile = (0..g.model.facts.len())
            .map(|i| FactId(crate::graph::narrow(i)))
            .filter(|f| matches!(g.model.fact(*f).life, Life::Volatile | Life::Rank))
            .collect();
        let made = vec![None; support.len()];
        Ok(Self { g, proof, cells, made, support, projected: BTreeMap::new(), volatile })
    }

    /// Checks one track against what is claimed of it.
    pub(super) fn track(&mut self, track: &dyn Track, claimed: &manifest::Track) -> Result<(), Fault> {
        let wrong = |what: String| Fault::Wrong(what);
        let m = self.g.model;
        if claimed.name != track.name(m) || claimed.flow != track.flow().0 {
            return Err(wrong(format!("`{}` stands where `{}` should", claimed.name, track.name(m))));
        }
        if self.cells.tidy() {
            self.made.iter_mut().for_each(|c| *c = None);
            self.projected.clear();
        }
        let mut invariant: BTreeMap<State, u32> = BTreeMap::new();
        for group in &claimed.invariant {
            if group.condition as usize >= self.support.len() {
                return Err(wrong(format!("there is no condition {}", group.condition)));
            }
            for s in &group.states {
                if s.0 as usize >= m.nodes.len() || s.2.is_some_and(|r| r as usize >= m.roads.len()) {
                    return Err(wrong("a state names a node or road that does not exist".to_owned()));
                }
                if invariant.insert(*s, group.condition).is_some() {
                    return Err(wrong(format!("{} stands there twice", self.at(*s))));
                }
            }
        }
        let kept: BTreeSet<FactId> =
            claimed.invariant.iter().flat_map(|g| &self.support[g.condition as usize]).copied().collect();
        let start = (m.flows[track.flow().index()].start.0, track.start(), None);
        let initial = self.cells.initial(&kept);
        let at_start = self.condition(invariant.get(&start).copied().unwrap_or(0));
        if !self.cells.within(initial, at_start)? {
            return Err(wrong("the start of the flow is not inside".to_owned()));
        }
        for (state, condition) in &invariant {
            for e in &self.g.out[state.0 as usize] {
                self.step(track, &invariant, &kept, *state, *condition, *e)?;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        track: &dyn Track,
        invariant: &BTreeMap<State, u32>,
        kept: &BTreeSet<FactId>,
        state: State,
        condition: u32,
        e: EdgeId,
    ) -> Result<(), Fault> {
        let (g, m) = (self.g, self.g.model);
        let effect = g.effect(e);
        if condition == 0 || effect.open.contains(&Cond::False) {
            return Ok(());
        }
        let (node, _, road) = state;
        let edge = m.edge(e);
        let made = track.step(g, state.1, e);
        let from = m.node(NodeId(node));
        let here = if carries(&from.kind) { from.road.map(|r| r.0) } else { road };
        let after = if edge.outcome == Outcome::Chosen { edge.candidate.map(|r| r.0) } else { here };
        // A state without a road speaks for every road.
        let exact = invariant.get(&(edge.to.0, made.next, after));
        let to = exact.or_else(|| invariant.get(&(edge.to.0, made.next, None))).copied().unwrap_or(0);
        let bad: Vec<_> = made.bad.iter().filter(|b| b.cond != Cond::False && runs(m.profile, b.law)).collect();
        if to == 1 && bad.is_empty() {
            return Ok(());
        }
        let mut kept = kept.clone();
        kept.extend(bad.iter().flat_map(|b| b.cond.cells()));
        let before = if track.free_volatile() { &self.volatile } else { &effect.before };
        let before: Vec<FactId> = before.iter().copied().filter(|f| kept.contains(f)).collect();
        let fresh: Vec<FactId> = effect.after.iter().copied().filter(|f| kept.contains(f)).collect();
        let inside = self.condition(condition);
        let valid = self.cells.valid(&kept);
        let inside = self.cells.d.and(inside, valid);
        let mut open = self.cells.renew(inside, &before);
        for i in 0..effect.open.len() {
            if let Some(c) = self.projection(e, i, &kept) {
                open = self.cells.d.and(open, c);
            }
        }
        let writes: Vec<Write> = effect.writes.iter().filter_map(|w| written(m, w, here.map(RoadId))).collect();
        let end = self.cells.write(open, &writes, &kept);
        let end = self.cells.renew(end, &fresh);
        for b in bad {
            let cond = self.cells.cond(&b.cond);
            let hit = self.cells.d.and(if b.when == When::Edge { open } else { end }, cond);
            if !self.cells.d.never(hit)? {
                let law = b.law;
                return Err(Fault::Wrong(format!("a step out of {} that breaks {law} is inside", self.at(state))));
            }
        }
        let target = self.condition(to);
        if !self.cells.within(end, target)? {
            let there = self.at((edge.to.0, made.next, after));
            return Err(Fault::Wrong(format!("an edge leads out of it: from {} to {there}", self.at(state))));
        }
        Ok(())
    }

    /// A conjunct of an edge's condition without the facts that are not kept; `None` where it says nothing of those that are.
    fn projection(&mut self, e: EdgeId, i: usize, kept: &BTreeSet<FactId>) -> Option<Set> {
        let cond = &self.g.effect(e).open[i];
        let cells = cond.cells();
        let (here, lost): (Vec<FactId>, Vec<FactId>) = cells.iter().partition(|f| kept.contains(f));
        if here.is_empty() && !cells.is_empty() {
            return None;
        }
        let key = (e, i, here);
        if let Some(known) = self.projected.get(&key) {
            return Some(*known);
        }
        let (set, valid) = (self.cells.cond(cond), self.cells.valid(&lost));
        let set = self.cells.d.and(set, valid);
        let set = self.cells.forget(set, &lost);
        self.projected.insert(key, set);
        Some(set)
    }

    /// A condition of the manifest. Conditions speak only of earlier ones, so that those it needs are found by going back.
    fn condition(&mut self, at: u32) -> Set {
        let mut needed = BTreeSet::new();
        let mut work = vec![at];
        while let Some(c) = work.pop() {
            if c > 1 && self.made[c as usize].is_none() && needed.insert(c) {
                let (_, yes, no) = self.proof.conditions[c as usize - 2];
                work.extend([yes, no]);
            }
        }
        for c in needed {
            let (test, yes, no) = self.proof.conditions[c as usize - 2];
            let test = self.cells.test(&self.proof.tests[test as usize]).unwrap_or(Diagrams::NONE);
            let (yes, no) = (self.ready(yes), self.ready(no));
            self.made[c as usize] = Some(self.cells.d.choice(test, yes, no));
        }
        self.ready(at)
    }

    fn ready(&self, at: u32) -> Set {
        match at {
            0 => Diagrams::NONE,
            1 => Diagrams::ALL,
            c => self.made[c as usize].unwrap_or(Diagrams::NONE),
        }
    }

    fn at(&self, (node, state, road): State) -> String {
        let m = self.g.model;
        let road = road.map(|r| format!(" with `{}`", m.road(RoadId(r)).name)).unwrap_or_default();
        format!("`{}` in state {state}{road}", m.node(NodeId(node)).name)
    }
}

/// What an edge writes where the current road is known: a fallback tries that one and no other.
pub(super) fn written(m: &Model, w: &Write, current: Option<RoadId>) -> Option<Write> {
    match (w, current) {
        (Write::SetOneOf(_), Some(r)) => m.latch(Latch::Tried(r)).map(|f| Write::Set(f, 1)),
        (w, _) => Some(w.clone()),
    }
}
