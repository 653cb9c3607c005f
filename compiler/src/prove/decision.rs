//! RL403 and RL404, two-run laws: what is unknown opens nothing, what is worse opens nothing (MODEL.md section 8).
//!
//! D(f) is the first decision under facts f when every gate answers ok. The condition of each decision is the sum over
//! the paths of ok edges; two copies of it, one with completed facts, go to Z3. The second engine is the comparison of sets
//! that the checker of proofs uses ([`crate::recheck`]).

use super::Engine;
use super::diagnose::{Findings, Place};
use super::first::{self, First, OkRegion, first_decisions, follows, goes_round, ok_region};
use super::fixpoint::Context;
use super::ledger::Ledger;
use super::smt::{self, Answer};
use super::two_runs::{Answers, Differs, TwoRuns, eligibility, replay};
use crate::graph::{Cond, Graph};
use crate::laws::local::{self, LocalSubject};
use crate::manifest::About;
use crate::model::{Cell, Edge, EdgeId, FactId, Model, NodeId, NodeKind, RoadId, Type};
use crate::recheck::cells::Cells as Sets;
use crate::recheck::two_runs::{self as sets, Compared};
use roadlaw_grammar::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use z3::ast::Bool;

/// Checks RL403 and RL404 for a policy.
pub(crate) fn check(cx: &Context<'_, '_>, findings: &mut Findings<'_>, ledger: &mut Ledger) {
    let m = cx.graph.model;
    if cx.engine == Engine::Diagrams {
        ledger.count("not run");
        return;
    }
    let undefined = undefined(cx);
    let mut second = Second {
        g: cx.graph,
        cells: Sets::new(cx.graph),
        undefined: &undefined,
        alone: cx.engine == Engine::Z3,
        outgrown: false,
    };
    let mut opened = false;
    for i in 0..m.roads.len() {
        let r = RoadId(crate::graph::narrow(i));
        if m.road(r).remote && m.chooses.iter().any(|c| c.candidates.contains(&r)) {
            let worse = worse_filters(&mut second, m, r, findings, ledger);
            filters(&mut second, m, r, worse, findings, ledger);
            opened |= worse;
        }
    }
    for n in first::entries(m) {
        // A filter that opens is the smaller fault, and changes what is decided everywhere.
        let worse = opened || worse_decisions(cx, &mut second, n, findings, ledger);
        decisions(cx, &mut second, n, worse, findings, ledger);
    }
}

/// The second opinion: sets of assignments, carried over from one run into the other.
struct Second<'g, 'm> {
    g: &'g Graph<'m>,
    cells: Sets<'m>,
    /// Facts under which a port decides nothing.
    undefined: &'g [(NodeId, Cond)],
    /// Z3 works alone.
    alone: bool,
    /// The sets of the last question outgrew their limit.
    outgrown: bool,
}

impl Second<'_, '_> {
    /// Z3's answer, if both say the same.
    fn agrees(&mut self, answer: Answer, c: Option<Compared>) -> Answer {
        self.outgrown = false;
        let Some(c) = c.filter(|_| !self.alone && answer != Answer::Undecided) else { return answer };
        match sets::check(self.g, &mut self.cells, c, self.undefined) {
            Ok(holds) if holds == (answer == Answer::Unsat) => answer,
            Ok(_) => Answer::Undecided,
            // TRUSTED: Z3 alone where the sets outgrow their limit, as policies of some hundred nodes make them.
            Err(_) => {
                self.outgrown = true;
                answer
            }
        }
    }
}

/// Where it was shown that what is worse opens, the strictest value does so too, and unknown with it: that is no second
/// fault (RL403).
fn named_strictest(m: &Model, f: FactId) -> bool {
    gets_worse(m, f) && m.fact(f).unknown.is_some()
}

/// Filters that are true for f are true for every completion of f.
fn filters(
    second: &mut Second<'_, '_>,
    m: &Model,
    r: RoadId,
    worse: bool,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) {
    let road = m.road(r);
    let holds = Cond::all(road.filters.iter().map(|f| Cond::holds(&f.guard)));
    let cells = holds.cells().into_iter().filter(|f| !(worse && named_strictest(m, *f))).collect();
    let mut two = TwoRuns::new(m, Differs::Completed, &cells);
    let a = two.first(&holds);
    let b = two.second(&holds);
    two.solver.assert(&a);
    two.solver.assert(b.not());
    let said = |open: bool| move |f: &[Cell]| eligibility(m, r, open, f);
    // What was shown to be worse is left out of this question: the sets would answer another.
    let answer = second.agrees(smt::ask(&two.solver, &[]), (!worse).then_some(Compared::FiltersKnown(r)));
    let asked = Asked { law: "RL403", place: Place::Road(r), by: FILTERS, by_z3_alone: second.outgrown };
    if let Some(shown) = compared(asked, answer, &two, &said(true), &said(false), findings, ledger) {
        findings.two_runs(
            "RL403",
            road.span,
            format!("an unknown fact opens `{}`: it is closed once the fact is known", road.name),
            "let `unknown = ..` name the strictest value, and never open a road by `is unknown`",
            shown,
        );
    }
}

