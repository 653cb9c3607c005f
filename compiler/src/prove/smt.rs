//! Conditions as Z3 terms. Written against the model's meaning alone: nothing of the decision-diagram encoding is used,
//! but to state what a diagram's variable means when an invariant is checked.

use super::space::{Meaning, Space};
use crate::graph::Cond;
use crate::model::{Cell, FactId, Guard, Model, Type, Value};
use biodivine_lib_bdd::Bdd;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use z3::ast::{Bool, Int};
use z3::{Params, SatResult, Solver};

/// Resources that one query may use; the count does not depend on the machine. Beyond it the answer is undecided.
const RESOURCES: u32 = 60_000_000;

/// A solver's answer. There is no fourth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Neither was shown.
    Undecided,
}

thread_local! {
    /// Solvers that no question uses: making one costs more than most answers.
    static IDLE: RefCell<Vec<Rc<Solver>>> = const { RefCell::new(Vec::new()) };
}

/// A solver that knows nothing yet. What is asserted is taken back when the question is dropped.
pub(crate) struct Question(Rc<Solver>);

impl std::ops::Deref for Question {
    type Target = Solver;
    fn deref(&self) -> &Solver {
        &self.0
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.0.pop(1);
        IDLE.with_borrow_mut(|idle| idle.push(Rc::clone(&self.0)));
    }
}

/// A new question, to a solver with fixed seeds and a resource limit for each answer. Shared by reference: `Solver::clone`
/// would copy its assertions.
pub(crate) fn question() -> Rc<Question> {
    let s = IDLE.with_borrow_mut(Vec::pop).unwrap_or_else(|| {
        let s = Solver::new();
        let mut p = Params::new();
        p.set_u32("random_seed", 0);
        p.set_u32("rlimit", RESOURCES);
        s.set_params(&p);
        Rc::new(s)
    });
    s.push();
    Rc::new(Question(s))
}

/// Does work in a Z3 context of its own, so that answers never depend on what was asked before it.
pub(crate) fn alone<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    let idle = IDLE.take();
    let result = z3::with_z3_config(&z3::Config::new(), || {
        let result = work();
        // These solvers belong to the context that ends here.
        IDLE.take();
        result
    });
    IDLE.set(idle);
    result
}

/// Who answers: Z3, or in tests somebody worse.
pub(crate) trait Oracle {
    /// Whether what was asserted can hold under the assumptions.
    fn check(&self, s: &Solver, assumptions: &[Bool]) -> SatResult {
        s.check_assumptions(assumptions)
    }

    /// A model, after `Sat`.
    fn model(&self, s: &Solver) -> Option<z3::Model> {
        s.get_model()
    }

    /// Assumptions that cannot hold together, after `Unsat`.
    fn core(&self, s: &Solver) -> Vec<Bool> {
        s.get_unsat_core()
    }
}

struct Z3;

impl Oracle for Z3 {}

thread_local! {
    static ORACLE: RefCell<Rc<dyn Oracle>> = RefCell::new(Rc::new(Z3));
}

/// Lets somebody else answer while the work is done.
#[cfg(test)]
pub(crate) fn answered_by<R>(oracle: Rc<dyn Oracle>, work: impl FnOnce() -> R) -> R {
    let before = ORACLE.replace(oracle);
    let result = work();
    ORACLE.set(before);
    result
}

/// Asks, with assumptions. A solver that dies in its own code has answered nothing.
pub(crate) fn ask(s: &Solver, assumptions: &[Bool]) -> Answer {
    let oracle = ORACLE.with_borrow(Rc::clone);
    match catch_unwind(AssertUnwindSafe(|| oracle.check(s, assumptions))) {
        Ok(SatResult::Sat) => Answer::Sat,
        Ok(SatResult::Unsat) => Answer::Unsat,
        Ok(SatResult::Unknown) | Err(_) => Answer::Undecided,
    }
}

/// The model of the last answer, which was `Sat`.
pub(crate) fn model_of(s: &Solver) -> Option<z3::Model> {
    ORACLE.with_borrow(Rc::clone).model(s)
}

/// The names of the assumptions that the last answer, which was `Unsat`, needs.
pub(crate) fn core_of(s: &Solver) -> BTreeSet<String> {
    ORACLE.with_borrow(Rc::clone).core(s).iter().map(ToString::to_string).collect()
}

/// One content of one cell: the terms that stand for it.
#[derive(Clone)]
pub(crate) struct Term {
    /// The value (for sets unused).
    pub(crate) value: Int,
    /// The labels of a set, or a bool.
    pub(crate) labels: Vec<Bool>,
    /// The value less the least one, in binary, least bit first, where it is made of bits; else empty.
    pub(crate) bits: Vec<Bool>,
    /// It is unknown.
    pub(crate) unknown: Bool,
}

