//! Proof: every obligation of every law is settled, or the policy is not accepted.
//!
//! Takes a [`Model`]; returns a [`Report`]. A [`Proof`] exists only where each obligation is proved: by dominance on the
//! bare graph, by an invariant that decision diagrams found and Z3 checked, by both engines on a single fact vector or on
//! two, by a run that replays, or by counting. A refutation is shown only after the reference interpreter replayed it.
//! What is neither is undecided, and that rejects as well.
//!
//! TRUSTED: the lowering from text to model, Z3 and the diagram package where they agree, Z3 alone where the sets of
//! `decision` outgrow their limit, this module's bookkeeping.

pub(crate) mod bounds;
pub(crate) mod decision;
pub(crate) mod diagnose;
mod fallbacks;
pub(crate) mod first;
pub(crate) mod fixpoint;
#[cfg(test)]
mod guards_agree;
pub(crate) mod invariance;
pub(crate) mod invariant;
pub(crate) mod ledger;
mod liveness;
pub(crate) mod path;
pub(crate) mod product;
mod proof;
mod run;
mod scripts;
pub(crate) mod settle;
pub(crate) mod smt;
#[cfg(test)]
mod solvers;
pub(crate) mod space;
pub(crate) mod two_runs;
pub(crate) mod witness;
pub mod worst;

use crate::graph::{Cond, Graph, graph};
use crate::laws::catalogue::profiles::runs;
pub use crate::laws::catalogue::profiles::{STRICT_LAWS, laws_of};
use crate::laws::changes::ChangesTrack;
use crate::laws::ingest::IngestTrack;
use crate::laws::outcome::{
    DeniedTrack, EdgeTrack, FallbackEntryTrack, FirstTrack, OutTrack, ParentTrack, ReviewTrack, SubmittedTrack,
    WaitTrack,
};
use crate::laws::returns::ReturnTrack;
use crate::laws::track::{Subject, Track};
use crate::laws::{claim, gate, local, record};
use crate::manifest::About;
use crate::model::{EdgeId, EdgeKind, FlowId, Model, Profile, RoadId, Shape};
use diagnose::Findings;
use fixpoint::Context;
use ledger::Ledger;
use liveness::liveness;
use path::Vectors;
use product::Product;
pub use proof::Proof;
use roadlaw_grammar::diagnostic::Diagnostic;
use run::Run;
pub use scripts::Script;
use serde::Serialize;
pub(crate) use smt::alone;
use std::collections::{BTreeMap, BTreeSet};

/// What became of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every obligation is proved.
    Proved,
    /// A law is broken.
    Rejected,
    /// No law was shown to be broken, and not every obligation was proved.
    Undecided,
}

/// How many obligations there were, and how they were settled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All.
    pub total: usize,
    /// `dominance`, `invariant`, `facts`, `reached`, `two runs`, `static`; `refuted`, `undecided`, `not run`.
    pub by_method: BTreeMap<&'static str, usize>,
}

/// How much was analysed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Analysed {
    /// Fact cells.
    pub facts: usize,
    /// Roads.
    pub roads: usize,
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
}

/// The verdict on a policy and what it rests on.
#[derive(Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Codes of the laws that ran, ascending.
    pub laws: Vec<&'static str>,
    /// Obligations.
    pub obligations: Counts,
    /// Sizes.
    pub analysed: Analysed,
    /// Worst cases over all runs, in all and per road; `None` where a cycle has no bound.
    pub worst: Option<worst::Worst>,
    /// Errors and notes, sorted.
    pub diagnostics: Vec<Diagnostic>,
    /// The proof, iff the verdict is proved.
    pub proof: Option<Proof>,
}

/// How to prove.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// Keep the evidence of each obligation, for [`Proof::manifest`].
    pub record: bool,
    /// Keep the question of each obligation, for [`Proof::scripts`].
    pub scripts: bool,
    /// Who works. One engine alone proves nothing: the verdict is then at best undecided.
    pub engine: Engine,
}

