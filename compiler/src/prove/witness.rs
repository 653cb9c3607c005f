//! From a concrete path to what an author is shown: replayed in the reference interpreter first.

use super::path::{Concrete, favour};
use crate::graph::narrow;
use crate::laws::gate::{Gate, cleared_by_edge, held_after_entering, same_key};
use crate::laws::returns::starts_anew;
use crate::model::{
    Cell, Claim, ClaimKind, EdgeId, FactId, Latch, Model, NodeId, NodeKind, Outcome, RoadId, Submitted, Truth, Type,
};
use crate::monitor::{Monitor, Violation, choice, taken};
use roadlaw_grammar::diagnostic::{Witness, WitnessFact, WitnessStep};
use std::collections::BTreeSet;

/// A replayed counterexample.
pub(crate) struct Replay {
    /// Index of the edge at which the first law was broken.
    pub(crate) at: usize,
    /// What was broken there, most basic first.
    pub(crate) violations: Vec<Violation>,
    /// For people.
    pub(crate) witness: Witness,
    /// Every edge was the one that the facts open.
    pub(crate) faithful: bool,
}

/// Replays a path. `claim`: an author's assertion to watch as well.
pub(crate) fn replay(m: &Model, path: &Concrete, claim: Option<&Claim>) -> Replay {
    let mut monitor =
        Monitor::new(m, path.edges.first().is_some_and(|e| m.flows[m.node(m.edge(*e).from).flow.index()].of.is_some()));
    let mut faithful = true;
    let mut steps: Vec<WitnessStep> = Vec::new();
    let mut broken: Option<(usize, Vec<Violation>)> = None;
    let mut claims = ClaimWatch::new(claim);
    for (i, e) in path.edges.iter().enumerate() {
        let edge = m.edge(*e);
        let from = m.node(edge.from);
        let mut at_guard = path.facts[2 * i].clone();
        let after = &path.facts[2 * i + 1];
        if let (NodeKind::Choose(c), Some(r)) = (&from.kind, edge.candidate) {
            favour(m, m.choose(*c), r, &mut at_guard);
        }
        faithful &= is_taken(m, *e, &at_guard);
        let road = edge_road(m, *e);
        steps.push(WitnessStep {
            node: from.name.clone(),
            outcome: outcome_text(m, *e),
            held: monitor.held(road),
            fault: None,
            facts: facts_that_begin(m, path, i),
        });
        let mut wrong = monitor.step(*e, &at_guard, after);
        if let Some(v) = claims.step(m, *e, &at_guard, after) {
            // The author's own assertion is what is being shown: it comes first.
            wrong.insert(0, v);
        }
        let relevant = if claim.is_some() { wrong.iter().any(|v| v.code == "RA") } else { !wrong.is_empty() };
        if relevant {
            broken = Some((i, wrong));
            break;
        }
    }
    let (at, violations) = broken.unwrap_or((path.edges.len().saturating_sub(1), Vec::new()));
    if let Some(e) = path.edges.get(at) {
        let to = m.node(m.edge(*e).to);
        steps.push(WitnessStep {
            node: to.name.clone(),
            outcome: String::new(),
            held: monitor.held(to.road),
            fault: violations.first().map(|v| v.what.clone()),
            facts: Vec::new(),
        });
    }
    let facts = path
        .matter
        .iter()
        .filter(|(_, p)| *p == 0)
        .filter(|(f, _)| !matches!(m.fact(*f).latch, Some(Latch::Left(_))))
        .map(|(f, _)| fact(m, *f, path.facts.first().map_or(Cell::Unknown, |v| v[f.index()])))
        .collect();
    Replay { at, violations, witness: Witness { facts, path: steps, ..Witness::default() }, faithful }
}

/// A witness that is facts alone.
pub(crate) fn vector(m: &Model, path: &Concrete) -> Witness {
    let facts = path
        .matter
        .iter()
        .map(|(f, _)| fact(m, *f, path.facts.first().map_or(Cell::Unknown, |v| v[f.index()])))
        .collect();
    Witness { facts, ..Witness::default() }
}

