//! First decisions: where work goes from an entry when every gate answers ok (D of MODEL.md section 8).
//!
//! Once by the reference interpreter, under one fact vector; and once for all vectors at a time, as the condition of each
//! first decision in the terms of either engine.

use super::bounds::unbounded;
use super::diagnose::Findings;
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::path::favour;
use crate::graph::{Cond, carries, narrow};
use crate::laws::track::Subject;
use crate::model::{Cell, EdgeId, EdgeKind, Model, NodeId, NodeKind, Outcome, RoadId, Stop};
use crate::monitor::{choice, taken};
use std::collections::{BTreeMap, BTreeSet};

/// Different first decisions from one entry, beyond which they are not told apart.
const MOST: usize = 20_000;

/// A first decision when every gate answers ok: where it ends, and what it passed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct First {
    /// The send, call, wait or terminal; the last node where no edge is open or another kind of edge leads on.
    pub(crate) end: NodeId,
    /// What each choose on the way chose: nothing where all was closed.
    pub(crate) chose: Vec<Option<RoadId>>,
    /// A cut was made.
    pub(crate) cut: bool,
}

impl First {
    /// At the entry.
    pub(crate) fn from(entry: NodeId) -> Self {
        Self { end: entry, chose: Vec::new(), cut: false }
    }

    /// It goes on along an edge of the ok region.
    fn along(&self, m: &Model, e: EdgeId) -> Self {
        let edge = m.edge(e);
        let mut next = self.clone();
        next.end = edge.to;
        match m.node(edge.from).kind {
            NodeKind::Choose(_) => next.chose.push(edge.candidate),
            NodeKind::Cut => next.cut = true,
            _ => {}
        }
        next
    }

    /// It is a remote send.
    pub(crate) fn sends_remotely(&self, m: &Model) -> bool {
        let n = m.node(self.end);
        n.kind == NodeKind::Send && n.road.is_some_and(|r| m.road(r).remote)
    }

    /// A road carries the work, or it is done without one.
    pub(crate) fn is_carried(&self, m: &Model) -> bool {
        let kind = &m.node(self.end).kind;
        carries(kind) || *kind == NodeKind::Stop(Stop::Done, String::new())
    }

    /// It ends without a road: refused, pending or otherwise stopped.
    pub(crate) fn is_refused(&self, m: &Model) -> bool {
        matches!(m.node(self.end).kind, NodeKind::Stop(..)) && !self.is_carried(m)
    }

    /// `send(a)`, cut.
    pub(crate) fn says(&self, m: &Model) -> String {
        let name = &m.node(self.end).name;
        match (self.sends_remotely(m), self.cut) {
            (true, true) => format!("`{name}`, cut"),
            (true, false) => format!("`{name}`, raw"),
            (false, _) => format!("`{name}`"),
        }
    }
}

/// Every first decision from a node under one fact vector, by the reference interpreter: one, but where facts that only
/// rank are free.
pub(crate) fn first_decisions(m: &Model, entry: NodeId, facts: &[Cell]) -> Vec<First> {
    let mut out = Vec::new();
    let start = First::from(entry);
    let mut work = vec![(start, BTreeSet::from([entry]))];
    while let Some((at, seen)) = work.pop() {
        let node = m.node(at.end);
        if carries(&node.kind) || matches!(node.kind, NodeKind::Stop(..)) {
            out.push(at);
            continue;
        }
        let mut next = Vec::new();
        if let NodeKind::Choose(c) = node.kind {
            let choose = m.choose(c);
            for r in &choose.candidates {
                let mut favoured = facts.to_vec();
                favour(m, choose, *r, &mut favoured);
                if choice(m, choose, &favoured) == Some(*r) {
                    next.push((Outcome::Chosen, Some(*r)));
                }
            }
            if next.is_empty() {
                next.push((Outcome::Closed, None));
            }
        } else {
            next.push((Outcome::Ok, None));
        }
        for (outcome, candidate) in next.into_iter().rev() {
            let port: Vec<EdgeId> = (0..m.edges.len())
                .map(|i| EdgeId(narrow(i)))
                .filter(|e| {
                    let e = m.edge(*e);
                    e.from == at.end && e.outcome == outcome && e.candidate == candidate
                })
                .collect();
            let edge = taken(m, &port, facts).filter(|e| m.edge(*e).kind == EdgeKind::Next);
            match edge {
                Some(e) if !seen.contains(&m.edge(e).to) => {
                    let mut seen = seen.clone();
                    seen.insert(m.edge(e).to);
                    work.push((at.along(m, e), seen));
                }
                _ => out.push(at.clone()),
            }
        }
    }
    out
}

