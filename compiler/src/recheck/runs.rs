//! Runs of a manifest: each step is open, and cells change only where they may.

use super::invariant::written;
use crate::graph::{Cond, Graph, Write, carries};
use crate::laws::changes::{ChangesTrack, difference};
use crate::laws::track::Track;
use crate::manifest::RunEvidence;
use crate::model::{Cell, EdgeId, FactId, Latch, Model, NodeKind, Outcome, Profile, RoadId, Truth, Type};

/// Replays a run from the start of a flow; its edges.
pub(super) fn replay(g: &Graph<'_>, run: &RunEvidence) -> Result<Vec<EdgeId>, String> {
    let m = g.model;
    let mut now: Vec<Cell> = m.facts.iter().map(|f| usual(m, f.latch)).collect();
    let full: Vec<FactId> = m.counters.iter().map(|c| c.fact).collect();
    set(m, &mut now, &run.start, |f, _| !full.contains(&f))?;
    let first = run.steps.first().ok_or("it has no step")?;
    let mut at = m.edges.get(first.edge as usize).ok_or("there is no such edge")?.from;
    if m.flows.iter().all(|f| f.start != at) {
        return Err("it does not begin at the start of a flow".to_owned());
    }
    let mut current: Option<RoadId> = None;
    let mut edges = Vec::new();
    for (i, step) in run.steps.iter().enumerate() {
        let e = EdgeId(step.edge);
        let edge = m.edges.get(e.index()).filter(|edge| edge.from == at).ok_or("its edges do not follow each other")?;
        let effect = g.effect(e);
        set(m, &mut now, &step.before, |f, _| effect.before.contains(&f))?;
        if let Some(shut) = effect.open.iter().find(|c| !holds(m, c, &now)) {
            return Err(format!(
                "step {i} out of `{}` is not open: {} cells say so",
                m.node(at).name,
                shut.cells().len()
            ));
        }
        if carries(&m.node(at).kind) {
            current = m.node(at).road;
        }
        let mut due = now.clone();
        for w in effect.writes.iter().filter_map(|w| written(m, w, current)) {
            match w {
                Write::Set(f, v) => due[f.index()] = Cell::Known(v),
                Write::Decrement(f) => {
                    let Cell::Known(v) = due[f.index()] else { return Err("a counter is unknown".to_owned()) };
                    due[f.index()] = Cell::Known(v - 1);
                }
                Write::SetOneOf(_) => {}
            }
        }
        set(m, &mut now, &step.after, |f, v| effect.after.contains(&f) || due[f.index()] == v)?;
        let stale =
            (0..now.len()).find(|f| now[*f] != due[*f] && !effect.after.contains(&FactId(crate::graph::narrow(*f))));
        if let Some(f) = stale {
            return Err(format!("step {i} writes `{}`, and the run does not", m.facts[f].name));
        }
        if edge.outcome == Outcome::Chosen {
            current = edge.candidate;
        }
        at = edge.to;
        edges.push(e);
    }
    Ok(edges)
}

/// The run ends where the road is used.
pub(super) fn uses(m: &Model, edges: &[EdgeId], r: RoadId) -> bool {
    if m.profile == Profile::Choice {
        return edges.last().is_some_and(|e| m.edge(*e).candidate == Some(r));
    }
    let end = edges.last().map(|e| m.node(m.edge(*e).to));
    end.is_some_and(|n| n.road == Some(r) && (carries(&n.kind) || n.kind == NodeKind::Repair))
}

/// The run takes one of these fallbacks, from one road of the pair to the other, and the word is a difference of the two.
pub(super) fn shows_change(g: &Graph<'_>, edges: &[EdgeId], group: &[EdgeId], pair: (u32, u32), word: &str) -> bool {
    let m = g.model;
    let (s, d) = (RoadId(pair.0), RoadId(pair.1));
    if s.index() >= m.roads.len() || d.index() >= m.roads.len() {
        return false;
    }
    difference(m, s, d).iter().any(|c| c.word() == word)
        && group.iter().any(|e| {
            let flow = m.node(m.edge(*e).from).flow;
            let track = ChangesTrack { flow, edge: *e, pair: Some((s, d)) };
            let mut state = track.start();
            edges.iter().any(|e| {
                let made = track.step(g, state, *e);
                state = made.next;
                !made.bad.is_empty()
            })
        })
}

fn usual(m: &Model, latch: Option<Latch>) -> Cell {
    match latch {
        Some(Latch::Left(c)) => Cell::Known(i64::from(m.counters[c.index()].max)),
        Some(_) => Cell::Known(0),
        None => Cell::Unknown,
    }
}

fn set(
    m: &Model,
    now: &mut [Cell],
    changes: &[(u32, Option<i64>)],
    may: impl Fn(FactId, Cell) -> bool,
) -> Result<(), String> {
    for (f, v) in changes {
        let f = FactId(*f);
        let fact = m.facts.get(f.index()).ok_or("there is no such cell")?;
        let cell = v.map_or(Cell::Unknown, Cell::Known);
        let fits = match (&fact.ty, v) {
            (_, None) => fact.latch.is_none(),
            (Type::Bool, Some(v)) => (0..=1).contains(v),
            (Type::Enum(n) | Type::Level(n), Some(v)) => usize::try_from(*v).is_ok_and(|v| v < n.len()),
            (Type::Set(n), Some(v)) => n.len() >= 64 || v.cast_unsigned() >> n.len() == 0,
            (Type::Int { lo, hi }, Some(v)) => (i64::from(*lo)..=i64::from(*hi)).contains(v),
        };
        if !fits {
            return Err(format!("`{}` holds no value of its type", fact.name));
        }
        if !may(f, cell) {
            return Err(format!("`{}` changes where it may not", fact.name));
        }
        now[f.index()] = cell;
    }
    Ok(())
}

fn holds(m: &Model, c: &Cond, now: &[Cell]) -> bool {
    match c {
        Cond::True => true,
        Cond::False => false,
        Cond::Holds(g) => g.eval(m, now) == Truth::True,
        Cond::Not(c) => !holds(m, c, now),
        Cond::And(cs) => cs.iter().all(|c| holds(m, c, now)),
        Cond::Or(cs) => cs.iter().any(|c| holds(m, c, now)),
    }
}
