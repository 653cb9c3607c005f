//! Proof: every obligation of every law is settled, or the policy is not accepted.
//!
//! Takes a [`Model`]; returns a [`Report`]. A [`Proof`] exists only where each obligation is proved: by dominance on the
//! bare graph, by an invariant that decision diagrams found and Z3 checked, or on a single fact vector by both engines.
//! A refutation is shown only after the reference interpreter replayed it. What is neither is undecided, and that
//! rejects as well.
//!
//! TRUSTED: the lowering from text to model, Z3 and the diagram package where they agree, this module's bookkeeping.

pub(crate) mod bounds;
pub(crate) mod decision;
pub(crate) mod diagnose;
pub(crate) mod first;
pub(crate) mod fixpoint;
#[cfg(test)]
mod guards_agree;
pub(crate) mod invariance;
pub(crate) mod invariant;
pub(crate) mod ledger;
pub(crate) mod path;
pub(crate) mod product;
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
use crate::laws::changes::{ChangesTrack, difference, not_of_bindings};
use crate::laws::ingest::IngestTrack;
use crate::laws::local::{Local, LocalSubject};
use crate::laws::outcome::{
    DeniedTrack, EdgeTrack, FallbackEntryTrack, FirstTrack, OutTrack, ParentTrack, ReviewTrack, SubmittedTrack,
    WaitTrack,
};
use crate::laws::returns::ReturnTrack;
use crate::laws::track::{Subject, Track};
use crate::laws::{claim, gate, local, record};
use crate::manifest::{self, About, Manifest, RunEvidence, written_fallbacks};
use crate::model::{Change, EdgeId, EdgeKind, FlowId, Model, NodeId, NodeKind, Profile, RoadId, Shape};
use diagnose::{Findings, Place};
use fixpoint::Context;
use ledger::{Entry, Evidence, Ledger};
use path::{Concrete, Vectors};
use product::Product;
use roadlaw_grammar::diagnostic::Diagnostic;
pub use scripts::Script;
use serde::Serialize;
use settle::{ReachTrack, Settled, satisfiable, settle, settle_by};
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

/// Evidence that every obligation of a model is discharged. Made only by [`prove`].
#[derive(Debug, Clone)]
pub struct Proof {
    json: String,
    digest: [u8; 32],
    entries: Vec<Entry>,
    evidence: Option<Evidence>,
    laws: Vec<&'static str>,
}

impl Proof {
    /// BLAKE3 of [`Proof::to_json`].
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The certificate as JSON: laws, and each obligation with its law, subject and method.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json.clone()
    }

    /// The whole proof, as `roadlaw recheck` reads it; `None` where it was not recorded ([`Settings::record`]).
    #[must_use]
    pub fn manifest(&self, model: &Model, table: &[u8]) -> Option<Manifest> {
        let evidence = self.evidence.clone()?;
        let solvers = BTreeMap::from([
            ("diagrams".to_owned(), DIAGRAMS.to_owned()),
            ("z3".to_owned(), z3::full_version().to_owned()),
        ]);
        let digests = manifest::Digests {
            model: manifest::hex(&crate::model::digest(model)),
            table: manifest::hex(&crate::table::digest(table)),
            proof: manifest::hex(&self.digest),
        };
        Some(Manifest {
            schema: manifest::SCHEMA.to_owned(),
            policy: format!("{}@{}", model.name, model.version),
            profile: model.profile.word().to_owned(),
            tool: TOOL.to_owned(),
            solvers,
            digests,
            laws: self.laws.iter().map(|l| (*l).to_owned()).collect(),
            left_out: manifest::LeftOut::of(model.profile),
            cells: model.facts.iter().map(|f| f.name.clone()).collect(),
            tests: evidence.tests,
            conditions: evidence.conditions,
            tracks: evidence.tracks,
            obligations: self.entries.iter().map(|e| obligation(e, model)).collect(),
            assumed: manifest::ASSUMED.iter().map(|a| (*a).to_owned()).collect(),
        })
    }
}

impl Proof {
    /// Each obligation as a script for other solvers, and how many have none since they are settled by counting. Empty where they
    /// were not asked for ([`Settings::scripts`]).
    #[must_use]
    pub fn scripts(&self, model: &Model) -> (Vec<Script>, usize) {
        scripts::scripts(&self.entries, model)
    }
}

/// The program, as proofs name it.
const TOOL: &str = concat!("roadlaw ", env!("CARGO_PKG_VERSION"));

/// The package of decision diagrams, as proofs name it.
const DIAGRAMS: &str = "biodivine-lib-bdd 0.6";

