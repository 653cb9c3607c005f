//! The third engine: is one path real? Every guard along it, over versions of the facts, as one Z3 query.
//!
//! Satisfiable: concrete facts, reduced to those that matter, to be replayed. Unsatisfiable: the core's facts, by which
//! the abstraction is refined.

use super::fixpoint::Context;
use super::smt::{self, Answer, Cells, Question, Term};
use crate::graph::{Cond, carries};
use crate::laws::track::When;
use crate::model::{Cell, EdgeId, EdgeKind, FactId, Latch, Life, Model, Outcome, RoadId, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use z3::ast::{Ast, Bool, Int};

/// Versions of facts along a path. Two points per edge: 2i when its guard is read, 2i + 1 at its end.
pub(crate) struct Versions<'m> {
    model: &'m Model,
    solver: Rc<Question>,
    /// Per cell: from which point on it has which content; `None` until it is read.
    history: BTreeMap<FactId, Vec<(usize, Option<Term>)>>,
    next: usize,
}

impl<'m> Versions<'m> {
    pub(crate) fn new(model: &'m Model, solver: Rc<Question>) -> Self {
        Self { model, solver, history: BTreeMap::new(), next: 1 }
    }

    /// Version numbers below this were used.
    pub(crate) fn continue_from(mut self, next: usize) -> Self {
        self.next = next;
        self
    }

    pub(crate) fn used(&self) -> usize {
        self.next
    }

    /// Starts from the contents of another one.
    pub(crate) fn clone_from_versions(&mut self, other: &Self) {
        self.history.clone_from(&other.history);
    }

    /// The cell gets a new, unknown content.
    pub(crate) fn refresh(&mut self, f: FactId, point: usize) {
        self.history.entry(f).or_insert_with(|| vec![(0, None)]).push((point, None));
    }

    /// The cell gets this content.
    pub(crate) fn write(&mut self, f: FactId, point: usize, value: Int) {
        let term = Term { value, labels: Vec::new(), bits: Vec::new(), unknown: Bool::from_bool(false) };
        self.history.entry(f).or_insert_with(|| vec![(0, None)]).push((point, Some(term)));
    }

    fn at(&self, f: FactId, point: usize) -> Option<&Term> {
        self.history.get(&f)?.iter().rev().find(|(p, _)| *p <= point)?.1.as_ref()
    }
}

impl Cells for Versions<'_> {
    fn term(&mut self, f: FactId) -> Term {
        let versions = self.history.entry(f).or_insert_with(|| vec![(0, None)]);
        let first = versions.len() == 1;
        let Some((_, slot)) = versions.last_mut() else { return smt::fresh(self.model, &self.solver, f, 0) };
        if let Some(t) = slot {
            return t.clone();
        }
        // The content at the start has version 0 in every query, so that queries of one invariant share it.
        let version = if first { 0 } else { self.next };
        self.next += 1;
        let t = smt::fresh(self.model, &self.solver, f, version);
        *slot = Some(t.clone());
        t
    }

    fn model(&self) -> &Model {
        self.model
    }
}

/// A concrete path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Concrete {
    pub(crate) edges: Vec<EdgeId>,
    /// Facts at each point: two per edge.
    pub(crate) facts: Vec<Vec<Cell>>,
    /// Which (cell, point at which its content began) matter.
    pub(crate) matter: BTreeSet<(FactId, usize)>,
}

/// The answer about one path.
pub(crate) enum Real {
    /// It is.
    Yes(Concrete),
    /// It is not; the facts of an unsatisfiable core.
    No(BTreeSet<FactId>),
    /// Z3 gave up.
    Undecided,
}

