//! Z3 checks what the fixpoint found: the entry holds, every step preserves it, no open obligation is broken by it.
//!
//! One query per track: the disjunction of all ways in which the invariant could fail, over the exact conditions of the
//! edges (not the projections that the fixpoint used).

use super::fixpoint::Context;
use super::path::Versions;
use super::product::{Product, Sites};
use super::smt::{self, Answer, Cells, Question};
use crate::graph::Write;
use crate::laws::track::When;
use crate::model::{FactId, Latch};
use biodivine_lib_bdd::Bdd;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use z3::ast::{Bool, Int};

/// Unsat: the invariant is inductive and excludes every bad step of `open`.
pub(crate) fn check(
    cx: &Context<'_, '_>,
    product: &Product,
    slice: &BTreeSet<usize>,
    open: &Sites,
    kept: &BTreeSet<FactId>,
    sets: &[Bdd],
    free: bool,
) -> Answer {
    smt::ask(&query(cx, product, slice, open, kept, sets, free), &[])
}

/// The question: all ways in which the invariant could fail.
pub(crate) fn query(
    cx: &Context<'_, '_>,
    product: &Product,
    slice: &BTreeSet<usize>,
    open: &Sites,
    kept: &BTreeSet<FactId>,
    sets: &[Bdd],
    free: bool,
) -> Rc<Question> {
    let solver = smt::question();
    let m = cx.graph.model;
    let mut ways: Vec<Bool> = Vec::new();
    let mut used = 1;
    if !sets[0].is_true() {
        let mut vs = Versions::new(m, Rc::clone(&solver));
        let mut parts = vec![smt::diagram(&sets[0], cx.space, &mut vs).not()];
        for f in kept {
            if let Some(Latch::Left(c)) = m.fact(*f).latch {
                parts.push(vs.term(*f).value.eq(Int::from_i64(i64::from(m.counters[c.index()].max))));
            }
        }
        ways.push(smt::and(&parts));
    }
    let mut bad_at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (step, bad) in open.values().flatten() {
        bad_at.entry(*step).or_default().push(*bad);
    }
    for i in slice {
        let step = &product.steps[*i];
        let from = &sets[step.from];
        let to = &sets[step.to];
        let bads = bad_at.get(i).cloned().unwrap_or_default();
        if from.is_false() || (to.is_true() && bads.is_empty()) {
            continue;
        }
        let mut vs = Versions::new(m, Rc::clone(&solver)).continue_from(used);
        let mut parts = vec![smt::diagram(from, cx.space, &mut vs)];
        for f in cx.before(step.edge, free) {
            vs.refresh(*f, 1);
        }
        for c in cx.relevant(step.edge, kept) {
            parts.push(smt::cond(&cx.graph.effect(step.edge).open[c], &mut vs));
        }
        let mut broken: Vec<Bool> = bads
            .iter()
            .map(|b| &step.bad[*b])
            .filter(|b| b.when == When::Edge)
            .map(|b| smt::cond(&b.cond, &mut vs))
            .collect();
        let mut branches: Vec<(Vec<Bool>, Versions<'_>)> = Vec::new();
        let one_of = step.writes.iter().find_map(|w| match w {
            Write::SetOneOf(fs) => Some(fs.clone()),
            _ => None,
        });
        let choices = one_of.map_or_else(|| vec![None], |fs| fs.into_iter().map(Some).collect());
        for choice in choices {
            let mut branch = Versions::new(m, Rc::clone(&solver)).continue_from(vs.used());
            branch.clone_from_versions(&vs);
            for w in &step.writes {
                match w {
                    Write::Set(f, v) => branch.write(*f, 2, Int::from_i64(*v)),
                    Write::Decrement(f) => {
                        let now = branch.term(*f).value - Int::from_i64(1);
                        branch.write(*f, 2, now);
                    }
                    Write::SetOneOf(_) => {
                        if let Some(f) = choice {
                            branch.write(f, 2, Int::from_i64(1));
                        }
                    }
                }
            }
            for f in &cx.graph.effect(step.edge).after {
                branch.refresh(*f, 2);
            }
            let mut fails: Vec<Bool> = bads
                .iter()
                .map(|b| &step.bad[*b])
                .filter(|b| b.when == When::Entry)
                .map(|b| smt::cond(&b.cond, &mut branch))
                .collect();
            if !to.is_true() {
                fails.push(smt::diagram(to, cx.space, &mut branch).not());
            }
            used = used.max(branch.used());
            branches.push((fails, branch));
        }
        broken.extend(branches.into_iter().flat_map(|(f, _)| f));
        parts.push(smt::or(&broken));
        ways.push(smt::and(&parts));
        used = used.max(vs.used());
    }
    solver.assert(smt::or(&ways));
    solver
}
