//! RL403, a two-run law: what is unknown opens nothing (MODEL.md section 8).
//!
//! D(f) is the first decision under facts f when every gate answers ok. The condition of each decision is the sum over
//! the paths of ok edges; two copies of it, one with completed facts, go to Z3.

use super::fixpoint::Context;
use super::smt::{self, Answer, Cells, Question, Term};
use super::{Counts, count, diagnose::Findings, witness};
use crate::graph::Cond;
use crate::model::{Cell, EdgeKind, FactId, Model, NodeId, NodeKind, Outcome, RoadId, Type};
use roadlaw_grammar::diagnostic::WitnessFact;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use z3::ast::{Bool, Int};

/// Checks RL403 for a policy.
pub(crate) fn check(cx: &Context<'_, '_>, findings: &mut Findings<'_>, counts: &mut Counts) {
    let m = cx.graph.model;
    for i in 0..m.roads.len() {
        let r = RoadId(crate::graph::narrow(i));
        if m.road(r).remote && m.chooses.iter().any(|c| c.candidates.contains(&r)) {
            filters(m, r, findings, counts);
        }
    }
    let mut entries: BTreeSet<NodeId> = m.flows.iter().map(|f| f.start).collect();
    entries.extend(m.edges.iter().filter(|e| e.kind != EdgeKind::Next).map(|e| e.to));
    for n in entries {
        decisions(cx, n, findings, counts);
    }
}

/// Filters that are true for f are true for every completion of f.
fn filters(m: &Model, r: RoadId, findings: &mut Findings<'_>, counts: &mut Counts) {
    let holds = Cond::all(m.road(r).filters.iter().map(|f| Cond::holds(&f.guard)));
    let cells: BTreeSet<FactId> = holds.cells().into_iter().collect();
    let mut two = TwoRuns::new(m, &cells);
    let a = two.first(&holds);
    let b = two.second(&holds);
    two.solver.assert(&a);
    two.solver.assert(b.not());
    match smt::ask(&two.solver, &[]) {
        Answer::Unsat => count(counts, "two runs"),
        Answer::Undecided => {
            count(counts, "undecided");
            findings.road_undecided(r, "Z3 could not compare two runs (RL403)");
        }
        Answer::Sat => {
            count(counts, "refuted");
            let road = m.road(r);
            findings.two_runs(
                "RL403",
                road.span,
                format!("an unknown fact opens `{}`: it is closed once the fact is known", road.name),
                "let `unknown = ..` name the strictest value, and never open a road by `is unknown`",
                two.shown(&cells),
            );
        }
    }
}

/// Where D(f) is a remote send that passed a choose, it stays a remote send when what edge guards read is completed.
fn decisions(cx: &Context<'_, '_>, entry: NodeId, findings: &mut Findings<'_>, counts: &mut Counts) {
    let m = cx.graph.model;
    let Some(order) = ok_region(cx, entry) else { return };
    let sends: Vec<NodeId> = order
        .iter()
        .copied()
        .filter(|n| m.node(*n).kind == NodeKind::Send && m.node(*n).road.is_some_and(|r| m.road(r).remote))
        .collect();
    let mut guards: BTreeSet<FactId> = BTreeSet::new();
    let mut cells: BTreeSet<FactId> = BTreeSet::new();
    for n in &order {
        for e in &cx.graph.out[n.index()] {
            let edge = m.edge(*e);
            if edge.kind != EdgeKind::Next || !matches!(edge.outcome, Outcome::Ok | Outcome::Chosen | Outcome::Closed) {
                continue;
            }
            guards.extend(edge.guard.cells());
            cells.extend(cx.graph.effect(*e).open.iter().flat_map(Cond::cells));
        }
    }
    guards.retain(|f| m.fact(*f).latch.is_none());
    if sends.is_empty() || guards.is_empty() {
        return;
    }
    let mut two = TwoRuns::new(m, &guards);
    let a = remote_send(cx, &order, entry, &sends, true, &mut |c| two.first(c));
    let b = remote_send(cx, &order, entry, &sends, false, &mut |c| two.second(c));
    two.solver.assert(&a);
    two.solver.assert(b.not());
    match smt::ask(&two.solver, &[]) {
        Answer::Unsat => count(counts, "two runs"),
        Answer::Undecided => {
            count(counts, "undecided");
            findings.undecided("RL403", crate::laws::track::Subject::Node(entry), "Z3 could not compare two runs");
        }
        Answer::Sat => {
            count(counts, "refuted");
            let shown = two.shown(&guards);
            let unknown: Vec<String> =
                shown[0].iter().filter(|f| f.value == "unknown").map(|f| f.name.clone()).collect();
            let span = order
                .iter()
                .flat_map(|n| &cx.graph.out[n.index()])
                .map(|e| m.edge(*e))
                .find(|e| e.guard_span.is_some() && e.guard.cells().iter().any(|f| unknown.contains(&m.fact(*f).name)))
                .and_then(|e| e.guard_span)
                .unwrap_or(m.span);
            findings.two_runs(
                "RL403",
                span,
                format!(
                    "an unknown fact leads to a remote send that is refused once it is known: `{}`",
                    unknown.join("`, `")
                ),
                "send only where the guard is true; let `else` refuse",
                shown,
            );
        }
    }
}

