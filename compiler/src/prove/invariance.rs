//! RL406 and RL408, two-run laws: neither the name of a provider nor a preference decides who may be chosen, or whether
//! anybody carries the work (MODEL.md section 8).
//!
//! Self-composition: two fact vectors that agree in all cells but the law's own. Both engines answer each question: Z3
//! over two copies of the terms, and decision diagrams by taking the law's cells out of either side and intersecting
//! what is left. What they find is replayed.

use super::Engine;
use super::diagnose::{Findings, Place};
use super::first::{self, First, Logic, OkRegion, ends, first_decisions, follows, goes_round, ok_region};
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::smt::{self, Answer};
use super::space::Space;
use super::two_runs::{Answers, Differs, TwoRuns, eligibility, replay};
use crate::graph::Cond;
use crate::model::{Cell, Choose, FactId, Guard, Model, NodeId, NodeKind, Order, RoadId};
use biodivine_lib_bdd::Bdd;
use roadlaw_grammar::span::{FileId, Span};
use std::collections::BTreeSet;
use z3::ast::Bool;

/// Diagram nodes beyond which a comparison is not made.
const LARGEST: usize = 2_000_000;

/// A law of this family.
struct Law {
    code: &'static str,
    /// What decides, for a sentence.
    what: &'static str,
    /// What to write where a filter or a guard decides by it.
    guard_help: &'static str,
    /// What to write where a choose leaves nothing.
    choose_help: &'static str,
    /// A cut that depends on it is its business too.
    cuts: bool,
}

const PREFERENCE: Law = Law {
    code: "RL408",
    what: "the preference",
    guard_help: "let a `choose` order by it and nothing else read it; a condition is a fact of its own, which no `choose` orders by",
    choose_help: "name every candidate in every order, those that are not liked last; what must not be used is closed by a filter",
    cuts: false,
};

const PROVIDER: Law = Law {
    code: "RL406",
    what: "the provider's name",
    guard_help: "ask for what matters instead: `target.region`, `target.retention`, or `distinct` of a reviewer",
    choose_help: "name every candidate in every order; ask for what matters in a filter",
    cuts: true,
};

/// Cells that are preferences: those that a choose picks its order by, unless laws speak of their role, and those with
/// the role `preference`.
#[must_use]
pub(crate) fn preferences(m: &Model) -> BTreeSet<FactId> {
    let role = |f: FactId| m.fact(f).role.clone().unwrap_or_default();
    let by = m.chooses.iter().filter_map(|c| c.by).filter(|f| !crate::lower::laws_speak_of(&role(*f)));
    by.chain(with_role(m, "preference")).collect()
}

fn with_role<'a>(m: &'a Model, role: &'a str) -> impl Iterator<Item = FactId> + 'a {
    (0..m.facts.len())
        .map(|i| FactId(crate::graph::narrow(i)))
        .filter(move |f| m.fact(*f).role.as_deref() == Some(role) && m.fact(*f).latch.is_none())
}

/// Checks RL408.
pub(crate) fn preference(cx: &Context<'_, '_>, findings: &mut Findings<'_>, ledger: &mut Ledger) {
    let m = cx.graph.model;
    check(cx, &PREFERENCE, &preferences(m), findings, ledger);
}

/// A cell holds the name of a provider.
pub(crate) fn has_providers(m: &Model) -> bool {
    with_role(m, "provider").next().is_some()
}

/// Checks RL406.
pub(crate) fn provider(cx: &Context<'_, '_>, findings: &mut Findings<'_>, ledger: &mut Ledger) {
    let m = cx.graph.model;
    check(cx, &PROVIDER, &with_role(m, "provider").collect(), findings, ledger);
}

fn check(
    cx: &Context<'_, '_>,
    law: &'static Law,
    cells: &BTreeSet<FactId>,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) {
    let m = cx.graph.model;
    if cells.is_empty() {
        return;
    }
    if cx.engine == Engine::Diagrams {
        ledger.count("not run");
        return;
    }
    let mut run = Run { cx, law, cells, findings, ledger, open: false, asked: Vec::new() };
    let mut filters_decide = false;
    for i in 0..m.roads.len() {
        let r = RoadId(crate::graph::narrow(i));
        if m.chooses.iter().any(|c| c.candidates.contains(&r)) {
            filters_decide |= run.filters(r);
        }
    }
    // A filter that decides is the smaller fault, and changes what is decided everywhere.
    if !filters_decide {
        for n in first::entries(m) {
            run.decisions(n);
        }
    }
}