/// Asks whether the path, with a bad condition at its last edge, is real. Which contents matter is found out only where the
/// path will be shown.
pub(crate) fn ask(cx: &Context<'_, '_>, edges: &[EdgeId], bad: &Cond, when: When, free: bool, shown: bool) -> Real {
    let solver = smt::question();
    let (vs, parts) = conditions(cx, &solver, edges, bad, when, free);
    let names: Vec<Bool> = (0..parts.len()).map(|i| Bool::new_const(format!("p{i}").as_str())).collect();
    for (n, (t, _)) in names.iter().zip(&parts) {
        solver.assert(n.implies(t));
    }
    match smt::ask(&solver, &names) {
        Answer::Undecided => Real::Undecided,
        Answer::Unsat => {
            let core: BTreeSet<String> = smt::core_of(&solver);
            let facts = names
                .iter()
                .zip(&parts)
                .filter(|(n, _)| core.contains(&n.to_string()))
                .flat_map(|(_, (_, fs))| fs.iter().copied())
                .collect();
            Real::No(facts)
        }
        Answer::Sat => match contents(&solver, &vs, edges.len()) {
            None => Real::Undecided,
            Some((facts, values)) => {
                let conj: Vec<Bool> = parts.iter().map(|(t, _)| t.clone()).collect();
                let matter = if shown { matter(&smt::and(&conj), &values) } else { BTreeSet::new() };
                Real::Yes(Concrete { edges: edges.to_vec(), facts, matter })
            }
        },
    }
}

/// The terms along a path, each with the facts that it reads, over versions of the facts.
fn conditions<'m>(
    cx: &Context<'_, 'm>,
    solver: &Rc<Question>,
    edges: &[EdgeId],
    bad: &Cond,
    when: When,
    free: bool,
) -> (Versions<'m>, Vec<(Bool, Vec<FactId>)>) {
    let m = cx.graph.model;
    let mut vs = Versions::new(m, Rc::clone(solver));
    for c in &m.counters {
        vs.history.insert(
            c.fact,
            vec![(
                0,
                Some(Term {
                    bits: Vec::new(),
                    value: Int::from_i64(i64::from(c.max)),
                    labels: Vec::new(),
                    unknown: Bool::from_bool(false),
                }),
            )],
        );
    }
    let mut parts: Vec<(Bool, Vec<FactId>)> = Vec::new();
    let mut current: Option<RoadId> = None;
    for (i, e) in edges.iter().enumerate() {
        let edge = m.edge(*e);
        for f in cx.before(*e, free) {
            vs.refresh(*f, 2 * i);
        }
        for c in &cx.graph.effect(*e).open {
            parts.push((smt::cond(c, &mut vs), c.cells()));
        }
        let last = i + 1 == edges.len();
        if last && when == When::Edge {
            parts.push((smt::cond(bad, &mut vs), bad.cells()));
        }
        if edge.outcome == Outcome::Chosen {
            current = edge.candidate;
        }
        latch_terms(cx, *e, current, &mut vs, 2 * i + 1);
        for f in &cx.graph.effect(*e).after {
            vs.refresh(*f, 2 * i + 1);
        }
        let to = m.node(edge.to);
        if carries(&to.kind) {
            current = to.road;
        }
        if last && when == When::Entry {
            parts.push((smt::cond(bad, &mut vs), bad.cells()));
        }
    }
    (vs, parts)
}

/// The question whether the path is open, as SMT-LIB.
pub(crate) fn script(cx: &Context<'_, '_>, edges: &[EdgeId]) -> String {
    let solver = smt::question();
    let (_, parts) = conditions(cx, &solver, edges, &Cond::True, When::Entry, false);
    for (t, _) in parts {
        solver.assert(t);
    }
    solver.to_smt2()
}

/// The question whether some facts satisfy the condition, as SMT-LIB.
pub(crate) fn vector_script(m: &Model, cond: &Cond) -> String {
    let solver = smt::question();
    let t = smt::cond(cond, &mut Versions::new(m, Rc::clone(&solver)));
    solver.assert(t);
    solver.to_smt2()
}