/// Nodes reached from the entry by ok, chosen and closed over `next` edges, in topological order; `None` if they form a
/// cycle (RL601's business).
fn ok_region(cx: &Context<'_, '_>, entry: NodeId) -> Option<Vec<NodeId>> {
    fn visit(cx: &Context<'_, '_>, n: NodeId, mark: &mut BTreeMap<NodeId, bool>, out: &mut Vec<NodeId>) -> bool {
        match mark.get(&n) {
            Some(true) => return true,
            Some(false) => return false,
            None => {}
        }
        mark.insert(n, false);
        let m = cx.graph.model;
        if !crate::graph::carries(&m.node(n).kind) {
            for e in &cx.graph.out[n.index()] {
                if follows(m, *e) && !visit(cx, m.edge(*e).to, mark, out) {
                    return false;
                }
            }
        }
        mark.insert(n, true);
        out.push(n);
        true
    }
    let mut out = Vec::new();
    visit(cx, entry, &mut BTreeMap::new(), &mut out).then(|| {
        out.reverse();
        out
    })
}

fn follows(m: &Model, e: crate::model::EdgeId) -> bool {
    let edge = m.edge(e);
    edge.kind == EdgeKind::Next && matches!(edge.outcome, Outcome::Ok | Outcome::Chosen | Outcome::Closed)
}

/// The condition that the first decision is a remote send (having passed a choose, if asked).
fn remote_send(
    cx: &Context<'_, '_>,
    order: &[NodeId],
    entry: NodeId,
    sends: &[NodeId],
    through_choose: bool,
    term: &mut dyn FnMut(&Cond) -> Bool,
) -> Bool {
    let m = cx.graph.model;
    // (condition to be here, condition to be here after a choose)
    let mut at: BTreeMap<NodeId, (Vec<Bool>, Vec<Bool>)> = BTreeMap::new();
    at.entry(entry).or_default().0.push(Bool::from_bool(true));
    let mut result = Vec::new();
    for n in order {
        let (here, chosen) = at.remove(n).unwrap_or_default();
        let (here, chosen) = (smt::or(&here), smt::or(&chosen));
        if sends.contains(n) {
            result.push(if through_choose { chosen.clone() } else { here.clone() });
        }
        if crate::graph::carries(&m.node(*n).kind) {
            continue;
        }
        for e in cx.graph.out[n.index()].iter().filter(|e| follows(m, **e)) {
            let open: Vec<Bool> = cx.graph.effect(*e).open.iter().map(&mut *term).collect();
            let open = smt::and(&open);
            let slot = at.entry(m.edge(*e).to).or_default();
            slot.0.push(smt::and(&[here.clone(), open.clone()]));
            let passed = if matches!(m.node(*n).kind, NodeKind::Choose(_)) { here.clone() } else { chosen.clone() };
            slot.1.push(smt::and(&[passed, open]));
        }
    }
    smt::or(&result)
}

/// Two fact vectors: the second completes what is unknown in the first.
struct TwoRuns<'m> {
    model: &'m Model,
    solver: Rc<Question>,
    completed: BTreeSet<FactId>,
    one: BTreeMap<FactId, Term>,
    two: BTreeMap<FactId, Term>,
    second: bool,
}

impl<'m> TwoRuns<'m> {
    /// `completed`: the cells whose unknown may be completed; all others agree.
    fn new(model: &'m Model, completed: &BTreeSet<FactId>) -> Self {
        Self {
            model,
            solver: smt::question(),
            completed: completed.clone(),
            one: BTreeMap::new(),
            two: BTreeMap::new(),
            second: false,
        }
    }

    fn first(&mut self, c: &Cond) -> Bool {
        self.second = false;
        smt::cond(c, self)
    }

    fn second(&mut self, c: &Cond) -> Bool {
        self.second = true;
        smt::cond(c, self)
    }

    fn shown(&self, cells: &BTreeSet<FactId>) -> [Vec<WitnessFact>; 2] {
        let Some(model) = self.solver.get_model() else { return [Vec::new(), Vec::new()] };
        let read = |t: &Term, f: FactId| -> Cell {
            if model.eval(&t.unknown, true).and_then(|b| b.as_bool()) == Some(true) {
                return Cell::Unknown;
            }
            if matches!(self.model.fact(f).ty, Type::Set(_)) {
                let mask = t.labels.iter().enumerate().fold(0_i64, |acc, (i, l)| {
                    if model.eval(l, true).and_then(|b| b.as_bool()) == Some(true) { acc | 1 << i } else { acc }
                });
                return Cell::Known(mask);
            }
            model.eval(&t.value, true).and_then(|v| v.as_i64()).map_or(Cell::Unknown, Cell::Known)
        };
        let mut out = [Vec::new(), Vec::new()];
        for f in cells {
            let (Some(a), Some(b)) = (self.one.get(f), self.two.get(f)) else { continue };
            let (x, y) = (read(a, *f), read(b, *f));
            if x != y {
                out[0].push(witness::fact(self.model, *f, x));
                out[1].push(witness::fact(self.model, *f, y));
            }
        }
        out
    }
}

impl Cells for TwoRuns<'_> {
    fn term(&mut self, f: FactId) -> Term {
        if !self.one.contains_key(&f) {
            let a = smt::fresh(self.model, &self.solver, f, 0);
            let b = if self.completed.contains(&f) && self.model.fact(f).latch.is_none() {
                let b = smt::fresh(self.model, &self.solver, f, 1);
                // Known stays as it is; unknown may become anything known, or stay.
                let mut same = vec![b.unknown.not(), b.value.eq(&a.value)];
                same.extend(a.labels.iter().zip(&b.labels).map(|(x, y)| x.iff(y)));
                self.solver.assert(a.unknown.not().implies(smt::and(&same)));
                b
            } else {
                a.clone()
            };
            self.one.insert(f, a);
            self.two.insert(f, b);
        }
        let from = if self.second { &self.two } else { &self.one };
        from.get(&f).cloned().unwrap_or(Term {
            value: Int::from_i64(0),
            labels: Vec::new(),
            unknown: Bool::from_bool(true),
        })
    }

    fn model(&self) -> &Model {
        self.model
    }
}