struct Run<'r, 'g, 'm, 'f> {
    cx: &'r Context<'g, 'm>,
    law: &'static Law,
    cells: &'r BTreeSet<FactId>,
    findings: &'r mut Findings<'f>,
    ledger: &'r mut Ledger,
    /// A question of the obligation at hand was not answered with no.
    open: bool,
    /// The questions of the obligation at hand.
    asked: Vec<Bool>,
}

impl<'m> Run<'_, '_, 'm, '_> {
    fn reads(&self, g: &Guard) -> bool {
        g.cells().iter().any(|f| self.cells.contains(f))
    }

    /// The law's cells are known: what is unknown is the business of RL403.
    fn known(&self) -> Cond {
        let m = self.cx.graph.model;
        let open = self.cells.iter().filter(|f| m.fact(**f).unknown.is_none());
        Cond::all(open.map(|f| Cond::Holds(Guard::Unknown(*f)).not()))
    }

    /// The road is eligible under both vectors, or under neither; whether this is broken.
    fn filters(&mut self, r: RoadId) -> bool {
        let m = self.cx.graph.model;
        let road = m.road(r);
        if !road.filters.iter().any(|f| self.reads(&f.guard)) {
            return false;
        }
        let holds = Cond::all(road.filters.iter().map(|f| Cond::holds(&f.guard)));
        let known = self.known();
        let (yes, no) = (Cond::all([known.clone(), holds.clone()]), Cond::all([known, holds.not()]));
        let mut two = TwoRuns::new(m, Differs::Freely, self.cells);
        let (a, b) = (two.first(&yes), two.second(&no));
        let space = self.cx.space;
        let diagram = self.meet(&space.cond(&yes), &space.cond(&no));
        let said = |open: bool| move |f: &[Cell]| eligibility(m, r, open, f);
        let Some(shown) = self.compared(Place::Road(r), &two, &a, &b, diagram, &said(true), &said(false)) else {
            self.enter(Place::Road(r), "filters of two runs", &two);
            return false;
        };
        let deciding = road.filters.iter().find(|f| {
            f.guard.cells().iter().any(|c| shown.differ.contains(c)) && f.spans.iter().any(|s| s.file == FileId(0))
        });
        let span = deciding.and_then(|f| f.spans.iter().find(|s| s.file == FileId(0)).copied());
        let message = format!("{} {} decides whether `{}` is eligible", self.law.what, shown.names(m), road.name);
        self.findings.two_runs(self.law.code, span.unwrap_or(road.span), message, self.law.guard_help, shown);
        true
    }

    /// Work that is carried under one vector is carried under the other.
    fn decisions(&mut self, entry: NodeId) {
        let cx = self.cx;
        let m = cx.graph.model;
        let OkRegion { order, cyclic } = ok_region(cx, entry);
        let steps = || order.iter().flat_map(|n| &cx.graph.out[n.index()]).copied().filter(|e| follows(m, *e));
        let leaves_out = |n: &NodeId| matches!(m.node(*n).kind, NodeKind::Choose(c) if self.leaves_out(m.choose(c)));
        if !steps().any(|e| self.reads(&m.edge(e).guard)) && !order.iter().any(leaves_out) {
            return;
        }
        if cyclic {
            return goes_round(cx, self.law.code, entry, self.findings, self.ledger);
        }
        let mut two = TwoRuns::new(m, Differs::Freely, self.cells);
        let known = self.known();
        let (known_first, known_second) = (two.first(&known), two.second(&known));
        let mut diagrams = Diagrams { space: cx.space, largest: std::cell::Cell::new(0) };
        let all = (
            ends(cx, &order, entry, &mut Side { two: &mut two, second: false }),
            ends(cx, &order, entry, &mut Side { two: &mut two, second: true }),
            ends(cx, &order, entry, &mut diagrams),
        );
        let ((Some(first), Some(second), Some(sets)), true) = (all, diagrams.are_small()) else {
            self.ledger.count("undecided");
            self.findings.undecided_at(self.law.code, Place::Node(entry), "there are too many first decisions");
            return;
        };
        let known_set = cx.space.cond(&known);
        for q in questions(m, &sets, self.law.cuts) {
            let some = |list: &[(First, Bool)], known: &Bool, kind: &dyn Fn(&First) -> bool| {
                let any: Vec<Bool> = list.iter().filter(|(f, _)| kind(f)).map(|(_, t)| t.clone()).collect();
                smt::and(&[known.clone(), smt::or(&any)])
            };
            let set = |kind: &dyn Fn(&First) -> bool| {
                let any = sets.iter().filter(|(f, _)| kind(f)).fold(cx.space.bottom(), |acc, (_, b)| acc.or(b));
                any.and(&known_set)
            };
            let good = |f: &First| q.good(m, f);
            let bad = |f: &First| q.bad(m, f);
            let (a, b) = (some(&first, &known_first, &good), some(&second, &known_second, &bad));
            let diagram = self.meet(&set(&good), &set(&bad));
            let says = |facts: &[Cell], kind: &dyn Fn(&First) -> bool| {
                first_decisions(m, entry, facts).into_iter().find(|d| kind(d)).map(|d| d.says(m))
            };
            let (gives, against) = (|f: &[Cell]| says(f, &good), |f: &[Cell]| says(f, &bad));
            if let Some(shown) = self.compared(Place::Node(entry), &two, &a, &b, diagram, &gives, &against) {
                self.report(&q, &order, shown);
                return;
            }
        }
        self.enter(Place::Node(entry), "first decisions of two runs", &two);
    }

    /// The obligation is proved if every question was answered with no.
    fn enter(&mut self, place: Place, by: &str, two: &TwoRuns<'m>) {
        let asked = std::mem::take(&mut self.asked);
        if !std::mem::take(&mut self.open) {
            two.solver.assert(smt::or(&asked));
            let script = self.ledger.script(|| two.solver.to_smt2());
            self.ledger.enter(self.law.code, place, by, "two runs").script = script;
        }
    }

    /// Some order of the choose, picked by a cell of the law, leaves out a candidate.
    fn leaves_out(&self, choose: &Choose) -> bool {
        choose.by.is_some_and(|f| self.cells.contains(&f))
            && choose.profiles.iter().any(|(_, order)| match order {
                Order::Static(roads) => roads.len() < choose.candidates.len(),
                Order::Keys(_) => false,
            })
    }

    fn report(&mut self, q: &Question, order: &[NodeId], shown: Answers) {
        let m = self.cx.graph.model;
        let edges = order.iter().flat_map(|n| &self.cx.graph.out[n.index()]).map(|e| m.edge(*e));
        let guard = edges
            .filter(|e| e.guard.cells().iter().any(|f| shown.differ.contains(f)))
            .find_map(|e| e.guard_span)
            .filter(|_| !matches!(q, Question::Emptied));
        let choose = order.iter().find_map(|n| match m.node(*n).kind {
            NodeKind::Choose(c) if self.leaves_out(m.choose(c)) => Some(m.choose(c).span),
            _ => None,
        });
        let span: Span = guard.or(choose).unwrap_or(m.span);
        let (what, names) = (self.law.what, shown.names(m));
        let (message, help) = match q {
            Question::Emptied => {
                (format!("{what} {names} leaves no road to choose where there is one"), self.law.choose_help)
            }
            Question::Dropped(_) => (format!("{what} {names} decides whether a road is used"), self.law.guard_help),
            Question::Uncut(_) => (format!("{what} {names} decides whether a cut is made"), self.law.guard_help),
        };
        self.findings.two_runs(self.law.code, span, message, help, shown);
    }

    /// Vectors of the one side, less the law's cells, that are also on the other side.
    fn meet(&self, a: &Bdd, b: &Bdd) -> bool {
        let space = self.cx.space;
        let valid = (0..self.cx.graph.model.facts.len())
            .map(|i| FactId(crate::graph::narrow(i)))
            .fold(space.top(), |acc, f| acc.and(&space.valid(f)));
        let gone: Vec<_> = self.cells.iter().flat_map(|f| space.variables(*f)).collect();
        !a.and(&valid).exists(&gone).and(&b.and(&valid).exists(&gone)).is_false()
    }

    /// Asks for two runs, of both engines, and replays them.
    #[expect(clippy::too_many_arguments, reason = "one question and its two replays")]
    fn compared(
        &mut self,
        place: Place,
        two: &TwoRuns<'m>,
        a: &Bool,
        b: &Bool,
        diagram: bool,
        first: &dyn Fn(&[Cell]) -> Option<String>,
        second: &dyn Fn(&[Cell]) -> Option<String>,
    ) -> Option<Answers> {
        let asked = Bool::fresh_const("asked");
        two.solver.assert(asked.implies(smt::and(&[a.clone(), b.clone()])));
        self.asked.push(asked.clone());
        let answer = smt::ask(&two.solver, &[asked]);
        let diagram = if self.cx.engine == Engine::Z3 { answer == Answer::Sat } else { diagram };
        let code = self.law.code;
        if (answer, diagram) == (Answer::Unsat, false) {
            return None;
        }
        self.open = true;
        match (answer, diagram) {
            (Answer::Sat, true) => {
                if let Some(answers) = two.vectors().and_then(|v| replay(two.model, &v, first, second)) {
                    self.ledger.count("refuted");
                    return Some(answers);
                }
                self.ledger.count("undecided");
                let why = "the reference interpreter does not replay the two runs";
                self.findings.disagreement_at(code, place, why);
            }
            (Answer::Undecided, _) => {
                self.ledger.count("undecided");
                self.findings.undecided_at(code, place, "Z3 could not compare two runs");
            }
            _ => {
                self.ledger.count("undecided");
                self.findings.disagreement_at(code, place, "the engines disagree about two runs");
            }
        }
        None
    }
}