fn obligation(e: &Entry, m: &Model) -> manifest::Obligation {
    let answer = if e.wanted { "satisfiable" } else { "unsatisfiable" };
    let engines: &[(&str, &str)] = match e.method {
        "dominance" => &[("product", "no path of the flow leads there")],
        "invariant" => &[("diagrams", "invariant found"), ("z3", "invariant is inductive and excludes it")],
        "facts" => &[("diagrams", answer), ("z3", answer)],
        "reached" => &[("diagrams", "path found"), ("z3", "path is open")],
        "two runs" if matches!(e.law, "RL406" | "RL408") => {
            &[("diagrams", "no two such runs"), ("z3", "unsatisfiable")]
        }
        "two runs" => &[("sets", "nothing is carried over, or too large"), ("z3", "unsatisfiable")],
        _ if e.by == manifest::AS_WRITTEN => &[("text", "as it must be")],
        _ => &[("arithmetic", "within bounds")],
    };
    manifest::Obligation {
        law: e.law.to_owned(),
        subject: e.about.subject(m),
        by: e.by.clone(),
        method: e.method.to_owned(),
        engines: engines.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        track: e.track,
        run: e.run.clone(),
    }
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
    let lives = if model.profile == Profile::Choice { Vec::new() } else { liveness(&g) };
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
            if m.road(road).remote {
                out.push(Box::new(DeniedTrack { flow, road }));
            }
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

/// A road that must be reachable.
pub(crate) struct Live {
    road: RoadId,
    track: ReachTrack,
}

fn liveness(g: &Graph<'_>) -> Vec<Live> {
    let m = g.model;
    let mut out = Vec::new();
    for i in 0..m.roads.len() {
        let road = RoadId(crate::graph::narrow(i));
        let nodes: BTreeSet<NodeId> = (0..m.nodes.len())
            .map(|n| NodeId(crate::graph::narrow(n)))
            .filter(|n| {
                let node = m.node(*n);
                // A road that only repairs is used there.
                node.road == Some(road) && (crate::graph::carries(&node.kind) || node.kind == NodeKind::Repair)
            })
            .collect();
        let flow = nodes.first().map_or(FlowId(0), |n| m.node(*n).flow);
        out.push(Live { road, track: ReachTrack { flow, law: "RL704", nodes, cond: Cond::True } });
    }
    out
}

struct Run<'m> {
    findings: Findings<'m>,
    ledger: Ledger,
    /// Refutations are for people, not only for the verdict.
    shown: bool,
}