fn edge_road(m: &Model, e: EdgeId) -> Option<RoadId> {
    let edge = m.edge(e);
    m.node(edge.from).road.or(m.node(edge.to).road)
}

fn facts_that_begin(m: &Model, path: &Concrete, i: usize) -> Vec<WitnessFact> {
    let points: Vec<usize> = if i == 0 { vec![] } else { vec![2 * i - 1, 2 * i] };
    path.matter
        .iter()
        .filter(|(f, p)| points.contains(p) && m.fact(*f).latch.is_none())
        .map(|(f, p)| fact(m, *f, path.facts.get(*p).map_or(Cell::Unknown, |v| v[f.index()])))
        .collect()
}

fn is_taken(m: &Model, e: EdgeId, facts: &[Cell]) -> bool {
    let edge = m.edge(e);
    if let NodeKind::Choose(c) = m.node(edge.from).kind {
        let picked = choice(m, m.choose(c), facts);
        let asked = if edge.outcome == Outcome::Chosen { edge.candidate } else { None };
        if picked != asked {
            return false;
        }
    }
    let port: Vec<EdgeId> = (0..m.edges.len())
        .map(|i| EdgeId(narrow(i)))
        .filter(|o| {
            let o = m.edge(*o);
            o.from == edge.from && o.outcome == edge.outcome && o.candidate == edge.candidate
        })
        .collect();
    // Overlaps are RL702's business: an edge that is open itself will do.
    taken(m, &port, facts) == Some(e)
        || edge.guard.eval(m, facts) == Truth::True && edge.rank == crate::model::EdgeRank::Guarded
}

fn outcome_text(m: &Model, e: EdgeId) -> String {
    let edge = m.edge(e);
    let outcome = match edge.candidate {
        Some(r) => m.road(r).name.clone(),
        None => edge.outcome.word().to_owned(),
    };
    match edge.kind {
        crate::model::EdgeKind::Next => outcome,
        k => format!("{outcome} -{}->", k.word()),
    }
}

/// A fact in the spelling of `decide --facts`.
pub(crate) fn fact(m: &Model, f: FactId, cell: Cell) -> WitnessFact {
    let fact = m.fact(f);
    let value = match cell {
        Cell::Unknown => "unknown".to_owned(),
        Cell::Known(v) => match &fact.ty {
            Type::Bool => (v != 0).to_string(),
            Type::Enum(names) | Type::Level(names) => {
                usize::try_from(v).ok().and_then(|i| names.get(i)).cloned().unwrap_or_else(|| v.to_string())
            }
            Type::Int { .. } => v.to_string(),
            Type::Set(names) => {
                let some: Vec<&str> =
                    names.iter().enumerate().filter(|(i, _)| v >> i & 1 == 1).map(|(_, n)| n.as_str()).collect();
                if some.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", some.join(", ")) }
            }
        },
    };
    WitnessFact { name: fact.name.clone(), value }
}

/// Watches one assertion along a path, from its text's meaning: no track is asked.
struct ClaimWatch<'c> {
    claim: Option<&'c Claim>,
    /// Events so far.
    seen: Vec<(NodeId, Option<Outcome>)>,
    /// Which demands of an `always` have their evidence.
    held: BTreeSet<usize>,
    submitted: Vec<(RoadId, Submitted)>,
}

impl<'c> ClaimWatch<'c> {
    fn new(claim: Option<&'c Claim>) -> Self {
        Self { claim, seen: Vec::new(), held: BTreeSet::new(), submitted: Vec::new() }
    }

