//! Two fact vectors that one question to Z3 compares, and their replay by the reference interpreter (MODEL.md section 8).
//!
//! The two agree in every cell but those that the law lets differ. What Z3 finds is read back as two whole vectors; each
//! is replayed, and an answer that the reference interpreter does not give is no counterexample.

use super::smt::{self, Cells, Question, Term};
use super::witness;
use crate::graph::{Cond, narrow};
use crate::model::{Cell, FactId, Latch, Model, RoadId, Truth, Type};
use crate::monitor::is_eligible;
use roadlaw_grammar::diagnostic::WitnessFact;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use z3::ast::{Bool, Int};

/// How the second vector may differ from the first, in the cells that may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Differs {
    /// What is unknown in the first may be known in the second.
    Completed,
    /// It is worse: heavier, a higher class, more labels, lineage lost.
    Worse,
    /// In any way.
    Freely,
}

/// Two fact vectors.
pub(crate) struct TwoRuns<'m> {
    pub(crate) model: &'m Model,
    /// The question; laws assert what would break them.
    pub(crate) solver: Rc<Question>,
    differ: BTreeSet<FactId>,
    how: Differs,
    one: BTreeMap<FactId, Term>,
    two: BTreeMap<FactId, Term>,
    second: bool,
}

impl<'m> TwoRuns<'m> {
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

    /// `differ`: the cells that may differ, and how; all others agree.
    pub(crate) fn new(model: &'m Model, how: Differs, differ: &BTreeSet<FactId>) -> Self {
        Self {
            model,
            solver: smt::question(),
            differ: differ.clone(),
            how,
            one: BTreeMap::new(),
            two: BTreeMap::new(),
            second: false,
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

    /// The condition under the first vector.
    pub(crate) fn first(&mut self, c: &Cond) -> Bool {
        self.second = false;
        smt::cond(c, self)
    }

    /// The condition under the second vector.
    pub(crate) fn second(&mut self, c: &Cond) -> Bool {
        self.second = true;
        smt::cond(c, self)
    }

    /// The two vectors of the last answer, whole. Cells that nothing asked for are unknown, latches open.
    pub(crate) fn vectors(&self) -> Option<[Vec<Cell>; 2]> {
        let model = self.solver.get_model()?;
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
        let mut out = [self.unasked(), self.unasked()];
        for (f, t) in &self.one {
            out[0][f.index()] = read(t, *f);
        }
        for (f, t) in &self.two {
            out[1][f.index()] = read(t, *f);
        }
        Some(out)
    }

    fn unasked(&self) -> Vec<Cell> {
        let one = |f: &crate::model::Fact| match f.latch {
            None => Cell::Unknown,
            Some(Latch::Left(c)) => Cell::Known(i64::from(self.model.counters[c.index()].max)),
            Some(_) => Cell::Known(0),
        };
        self.model.facts.iter().map(one).collect()
    }
}

/// The answers that two vectors give, each with what is said of it.
pub(crate) struct Answers {
    /// First the facts in which the two differ, then those shared ones without which the answers would not be these.
    pub(crate) facts: [Vec<WitnessFact>; 2],
    /// The cells in which they differ.
    pub(crate) differ: BTreeSet<FactId>,
    /// What each gives.
    pub(crate) said: [String; 2],
}

impl Answers {
    /// The cells in which the two differ, for a sentence.
    pub(crate) fn names(&self, m: &Model) -> String {
        self.differ.iter().map(|f| format!("`{}`", m.fact(*f).name)).collect::<Vec<_>>().join(", ")
    }
}

/// Replays both vectors: `None` where one does not give its answer. `first` and `second` say what a vector gives if it
/// is what the law was broken by. A fact that can be taken away (made unknown in both) without a change is not shown.
pub(crate) fn replay(
    m: &Model,
    vectors: &[Vec<Cell>; 2],
    first: &dyn Fn(&[Cell]) -> Option<String>,
    second: &dyn Fn(&[Cell]) -> Option<String>,
) -> Option<Answers> {
    let said = [first(&vectors[0])?, second(&vectors[1])?];
    let mut least = vectors.clone();
    for (i, fact) in m.facts.iter().enumerate() {
        let known = least.iter().any(|v| v[i] != Cell::Unknown);
        if fact.latch.is_some() || !known {
            continue;
        }
        let before = [least[0][i], least[1][i]];
        least.iter_mut().for_each(|v| v[i] = Cell::Unknown);
        if first(&least[0]).as_ref() != Some(&said[0]) || second(&least[1]).as_ref() != Some(&said[1]) {
            (least[0][i], least[1][i]) = (before[0], before[1]);
        }
    }
    let all = || (0..m.facts.len()).map(|i| FactId(narrow(i)));
    let apart = |f: &FactId| least[0][f.index()] != least[1][f.index()];
    let shared = |f: &FactId| !apart(f) && m.fact(*f).latch.is_none() && least[0][f.index()] != Cell::Unknown;
    let shown: Vec<FactId> = all().filter(apart).chain(all().filter(shared)).collect();
    let out = [0, 1].map(|i| shown.iter().map(|f| witness::fact(m, *f, least[i][f.index()])).collect());
    let differ = all().filter(apart).collect();
    Some(Answers { facts: out, differ, said })
}

/// What a vector gives if the road is eligible (or, with `open` false, if it is not).
pub(crate) fn eligibility(m: &Model, r: RoadId, open: bool, facts: &[Cell]) -> Option<String> {
    let road = m.road(r);
    if is_eligible(m, r, facts) != open {
        return None;
    }
    if open {
        return Some(format!("`{}` is eligible", road.name));
    }
    let filter = road.filters.iter().find(|f| f.guard.eval(m, facts) != Truth::True);
    Some(
        filter.map_or_else(
            || format!("`{}` is closed", road.name),
            |f| format!("`{}` is closed by `{}`", road.name, f.name),
        ),
    )
}

impl Cells for TwoRuns<'_> {
    fn term(&mut self, f: FactId) -> Term {
        if !self.one.contains_key(&f) {
            let a = smt::fresh(self.model, &self.solver, f, 0);
            let b = if self.differ.contains(&f) && self.model.fact(f).latch.is_none() {
                let b = smt::fresh(self.model, &self.solver, f, 1);
                match self.how {
                    Differs::Freely => {}
                    Differs::Worse => self.solver.assert(self.not_better(f, &a, &b)),
                    Differs::Completed => {
                        // Known stays as it is; unknown may become anything known, or stay.
                        let mut same = vec![b.unknown.not(), b.value.eq(&a.value)];
                        same.extend(a.labels.iter().zip(&b.labels).map(|(x, y)| x.iff(y)));
                        self.solver.assert(a.unknown.not().implies(smt::and(&same)));
                    }
                }
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