impl Run<'_> {
    fn track(&mut self, cx: &Context<'_, '_>, track: &dyn Track, product: &Product) {
        let m = cx.graph.model;
        let (settled, found) = settle_by(cx, track, product, self.shown);
        let name = track.name(m);
        let number = self.ledger.track(cx, track, product, found.as_ref());
        let sites = dominated(cx.graph, track, product);
        for (law, subject) in sites {
            let script = self.ledger.script(|| scripts::dominance(cx.graph, track, product, (law, subject)));
            let entry = self.ledger.enter(law, subject, name.clone(), "dominance");
            (entry.track, entry.script) = (number, script);
        }
        let mut all = product.sites();
        for ((law, subject), how) in settled {
            let method = match how {
                Settled::Invariant => "invariant",
                Settled::Refuted(path) => {
                    self.findings.refuted(cx, track, law, subject, &path);
                    "refuted"
                }
                Settled::Reached => {
                    self.findings.undecided(law, subject, "the diagrams reach it; with which facts, both engines say");
                    "undecided"
                }
                Settled::Undecided(why) => {
                    self.findings.undecided(law, subject, why);
                    "undecided"
                }
                Settled::Disagreement(why) => {
                    self.findings.disagreement(law, subject, why);
                    "undecided"
                }
            };
            let one = all.remove_entry(&(law, subject)).into_iter().collect();
            let script = found.as_ref().and_then(|f| {
                let free = track.free_volatile();
                let question = || invariant::query(cx, product, &f.slice, &one, &f.kept, &f.sets, free).to_smt2();
                self.ledger.script(question)
            });
            let entry = self.ledger.enter(law, subject, name.clone(), method);
            (entry.track, entry.script) = (number, script);
        }
    }

    fn local(&mut self, cx: &Context<'_, '_>, vectors: &mut Vectors<'_>, l: &Local) {
        let method = match (satisfiable(cx, vectors, &l.cond, self.shown && !l.wanted), l.wanted) {
            (Err(why), _) => {
                self.findings.local_undecided(l, why);
                "undecided"
            }
            (Ok(None), false) | (Ok(Some(_)), true) => "facts",
            (Ok(Some(_)), false) if cx.engine == Engine::Diagrams => {
                self.findings.local_undecided(l, "the diagrams satisfy it; with which facts, both engines say");
                "undecided"
            }
            (Ok(Some(path)), false) => {
                let later =
                    matches!((l.law, l.subject), ("RL103" | "RL401", LocalSubject::Road(r)) if checked_later(cx, l, r));
                self.findings.local(l, Some(&path), if later { "RL409" } else { l.law });
                "refuted"
            }
            (Ok(None), true) => {
                self.findings.local(l, None, l.law);
                "refuted"
            }
        };
        let subject = match l.subject {
            LocalSubject::Road(r) => About::Road(r),
            LocalSubject::Edge(e) => About::Edge(e),
        };
        let script = self.ledger.script(|| path::vector_script(cx.graph.model, &l.cond));
        let entry = self.ledger.enter(l.law, subject, "one fact vector", method);
        (entry.wanted, entry.script) = (l.wanted, script);
    }

    /// Read off the text.
    fn written(&mut self, c: record::Checked) {
        let method = if c.wrong.is_some() { "refuted" } else { "static" };
        if let Some(d) = c.wrong {
            self.findings.push(d);
        }
        self.ledger.enter(c.law, c.about, manifest::AS_WRITTEN, method);
    }

    fn live(&mut self, cx: &Context<'_, '_>, live: &Live) {
        let m = cx.graph.model;
        let product = Product::new(cx.graph, &live.track);
        let how = settle(cx, &live.track, &product, false).into_values().next();
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

    /// RL303: each declared word is real for a pair of roads that some run forms; `changes ?`.
    fn fallbacks(&mut self, cx: &Context<'_, '_>) {
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

    fn finish(mut self, g: &Graph<'_>, worst: Option<worst::Worst>, engine: Engine) -> Report {
        let m = g.model;
        if engine != Engine::Both {
            self.findings.alone(engine);
        }
        let analysed =
            Analysed { facts: m.facts.len(), roads: m.roads.len(), nodes: m.nodes.len(), edges: m.edges.len() };
        let (mut verdict, diagnostics) = self.findings.finish();
        // What was found and what was entered are two books; only where both are clean is anything proved.
        if verdict == Verdict::Proved && !self.ledger.proves() {
            verdict = Verdict::Undecided;
        }
        let laws = laws_of(m.profile);
        let counts = self.ledger.counts;
        let (entries, evidence) = (self.ledger.entries, self.ledger.evidence);
        let proof = (verdict == Verdict::Proved).then(|| {
            let subjects: Vec<String> = entries.iter().map(|e| e.about.name(m)).collect();
            let json = manifest::certificate(
                &format!("{}@{}", m.name, m.version),
                m.profile.word(),
                TOOL,
                &laws.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>(),
                &manifest::LeftOut::of(m.profile),
                entries.iter().zip(&subjects).map(|(e, s)| [e.law, s, &e.by, e.method]),
            );
            let digest = manifest::certificate_digest(&json);
            Proof { json, digest, entries, evidence, laws: laws.clone() }
        });
        Report { verdict, laws, obligations: counts, analysed, worst, diagnostics, proof }
    }
}

pub(crate) fn subject_name(m: &Model, s: Subject) -> String {
    About::from(s).name(m)
}

/// Obligations that the bare product already excludes: those that the track would raise from its start state, less
/// those that a path of the graph can raise.
fn dominated(g: &Graph<'_>, track: &dyn Track, product: &Product) -> BTreeSet<(&'static str, Subject)> {
    let open = product.sites();
    let mut all = BTreeSet::new();
    for n in product.states.iter().map(|(n, _)| *n).collect::<BTreeSet<_>>() {
        for e in &g.out[n.index()] {
            all.extend(
                track
                    .step(g, track.start(), *e)
                    .bad
                    .into_iter()
                    .filter(|b| b.cond != Cond::False && runs(g.model.profile, b.law))
                    .map(|b| (b.law, b.subject)),
            );
        }
    }
    all.retain(|k| !open.contains_key(k));
    all
}

/// A filter that is missing at the choose but holds whenever the road is used: checked after the rank.
fn checked_later(cx: &Context<'_, '_>, l: &Local, r: RoadId) -> bool {
    let m = cx.graph.model;
    let Cond::And(parts) = &l.cond else { return false };
    let Some(lacking) = parts.last() else { return false };
    (0..m.flows.len()).all(|f| {
        let flow = FlowId(crate::graph::narrow(f));
        let nodes: BTreeSet<NodeId> = cx
            .graph
            .reachable(flow)
            .into_iter()
            .filter(|n| {
                m.node(*n).road == Some(r)
                    && matches!(m.node(*n).kind, NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser)
            })
            .collect();
        if nodes.is_empty() {
            return true;
        }
        let track = ReachTrack { flow, law: "RL409", nodes, cond: lacking.clone() };
        let product = Product::new(cx.graph, &track);
        settle(cx, &track, &product, false).into_values().all(|s| matches!(s, Settled::Invariant))
    })
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