/// A fresh content for a cell, with its domain asserted.
pub(crate) fn fresh(model: &Model, s: &Solver, f: FactId, version: usize) -> Term {
    let fact = model.fact(f);
    let name = format!("f{}_{version}", f.0);
    let unknown =
        if fact.latch.is_some() { Bool::from_bool(false) } else { Bool::new_const(format!("{name}u").as_str()) };
    let bits = |n: usize| (0..n).map(|i| Bool::new_const(format!("{name}l{i}").as_str())).collect::<Vec<_>>();
    let (lo, hi) = match &fact.ty {
        Type::Bool => {
            // A propositional variable: most cells are bools, and arithmetic would cost most of the time.
            let labels = bits(1);
            let value = labels[0].ite(&Int::from_i64(1), &Int::from_i64(0));
            return Term { value, labels, bits: Vec::new(), unknown };
        }
        Type::Set(n) => {
            return Term { value: Int::from_i64(0), labels: bits(n.len()), bits: Vec::new(), unknown };
        }
        Type::Enum(n) | Type::Level(n) => (0, i64::try_from(n.len()).unwrap_or(1) - 1),
        Type::Int { lo, hi } => (i64::from(*lo), i64::from(*hi)),
    };
    if model.compared.contains(&f) {
        // Diagrams keep the bits of such a number, and reading bits off an integer costs far more than summing them up.
        let bits = bits((64 - (hi - lo).leading_zeros()) as usize);
        let weighed = bits.iter().enumerate().map(|(i, b)| b.ite(&Int::from_i64(1_i64 << i), &Int::from_i64(0)));
        let value = weighed.fold(Int::from_i64(lo), |sum, bit| sum + bit);
        s.assert(value.le(Int::from_i64(hi)));
        return Term { value, labels: Vec::new(), bits, unknown };
    }
    let value = Int::new_const(name.as_str());
    s.assert(and(&[value.ge(Int::from_i64(lo)), value.le(Int::from_i64(hi))]));
    Term { value, labels: Vec::new(), bits: Vec::new(), unknown }
}

/// Reads a cell's term; cells that were never asked for are made on demand.
pub(crate) trait Cells {
    /// The term of the cell now.
    fn term(&mut self, f: FactId) -> Term;
    /// The model.
    fn model(&self) -> &Model;
}

/// The condition as a term.
pub(crate) fn cond(c: &Cond, cells: &mut dyn Cells) -> Bool {
    match c {
        Cond::True => Bool::from_bool(true),
        Cond::False => Bool::from_bool(false),
        Cond::Holds(g) => guard(g, cells).0,
        Cond::Not(c) => cond(c, cells).not(),
        Cond::And(cs) => and(&cs.iter().map(|c| cond(c, cells)).collect::<Vec<_>>()),
        Cond::Or(cs) => or(&cs.iter().map(|c| cond(c, cells)).collect::<Vec<_>>()),
    }
}

pub(crate) fn and(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(true),
        [one] => one.clone(),
        _ => Bool::and(parts),
    }
}

pub(crate) fn or(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(false),
        [one] => one.clone(),
        _ => Bool::or(parts),
    }
}

/// (is true, is false).
fn guard(g: &Guard, cells: &mut dyn Cells) -> (Bool, Bool) {
    let known = |t: Bool, readable: &Bool| (and(&[readable.clone(), t.clone()]), and(&[readable.clone(), t.not()]));
    match g {
        Guard::True => (Bool::from_bool(true), Bool::from_bool(false)),
        Guard::False => (Bool::from_bool(false), Bool::from_bool(true)),
        Guard::Not(g) => {
            let (t, f) = guard(g, cells);
            (f, t)
        }
        Guard::And(gs) => {
            let (t, f): (Vec<_>, Vec<_>) = gs.iter().map(|g| guard(g, cells)).unzip();
            (and(&t), or(&f))
        }
        Guard::Or(gs) => {
            let (t, f): (Vec<_>, Vec<_>) = gs.iter().map(|g| guard(g, cells)).unzip();
            (or(&t), and(&f))
        }
        Guard::Unknown(f) => {
            let u = cells.term(*f).unknown;
            (u.clone(), u.not())
        }
        Guard::In(f, vs) => {
            let (x, readable) = read(*f, cells);
            known(or(&vs.iter().map(|v| x.eq(Int::from_i64(*v))).collect::<Vec<_>>()), &readable)
        }
        Guard::Range(f, lo, hi) => {
            let (x, readable) = read(*f, cells);
            let inside = and(&[x.ge(Int::from_i64(i64::from(*lo))), x.le(Int::from_i64(i64::from(*hi)))]);
            known(inside, &readable)
        }
        Guard::Diff { left, right, plus } => {
            let (a, ra) = read(*left, cells);
            let (b, rb) = read(*right, cells);
            known(a.le(b + Int::from_i64(i64::from(*plus))), &and(&[ra, rb]))
        }
        Guard::HasAny(f, mask) => labels(*f, *mask, cells, or),
        Guard::HasAll(f, mask) => labels(*f, *mask, cells, and),
    }
}