/// What two first decisions must not be, the one and the other.
enum Question {
    /// Carried, and nothing left to choose.
    Emptied,
    /// After these choices carried, and refused.
    Dropped(Vec<Option<RoadId>>),
    /// After these choices cut, and raw.
    Uncut(Vec<Option<RoadId>>),
}

impl Question {
    fn good(&self, m: &Model, f: &First) -> bool {
        match self {
            Self::Emptied => f.is_carried(m),
            Self::Dropped(chose) => f.is_carried(m) && f.chose == *chose,
            Self::Uncut(chose) => f.sends_remotely(m) && f.cut && f.chose == *chose,
        }
    }

    fn bad(&self, m: &Model, f: &First) -> bool {
        let closed = matches!(f.chose.last(), Some(None));
        match self {
            Self::Emptied => f.is_refused(m) && closed,
            Self::Dropped(chose) => f.is_refused(m) && !closed && f.chose == *chose,
            Self::Uncut(chose) => f.sends_remotely(m) && !f.cut && f.chose == *chose,
        }
    }
}

/// The questions that the ends of a region leave open.
fn questions(m: &Model, sets: &[(First, Bdd)], cuts: bool) -> Vec<Question> {
    let chosen: BTreeSet<&Vec<Option<RoadId>>> = sets.iter().map(|(f, _)| &f.chose).collect();
    let dropped = chosen.iter().map(|c| Question::Dropped((*c).clone()));
    let uncut = chosen.iter().filter(|_| cuts).map(|c| Question::Uncut((*c).clone()));
    std::iter::once(Question::Emptied)
        .chain(dropped)
        .chain(uncut)
        .filter(|q| sets.iter().any(|(f, _)| q.good(m, f)) && sets.iter().any(|(f, _)| q.bad(m, f)))
        .collect()
}