/// Where D(f) is a remote send that passed a choose, it stays a remote send when what edge guards read is completed.
fn decisions(
    cx: &Context<'_, '_>,
    second: &mut Second<'_, '_>,
    entry: NodeId,
    worse: bool,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) {
    let m = cx.graph.model;
    let OkRegion { order, cyclic } = ok_region(cx, entry);
    let sends = remote_sends(m, &order);
    let steps = || order.iter().flat_map(|n| &cx.graph.out[n.index()]).copied().filter(|e| follows(m, *e));
    let mut guards: BTreeSet<FactId> = steps().flat_map(|e| m.edge(e).guard.cells()).collect();
    guards.retain(|f| m.fact(*f).latch.is_none() && !(worse && named_strictest(m, *f)));
    if sends.is_empty() || guards.is_empty() {
        return;
    }
    if cyclic {
        return goes_round(cx, "RL403", entry, findings, ledger);
    }
    let mut two = TwoRuns::new(m, Differs::Completed, &guards);
    let a = remote_send(cx, &order, entry, &sends, Way::Chosen, &mut |c| two.first(c));
    let b = remote_send(cx, &order, entry, &sends, Way::Any, &mut |c| two.second(c));
    two.solver.assert(&a);
    two.solver.assert(b.not());
    let chosen = |f: &[Cell]| decides(m, entry, f, &|d| d.sends_remotely(m) && !d.chose.is_empty());
    let not_sent = |f: &[Cell]| decides(m, entry, f, &|d| !d.sends_remotely(m));
    assert_functions(&mut two, second.undefined, &order);
    let answer = second.agrees(smt::ask(&two.solver, &[]), (!worse).then_some(Compared::SentKnown(entry)));
    let asked = Asked {
        law: "RL403",
        place: Place::Node(entry),
        by: "first decisions of two runs",
        by_z3_alone: second.outgrown,
    };
    if let Some(shown) = compared(asked, answer, &two, &chosen, &not_sent, findings, ledger) {
        let span = guard_that_reads(m, steps(), &shown.differ);
        findings.two_runs(
            "RL403",
            span,
            format!("an unknown fact leads to a remote send that is refused once it is known: {}", shown.names(m)),
            "send only where the guard is true; let `else` refuse",
            shown,
        );
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

/// The first guard on the way that reads a cell in which the runs differ; else the policy.
fn guard_that_reads(m: &Model, steps: impl Iterator<Item = EdgeId>, differ: &BTreeSet<FactId>) -> Span {
    let reads = |e: &&Edge| e.guard.cells().iter().any(|f| differ.contains(f));
    steps.map(|e| m.edge(e)).filter(|e| e.guard_span.is_some()).find(reads).and_then(|e| e.guard_span).unwrap_or(m.span)
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
fn worse_filters(
    second: &mut Second<'_, '_>,
    m: &Model,
    r: RoadId,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) -> bool {
    let road = m.road(r);
    let holds = Cond::all(road.filters.iter().map(|f| Cond::holds(&f.guard)));
    let cells: BTreeSet<FactId> = holds.cells().into_iter().filter(|f| gets_worse(m, *f)).collect();
    if cells.is_empty() {
        let script = ledger.script(|| "(assert false)\n(check-sat)\n".to_owned());
        ledger.enter("RL404", About::Road(r), FILTERS, "two runs").script = script;
        return false;
    }
    let mut two = TwoRuns::new(m, Differs::Worse, &cells);
    let a = two.first(&holds);
    let b = two.second(&holds);
    two.solver.assert(a.not());
    two.solver.assert(b);
    let said = |open: bool| move |f: &[Cell]| eligibility(m, r, open, f);
    let answer = second.agrees(smt::ask(&two.solver, &[]), Some(Compared::FiltersWorse(r)));
    let asked = Asked { law: "RL404", place: Place::Road(r), by: FILTERS, by_z3_alone: second.outgrown };
    let Some(shown) = compared(asked, answer, &two, &said(false), &said(true), findings, ledger) else {
        return false;
    };
    let span = road
        .filters
        .iter()
        .find(|f| {
            f.guard.cells().iter().any(|c| shown.differ.contains(c)) && f.spans.iter().any(|s| s.file == m.span.file)
        })
        .and_then(|f| f.spans.iter().find(|s| s.file == m.span.file).copied());
    findings.two_runs(
        "RL404",
        span.unwrap_or(road.span),
        format!("a worse payload opens `{}`, which is closed for a better one ({})", road.name, shown.names(m)),
        "compare upwards: `class <= internal`, `weight < 90`",
        shown,
    );
    true
}

/// Worse facts turn no refusal and no local work into a remote send, and nothing cut into something raw; whether they do.
fn worse_decisions(
    cx: &Context<'_, '_>,
    second: &mut Second<'_, '_>,
    entry: NodeId,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) -> bool {
    let m = cx.graph.model;
    let OkRegion { order, cyclic } = ok_region(cx, entry);
    let sends = remote_sends(m, &order);
    let steps = || order.iter().flat_map(|n| &cx.graph.out[n.index()]).copied().filter(|e| follows(m, *e));
    let cells: BTreeSet<FactId> = steps()
        .flat_map(|e| cx.graph.effect(e).open.iter().flat_map(Cond::cells).collect::<Vec<_>>())
        .filter(|f| gets_worse(m, *f))
        .collect();
    if sends.is_empty() || cells.is_empty() {
        return false;
    }
    if cyclic {
        goes_round(cx, "RL404", entry, findings, ledger);
        return false;
    }
    for (before, after, by, compare, what) in [
        (
            None,
            Way::Any,
            "sent where a better payload is not",
            Compared::SentWorse(entry),
            "a worse payload is sent to a remote road where a better one is not",
        ),
        (
            Some(Way::Cut),
            Way::Raw,
            "raw where a better payload is cut",
            Compared::RawWorse(entry),
            "a worse payload is sent raw where a better one is cut",
        ),
    ] {
        let mut two = TwoRuns::new(m, Differs::Worse, &cells);
        let a = remote_send(cx, &order, entry, &sends, before.unwrap_or(Way::Any), &mut |c| two.first(c));
        let b = remote_send(cx, &order, entry, &sends, after, &mut |c| two.second(c));
        two.solver.assert(if before.is_some() { a } else { a.not() });
        two.solver.assert(b);
        let better = |f: &[Cell]| {
            decides(m, entry, f, &|d| {
                if before.is_some() { d.sends_remotely(m) && d.cut } else { !d.sends_remotely(m) }
            })
        };
        let worse = |f: &[Cell]| decides(m, entry, f, &|d| d.sends_remotely(m) && !(d.cut && after == Way::Raw));
        assert_functions(&mut two, second.undefined, &order);
        let answer = second.agrees(smt::ask(&two.solver, &[]), Some(compare));
        let asked = Asked { law: "RL404", place: Place::Node(entry), by, by_z3_alone: second.outgrown };
        let Some(shown) = compared(asked, answer, &two, &better, &worse, findings, ledger) else {
            continue;
        };
        let span = guard_that_reads(m, steps(), &shown.differ);
        findings.two_runs(
            "RL404",
            span,
            format!("{what} ({})", shown.names(m)),
            "let a worse class, weight or lineage only refuse, keep at home or cut",
            shown,
        );
        return true;
    }
    false
}

/// How filters are compared, for a proof.
const FILTERS: &str = "filters of two runs";

/// One comparison.
struct Asked {
    law: &'static str,
    place: Place,
    /// What is compared, for a proof.
    by: &'static str,
    /// The second opinion could not be had.
    by_z3_alone: bool,
}

/// Replays the two runs that the engines found; keeps what came of it. `None` where there are none, or where it was
/// reported that nobody knows.
fn compared(
    Asked { law, place, by, by_z3_alone }: Asked,
    answer: Answer,
    two: &TwoRuns<'_>,
    first: &dyn Fn(&[Cell]) -> Option<String>,
    second: &dyn Fn(&[Cell]) -> Option<String>,
    findings: &mut Findings<'_>,
    ledger: &mut Ledger,
) -> Option<Answers> {
    match answer {
        Answer::Unsat => {
            let script = ledger.script(|| two.solver.to_smt2());
            let entry = ledger.enter(law, place, by, "two runs");
            (entry.script, entry.by_z3_alone) = (script, by_z3_alone);
        }
        Answer::Undecided => {
            ledger.count("undecided");
            findings.undecided_at(law, place, "the engines did not both compare two runs");
        }
        Answer::Sat => match two.vectors().and_then(|v| replay(two.model, &v, first, second)) {
            Some(answers) => {
                ledger.count("refuted");
                return Some(answers);
            }
            None => {
                ledger.count("undecided");
                findings.disagreement_at(law, place, "the reference interpreter does not replay the two runs");
            }
        },
    }
    None
}

/// What a vector gives if its first decision from the entry is of this kind.
fn decides(m: &Model, entry: NodeId, facts: &[Cell], kind: &dyn Fn(&First) -> bool) -> Option<String> {
    first_decisions(m, entry, facts).into_iter().find(|d| kind(d)).map(|d| d.says(m))
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
