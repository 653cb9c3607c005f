//! The monitor that every path carries (MODEL.md sections 5, 6 and 9): what is held, what clears it, what needs it.

use super::claims::Claims;
use super::facts::{latched, possible, role_true};
use super::gates::{Gate, Gates, sealed_needs};
use super::going::{Going, answers};
use super::material::Material;
use super::profile::runs;
use super::returns::Returns;
use roadlaw_compiler::model::{Cell, ClaimKind, EdgeId, FactId, Guard, Latch, Model, NodeKind, Profile, RoadId};

/// The state of one run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Monitor {
    gates: Gates,
    returns: Returns,
    going: Going,
    material: Material,
    claims: Claims,
    /// A law is broken already: from here on only roads are followed.
    pub astray: bool,
}

/// A law that a step breaks; the gate that is missing, where it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// Its code.
    pub law: &'static str,
    /// The gate.
    pub gate: Option<Gate>,
}

/// What a step does to a run.
#[derive(Debug, Default)]
pub struct Step {
    /// The laws it breaks.
    pub broken: Vec<Broken>,
    /// The fallback, the road it left and the road that answers in its place, where one now does.
    pub formed: Option<(EdgeId, RoadId, RoadId)>,
}

/// A model, with what each step asks of it.
pub struct World<'m> {
    /// The model.
    pub m: &'m Model,
    sealed: Vec<(&'m Guard, Vec<FactId>)>,
}

impl<'m> World<'m> {
    /// Of a model.
    ///
    /// # Panics
    /// If it has more roads than the reference has bits for.
    #[must_use]
    pub fn new(m: &'m Model) -> Self {
        assert!(m.roads.len() <= 32, "the reference is for small policies");
        Self { m, sealed: sealed_needs(m) }
    }

    /// Everything that a step asks of facts, but for a step to `pending`: where two answers are the same, so is the step.
    #[must_use]
    pub fn asks(&self, facts: &[Cell]) -> Vec<i64> {
        let m = self.m;
        let mut out = Vec::new();
        for (need, cells) in &self.sealed {
            out.push(i64::from(possible(m, need, facts)));
            out.extend(cells.iter().map(|f| if let Cell::Known(v) = facts[f.index()] { v } else { i64::MIN }));
        }
        let mut bits = vec![latched(m, Latch::Judged, facts)];
        for (i, r) in m.roads.iter().enumerate() {
            bits.extend([&r.need_cut, &r.need_durable].map(|need| possible(m, need, facts)));
            bits.push(latched(m, Latch::Tried(RoadId(super::facts::id(i))), facts));
        }
        let roads = (0..m.roads.len()).map(|i| Some(RoadId(super::facts::id(i)))).chain([None]);
        bits.extend(roads.flat_map(|r| super::search::ROLES.map(|role| role_true(m, r, role, facts))));
        for c in &m.claims {
            match &c.kind {
                ClaimKind::Never { at, .. } => bits.extend(at.iter().map(|(_, _, g)| possible(m, g, facts))),
                ClaimKind::Always { at } => bits.extend(at.iter().map(|(_, _, g, _)| possible(m, g, facts))),
            }
        }
        out.extend(bits.chunks(62).map(|part| part.iter().fold(0, |n, b| n << 1 | i64::from(*b))));
        out
    }
}

impl Monitor {
    /// Takes an edge. `at` are the facts under which its port was read, `then` those at its target, latches written.
    pub fn step(&mut self, w: &World<'_>, id: EdgeId, at: &[Cell], then: &[Cell]) -> Step {
        let m = w.m;
        let e = &m.edges[id.index()];
        let (from, to) = (&m.nodes[e.from.index()], &m.nodes[e.to.index()]);
        let mut broken = Vec::new();
        if e.guard != Guard::True || matches!(from.kind, NodeKind::Choose(_)) {
            self.gates.read(m, &w.sealed, at);
        }
        self.gates.leave(m, e);
        self.returns.leave(m, e);
        self.going.leave(m, e);
        self.gates.along(m, e);
        self.going.along(m, id, e, at, &mut broken);
        self.going.missing(m, e, then, &mut broken);
        broken.extend(self.returns.missing(m, e, then));
        if self.material.step(m, e) && m.profile != Profile::Choice {
            broken.push("RL116");
        }
        let gate = self.gates.missing(m, &w.sealed, e, self.going.fell, then);
        broken.retain(|law| runs(m.profile, law));
        let mut out: Vec<Broken> = broken.into_iter().map(|law| Broken { law, gate: None }).collect();
        out.extend(gate.map(|(g, law)| Broken { law, gate: Some(g) }));
        if self.claims.step(m, e, &self.gates, &self.going, at, then) {
            out.push(Broken { law: "RA", gate: None });
        }
        let formed = self.going.crossing.filter(|_| answers(m, to)).zip(to.road).map(|((f, left), r)| (f, left, r));
        self.gates.enter(m, to);
        self.returns.enter(&to.kind);
        self.going.enter(m, to);
        if self.astray {
            out.clear();
        }
        if self.astray || !out.is_empty() {
            *self = Self { going: self.going.roads_alone(), astray: true, ..Self::default() };
        }
        Step { broken: out, formed }
    }

    /// The road last sent, called or awaited, else chosen: the one that a fallback leaves.
    #[must_use]
    pub fn current(&self) -> Option<RoadId> {
        self.going.current
    }
}