/// One copy of the terms of two runs.
struct Side<'s, 'm> {
    two: &'s mut TwoRuns<'m>,
    second: bool,
}

impl Logic for Side<'_, '_> {
    type Term = Bool;

    fn yes(&self) -> Bool {
        Bool::from_bool(true)
    }

    fn both(&self, a: &Bool, b: &Bool) -> Bool {
        smt::and(&[a.clone(), b.clone()])
    }

    fn either(&self, a: &Bool, b: &Bool) -> Bool {
        smt::or(&[a.clone(), b.clone()])
    }

    fn cond(&mut self, c: &Cond) -> Bool {
        if self.second { self.two.second(c) } else { self.two.first(c) }
    }
}

/// Decision diagrams, and how large one became. Beyond the limit they mean nothing any more.
struct Diagrams<'s, 'm> {
    space: &'s Space<'m>,
    largest: std::cell::Cell<usize>,
}

impl Diagrams<'_, '_> {
    fn are_small(&self) -> bool {
        self.largest.get() <= LARGEST
    }

    fn made(&self, by: impl FnOnce() -> Bdd) -> Bdd {
        if !self.are_small() {
            return self.space.bottom();
        }
        let made = by();
        self.largest.set(self.largest.get().max(made.size()));
        made
    }
}

impl Logic for Diagrams<'_, '_> {
    type Term = Bdd;

    fn yes(&self) -> Bdd {
        self.space.top()
    }

    fn both(&self, a: &Bdd, b: &Bdd) -> Bdd {
        self.made(|| a.and(b))
    }

    fn either(&self, a: &Bdd, b: &Bdd) -> Bdd {
        self.made(|| a.or(b))
    }

    fn cond(&mut self, c: &Cond) -> Bdd {
        self.made(|| self.space.cond(c))
    }
}
