//! Tables of `tests/cases`: the policies that are neither bad nor a twin. Their `test` blocks are named by the rows they
//! keep; what a block cannot say is said here, with the runtime.

use crate::support::{checked_text, folder};
use roadlaw_compiler::model::{Cell, Model, NodeId, NodeKind, Type};
use roadlaw_compiler::prove::Verdict;
use roadlaw_compiler::testing;
use roadlaw_runtime::format::{OK, OUTCOMES};
use roadlaw_runtime::{Facts, Latches, Run, RunError, Step, Table};

/// A proved policy and its table.
pub(crate) struct Built {
    pub(crate) model: Model,
    pub(crate) bytes: Vec<u8>,
}

/// Builds the table of `tests/cases/NAME.road`.
pub(crate) fn built(name: &str) -> Built {
    let path = folder().join(format!("{name}.road"));
    built_from(name, std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// Builds the table of a policy as it is written here.
pub(crate) fn built_from(name: &str, text: String) -> Built {
    let done = checked_text(name, text.into_bytes());
    assert_eq!(done.report.verdict, Verdict::Proved, "{name}: {:#?}", done.report.diagnostics);
    Built { model: done.model.expect("a model"), bytes: done.table.expect("a table") }
}

/// The `test` blocks of a row, run on the table of a policy: so many there are, and all pass.
pub(crate) fn blocks(policy: &str, id: &str, count: usize) {
    let b = built(policy);
    let tested = testing::run(&b.model, &b.bytes).expect("a table");
    let own: Vec<_> = tested.iter().filter(|t| t.name.split(' ').next() == Some(id)).collect();
    assert_eq!(own.len(), count, "{policy} has other tests for {id}");
    for t in own {
        assert!(t.failure.is_none(), "{policy}: {}: {:#?}", t.name, t.failure);
    }
}

/// The road that the first choose takes under the setting of a test block, `none` if it takes none.
pub(crate) fn chosen(b: &Built, block: &str) -> String {
    let t = Table::from_bytes(&b.bytes).expect("a table");
    let mut ride = Ride::new(&b.model, &t, block);
    while ride.run.decision(&t, &ride.facts).is_none() {
        ride.say("ok").expect("a step");
    }
    let road = ride.run.decision(&t, &ride.facts).and_then(|d| d.road());
    road.map_or_else(|| "none".to_owned(), |r| b.model.roads[r].name.clone())
}

/// A run that is driven by hand. It begins with the facts and latches of a `test` block.
pub(crate) struct Ride<'t> {
    pub(crate) model: &'t Model,
    pub(crate) table: &'t Table<'t>,
    pub(crate) facts: Facts,
    pub(crate) run: Run,
    /// Names of the nodes that were entered.
    pub(crate) passed: Vec<String>,
}

impl<'t> Ride<'t> {
    /// Starts with the setting of the first test block whose name begins like this.
    pub(crate) fn new(model: &'t Model, table: &'t Table<'t>, block: &str) -> Self {
        let t = model.tests.iter().find(|t| t.name.starts_with(block)).unwrap_or_else(|| panic!("no test {block}"));
        let run = Run::start_with(table, t.flow.index(), Latches::fresh(table)).expect("the flow");
        let mut ride = Self { model, table, facts: Facts::new(), run, passed: Vec::new() };
        for (fact, cell) in &t.facts {
            if let (None, Cell::Known(v)) = (model.fact(*fact).latch, *cell) {
                ride.set(&model.fact(*fact).name, v);
            }
        }
        ride
    }

    /// Sets a fact to a number, a truth (0, 1) or the number of a value.
    pub(crate) fn set(&mut self, fact: &str, value: i64) {
        let at = self.model.facts.iter().position(|f| f.name == fact).unwrap_or_else(|| panic!("no fact {fact}"));
        match self.model.facts[at].ty {
            Type::Bool => self.facts.set_bool(self.table, at, value == 1),
            Type::Enum(_) | Type::Level(_) => self.facts.set_value(self.table, at, u8::try_from(value).expect("small")),
            Type::Int { .. } => self.facts.set_int(self.table, at, i32::try_from(value).expect("small")),
            Type::Set(_) => self.facts.set_labels(self.table, at, value.cast_unsigned()),
        }
        .unwrap_or_else(|e| panic!("{fact}: {e}"));
    }

    /// The name of the node the run is at.
    pub(crate) fn at(&self) -> &'t str {
        &self.model.node(NodeId(u16::try_from(self.run.node()).expect("small").into())).name
    }

    /// One step, with fresh facts and every obligation met.
    pub(crate) fn say(&mut self, outcome: &str) -> Result<Step, RunError> {
        self.run.acknowledge(u32::MAX);
        self.say_unacknowledged(outcome)
    }

    /// One step, with fresh facts and the obligations as they stand.
    pub(crate) fn say_unacknowledged(&mut self, outcome: &str) -> Result<Step, RunError> {
        self.facts.set_epoch(self.run.epoch());
        let step = self.run.advance(self.table, self.run.generation(), code(outcome), &self.facts)?;
        self.passed.push(self.at().to_owned());
        Ok(step)
    }

    /// Every gate answers `ok` until a place is entered.
    pub(crate) fn go(&mut self, place: &str) -> &mut Self {
        for _ in 0..100 {
            if is(self.at(), place) {
                return self;
            }
            let waits = matches!(
                self.model.node(NodeId(u16::try_from(self.run.node()).expect("small").into())).kind,
                NodeKind::Send | NodeKind::Call | NodeKind::AwaitUser | NodeKind::AwaitExternal | NodeKind::Reconcile
            );
            assert!(!waits, "the run waits at {}, not at {place}: {:?}", self.at(), self.passed);
            self.say("ok").unwrap_or_else(|e| panic!("at {}: {e}: {:?}", self.at(), self.passed));
        }
        panic!("{place} is not reached: {:?}", self.passed)
    }

    /// One step with this outcome, then gates answer `ok` until a place is entered.
    pub(crate) fn then(&mut self, outcome: &str, place: &str) -> &mut Self {
        self.say(outcome).unwrap_or_else(|e| panic!("at {}: {e}: {:?}", self.at(), self.passed));
        self.go(place)
    }

    /// How often a node was entered.
    pub(crate) fn times(&self, node: &str) -> usize {
        self.passed.iter().filter(|n| is(n, node)).count()
    }

    /// Nothing moves the run any more.
    pub(crate) fn ended(&mut self) {
        let before = self.run;
        for outcome in OUTCOMES {
            assert_eq!(self.say(outcome), Err(RunError::Ended), "{outcome} at {}", self.at());
        }
        assert_eq!((self.run.node(), self.run.generation()), (before.node(), before.generation()));
    }
}

/// A node by its name, in whatever copy of a lane.
fn is(node: &str, name: &str) -> bool {
    node.strip_suffix(name).is_some_and(|lane| lane.is_empty() || lane.ends_with('.'))
}

/// The code of an outcome.
pub(crate) fn code(outcome: &str) -> u8 {
    let at = OUTCOMES.iter().position(|w| *w == outcome).unwrap_or_else(|| panic!("no outcome {outcome}"));
    let code = u8::try_from(at).expect("small");
    assert_eq!(outcome == "ok", code == OK);
    code
}