/// Who works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Engine {
    /// Both: one finds, the other checks.
    #[default]
    Both,
    /// Decision diagrams alone: what they find is checked by nobody.
    Diagrams,
    /// Z3 alone: it finds no invariant, and looks at the shortest path to each fault.
    Z3,
}

impl Engine {
    /// The word by which it is asked for.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Diagrams => "diagrams",
            Self::Z3 => "z3",
        }
    }
}

/// Who checks a law, for people: profiles by their words, or the runtime where no policy can break it.
#[must_use]
pub fn checked_by(code: &str) -> String {
    let profiles: Vec<&str> = Profile::ALL.iter().filter(|p| laws_of(**p).contains(&code)).map(|p| p.word()).collect();
    if profiles.is_empty() { "kept by the runtime".to_owned() } else { profiles.join(", ") }
}

/// Proves a policy, or says why not. Deterministic; never panics.
#[must_use]
pub fn prove(model: &Model) -> Report {
    prove_with(model, Settings::default())
}

/// The same, by other settings.
#[must_use]
pub fn prove_with(model: &Model, settings: Settings) -> Report {
    smt::alone(|| prove_alone(model, settings, false))
}

/// As [`prove`], by the solvers that earlier calls on this thread left: making them costs more than most answers. What is
/// asked before may change which run shows a fault, never the verdict or a code; for tests that prove many small policies.
#[must_use]
pub fn prove_warm(model: &Model) -> Report {
    prove_alone(model, Settings::default(), false)
}

/// As [`prove`], but once a law is seen to be broken the others are not looked at: a rejection may name fewer laws.
pub(crate) fn prove_or_refute(model: &Model) -> Report {
    smt::alone(|| prove_alone(model, Settings::default(), true))
}

fn prove_alone(model: &Model, settings: Settings, first: bool) -> Report {
    let g = graph(model);
    let engine = settings.engine;
    let mut run = Run { findings: Findings::new(model), ledger: Ledger::new(settings), shown: !first };
    if runs(model.profile, "RL406") && names_decide(model, engine, &mut run) {
        // What a provider's name decides is decided everywhere: the other laws would speak of one name only.
        run.findings.note("the other laws on facts and paths were not asked: they would speak of one name only");
        return run.finish(&g, None, engine);
    }
    let tracks = tracks(&g);
    let products: Vec<Product> = tracks.iter().map(|t| Product::new(&g, t.as_ref())).collect();
    let locals = local::obligations(&g);
    let lives = liveness(&g);
    let mut conditions: Vec<&Cond> = g.effects.iter().flat_map(|e| e.open.iter()).collect();
    conditions.extend(products.iter().flat_map(|p| p.steps.iter()).flat_map(|s| s.bad.iter()).map(|b| &b.cond));
    conditions.extend(locals.iter().map(|l| &l.cond));
    let space = space::Space::new(model, &conditions);
    let cx = Context::new(&g, &space, engine);
    // One fact vector is asked about faster than a path: where the first refutation is enough, those come first.
    let mut vectors = Vectors::new(model);
    let mut on_facts = |run: &mut Run<'_>| {
        for l in &locals {
            if !(first && run.findings.rejected()) {
                run.local(&cx, &mut vectors, l);
            }
        }
    };
    let flows = model.profile != Profile::Choice;
    let decisions = |run: &mut Run<'_>| {
        decision::check(&cx, &mut run.findings, &mut run.ledger);
        if runs(model.profile, "RL408") {
            invariance::preference(&cx, &mut run.findings, &mut run.ledger);
        }
    };
    if first {
        on_facts(&mut run);
        if flows && !run.findings.rejected() {
            decisions(&mut run);
        }
    }
    for (track, product) in tracks.iter().zip(&products) {
        if first && run.findings.rejected() {
            return run.finish(&g, None, engine);
        }
        run.track(&cx, track.as_ref(), product);
    }
    if !first {
        on_facts(&mut run);
    }
    for live in &lives {
        run.live(&cx, live);
    }
    for c in record::check(model) {
        run.written(c);
    }
    if first && run.findings.rejected() {
        return run.finish(&g, None, engine);
    }
    if flows {
        run.fallbacks(&cx);
        if !first {
            decisions(&mut run);
        }
    }
    let worst = bounds::check(&cx, &mut run.findings, &mut run.ledger);
    run.finish(&g, worst, settings.engine)
}

