//! RL403 and RL404, two-run laws: what is unknown opens nothing, what is worse opens nothing (MODEL.md section 8).
//!
//! D(f) is the first decision under facts f when every gate answers ok. The condition of each decision is the sum over
//! the paths of ok edges; two copies of it, one with completed facts, go to Z3.

use super::fixpoint::Context;
use super::smt::{self, Answer, Cells, Question, Term};
use super::{Counts, count, diagnose::Findings, witness};
use crate::graph::Cond;
use crate::laws::local::{self, LocalSubject};
use crate::model::{Cell, EdgeKind, FactId, Model, NodeId, NodeKind, Outcome, RoadId, Type};
use roadlaw_grammar::diagnostic::WitnessFact;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use z3::ast::{Bool, Int};

/// Checks RL403 and RL404 for a policy.
pub(crate) fn check(cx: &Context<'_, '_>, findings: &mut Findings<'_>, counts: &mut Counts) {
    let m = cx.graph.model;
    let mut opened = false;
    for i in 0..m.roads.len() {
        let r = RoadId(crate::graph::narrow(i));
        if m.road(r).remote && m.chooses.iter().any(|c| c.candidates.contains(&r)) {
            filters(m, r, findings, counts);
            opened |= worse_filters(m, r, findings, counts);
        }
    }
    let undefined = undefined(cx);
    let mut entries: BTreeSet<NodeId> = m.flows.iter().map(|f| f.start).collect();
    entries.extend(m.edges.iter().filter(|e| e.kind != EdgeKind::Next).map(|e| e.to));
    for n in entries {
        decisions(cx, n, &undefined, findings, counts);
        // A filter that opens is the smaller fault, and changes what is decided everywhere.
        if !opened {
            worse_decisions(cx, n, &undefined, findings, counts);
        }
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
fn decisions(
    cx: &Context<'_, '_>,
    entry: NodeId,
    undefined: &[(NodeId, Cond)],
    findings: &mut Findings<'_>,
    counts: &mut Counts,
) {
    let m = cx.graph.model;
    let Some(order) = ok_region(cx, entry) else { return };
    let sends = remote_sends(m, &order);
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
    let a = remote_send(cx, &order, entry, &sends, Way::Chosen, &mut |c| two.first(c));
    let b = remote_send(cx, &order, entry, &sends, Way::Any, &mut |c| two.second(c));
    two.solver.assert(&a);
    two.solver.assert(b.not());
    assert_functions(&mut two, undefined, &order);
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

/// Where no edge of a port, or more than one, is open: D is a function only elsewhere (MODEL.md section 8). Such facts are
/// RL701's and RL702's business; compared with others, one gap would be reported as two runs apart as well.
fn undefined(cx: &Context<'_, '_>) -> Vec<(NodeId, Cond)> {
    let m = cx.graph.model;
    let ports = local::obligations(cx.graph).into_iter().filter(|l| matches!(l.law, "RL701" | "RL702"));
    ports
        .filter_map(|l| match l.subject {
            LocalSubject::Edge(e) if follows(m, e) && l.cond != Cond::False => Some((m.edge(e).from, l.cond)),
            _ => None,
        })
        .collect()
}

/// Neither run meets a port of the region that decides nothing.
fn assert_functions(two: &mut TwoRuns<'_>, undefined: &[(NodeId, Cond)], region: &[NodeId]) {
    for (_, cond) in undefined.iter().filter(|(n, _)| region.contains(n)) {
        let (a, b) = (two.first(cond), two.second(cond));
        two.solver.assert(a.not());
        two.solver.assert(b.not());
    }
}

fn remote_sends(m: &Model, order: &[NodeId]) -> Vec<NodeId> {
    let remote = |n: &NodeId| m.node(*n).kind == NodeKind::Send && m.node(*n).road.is_some_and(|r| m.road(r).remote);
    order.iter().copied().filter(remote).collect()
}

/// The cell says how bad it would be if the payload got out.
fn gets_worse(m: &Model, f: FactId) -> bool {
    let fact = m.fact(f);
    match fact.role.as_deref() {
        Some("weight") => matches!(fact.ty, Type::Int { .. }),
        Some("class") => matches!(fact.ty, Type::Level(_)),
        Some("lineage") => fact.ty == Type::Bool,
        Some("labels") => matches!(fact.ty, Type::Set(_)),
        _ => false,
    }
}

/// Worse facts open no remote road; whether they do.
fn worse_filters(m: &Model, r: RoadId, findings: &mut Findings<'_>, counts: &mut Counts) -> bool {
    let road = m.road(r);
    let holds = Cond::all(road.filters.iter().map(|f| Cond::holds(&f.guard)));
    let cells: BTreeSet<FactId> = holds.cells().into_iter().filter(|f| gets_worse(m, *f)).collect();
    if cells.is_empty() {
        count(counts, "two runs");
        return false;
    }
    let mut two = TwoRuns::worse(m, &cells);
    let a = two.first(&holds);
    let b = two.second(&holds);
    two.solver.assert(a.not());
    two.solver.assert(b);
    match smt::ask(&two.solver, &[]) {
        Answer::Unsat => {
            count(counts, "two runs");
            false
        }
        Answer::Undecided => {
            count(counts, "undecided");
            findings.road_undecided(r, "Z3 could not compare two runs (RL404)");
            false
        }
        Answer::Sat => {
            count(counts, "refuted");
            let shown = two.shown(&cells);
            let words = names(&shown[0]);
            let span = road
                .filters
                .iter()
                .find(|f| {
                    f.guard.cells().iter().any(|c| cells.contains(c)) && f.spans.iter().any(|s| s.file == m.span.file)
                })
                .and_then(|f| f.spans.iter().find(|s| s.file == m.span.file).copied());
            findings.two_runs(
                "RL404",
                span.unwrap_or(road.span),
                format!("a worse payload opens `{}`, which is closed for a better one ({words})", road.name),
                "compare upwards: `class <= internal`, `weight < 90`",
                shown,
            );
            true
        }
    }
}

/// Worse facts turn no refusal and no local work into a remote send, and nothing cut into something raw.
fn worse_decisions(
    cx: &Context<'_, '_>,
    entry: NodeId,
    undefined: &[(NodeId, Cond)],
    findings: &mut Findings<'_>,
    counts: &mut Counts,
) {
    let m = cx.graph.model;
    let Some(order) = ok_region(cx, entry) else { return };
    let sends = remote_sends(m, &order);
    let steps = || order.iter().flat_map(|n| &cx.graph.out[n.index()]).copied().filter(|e| follows(m, *e));
    let cells: BTreeSet<FactId> = steps()
        .flat_map(|e| cx.graph.effect(e).open.iter().flat_map(Cond::cells).collect::<Vec<_>>())
        .filter(|f| gets_worse(m, *f))
        .collect();
    if sends.is_empty() || cells.is_empty() {
        return;
    }
    for (before, after, what) in [
        (None, Way::Any, "a worse payload is sent to a remote road where a better one is not"),
        (Some(Way::Cut), Way::Raw, "a worse payload is sent raw where a better one is cut"),
    ] {
        let mut two = TwoRuns::worse(m, &cells);
        let a = remote_send(cx, &order, entry, &sends, before.unwrap_or(Way::Any), &mut |c| two.first(c));
        let b = remote_send(cx, &order, entry, &sends, after, &mut |c| two.second(c));
        two.solver.assert(if before.is_some() { a } else { a.not() });
        two.solver.assert(b);
        assert_functions(&mut two, undefined, &order);
        match smt::ask(&two.solver, &[]) {
            Answer::Unsat => count(counts, "two runs"),
            Answer::Undecided => {
                count(counts, "undecided");
                findings.undecided("RL404", crate::laws::track::Subject::Node(entry), "Z3 could not compare two runs");
            }
            Answer::Sat => {
                count(counts, "refuted");
                let span = steps()
                    .map(|e| m.edge(e))
                    .find(|e| e.guard_span.is_some() && e.guard.cells().iter().any(|f| cells.contains(f)))
                    .and_then(|e| e.guard_span)
                    .unwrap_or(m.span);
                let shown = two.shown(&cells);
                findings.two_runs(
                    "RL404",
                    span,
                    format!("{what} ({})", names(&shown[0])),
                    "let a worse class, weight or lineage only refuse, keep at home or cut",
                    shown,
                );
                return;
            }
        }
    }
}

fn names(differ: &[WitnessFact]) -> String {
    differ.iter().map(|f| format!("`{}`", f.name)).collect::<Vec<_>>().join(", ")
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

/// Which remote sends are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// All.
    Any,
    /// After a choose.
    Chosen,
    /// After a cut.
    Cut,
    /// Without a cut.
    Raw,
}

/// The condition that the first decision is a remote send of this kind.
fn remote_send(
    cx: &Context<'_, '_>,
    order: &[NodeId],
    entry: NodeId,
    sends: &[NodeId],
    way: Way,
    term: &mut dyn FnMut(&Cond) -> Bool,
) -> Bool {
    let m = cx.graph.model;
    let marks = |k: &NodeKind| match way {
        Way::Cut | Way::Raw => *k == NodeKind::Cut,
        Way::Any | Way::Chosen => matches!(k, NodeKind::Choose(_)),
    };
    // (condition to be here, condition to be here after a node that marks)
    let mut at: BTreeMap<NodeId, (Vec<Bool>, Vec<Bool>)> = BTreeMap::new();
    at.entry(entry).or_default().0.push(Bool::from_bool(true));
    let mut result = Vec::new();
    for n in order {
        let (here, marked) = at.remove(n).unwrap_or_default();
        let (here, marked) = (smt::or(&here), smt::or(&marked));
        if sends.contains(n) {
            result.push(match way {
                Way::Any => here.clone(),
                Way::Chosen | Way::Cut => marked.clone(),
                Way::Raw => smt::and(&[here.clone(), marked.not()]),
            });
        }
        if crate::graph::carries(&m.node(*n).kind) {
            continue;
        }
        for e in cx.graph.out[n.index()].iter().filter(|e| follows(m, **e)) {
            let open: Vec<Bool> = cx.graph.effect(*e).open.iter().map(&mut *term).collect();
            let open = smt::and(&open);
            let slot = at.entry(m.edge(*e).to).or_default();
            slot.0.push(smt::and(&[here.clone(), open.clone()]));
            let passed = if marks(&m.node(*n).kind) { here.clone() } else { marked.clone() };
            slot.1.push(smt::and(&[passed, open]));
        }
    }
    smt::or(&result)
}

/// Two fact vectors: the second completes what is unknown in the first, or is worse.
struct TwoRuns<'m> {
    model: &'m Model,
    solver: Rc<Question>,
    completed: BTreeSet<FactId>,
    one: BTreeMap<FactId, Term>,
    two: BTreeMap<FactId, Term>,
    second: bool,
    /// The second is worse; else it completes the first.
    worse: bool,
}

impl<'m> TwoRuns<'m> {
    /// `cells`: those that may be worse in the second; all others agree.
    fn worse(model: &'m Model, cells: &BTreeSet<FactId>) -> Self {
        Self { worse: true, ..Self::new(model, cells) }
    }

    /// The second content of a cell is not better than the first: heavier, a higher class, more labels, lineage lost.
    fn not_better(&self, f: FactId, a: &Term, b: &Term) -> Bool {
        let value = match (self.model.fact(f).role.as_deref(), &self.model.fact(f).ty) {
            (_, Type::Set(_)) => {
                smt::and(&a.labels.iter().zip(&b.labels).map(|(x, y)| x.implies(y)).collect::<Vec<_>>())
            }
            (Some("lineage"), _) => b.value.le(&a.value),
            _ => b.value.ge(&a.value),
        };
        smt::and(&[a.unknown.iff(&b.unknown), value])
    }

    /// `completed`: the cells whose unknown may be completed; all others agree.
    fn new(model: &'m Model, completed: &BTreeSet<FactId>) -> Self {
        Self {
            model,
            solver: smt::question(),
            completed: completed.clone(),
            one: BTreeMap::new(),
            two: BTreeMap::new(),
            second: false,
            worse: false,
        }
    }

    fn read(&self, f: FactId) -> Term {
        let from = if self.second { &self.two } else { &self.one };
        from.get(&f).cloned().unwrap_or(Term {
            bits: Vec::new(),
            value: Int::from_i64(0),
            labels: Vec::new(),
            unknown: Bool::from_bool(true),
        })
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
                if self.worse {
                    self.solver.assert(self.not_better(f, &a, &b));
                    self.one.insert(f, a);
                    self.two.insert(f, b);
                    return self.read(f);
                }
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
        self.read(f)
    }

    fn model(&self) -> &Model {
        self.model
    }
}
