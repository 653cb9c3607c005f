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
pub(crate) mod path;
pub(crate) mod product;
pub(crate) mod settle;
pub(crate) mod smt;
pub(crate) mod space;
pub(crate) mod two_runs;
pub(crate) mod witness;
pub mod worst;

use crate::graph::{Cond, Graph, graph};
use crate::laws::catalogue::profiles::{left_out, runs};
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
use crate::model::{Change, EdgeId, EdgeKind, FlowId, Model, NodeId, NodeKind, Profile, RoadId, Shape};
use diagnose::{Findings, Place};
use fixpoint::Context;
use path::Vectors;
use product::Product;
use roadlaw_grammar::diagnostic::Diagnostic;
use serde::Serialize;
use serde_json::json;
use settle::{ReachTrack, Settled, satisfiable, settle};
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
    /// `dominance`, `invariant`, `facts`, `static`, `refuted`, `undecided`.
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
}

impl Proof {
    /// BLAKE3 of [`Proof::to_json`].
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The proof as JSON: laws, and each obligation with its law, subject and method.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json.clone()
    }
}

/// One settled obligation, for the proof.
#[derive(Debug, Serialize)]
struct Entry {
    law: &'static str,
    subject: String,
    track: String,
    method: &'static str,
}

/// Laws of the strict profile that are decided here or by the lowering, ascending.
pub const STRICT_LAWS: &[&str] = &[
    "RA", "RL001", "RL002", "RL003", "RL004", "RL005", "RL006", "RL007", "RL008", "RL009", "RL010", "RL101", "RL102",
    "RL103", "RL104", "RL105", "RL106", "RL107", "RL108", "RL109", "RL110", "RL111", "RL112", "RL113", "RL114",
    "RL115", "RL116", "RL117", "RL201", "RL202", "RL203", "RL204", "RL205", "RL206", "RL207", "RL208", "RL209",
    "RL301", "RL302", "RL303", "RL304", "RL305", "RL306", "RL307", "RL308", "RL309", "RL310", "RL311", "RL312",
    "RL313", "RL401", "RL402", "RL403", "RL404", "RL405", "RL406", "RL407", "RL408", "RL409", "RL501", "RL502",
    "RL601", "RL602", "RL603", "RL604", "RL701", "RL702", "RL703", "RL704", "RL705", "RL706", "RL707", "RL801",
    "RL802", "RL803", "RL901", "RL902", "RL903",
];

/// The laws that speak in a profile, ascending.
#[must_use]
pub fn laws_of(profile: Profile) -> Vec<&'static str> {
    STRICT_LAWS.iter().copied().filter(|l| runs(profile, l)).collect()
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
    smt::alone(|| prove_alone(model, false))
}

/// As [`prove`], but once a law is seen to be broken the others are not looked at: a rejection may name fewer laws.
pub(crate) fn prove_or_refute(model: &Model) -> Report {
    smt::alone(|| prove_alone(model, true))
}

fn prove_alone(model: &Model, first: bool) -> Report {
    let g = graph(model);
    let mut run = Run { findings: Findings::new(model), counts: Counts::default(), entries: Vec::new(), shown: !first };
    if runs(model.profile, "RL406") && names_decide(model, &mut run) {
        // What a provider's name decides is decided everywhere: the other laws would speak of one name only.
        run.findings.note("the other laws on facts and paths were not asked: they would speak of one name only");
        return run.finish(&g, None);
    }
    let tracks = tracks(&g);
    let products: Vec<Product> = tracks.iter().map(|t| Product::new(&g, t.as_ref())).collect();
    let locals = local::obligations(&g);
    let lives = if model.profile == Profile::Choice { Vec::new() } else { liveness(&g) };
    let mut conditions: Vec<&Cond> = g.effects.iter().flat_map(|e| e.open.iter()).collect();
    conditions.extend(products.iter().flat_map(|p| p.steps.iter()).flat_map(|s| s.bad.iter()).map(|b| &b.cond));
    conditions.extend(locals.iter().map(|l| &l.cond));
    let space = space::Space::new(model, &conditions);
    let cx = Context::new(&g, &space);
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
        decision::check(&cx, &mut run.findings, &mut run.counts);
        if runs(model.profile, "RL408") {
            invariance::preference(&cx, &mut run.findings, &mut run.counts);
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
            return run.finish(&g, None);
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
        return run.finish(&g, None);
    }
    if flows {
        run.fallbacks(&cx);
        if !first {
            decisions(&mut run);
        }
    }
    let worst = bounds::check(&cx, &mut run.findings, &mut run.counts);
    run.finish(&g, worst)
}

