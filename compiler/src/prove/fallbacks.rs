//! RL303: what a fallback declares to change is changed for a pair of roads that some run joins.

use super::fixpoint::Context;
use super::path::{self, Concrete};
use super::product::Product;
use super::run::Run;
use super::settle::{Settled, settle};
use crate::graph::Graph;
use crate::laws::changes::{ChangesTrack, difference, not_of_bindings};
use crate::laws::track::Subject;
use crate::manifest::{RunEvidence, written_fallbacks};
use crate::model::{Change, EdgeId, EdgeKind, NodeKind, RoadId, Shape};
use std::collections::{BTreeMap, BTreeSet};

impl Run<'_> {
    /// RL303: each declared word is real for a pair of roads that some run forms; `changes ?`.
    pub(super) fn fallbacks(&mut self, cx: &Context<'_, '_>) {
        let m = cx.graph.model;
        // Copies of one written edge (one per road of a lane) share its words: a word is real if it is for one of them.
        for edges in written_fallbacks(m) {
            let mut pairs: BTreeSet<(RoadId, RoadId)> = BTreeSet::new();
            let mut known: BTreeMap<(EdgeId, RoadId, RoadId), Option<Concrete>> = BTreeMap::new();
            for e in &edges {
                for (s, d) in static_pairs(cx.graph, *e) {
                    pairs.insert((s, d));
                }
            }
            let hole = edges.iter().any(|e| m.edge(*e).changes_hole);
            let declared: BTreeSet<Change> =
                edges.iter().flat_map(|e| m.edge(*e).changes.clone().unwrap_or_default()).collect();
            // A pair that is undecided may be the one for which a word is real: then nothing is said against the word.
            let open = std::cell::Cell::new(false);
            let mut feasible = |s: RoadId, d: RoadId, run: &mut Self| {
                edges.iter().find_map(|e| {
                    let path = known.entry((*e, s, d)).or_insert_with(|| {
                        let flow = m.node(m.edge(*e).from).flow;
                        let track = ChangesTrack { flow, edge: *e, pair: Some((s, d)) };
                        let product = Product::new(cx.graph, &track);
                        match settle(cx, &track, &product, false).into_values().next() {
                            Some(Settled::Refuted(path)) => Some(path),
                            // Nothing of it is shown or kept: one engine alone makes no proof.
                            Some(Settled::Reached) => Some(Concrete::default()),
                            Some(Settled::Undecided(why) | Settled::Disagreement(why)) => {
                                run.findings.undecided("RL303", Subject::Edge(*e), why);
                                open.set(true);
                                None
                            }
                            _ => None,
                        }
                    });
                    path.clone().map(|p| (s, d, p))
                })
            };
            if hole {
                let mut words: BTreeSet<Change> = BTreeSet::new();
                for (s, d) in &pairs {
                    if feasible(*s, *d, self).is_some() {
                        words.extend(difference(m, *s, *d));
                    }
                }
                self.findings.hole(edges[0], &words);
                self.ledger.count("refuted");
                continue;
            }
            for w in declared.iter().filter(|w| !not_of_bindings(**w)) {
                let real = pairs
                    .iter()
                    .filter(|(s, d)| difference(m, *s, *d).contains(w))
                    .find_map(|(s, d)| feasible(*s, *d, self));
                // What may not be entered at all, and joins no roads, has no words to be wrong: that is one fault, not five.
                let refused = self.findings.refuses(edges[0]);
                if real.is_none() && refused && !pairs.iter().any(|(s, d)| feasible(*s, *d, self).is_some()) {
                    continue;
                }
                if let Some((s, d, path)) = real {
                    let shown = self.ledger.run(m, &path).map(|r| RunEvidence { pair: Some((s.0, d.0)), ..r });
                    let script = self.ledger.script(|| path::script(cx, &path.edges));
                    let entry = self.ledger.enter("RL303", Subject::Edge(edges[0]), w.word(), "reached");
                    (entry.run, entry.script) = (shown, script);
                } else if open.get() {
                    self.ledger.count("undecided");
                } else {
                    self.findings.unreal(edges[0], *w);
                    self.ledger.count("refuted");
                }
            }
        }
    }
}

/// Pairs of roads that a fallback edge may join when guards are ignored.
fn static_pairs(g: &Graph<'_>, e: EdgeId) -> BTreeSet<(RoadId, RoadId)> {
    let m = g.model;
    let edge = m.edge(e);
    let from = m.node(edge.from);
    let sources: BTreeSet<RoadId> = if crate::graph::carries(&from.kind) {
        from.road.into_iter().collect()
    } else {
        g.current[edge.from.index()].iter().flatten().copied().collect()
    };
    let mut seen = BTreeSet::new();
    let mut work = vec![edge.to];
    let mut ends = BTreeSet::new();
    while let Some(n) = work.pop() {
        if !seen.insert(n) {
            continue;
        }
        let node = m.node(n);
        let person = node.road.is_some_and(|r| m.road(r).shape == Shape::Human);
        if matches!(node.kind, NodeKind::Send | NodeKind::Call) || (crate::graph::carries(&node.kind) && person) {
            ends.extend(node.road);
            continue;
        }
        work.extend(g.out[n.index()].iter().map(|e| m.edge(*e)).filter(|e| e.kind != EdgeKind::Fallback).map(|e| e.to));
    }
    sources.iter().flat_map(|s| ends.iter().filter(move |d| *d != s).map(|d| (*s, *d))).collect()
}
