//! A proof in the making: settles one obligation after the other, and keeps what was found and how each ended.

use super::diagnose::Findings;
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::path::{self, Vectors};
use super::product::Product;
use super::settle::{ReachTrack, Settled, satisfiable, settle, settle_by};
use super::{Analysed, Engine, Proof, Report, Verdict, invariant, scripts, worst};
use crate::graph::{Cond, Graph};
use crate::laws::catalogue::profiles::{laws_of, runs};
use crate::laws::local::{Local, LocalSubject};
use crate::laws::record;
use crate::laws::track::{Subject, Track};
use crate::manifest::{self, About};
use crate::model::{Edge, EdgeId, FlowId, Model, NodeKind, RoadId};
use std::collections::BTreeSet;

/// A proof in the making.
pub(super) struct Run<'m> {
    pub(super) findings: Findings<'m>,
    pub(super) ledger: Ledger,
    /// Refutations are for people, not only for the verdict.
    pub(super) shown: bool,
}

impl Run<'_> {
    /// Settles every obligation of a track.
    pub(super) fn track(&mut self, cx: &Context<'_, '_>, track: &dyn Track, product: &Product) {
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

    /// Settles an obligation on one fact vector.
    pub(super) fn local(&mut self, cx: &Context<'_, '_>, vectors: &mut Vectors<'_>, l: &Local) {
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
    pub(super) fn written(&mut self, c: record::Checked) {
        let method = if c.wrong.is_some() { "refuted" } else { "static" };
        if let Some(d) = c.wrong {
            self.findings.push(d);
        }
        self.ledger.enter(c.law, c.about, manifest::AS_WRITTEN, method);
    }

    /// The verdict, with a proof iff everything is proved.
    pub(super) fn finish(mut self, g: &Graph<'_>, worst: Option<worst::Worst>, engine: Engine) -> Report {
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
        let proof = (verdict == Verdict::Proved).then(|| Proof::new(m, laws.clone(), entries, evidence));
        Report { verdict, laws, obligations: counts, analysed, worst, diagnostics, proof }
    }
}

/// Edges that are so.
pub(super) fn taken(m: &Model, is: impl Fn(&Edge) -> bool) -> BTreeSet<EdgeId> {
    let all = (0..m.edges.len()).map(|e| EdgeId(crate::graph::narrow(e)));
    all.filter(|e| is(m.edge(*e))).collect()
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
        let here = cx.graph.reachable(flow);
        let edges = taken(m, |e| {
            let to = m.node(e.to);
            here.contains(&e.to)
                && to.road == Some(r)
                && matches!(to.kind, NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser)
        });
        if edges.is_empty() {
            return true;
        }
        let track = ReachTrack { flow, law: "RL409", edges, cond: lacking.clone() };
        let product = Product::new(cx.graph, &track);
        settle(cx, &track, &product, false).into_values().all(|s| matches!(s, Settled::Invariant))
    })
}