/// The edge leads on when all answers are ok.
pub(crate) fn follows(m: &Model, e: EdgeId) -> bool {
    let edge = m.edge(e);
    edge.kind == EdgeKind::Next && matches!(edge.outcome, Outcome::Ok | Outcome::Chosen | Outcome::Closed)
}

/// What is reached from an entry by ok, chosen and closed over `next` edges.
pub(crate) struct OkRegion {
    /// The nodes; in topological order, if there is one.
    pub(crate) order: Vec<NodeId>,
    /// They form a cycle, so that facts alone give no first decision: counters or the policy's own steps end it.
    pub(crate) cyclic: bool,
}

/// The ok region of an entry.
pub(crate) fn ok_region(cx: &Context<'_, '_>, entry: NodeId) -> OkRegion {
    fn visit(cx: &Context<'_, '_>, n: NodeId, left: &mut BTreeMap<NodeId, bool>, region: &mut OkRegion) {
        if let Some(left) = left.get(&n) {
            region.cyclic |= !left;
            return;
        }
        left.insert(n, false);
        let m = cx.graph.model;
        if !carries(&m.node(n).kind) {
            for e in cx.graph.out[n.index()].iter().filter(|e| follows(m, **e)) {
                visit(cx, m.edge(*e).to, left, region);
            }
        }
        left.insert(n, true);
        region.order.push(n);
    }
    let mut region = OkRegion { order: Vec::new(), cyclic: false };
    visit(cx, entry, &mut BTreeMap::new(), &mut region);
    region.order.reverse();
    region
}

/// Says of a law that compares first decisions that it is undecided where they may go round. Where a cycle has no bound at
/// all, RL601 says so.
pub(crate) fn goes_round(
    cx: &Context<'_, '_>,
    law: &'static str,
    entry: NodeId,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) {
    ledger.count("undecided");
    if unbounded(cx.graph).is_empty() {
        let why = "what is decided first may come back to where it was; let the edge that goes back be a `-loop->`";
        findings.undecided(law, Subject::Node(entry), why);
    }
}

/// Where a search for first decisions may begin: the starts, and the target of each edge that is not `next`.
pub(crate) fn entries(m: &Model) -> BTreeSet<NodeId> {
    let mut out: BTreeSet<NodeId> = m.flows.iter().map(|f| f.start).collect();
    out.extend(m.edges.iter().filter(|e| e.kind != EdgeKind::Next).map(|e| e.to));
    out
}

/// Propositions of one engine.
pub(crate) trait Logic {
    /// A proposition about the facts.
    type Term: Clone;
    /// Always.
    fn yes(&self) -> Self::Term;
    /// Both.
    fn both(&self, a: &Self::Term, b: &Self::Term) -> Self::Term;
    /// One or the other.
    fn either(&self, a: &Self::Term, b: &Self::Term) -> Self::Term;
    /// A condition of the graph.
    fn cond(&mut self, c: &Cond) -> Self::Term;
}

/// Every first decision from an entry with its condition. `order` is the entry's ok region. `None`: too many.
pub(crate) fn ends<L: Logic>(
    cx: &Context<'_, '_>,
    order: &[NodeId],
    entry: NodeId,
    logic: &mut L,
) -> Option<Vec<(First, L::Term)>> {
    let m = cx.graph.model;
    let mut at: BTreeMap<NodeId, BTreeMap<First, L::Term>> = BTreeMap::new();
    at.entry(entry).or_default().insert(First::from(entry), logic.yes());
    let mut out = Vec::new();
    let mut made = 0;
    for n in order {
        let here = at.remove(n).unwrap_or_default();
        let kind = &m.node(*n).kind;
        if carries(kind) || matches!(kind, NodeKind::Stop(..)) {
            out.extend(here);
            continue;
        }
        for e in cx.graph.out[n.index()].iter().filter(|e| follows(m, **e)) {
            let mut open = logic.yes();
            for c in &cx.graph.effect(*e).open {
                let c = logic.cond(c);
                open = logic.both(&open, &c);
            }
            for (first, when) in &here {
                let next = first.along(m, *e);
                let when = logic.both(when, &open);
                let slot = at.entry(next.end).or_default();
                let when = slot.get(&next).map_or_else(|| when.clone(), |w| logic.either(w, &when));
                slot.insert(next, when);
                made += 1;
            }
            if made > MOST {
                return None;
            }
        }
    }
    Some(out)
}