/// RL406, on the policy with any names of providers; whether it is broken or undecided.
fn names_decide(model: &Model, engine: Engine, run: &mut Run<'_>) -> bool {
    let any = model.any_provider.as_deref().unwrap_or(model);
    if !invariance::has_providers(any) {
        return false;
    }
    let g = graph(any);
    let holds: Vec<Cond> = any.roads.iter().flat_map(|r| &r.filters).map(|f| Cond::holds(&f.guard)).collect();
    let conditions: Vec<&Cond> = g.effects.iter().flat_map(|e| e.open.iter()).chain(&holds).collect();
    let space = space::Space::new(any, &conditions);
    invariance::provider(&Context::new(&g, &space, engine), &mut run.findings, &mut run.ledger);
    run.findings.found_any()
}

/// Whether two conditions agree on every assignment, by Z3.
///
/// # Errors
/// Z3 could not decide.
pub(crate) fn equivalent(m: &Model, a: &Cond, b: &Cond) -> Result<bool, String> {
    path::equivalent(m, a, b).ok_or_else(|| "Z3 could not compare two conditions".to_owned())
}

/// All tracks of a policy, in the order in which their findings are preferred.
fn tracks(g: &Graph<'_>) -> Vec<Box<dyn Track>> {
    let m = g.model;
    let mut out: Vec<Box<dyn Track>> = Vec::new();
    for (i, _) in m.flows.iter().enumerate() {
        let flow = FlowId(crate::graph::narrow(i));
        let here = g.reachable(flow);
        let roads: BTreeSet<RoadId> = here.iter().filter_map(|n| m.node(*n).road).collect();
        out.push(Box::new(EdgeTrack::new(g, flow)));
        if m.profile == Profile::Choice {
            continue;
        }
        out.extend(gate::tracks(g, flow));
        out.push(Box::new(ReturnTrack { flow }));
        out.push(Box::new(OutTrack { flow }));
        out.push(Box::new(FallbackEntryTrack { flow }));
        out.push(Box::new(ParentTrack { flow }));
        out.push(Box::new(ReviewTrack { flow }));
        out.extend(IngestTrack::of(m, flow).map(|t| Box::new(t) as Box<dyn Track>));
        for road in roads {
            let sends = here.iter().any(|n| m.node(*n).road == Some(road) && crate::graph::carries(&m.node(*n).kind));
            if !sends {
                continue;
            }
            out.push(Box::new(SubmittedTrack { flow, road }));
            out.push(Box::new(FirstTrack { flow, road }));
            out.push(Box::new(DeniedTrack { flow, road }));
            if gate::right_await(m.road(road)).is_some() && m.road(road).shape != Shape::Human {
                out.push(Box::new(WaitTrack { flow, road }));
            }
        }
        for (e, edge) in m.edges.iter().enumerate() {
            if edge.kind == EdgeKind::Fallback && m.node(edge.from).flow == flow {
                out.push(Box::new(ChangesTrack { flow, edge: EdgeId(crate::graph::narrow(e)), pair: None }));
            }
        }
    }
    for i in 0..m.claims.len() {
        out.extend(claim::tracks(g, i));
    }
    out
}

pub(crate) fn subject_name(m: &Model, s: Subject) -> String {
    About::from(s).name(m)
}