/// RL406, on the policy with any names of providers; whether it is broken or undecided.
fn names_decide(model: &Model, run: &mut Run<'_>) -> bool {
    let any = model.any_provider.as_deref().unwrap_or(model);
    if !invariance::has_providers(any) {
        return false;
    }
    let g = graph(any);
    let holds: Vec<Cond> = any.roads.iter().flat_map(|r| &r.filters).map(|f| Cond::holds(&f.guard)).collect();
    let conditions: Vec<&Cond> = g.effects.iter().flat_map(|e| e.open.iter()).chain(&holds).collect();
    let space = space::Space::new(any, &conditions);
    invariance::provider(&Context::new(&g, &space), &mut run.findings, &mut run.counts);
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
    counts: Counts,
    entries: Vec<Entry>,
    /// Refutations are for people, not only for the verdict.
    shown: bool,
}

impl Run<'_> {
    fn count(&mut self, method: &'static str) {
        count(&mut self.counts, method);
    }

    fn entry(&mut self, law: &'static str, subject: String, track: String, method: &'static str) {
        self.count(method);
        self.entries.push(Entry { law, subject, track, method });
    }

    fn track(&mut self, cx: &Context<'_, '_>, track: &dyn Track, product: &Product) {
        let m = cx.graph.model;
        let settled = settle(cx, track, product, self.shown);
        let name = track.name(m);
        let sites = dominated(cx.graph, track, product);
        for (law, subject) in sites {
            self.entry(law, subject_name(m, subject), name.clone(), "dominance");
        }
        for ((law, subject), how) in settled {
            let method = match how {
                Settled::Invariant => "invariant",
                Settled::Refuted(path) => {
                    self.findings.refuted(cx, track, law, subject, &path);
                    "refuted"
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
            self.entry(law, subject_name(m, subject), name.clone(), method);
        }
    }

    fn local(&mut self, cx: &Context<'_, '_>, vectors: &mut Vectors<'_>, l: &Local) {
        let m = cx.graph.model;
        let method = match (satisfiable(cx, vectors, &l.cond, self.shown && !l.wanted), l.wanted) {
            (Err(why), _) => {
                self.findings.local_undecided(l, why);
                "undecided"
            }
            (Ok(None), false) | (Ok(Some(_)), true) => "facts",
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
            LocalSubject::Road(r) => m.road(r).name.clone(),
            LocalSubject::Edge(e) => subject_name(m, Subject::Edge(e)),
        };
        self.entry(l.law, subject, "one fact vector".to_owned(), method);
    }

    /// Read off the text.
    fn written(&mut self, c: record::Checked) {
        let method = if c.wrong.is_some() { "refuted" } else { "static" };
        if let Some(d) = c.wrong {
            self.findings.push(d);
        }
        self.entry(c.law, c.subject, "as written".to_owned(), method);
    }

    fn live(&mut self, cx: &Context<'_, '_>, live: &Live) {
        let m = cx.graph.model;
        let product = Product::new(cx.graph, &live.track);
        let how = settle(cx, &live.track, &product, false).into_values().next();
        let method = match how {
            Some(Settled::Refuted(path)) => {
                if witness::replay(m, &path, None).faithful {
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
        self.entry("RL704", m.road(live.road).name.clone(), "liveness".to_owned(), method);
    }

    /// RL303: each declared word is real for a pair of roads that some run forms; `changes ?`.
    fn fallbacks(&mut self, cx: &Context<'_, '_>) {
        let m = cx.graph.model;
        // Copies of one written edge (one per road of a lane) share its words: a word is real if it is for one of them.
        let mut written: BTreeMap<_, Vec<EdgeId>> = BTreeMap::new();
        for (i, edge) in m.edges.iter().enumerate() {
            if edge.kind == EdgeKind::Fallback {
                written.entry(edge.spans.first().copied()).or_default().push(EdgeId(crate::graph::narrow(i)));
            }
        }
        for edges in written.into_values() {
            let mut pairs: BTreeSet<(RoadId, RoadId)> = BTreeSet::new();
            let mut known: BTreeMap<(EdgeId, RoadId, RoadId), bool> = BTreeMap::new();
            for e in &edges {
                for (s, d) in static_pairs(cx.graph, *e) {
                    pairs.insert((s, d));
                }
            }
            let hole = edges.iter().any(|e| m.edge(*e).changes_hole);
            let declared: BTreeSet<Change> =
                edges.iter().flat_map(|e| m.edge(*e).changes.clone().unwrap_or_default()).collect();
            let mut feasible = |s: RoadId, d: RoadId, run: &mut Self| {
                edges.iter().any(|e| {
                    *known.entry((*e, s, d)).or_insert_with(|| {
                        let flow = m.node(m.edge(*e).from).flow;
                        let track = ChangesTrack { flow, edge: *e, pair: Some((s, d)) };
                        let product = Product::new(cx.graph, &track);
                        match settle(cx, &track, &product, false).into_values().next() {
                            Some(Settled::Refuted(_)) => true,
                            Some(Settled::Undecided(why)) => {
                                run.findings.undecided("RL303", Subject::Edge(*e), why);
                                false
                            }
                            _ => false,
                        }
                    })
                })
            };
            if hole {
                let mut words: BTreeSet<Change> = BTreeSet::new();
                for (s, d) in &pairs {
                    if feasible(*s, *d, self) {
                        words.extend(difference(m, *s, *d));
                    }
                }
                self.findings.hole(edges[0], &words);
                self.count("refuted");
                continue;
            }
            for w in declared.iter().filter(|w| !not_of_bindings(**w)) {
                let real = pairs.iter().any(|(s, d)| difference(m, *s, *d).contains(w) && feasible(*s, *d, self));
                // What may not be entered at all, and joins no roads, has no words to be wrong: that is one fault, not five.
                let refused = self.findings.refuses(edges[0]);
                if !real && refused && !pairs.iter().any(|(s, d)| feasible(*s, *d, self)) {
                    continue;
                }
                if real {
                    self.entry("RL303", subject_name(m, Subject::Edge(edges[0])), w.word().to_owned(), "reached");
                } else {
                    self.findings.unreal(edges[0], *w);
                    self.count("refuted");
                }
            }
        }
    }

    fn finish(self, g: &Graph<'_>, worst: Option<worst::Worst>) -> Report {
        let m = g.model;
        let analysed =
            Analysed { facts: m.facts.len(), roads: m.roads.len(), nodes: m.nodes.len(), edges: m.edges.len() };
        let (verdict, diagnostics) = self.findings.finish();
        let laws = laws_of(m.profile);
        let proof = (verdict == Verdict::Proved).then(|| {
            let body = json!({
                "policy": format!("{}@{}", m.name, m.version),
                "profile": m.profile.word(),
                "tool": concat!("roadlaw ", env!("CARGO_PKG_VERSION")),
                "laws": laws,
                "left_out": left_out(m.profile).iter().map(|l| json!({ "codes": l.codes, "why": l.why })).collect::<Vec<_>>(),
                "obligations": self.entries,
                "assumed": [
                    "the lowering from text to model",
                    "Z3 and the decision-diagram package, where they agree",
                    "that an occurrence crosses the gates that the table names",
                    "the facts that the caller supplies",
                ],
            });
            let json = serde_json::to_string_pretty(&body).unwrap_or_default() + "\n";
            let digest = *blake3::hash(json.as_bytes()).as_bytes();
            Proof { json, digest }
        });
        Report { verdict, laws, obligations: self.counts, analysed, worst, diagnostics, proof }
    }
}

pub(crate) fn count(counts: &mut Counts, method: &'static str) {
    counts.total += 1;
    *counts.by_method.entry(method).or_default() += 1;
}

pub(crate) fn subject_name(m: &Model, s: Subject) -> String {
    match s {
        Subject::Node(n) => m.node(n).name.clone(),
        Subject::Edge(e) => {
            let edge = m.edge(e);
            format!("{}.{} -> {}", m.node(edge.from).name, edge.outcome.word(), m.node(edge.to).name)
        }
    }
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
                    .filter(|b| b.cond != Cond::False)
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