/// The value that a guard reads, and whether there is one.
fn read(f: FactId, cells: &mut dyn Cells) -> (Int, Bool) {
    let t = cells.term(f);
    match cells.model().fact(f).unknown {
        Some(v) => (t.unknown.ite(&Int::from_i64(v), &t.value), Bool::from_bool(true)),
        None => (t.value, t.unknown.not()),
    }
}

fn labels(f: FactId, mask: u64, cells: &mut dyn Cells, join: fn(&[Bool]) -> Bool) -> (Bool, Bool) {
    let t = cells.term(f);
    let has: Vec<Bool> = (0..t.labels.len()).filter(|i| mask >> i & 1 == 1).map(|i| t.labels[i].clone()).collect();
    let value = join(&has);
    let known = t.unknown.not();
    let (yes, no) = (and(&[known.clone(), value.clone()]), and(&[known, value.not()]));
    match cells.model().fact(f).unknown {
        None => (yes, no),
        Some(strict) => {
            let bits: Vec<Bool> = (0..t.labels.len())
                .filter(|i| mask >> i & 1 == 1)
                .map(|i| Bool::from_bool(strict >> i & 1 == 1))
                .collect();
            let s = join(&bits);
            (or(&[yes, and(&[t.unknown.clone(), s.clone()])]), or(&[no, and(&[t.unknown, s.not()])]))
        }
    }
}

/// A decision diagram as a term: what each of its variables means is read off the space, the rest is if-then-else.
pub(crate) fn diagram(b: &Bdd, space: &Space<'_>, cells: &mut dyn Cells) -> Bool {
    if let Some(v) = b.as_bool() {
        return Bool::from_bool(v);
    }
    let mut done: BTreeMap<usize, Bool> = BTreeMap::new();
    for p in b.pointers() {
        let term = if p.is_zero() {
            Bool::from_bool(false)
        } else if p.is_one() {
            Bool::from_bool(true)
        } else {
            let test = match space.meaning(b.var_of(p)) {
                Some((f, m)) => meaning(f, &m, cells),
                None => Bool::from_bool(false),
            };
            let low = done[&b.low_link_of(p).to_index()].clone();
            let high = done[&b.high_link_of(p).to_index()].clone();
            test.ite(&high, &low)
        };
        done.insert(p.to_index(), term);
    }
    done[&b.root_pointer().to_index()].clone()
}

fn meaning(f: FactId, m: &Meaning, cells: &mut dyn Cells) -> Bool {
    let t = cells.term(f);
    let strict = cells.model().fact(f).unknown;
    match m {
        Meaning::Unknown => t.unknown,
        Meaning::Label(i, None) => t.labels[*i].clone(),
        Meaning::Label(i, Some(v)) => t.unknown.ite(&Bool::from_bool(v >> i & 1 == 1), &t.labels[*i]),
        Meaning::Bit { lo, bit, strict } if *bit < t.bits.len() => match strict {
            Some(v) => t.unknown.ite(&Bool::from_bool((v - lo) >> bit & 1 == 1), &t.bits[*bit]),
            None => t.bits[*bit].clone(),
        },
        Meaning::Bit { lo, bit, strict } => {
            let value = strict.map_or(t.value.clone(), |v| t.unknown.ite(&Int::from_i64(v), &t.value));
            let shifted = (value - Int::from_i64(*lo)).div(Int::from_i64(1_i64 << bit));
            shifted.modulo(Int::from_i64(2)).eq(Int::from_i64(1))
        }
        Meaning::Classes(some, all) => {
            let has_unknown = all.contains(&Cell::Unknown);
            // Without a class of its own, unknown reads as the strict value.
            let value = match strict {
                Some(v) if !has_unknown => t.unknown.ite(&Int::from_i64(v), &t.value),
                _ => t.value.clone(),
            };
            let numbers: Vec<Value> =
                all.iter().filter_map(|c| if let Cell::Known(v) = c { Some(*v) } else { None }).collect();
            let is_int = matches!(cells.model().fact(f).ty, Type::Int { .. });
            let parts: Vec<Bool> = some
                .iter()
                .map(|c| match c {
                    Cell::Unknown => t.unknown.clone(),
                    Cell::Known(v) => {
                        let mut is =
                            vec![if is_int { value.ge(Int::from_i64(*v)) } else { value.eq(Int::from_i64(*v)) }];
                        if is_int && let Some(next) = numbers.iter().find(|n| *n > v) {
                            is.push(value.lt(Int::from_i64(*next)));
                        }
                        if has_unknown {
                            is.push(t.unknown.not());
                        }
                        and(&is)
                    }
                })
                .collect();
            or(&parts)
        }
    }
}
