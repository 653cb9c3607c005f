//! Settles every obligation of one track: dominance, then fixpoint on a refined abstraction, paths by Z3.

use super::Engine;
use super::fixpoint::{self, Context};
use super::invariant;
use super::path::{self, Concrete, Real, Vectors};
use super::product::{Obligation, Product, Sites};
use super::smt::Answer;
use crate::graph::Cond;
use crate::laws::track::{Subject, Track, When};
use crate::model::{EdgeId, FactId};
use biodivine_lib_bdd::Bdd;
use std::collections::{BTreeMap, BTreeSet};

/// How one obligation ended.
pub(crate) enum Settled {
    /// An inductive invariant over facts excludes the bad steps; found by decision diagrams, checked by Z3.
    Invariant,
    /// A path that is real.
    Refuted(Concrete),
    /// One engine alone reaches it; no facts were asked for.
    Reached,
    /// Not decided, and why.
    Undecided(&'static str),
    /// The engines disagree.
    Disagreement(&'static str),
}

/// Greatest number of refinements for one track.
const ROUNDS: usize = 400;

/// The invariant by which a track's obligations were settled.
pub(crate) struct Found {
    /// The facts of each product state.
    pub(crate) sets: Vec<Bdd>,
    /// The steps that it speaks of: no other can lead to a bad one.
    pub(crate) slice: BTreeSet<usize>,
    /// Facts that the abstraction keeps.
    pub(crate) kept: BTreeSet<FactId>,
    /// Times that the abstraction was refined.
    pub(crate) refinements: usize,
}

/// Settles the obligations of a track. `shown`: paths found are for people, not only proof of reachability.
pub(crate) fn settle(
    cx: &Context<'_, '_>,
    track: &dyn Track,
    product: &Product,
    shown: bool,
) -> BTreeMap<Obligation, Settled> {
    settle_by(cx, track, product, shown).0
}

/// The same, with the invariant where one was needed and found.
pub(crate) fn settle_by(
    cx: &Context<'_, '_>,
    track: &dyn Track,
    product: &Product,
    shown: bool,
) -> (BTreeMap<Obligation, Settled>, Option<Found>) {
    let mut out = BTreeMap::new();
    let mut open = product.sites();
    if open.is_empty() {
        return (out, None);
    }
    let free = track.free_volatile();
    let mut kept: BTreeSet<FactId> = BTreeSet::new();
    for (step, bad) in open.values().flatten() {
        kept.extend(product.steps[*step].bad[*bad].cond.cells());
    }
    match cx.engine {
        Engine::Both => {}
        Engine::Diagrams => return (diagrams_alone(cx, product, open, free), None),
        Engine::Z3 => return (z3_alone(cx, product, open, free, shown), None),
    }
    for refinements in 0..ROUNDS {
        let slice = product.slice(&open);
        match fixpoint::run(cx, product, &slice, &open, &kept, free) {
            fixpoint::Outcome::TooLarge => {
                give_up(&mut out, open, "decision diagrams grew beyond the limit");
                return (out, None);
            }
            fixpoint::Outcome::Closed(reached) => {
                let answer = invariant::check(cx, product, &slice, &open, &kept, &reached.sets, free);
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
                let found = Found { sets: reached.sets, slice, kept, refinements };
                return (out, (answer == Answer::Unsat).then_some(found));
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
            return (out, None);
        }
    }
    give_up(&mut out, open, "too many refinements");
    (out, None)
}

/// The fixpoint with every fact kept, so that nothing needs to be refined; nobody checks it.
fn diagrams_alone(
    cx: &Context<'_, '_>,
    product: &Product,
    mut open: Sites,
    free: bool,
) -> BTreeMap<Obligation, Settled> {
    let mut out = BTreeMap::new();
    let kept: BTreeSet<FactId> = (0..cx.graph.model.facts.len()).map(|i| FactId(crate::graph::narrow(i))).collect();
    while !open.is_empty() {
        match fixpoint::run(cx, product, &product.slice(&open), &open, &kept, free) {
            fixpoint::Outcome::Closed(_) => {
                out.extend(open.into_keys().map(|o| (o, Settled::Invariant)));
                return out;
            }
            fixpoint::Outcome::TooLarge => {
                give_up(&mut out, open, "decision diagrams grew beyond the limit");
                return out;
            }
            fixpoint::Outcome::Hits(hits) => {
                for hit in hits {
                    open.remove(&hit.obligation);
                    out.insert(hit.obligation, Settled::Reached);
                }
            }
        }
    }
    out
}

/// Z3 finds no invariant; it can say whether the shortest path to each bad step is open.
fn z3_alone(
    cx: &Context<'_, '_>,
    product: &Product,
    open: Sites,
    free: bool,
    shown: bool,
) -> BTreeMap<Obligation, Settled> {
    let settled = |sites: Vec<(usize, usize)>| {
        for (step, bad) in sites {
            let edges: Vec<EdgeId> = product.shortest(step).into_iter().map(|i| product.steps[i].edge).collect();
            let b = &product.steps[step].bad[bad];
            if let Real::Yes(path) = path::ask(cx, &edges, &b.cond, b.when, free, shown) {
                return Settled::Refuted(path);
            }
        }
        Settled::Undecided("Z3 alone finds no invariant, and the shortest path there is not open")
    };
    open.into_iter().map(|(o, sites)| (o, settled(sites))).collect()
}

fn give_up(out: &mut BTreeMap<Obligation, Settled>, open: Sites, why: &'static str) {
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
    match cx.engine {
        Engine::Both => {}
        // There are facts; which ones, nobody says.
        Engine::Diagrams => {
            return Ok(diagram.then(Concrete::default));
        }
        Engine::Z3 => {
            return match vectors.ask(cond, shown) {
                Real::Yes(c) => Ok(Some(c)),
                Real::No(_) => Ok(None),
                Real::Undecided => Err("Z3 could not decide a condition on facts"),
            };
        }
    }
    match (vectors.ask(cond, shown), diagram) {
        (Real::Yes(c), true) => Ok(Some(c)),
        (Real::No(_), false) => Ok(None),
        (Real::Undecided, _) => Err("Z3 could not decide a condition on facts"),
        _ => Err("the engines disagree about a condition on facts"),
    }
}

/// A track with one state: the edges must not be taken while the condition holds.
pub(crate) struct ReachTrack {
    pub(crate) flow: crate::model::FlowId,
    pub(crate) law: &'static str,
    pub(crate) edges: BTreeSet<EdgeId>,
    pub(crate) cond: Cond,
}

impl Track for ReachTrack {
    fn flow(&self) -> crate::model::FlowId {
        self.flow
    }

    fn name(&self, _: &crate::model::Model) -> String {
        format!("{} by reachability", self.law)
    }

    fn step(&self, _: &crate::graph::Graph<'_>, _: u16, e: EdgeId) -> crate::laws::track::Move {
        let bad = if self.edges.contains(&e) {
            // One obligation for all of them: taking any settles it.
            let subject = self.edges.first().copied().unwrap_or(e);
            vec![crate::laws::track::Bad {
                law: self.law,
                subject: Subject::Edge(subject),
                when: When::Entry,
                cond: self.cond.clone(),
            }]
        } else {
            Vec::new()
        };
        crate::laws::track::Move { next: 0, bad }
    }
}