/// Questions about single fact vectors, on one solver: its terms and what it learned serve all of them.
pub(crate) struct Vectors<'m> {
    solver: Rc<Question>,
    terms: Versions<'m>,
    asked: usize,
}

impl<'m> Vectors<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let solver = smt::question();
        Self { terms: Versions::new(model, Rc::clone(&solver)), solver, asked: 0 }
    }

    /// Every later answer satisfies this condition as well.
    pub(crate) fn keep(&mut self, cond: &Cond) {
        let t = smt::cond(cond, &mut self.terms);
        self.solver.assert(t);
    }

    /// Asks for one fact vector that satisfies the condition. The facts stand at point 0. Which of them matter is found out
    /// only where the vector will be shown.
    pub(crate) fn ask(&mut self, cond: &Cond, shown: bool) -> Real {
        let t = smt::cond(cond, &mut self.terms);
        let name = Bool::new_const(format!("v{}", self.asked).as_str());
        self.asked += 1;
        self.solver.assert(name.implies(&t));
        match smt::ask(&self.solver, &[name]) {
            Answer::Undecided => Real::Undecided,
            Answer::Unsat => Real::No(BTreeSet::new()),
            Answer::Sat => match contents(&self.solver, &self.terms, 1) {
                None => Real::Undecided,
                Some((facts, values)) => {
                    // Cells of other questions have nothing to say here.
                    let read: BTreeSet<FactId> = cond.cells().into_iter().collect();
                    let values: Vec<_> = values.into_iter().filter(|((f, _), _)| read.contains(f)).collect();
                    let matter = if shown { matter(&t, &values) } else { BTreeSet::new() };
                    Real::Yes(Concrete { edges: Vec::new(), facts, matter })
                }
            },
        }
    }
}

/// Whether two conditions agree on every assignment; `None`: undecided.
pub(crate) fn equivalent(m: &Model, a: &Cond, b: &Cond) -> Option<bool> {
    let solver = smt::question();
    let mut vs = Versions::new(m, Rc::clone(&solver));
    let (a, b) = (smt::cond(a, &mut vs), smt::cond(b, &mut vs));
    solver.assert(a.xor(&b));
    match smt::ask(&solver, &[]) {
        Answer::Unsat => Some(true),
        Answer::Sat => Some(false),
        Answer::Undecided => None,
    }
}

fn latch_terms(cx: &Context<'_, '_>, e: EdgeId, current: Option<RoadId>, vs: &mut Versions<'_>, point: usize) {
    let m = cx.graph.model;
    for w in &cx.graph.effect(e).writes {
        match w {
            crate::graph::Write::Set(f, v) => vs.write(*f, point, Int::from_i64(*v)),
            crate::graph::Write::Decrement(f) => {
                let now = vs.term(*f).value - Int::from_i64(1);
                vs.write(*f, point, now);
            }
            crate::graph::Write::SetOneOf(_) => {
                if m.edge(e).kind == EdgeKind::Fallback
                    && let Some(f) = current.and_then(|r| m.latch(Latch::Tried(r)))
                {
                    vs.write(f, point, Int::from_i64(1));
                }
            }
        }
    }
}

/// Contents of all cells at all points, and the contents that were read, with the term that says so.
type Contents = (Vec<Vec<Cell>>, Vec<((FactId, usize), Bool)>);

