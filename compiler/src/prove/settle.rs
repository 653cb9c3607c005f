//! Settles every obligation of one track: dominance, then fixpoint on a refined abstraction, paths by Z3.

use super::fixpoint::{self, Context};
use super::invariant;
use super::path::{self, Concrete, Real, Vectors};
use super::product::{Product, Sites};
use super::smt::Answer;
use crate::graph::Cond;
use crate::laws::track::{Subject, Track, When};
use crate::model::{EdgeId, FactId};
use std::collections::{BTreeMap, BTreeSet};

/// How one obligation ended.
pub(crate) enum Settled {
    /// An inductive invariant over facts excludes the bad steps; found by decision diagrams, checked by Z3.
    Invariant,
    /// A path that is real.
    Refuted(Concrete),
    /// Not decided, and why.
    Undecided(&'static str),
    /// The engines disagree.
    Disagreement(&'static str),
}

/// Greatest number of refinements for one track.
const ROUNDS: usize = 400;

/// Settles the obligations of a track. `shown`: paths found are for people, not only proof of reachability.
pub(crate) fn settle(
    cx: &Context<'_, '_>,
    track: &dyn Track,
    product: &Product,
    shown: bool,
) -> BTreeMap<(&'static str, Subject), Settled> {
    let mut out = BTreeMap::new();
    let mut open = product.sites();
    if open.is_empty() {
        return out;
    }
    let free = track.free_volatile();
    let mut kept: BTreeSet<FactId> = BTreeSet::new();
    for (step, bad) in open.values().flatten() {
        kept.extend(product.steps[*step].bad[*bad].cond.cells());
    }
    for _ in 0..ROUNDS {
        let slice = product.slice(&open);
        match fixpoint::run(cx, product, &slice, &open, &kept, free) {
            fixpoint::Outcome::TooLarge => {
                give_up(&mut out, open, "decision diagrams grew beyond the limit");
                return out;
            }
            fixpoint::Outcome::Closed(reached) => {
                let answer = invariant::check(cx, product, &slice, &open, &kept, &reached, free);
                for o in open.into_keys() {
                    out.insert(
                        o,
                        match answer {
                            Answer::Unsat => Settled::Invariant,
                            Answer::Sat => Settled::Disagreement("Z3 refutes the invariant that the fixpoint found"),
                            Answer::Undecided => Settled::Undecided("Z3 could not check the invariant"),
                        },
                    );
                }
                return out;
            }
            fixpoint::Outcome::Hits(hits) => {
                let used = kept.clone();
                for hit in hits {
                    let edges: Vec<EdgeId> = hit.steps.iter().map(|i| product.steps[*i].edge).collect();
                    let Some(last) = hit.steps.last() else { continue };
                    let bad = &product.steps[*last].bad[hit.bad];
                    match path::ask(cx, &edges, &bad.cond, bad.when, free, shown) {
                        Real::Yes(concrete) => {
                            open.remove(&hit.obligation);
                            out.insert(hit.obligation, Settled::Refuted(concrete));
                        }
                        Real::No(core) => {
                            // Another path of this round may have asked for the same facts: only what the fixpoint
                            // already kept cannot help it.
                            let known = core.is_subset(&used);
                            kept.extend(core);
                            if known {
                                open.remove(&hit.obligation);
                                out.insert(
                                    hit.obligation,
                                    Settled::Undecided("the abstraction cannot be refined further"),
                                );
                            }
                        }
                        Real::Undecided => {
                            open.remove(&hit.obligation);
                            out.insert(hit.obligation, Settled::Undecided("Z3 could not decide a path"));
                        }
                    }
                }
            }
        }
        if open.is_empty() {
            return out;
        }
    }
    give_up(&mut out, open, "too many refinements");
    out
}

fn give_up(out: &mut BTreeMap<(&'static str, Subject), Settled>, open: Sites, why: &'static str) {
    for o in open.into_keys() {
        out.insert(o, Settled::Undecided(why));
    }
}

/// Whether one fact vector satisfies a condition: asked of both engines.
pub(crate) fn satisfiable(
    cx: &Context<'_, '_>,
    vectors: &mut Vectors<'_>,
    cond: &Cond,
    shown: bool,
) -> Result<Option<Concrete>, &'static str> {
    let valid = cond.cells().into_iter().fold(cx.space.top(), |a, f| a.and(&cx.space.valid(f)));
    let diagram = !cx.space.cond(cond).and(&valid).is_false();
    match (vectors.ask(cond, shown), diagram) {
        (Real::Yes(c), true) => Ok(Some(c)),
        (Real::No(_), false) => Ok(None),
        (Real::Undecided, _) => Err("Z3 could not decide a condition on facts"),
        _ => Err("the engines disagree about a condition on facts"),
    }
}

/// A track with one state: the nodes must not be entered while the condition holds.
pub(crate) struct ReachTrack {
    pub(crate) flow: crate::model::FlowId,
    pub(crate) law: &'static str,
    pub(crate) nodes: BTreeSet<crate::model::NodeId>,
    pub(crate) cond: Cond,
}

impl Track for ReachTrack {
    fn flow(&self) -> crate::model::FlowId {
        self.flow
    }

    fn name(&self, _: &crate::model::Model) -> String {
        format!("{} by reachability", self.law)
    }

    fn step(&self, g: &crate::graph::Graph<'_>, _: u16, e: EdgeId) -> crate::laws::track::Move {
        let to = g.model.edge(e).to;
        let bad = if self.nodes.contains(&to) {
            // One obligation for all the nodes: reaching any of them settles it.
            let subject = self.nodes.first().copied().unwrap_or(to);
            vec![crate::laws::track::Bad {
                law: self.law,
                subject: Subject::Node(subject),
                when: When::Entry,
                cond: self.cond.clone(),
            }]
        } else {
            Vec::new()
        };
        crate::laws::track::Move { next: 0, bad }
    }
}
