//! What a proof must hold: every law and what it is about, worked out from the policy and never from the proof.

use super::bounds::{self, Bound};
use super::invariance;
use super::invariant::subjects;
use super::two_runs::{self, Compared};
use crate::graph::{Cond, Graph, carries, narrow};
use crate::laws::changes::{ChangesTrack, not_of_bindings};
use crate::laws::ingest::IngestTrack;
use crate::laws::local::{Local, LocalSubject};
use crate::laws::outcome as o;
use crate::laws::returns::ReturnTrack;
use crate::laws::track::Track;
use crate::laws::{claim, gate, record};
use crate::manifest::{AS_WRITTEN, About, SubjectKind, written_fallbacks};
use crate::model::{EdgeId, EdgeKind, FlowId, Model, NodeKind, Profile, RoadId, Shape};
use std::collections::BTreeSet;

/// Law, what it is about, and what is followed or asked.
pub(super) type Key = (String, (SubjectKind, u32), String);

/// How an obligation is looked at again.
#[derive(Debug)]
pub(super) enum Check {
    /// By the invariant of this track.
    Track(usize),
    /// By one fact vector: the condition, and whether it is wanted.
    Facts(Cond, bool),
    /// By a run that uses the road.
    Used(RoadId),
    /// By a run over one of these fallbacks between two roads that differ in the word.
    Word(Vec<EdgeId>, String),
    /// By carrying one run over into the other.
    Compared(Compared),
    /// By forgetting the cells in which two runs may differ: names of providers, else preferences.
    Differ(bool, invariance::Compared),
    /// By reading the policy.
    Written(bool),
    /// By counting.
    Bound(Bound),
}

impl Check {
    /// How the proof may say that it was settled. What cannot be looked at again is taken only where it was.
    fn methods(&self) -> &'static [&'static str] {
        match self {
            Self::Track(_) => &["dominance", "invariant"],
            Self::Facts(..) => &["facts"],
            Self::Used(_) | Self::Word(..) => &["reached"],
            Self::Compared(_) | Self::Differ(..) => &["two runs"],
            // A figure above its ceiling may be out of reach for the facts.
            Self::Bound(Bound::Run(_)) => &["static", "invariant"],
            Self::Written(_) | Self::Bound(_) => &["static"],
        }
    }
}

/// An obligation that is due.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) key: Key,
    pub(super) check: Check,
    /// How a proof may say that it was settled.
    pub(super) methods: &'static [&'static str],
}

impl Asked {
    pub(super) fn new(law: &str, about: About, by: &str, check: Check) -> Self {
        let methods = check.methods();
        Self { key: (law.to_owned(), about.key(), by.to_owned()), check, methods }
    }

    pub(super) fn compared(law: &str, about: About, by: &str, c: Compared) -> Self {
        Self::new(law, about, by, Check::Compared(c))
    }

    pub(super) fn bound(law: &str, about: About, by: &str, b: Bound) -> Self {
        Self::new(law, about, by, Check::Bound(b))
    }
}

/// The tracks of a policy, in the order of a manifest.
pub(super) fn tracks(g: &Graph<'_>) -> Vec<Box<dyn Track>> {
    let m = g.model;
    let mut out: Vec<Box<dyn Track>> = Vec::new();
    for flow in (0..m.flows.len()).map(|i| FlowId(narrow(i))) {
        out.push(Box::new(o::EdgeTrack::new(g, flow)));
        if m.profile != Profile::Choice {
            roads(g, flow, &mut out);
        }
    }
    out.extend((0..m.claims.len()).flat_map(|i| claim::tracks(g, i)));
    out
}

fn roads(g: &Graph<'_>, flow: FlowId, out: &mut Vec<Box<dyn Track>>) {
    let m = g.model;
    out.extend(gate::tracks(g, flow));
    out.push(Box::new(ReturnTrack { flow }));
    out.push(Box::new(o::OutTrack { flow }));
    out.push(Box::new(o::FallbackEntryTrack { flow }));
    out.push(Box::new(o::ParentTrack { flow }));
    out.push(Box::new(o::ReviewTrack { flow }));
    out.extend(IngestTrack::of(m, flow).map(|t| Box::new(t) as Box<dyn Track>));
    let nodes = g.reachable(flow);
    let carriers = nodes.iter().map(|n| m.node(*n)).filter(|n| carries(&n.kind));
    for road in carriers.filter_map(|n| n.road).collect::<BTreeSet<RoadId>>() {
        let r = m.road(road);
        out.push(Box::new(o::SubmittedTrack { flow, road }));
        out.push(Box::new(o::FirstTrack { flow, road }));
        out.push(Box::new(o::DeniedTrack { flow, road }));
        if r.shape != Shape::Human && gate::right_await(r).is_some() {
            out.push(Box::new(o::WaitTrack { flow, road }));
        }
    }
    let fallbacks = (0..m.edges.len()).map(|i| EdgeId(narrow(i))).filter(|e| {
        let edge = m.edge(*e);
        edge.kind == EdgeKind::Fallback && m.node(edge.from).flow == flow
    });
    out.extend(fallbacks.map(|edge| Box::new(ChangesTrack { flow, edge, pair: None }) as Box<dyn Track>));
}

/// Everything that is due. `any`: the policy with any names of providers.
pub(super) fn due(g: &Graph<'_>, any: &Graph<'_>, tracks: &[Box<dyn Track>], locals: Vec<Local>) -> Vec<Asked> {
    let m = g.model;
    let mut out = Vec::new();
    for (i, track) in tracks.iter().enumerate() {
        out.extend(subjects(g, track.as_ref()).into_iter().map(|(key, reached)| {
            let methods: &[_] = if reached { &["invariant"] } else { &["dominance"] };
            Asked { key, check: Check::Track(i), methods }
        }));
    }
    for l in locals {
        let about = match l.subject {
            LocalSubject::Road(r) => About::Road(r),
            LocalSubject::Edge(e) => About::Edge(e),
        };
        out.push(Asked::new(l.law, about, "one fact vector", Check::Facts(l.cond, l.wanted)));
    }
    for c in record::check(m) {
        out.push(Asked::new(c.law, c.about, AS_WRITTEN, Check::Written(c.wrong.is_none())));
    }
    out.extend(invariance::due(any, true));
    for r in (0..m.roads.len()).map(|i| RoadId(narrow(i))) {
        out.push(Asked::new("RL704", About::Road(r), "liveness", Check::Used(r)));
    }
    if m.profile != Profile::Choice {
        words(m, &mut out);
        out.extend(two_runs::due(g));
        out.extend(invariance::due(g, false));
    }
    out.extend(bounds::due(g));
    out
}

/// Each change word that a fallback declares, once for all copies of the edge.
fn words(m: &Model, out: &mut Vec<Asked>) {
    for group in written_fallbacks(m) {
        let words: BTreeSet<_> = group.iter().flat_map(|e| m.edge(*e).changes.iter().flatten()).copied().collect();
        for w in words.into_iter().filter(|w| !not_of_bindings(*w)) {
            let check = Check::Word(group.clone(), w.word().to_owned());
            out.push(Asked::new("RL303", About::Edge(group[0]), w.word(), check));
        }
    }
}

/// A node that is a repair or carries work uses its road.
#[must_use]
pub(super) fn sends_or_calls(m: &Model, n: &crate::model::Node) -> bool {
    let person = n.road.is_some_and(|r| m.road(r).shape == Shape::Human);
    n.road.is_some() && (matches!(n.kind, NodeKind::Send | NodeKind::Call) || (person && carries(&n.kind)))
}