fn contents(solver: &Question, vs: &Versions<'_>, edges: usize) -> Option<Contents> {
    let model = smt::model_of(solver)?;
    let mut known: BTreeMap<(FactId, usize), Cell> = BTreeMap::new();
    let mut values = Vec::new();
    for (f, versions) in &vs.history {
        for (point, term) in versions {
            let Some(t) = term else { continue };
            let unknown = model.eval(&t.unknown, true)?.as_bool()?;
            let cell = if unknown {
                Cell::Unknown
            } else if matches!(vs.model.fact(*f).ty, Type::Set(_)) {
                let mut mask = 0_i64;
                for (i, l) in t.labels.iter().enumerate() {
                    if model.eval(l, true)?.as_bool()? {
                        mask |= 1 << i;
                    }
                }
                Cell::Known(mask)
            } else {
                Cell::Known(model.eval(&t.value, true)?.as_i64()?)
            };
            known.insert((*f, *point), cell);
            if vs.model.fact(*f).latch.is_none() || !t.labels.is_empty() || t.value.is_const() {
                values.push(((*f, *point), says(t, cell)));
            }
        }
    }
    let facts = (0..2 * edges)
        .map(|p| {
            (0..vs.model.facts.len())
                .map(|i| {
                    let f = FactId(crate::graph::narrow(i));
                    let read = vs.at(f, p).and_then(|_| {
                        let (from, _) = vs.history.get(&f)?.iter().rev().find(|(q, _)| *q <= p)?;
                        known.get(&(f, *from)).copied()
                    });
                    read.unwrap_or_else(|| unread(vs.model, f))
                })
                .collect()
        })
        .collect();
    Some((facts, values))
}

/// A cell that the path never reads may be anything.
fn unread(m: &Model, f: FactId) -> Cell {
    match m.fact(f).latch {
        Some(Latch::Left(c)) => Cell::Known(i64::from(m.counters[c.index()].max)),
        Some(_) => Cell::Known(0),
        None => Cell::Unknown,
    }
}

fn says(t: &Term, cell: Cell) -> Bool {
    match cell {
        Cell::Unknown => t.unknown.clone(),
        Cell::Known(v) => {
            let mut all = vec![t.unknown.not()];
            if t.labels.is_empty() {
                all.push(t.value.eq(Int::from_i64(v)));
            }
            for (i, l) in t.labels.iter().enumerate() {
                all.push(if v >> i & 1 == 1 { l.clone() } else { l.not() });
            }
            smt::and(&all)
        }
    }
}

/// The fewest contents that by themselves open the whole path: start from a core, then leave out what is not needed.
fn matter(path: &Bool, values: &[((FactId, usize), Bool)]) -> BTreeSet<(FactId, usize)> {
    let solver = smt::question();
    solver.assert(path.not());
    let names: Vec<Bool> = (0..values.len()).map(|i| Bool::new_const(format!("m{i}").as_str())).collect();
    for (n, (_, t)) in names.iter().zip(values) {
        solver.assert(n.implies(t));
    }
    if smt::ask(&solver, &names) != Answer::Unsat {
        return values.iter().map(|(k, _)| *k).collect();
    }
    let core: BTreeSet<String> = smt::core_of(&solver);
    let mut kept: Vec<usize> = (0..names.len()).filter(|i| core.contains(&names[*i].to_string())).collect();
    if kept.len() <= 64 {
        let mut i = 0;
        while i < kept.len() {
            let rest: Vec<Bool> =
                kept.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, k)| names[*k].clone()).collect();
            if smt::ask(&solver, &rest) == Answer::Unsat {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
    }
    kept.into_iter().map(|i| values[i].0).collect()
}

/// Facts that only order candidates are free at a choose: gives the chosen one the lowest keys.
pub(crate) fn favour(m: &Model, choose: &crate::model::Choose, r: RoadId, facts: &mut [Cell]) {
    for (_, order) in &choose.profiles {
        let crate::model::Order::Keys(keys) = order else { continue };
        for key in keys {
            for (i, f) in key.cells.iter().enumerate() {
                if m.fact(*f).life != Life::Rank {
                    continue;
                }
                let (lo, hi) = match m.fact(*f).ty {
                    Type::Int { lo, hi } => (i64::from(lo), i64::from(hi)),
                    _ => (0, 0),
                };
                let mine = choose.candidates.get(i) == Some(&r);
                facts[f.index()] = Cell::Known(if mine { lo } else { hi });
            }
        }
    }
}
