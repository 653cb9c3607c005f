//! RL704: every road is used in some run.

use super::diagnose::Place;
use super::fixpoint::Context;
use super::path::{self, Concrete, Real, Vectors};
use super::product::Product;
use super::run::{Run, taken};
use super::settle::{ReachTrack, Settled, settle};
use super::{Engine, witness};
use crate::graph::{Cond, Graph, eligible};
use crate::manifest::About;
use crate::model::{EdgeId, FlowId, NodeKind, Profile, RoadId};
use crate::monitor::choice;
use std::collections::BTreeSet;

/// Rivals that are closed one after the other before all of them are asked about at once.
const RIVALS: usize = 64;

/// A road that must be reachable.
pub(super) struct Live {
    road: RoadId,
    track: ReachTrack,
}

/// All roads, each with the edges that lead to its use.
pub(super) fn liveness(g: &Graph<'_>) -> Vec<Live> {
    let m = g.model;
    let mut out = Vec::new();
    for i in 0..m.roads.len() {
        let road = RoadId(crate::graph::narrow(i));
        let edges = taken(m, |e| {
            let to = m.node(e.to);
            if m.profile == Profile::Choice {
                // An option is used where it is chosen.
                return e.candidate == Some(road);
            }
            // A road that only repairs is used there.
            to.road == Some(road) && (crate::graph::carries(&to.kind) || to.kind == NodeKind::Repair)
        });
        let flow = edges.first().map_or(FlowId(0), |e| m.node(m.edge(*e).to).flow);
        out.push(Live { road, track: ReachTrack { flow, law: "RL704", edges, cond: Cond::True } });
    }
    out
}

impl Run<'_> {
    /// RL704: some run uses the road, and replays.
    pub(super) fn live(&mut self, cx: &Context<'_, '_>, live: &Live) {
        let m = cx.graph.model;
        let product = Product::new(cx.graph, &live.track);
        // Behind a choice an edge may be closed by more than rivals, by an `else` before all: the engines know of it.
        let by_rivals = chosen(cx, live, &product).filter(|path| witness::replay(m, path, None).faithful);
        let how = match by_rivals {
            Some(path) => Some(Settled::Refuted(path)),
            None => settle(cx, &live.track, &product, false).into_values().next(),
        };
        let (mut shown, mut script) = (None, None);
        let method = match how {
            Some(Settled::Reached) => "reached",
            Some(Settled::Refuted(path)) => {
                if witness::replay(m, &path, None).faithful {
                    shown = self.ledger.run(m, &path);
                    script = self.ledger.script(|| path::script(cx, &path.edges));
                    "reached"
                } else {
                    self.findings.undecided_at("RL704", Place::Road(live.road), "the path to it does not replay");
                    "undecided"
                }
            }
            Some(Settled::Undecided(why) | Settled::Disagreement(why)) => {
                self.findings.undecided_at("RL704", Place::Road(live.road), why);
                "undecided"
            }
            Some(Settled::Invariant) | None => {
                self.findings.unreachable(live.road);
                "refuted"
            }
        };
        let entry = self.ledger.enter("RL704", About::Road(live.road), "liveness", method);
        (entry.run, entry.script) = (shown, script);
    }
}

/// An option's run, found by closing only those rivals that would win: among a thousand options few stand in the way of one.
/// `None` says nothing: the engines are asked.
fn chosen(cx: &Context<'_, '_>, live: &Live, product: &Product) -> Option<Concrete> {
    let m = cx.graph.model;
    if m.profile != Profile::Choice || cx.engine != Engine::Both {
        return None;
    }
    let (step, _) = *product.sites().into_values().next()?.first()?;
    let edges: Vec<EdgeId> = product.shortest(step).into_iter().map(|i| product.steps[i].edge).collect();
    let (last, before) = edges.split_last()?;
    let NodeKind::Choose(c) = m.node(m.edge(*last).from).kind else { return None };
    let choose = m.choose(c);
    let mut vectors = Vectors::new(m);
    before.iter().flat_map(|e| &cx.graph.effect(*e).open).for_each(|c| vectors.keep(c));
    vectors.keep(&eligible(m, live.road));
    vectors.keep(&Cond::holds(&m.edge(*last).guard));
    let mut closed = BTreeSet::new();
    while closed.len() < RIVALS {
        let Real::Yes(found) = vectors.ask(&Cond::True, false) else { return None };
        let mut facts = found.facts.into_iter().next()?;
        path::favour(m, choose, live.road, &mut facts);
        match choice(m, choose, &facts) {
            Some(winner) if winner == live.road => {
                let facts = vec![facts; 2 * edges.len()];
                return Some(Concrete { edges, facts, matter: BTreeSet::new() });
            }
            Some(winner) if closed.insert(winner) => vectors.keep(&eligible(m, winner).not()),
            _ => return None,
        }
    }
    None
}