    fn step(&mut self, m: &Model, e: EdgeId, at_guard: &[Cell], after: &[Cell]) -> Option<Violation> {
        let claim = self.claim?;
        let edge = m.edge(e);
        let (from, to) = (m.node(edge.from), m.node(edge.to));
        self.seen.push((edge.from, Some(edge.outcome)));
        if let (Some(r), NodeKind::Send | NodeKind::Reconcile) = (from.road, &from.kind) {
            let s = match edge.outcome {
                Outcome::Unavailable | Outcome::FailedBeforeSubmit | Outcome::KnownNoEffect => Submitted::None,
                Outcome::Ok
                | Outcome::Refused
                | Outcome::Failed
                | Outcome::FailedAfterSubmit
                | Outcome::Declined
                | Outcome::KnownEffect
                | Outcome::KnownFailed => Submitted::Known,
                _ => Submitted::Unknown,
            };
            self.submitted.push((r, s));
        }
        let mut bad = false;
        match &claim.kind {
            ClaimKind::Never { at, after: earlier, submitted } => {
                for (n, o, g) in at {
                    let (hit, facts) = match o {
                        None => (*n == edge.to, after),
                        Some(o) => (*n == edge.from && *o == edge.outcome, at_guard),
                    };
                    let earlier_ok = earlier.as_ref().is_none_or(|events| {
                        events.iter().any(|ev| {
                            let state = m.node(ev.0).road.map(|r| {
                                self.submitted.iter().rev().find(|(q, _)| *q == r).map_or(Submitted::None, |(_, s)| *s)
                            });
                            self.seen.contains(ev) && submitted.is_none_or(|want| state == Some(want))
                        })
                    });
                    bad |= hit && earlier_ok && g.eval(m, facts) != Truth::False;
                }
            }
            ClaimKind::Always { at } => {
                for (i, (n, o, g, first)) in at.iter().enumerate() {
                    let (hit, facts) = match o {
                        None => (*n == edge.to, after),
                        Some(o) => (*n == edge.from && *o == edge.outcome, at_guard),
                    };
                    // Evidence ends where the gate's own does, by the edge that leads here too; the track says the same in
                    // its own words.
                    let gate = gate_before(m, *n, first);
                    let (gained, lost) = match gate {
                        Some((gate, r)) => (passed(m, e, gate, r), cleared_by_edge(m, e, gate)),
                        None => (first.contains(&(edge.from, edge.outcome)), false),
                    };
                    if gained {
                        self.held.insert(i);
                    }
                    if lost || gate.is_some_and(|(gate, r)| strayed(m, e, gate, r)) {
                        self.held.remove(&i);
                    }
                    bad |= hit && !self.held.contains(&i) && g.eval(m, facts) != Truth::False;
                    let over = match gate {
                        Some((gate, r)) => !held_after_entering(m, r, gate, true, to),
                        None => starts_anew(m, e),
                    };
                    if over {
                        self.held.remove(&i);
                    }
                }
            }
        }
        self.seen.push((edge.to, None));
        if let (NodeKind::Send, Some(r)) = (&to.kind, to.road) {
            self.submitted.push((r, Submitted::Unknown));
        }
        bad.then(|| Violation { code: "RA", what: format!("`{}` is broken here", claim.text) })
    }
}

/// The gate that an `always` asks for and the road that it is held for, where its evidence is that of a gate.
fn gate_before(m: &Model, then: NodeId, first: &[(NodeId, Outcome)]) -> Option<(Gate, RoadId)> {
    let (one, _) = first.first()?;
    let gate = Gate::of(&m.node(*one).kind)?;
    let same = first.iter().all(|(n, o)| Gate::of(&m.node(*n).kind) == Some(gate) && *o == Outcome::Ok);
    Some((gate, m.node(then).road?)).filter(|_| same)
}

/// The edge leaves the gate of this road by its ok.
fn passed(m: &Model, e: EdgeId, gate: Gate, r: RoadId) -> bool {
    let from = m.node(m.edge(e).from);
    m.edge(e).outcome == Outcome::Ok && Gate::of(&from.kind) == Some(gate) && same_key(m, r, from, gate)
}

/// An egress decision is for the transmission right behind it.
fn strayed(m: &Model, e: EdgeId, gate: Gate, r: RoadId) -> bool {
    let (from, to) = (m.node(m.edge(e).from), m.node(m.edge(e).to));
    gate == Gate::Egr && from.kind == NodeKind::Egress && !(to.kind == NodeKind::Send && same_key(m, r, to, gate))
}
