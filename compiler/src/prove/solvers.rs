//! Solvers that are silent, die, lie or give up: a proof needs both engines, and a refutation a run that replays. Whatever the
//! solver does, a bad policy is never proved, and a right one never rejected.

use super::smt::{Oracle, answered_by};
use super::{Verdict, prove};
use crate::lower::{Input, lower};
use crate::model::Model;
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use z3::ast::Bool;
use z3::{SatResult, Solver};

/// Says nothing at all: no answer, no model, no core.
struct Silent;

impl Oracle for Silent {
    fn check(&self, _: &Solver, _: &[Bool]) -> SatResult {
        SatResult::Unknown
    }
    fn model(&self, _: &Solver) -> Option<z3::Model> {
        None
    }
    fn core(&self, _: &Solver) -> Vec<Bool> {
        Vec::new()
    }
}

/// Answers so often, and then never again.
struct Dying(Cell<usize>);

impl Oracle for Dying {
    fn check(&self, s: &Solver, a: &[Bool]) -> SatResult {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                s.check_assumptions(a)
            }
            None => std::panic::resume_unwind(Box::new("the solver is gone")),
        }
    }
}

/// Says `unsat` so often, whatever it is asked, and dies.
struct UnsatThenDeath(Cell<usize>);

impl Oracle for UnsatThenDeath {
    fn check(&self, _: &Solver, _: &[Bool]) -> SatResult {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                SatResult::Unsat
            }
            None => std::panic::resume_unwind(Box::new("the solver is gone")),
        }
    }
    fn core(&self, _: &Solver) -> Vec<Bool> {
        Vec::new()
    }
}

/// Says the same, whatever it is asked.
struct Always(SatResult);

impl Oracle for Always {
    fn check(&self, _: &Solver, _: &[Bool]) -> SatResult {
        self.0
    }
    fn model(&self, _: &Solver) -> Option<z3::Model> {
        empty_model()
    }
    fn core(&self, _: &Solver) -> Vec<Bool> {
        Vec::new()
    }
}

/// Answers the opposite.
struct Contrary;

impl Oracle for Contrary {
    fn check(&self, s: &Solver, a: &[Bool]) -> SatResult {
        match s.check_assumptions(a) {
            SatResult::Sat => SatResult::Unsat,
            SatResult::Unsat => SatResult::Sat,
            SatResult::Unknown => SatResult::Unknown,
        }
    }
    fn model(&self, _: &Solver) -> Option<z3::Model> {
        empty_model()
    }
    fn core(&self, _: &Solver) -> Vec<Bool> {
        Vec::new()
    }
}

/// Right answers, with the model of something else.
struct WrongModel;

impl Oracle for WrongModel {
    fn model(&self, _: &Solver) -> Option<z3::Model> {
        empty_model()
    }
}

/// `sat`, and then no model.
struct NoModel;

impl Oracle for NoModel {
    fn model(&self, _: &Solver) -> Option<z3::Model> {
        None
    }
}

/// A limit that the real solver runs into at once: the same as one that hangs, since limits are counts.
struct Limited(&'static str, u32);

impl Oracle for Limited {
    fn check(&self, s: &Solver, a: &[Bool]) -> SatResult {
        let mut p = z3::Params::new();
        p.set_u32(self.0, self.1);
        let own = Solver::new();
        for f in s.get_assertions() {
            own.assert(&f);
        }
        own.set_params(&p);
        own.check_assumptions(a)
    }
}

fn empty_model() -> Option<z3::Model> {
    let s = Solver::new();
    let _ = s.check();
    s.get_model()
}

/// A policy of the repository. Those that the lowering refuses never reach a solver.
fn policy(path: &str) -> Option<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    let bytes = std::fs::read(&path).expect("a policy");
    let lowered = lower(Input { name: "p.road".into(), bytes, root: path.parent().map(Path::to_owned) });
    lowered.model
}

const RIGHT: [&str; 3] = [
    "examples/first-eligible.road",
    "tests/accepted/never-both-costs.road",
    "tests/accepted/nothing-happened-then-another.road",
];

const BAD: [&str; 8] = [
    "examples/bad/answer-taken-raw.road",
    "examples/bad/permission-forgotten.road",
    "examples/bad/unknown-opens.road",
    "examples/bad/urgent-goes-uncut.road",
    "examples/bad/silent-provider.road",
    "examples/bad/dead-road.road",
    "examples/bad/broken-promise.road",
    "tests/laws/RL404/not_internal.bad.road",
];

/// What becomes of the policies with this solver.
fn verdicts(oracle: impl Fn() -> Rc<dyn Oracle>) -> Vec<Verdict> {
    let mut all = Vec::new();
    for path in RIGHT {
        let m = policy(path).expect("a model");
        let v = answered_by(oracle(), || prove(&m)).verdict;
        assert_ne!(v, Verdict::Rejected, "{path} is right");
        all.push(v);
    }
    for path in BAD {
        let m = policy(path).unwrap_or_else(|| panic!("{path} makes no model"));
        let v = answered_by(oracle(), || prove(&m));
        assert_ne!(v.verdict, Verdict::Proved, "{path} is bad");
        assert!(v.proof.is_none(), "{path}");
        all.push(v.verdict);
    }
    all
}

#[test]
fn the_real_solver_decides_each_of_them() {
    struct Real;
    impl Oracle for Real {}
    let all = verdicts(|| Rc::new(Real));
    assert!(!all.contains(&Verdict::Undecided), "{all:?}");
}

#[test]
fn a_silent_solver_decides_nothing() {
    let all = verdicts(|| Rc::new(Silent));
    assert!(all.iter().all(|v| *v == Verdict::Undecided), "{all:?}");
}

#[test]
fn a_solver_that_dies_leaves_things_undecided() {
    for answers in [0, 1, 2, 5, 20, 60] {
        verdicts(|| Rc::new(Dying(Cell::new(answers))));
        verdicts(|| Rc::new(UnsatThenDeath(Cell::new(answers))));
    }
}

#[test]
fn a_solver_that_lies_proves_nothing_bad() {
    verdicts(|| Rc::new(Always(SatResult::Unsat)));
    verdicts(|| Rc::new(Always(SatResult::Sat)));
    verdicts(|| Rc::new(Contrary));
}

#[test]
fn a_wrong_model_or_none_refutes_nothing_right() {
    verdicts(|| Rc::new(WrongModel));
    verdicts(|| Rc::new(NoModel));
}

#[test]
fn a_solver_that_hangs_or_runs_out_of_memory_leaves_things_undecided() {
    let all = verdicts(|| Rc::new(Limited("rlimit", 1)));
    assert!(all.contains(&Verdict::Undecided), "{all:?}");
    verdicts(|| Rc::new(Limited("max_memory", 1)));
}
