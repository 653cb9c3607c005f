//! `test` blocks of a policy, run on its table through the runtime: what is tested is what ships.
//!
//! Between two expectations every gate answers `ok` until the expected place is entered. Nothing answers by itself at a send,
//! a call, a wait, a reconciliation, a review or a repair: there the test says what happened.

use crate::model::{Cell, Expect, Latch, Model, NodeId, NodeKind, Outcome, RoadId, Test, Type};
use roadlaw_grammar::diagnostic::Diagnostic;
use roadlaw_runtime::format::{OK, OUTCOMES};
use roadlaw_runtime::{Closed, Facts, FactsError, Latches, Run, RunError, Table, TableError};

/// What became of one test block.
#[derive(Debug)]
pub struct Tested {
    /// Its name.
    pub name: String,
    /// Why it failed (T001); `None` if it passed.
    pub failure: Option<Diagnostic>,
}

/// Steps after which a run is taken to go in circles.
const LONGEST: usize = 100_000;

/// Runs all tests of a policy on its table, in source order.
///
/// # Errors
/// The bytes are no table.
pub fn run(model: &Model, bytes: &[u8]) -> Result<Vec<Tested>, TableError> {
    let table = Table::from_bytes(bytes)?;
    Ok(model
        .tests
        .iter()
        .map(|t| Tested { name: t.name.clone(), failure: test(model, &table, t).err().map(|d| *d) })
        .collect())
}

type Failure = Box<Diagnostic>;

struct Driver<'m, 't> {
    model: &'m Model,
    table: &'t Table<'t>,
    facts: Facts,
    run: Run,
    /// Nodes entered since the last expectation.
    visited: Vec<usize>,
    /// Chooses that decided since the last expectation, and for which road.
    chosen: Vec<(usize, usize)>,
    /// The choose that decided last, with the latches it saw.
    decided: Option<(usize, Latches)>,
}

fn test(m: &Model, table: &Table<'_>, t: &Test) -> Result<(), Failure> {
    let start =
        |e: String| Box::new(Diagnostic::error("T001", t.span, format!("test \"{}\" cannot start: {e}", t.name)));
    let mut facts = Facts::new();
    let mut latches = Latches::fresh(table);
    for (f, cell) in &t.facts {
        match (m.fact(*f).latch, *cell) {
            (None, Cell::Unknown) => {}
            (None, Cell::Known(v)) => set(m, table, &mut facts, f.index(), v).map_err(|e| start(e.to_string()))?,
            (Some(_), Cell::Known(v)) => latches = latches.with_cell(table, f.index(), v),
            // An unknown latch is its closed end: nothing left; tried, judged, consumed.
            (Some(Latch::Left(_)), Cell::Unknown) => latches = latches.with_cell(table, f.index(), 0),
            (Some(_), Cell::Unknown) => latches = latches.with_cell(table, f.index(), 1),
        }
    }
    let run = Run::start_with(table, t.flow.index(), latches).map_err(|e| start(e.to_string()))?;
    let mut driver =
        Driver { model: m, table, facts, run, visited: vec![run.node()], chosen: Vec::new(), decided: None };
    for (given, expect) in &t.steps {
        if let Some(outcome) = given {
            driver.visited.clear();
            driver.chosen.clear();
            driver.advance(code(*outcome)).map_err(|e| driver.failed(t, expect, &refusal(e, outcome.word())))?;
        }
        driver.reach(t, expect)?;
        driver.compare(t, expect)?;
    }
    Ok(())
}

fn code(o: Outcome) -> u8 {
    OUTCOMES.iter().position(|w| *w == o.word()).and_then(|i| u8::try_from(i).ok()).unwrap_or(u8::MAX)
}

fn refusal(e: RunError, outcome: &str) -> String {
    match e {
        RunError::Outcome => format!("the run is at a node that cannot have the outcome `{outcome}`"),
        e => format!("the run refuses `{outcome}`: {e}"),
    }
}

fn set(m: &Model, table: &Table<'_>, facts: &mut Facts, at: usize, value: i64) -> Result<(), FactsError> {
    match m.facts[at].ty {
        Type::Bool => facts.set_bool(table, at, value == 1),
        Type::Enum(_) | Type::Level(_) => {
            facts.set_value(table, at, u8::try_from(value).map_err(|_| FactsError::Domain)?)
        }
        Type::Set(_) => facts.set_labels(table, at, value.cast_unsigned()),
        Type::Int { .. } => facts.set_int(table, at, i32::try_from(value).map_err(|_| FactsError::Domain)?),
    }
}

impl Driver<'_, '_> {
    fn node(&self) -> NodeId {
        NodeId(crate::graph::narrow(self.run.node()))
    }

    fn advance(&mut self, outcome: u8) -> Result<(), RunError> {
        self.run.acknowledge(u32::MAX);
        self.facts.set_epoch(self.run.epoch());
        if let Some(choose) = self.table.node(self.run.node()).and_then(|n| n.choose()) {
            self.decided = Some((choose, *self.run.latches()));
            let road = self.table.choose_with(choose, &self.facts, self.run.latches()).road();
            self.chosen.extend(road.map(|r| (self.run.node(), r)));
        }
        let step = self.run.advance(self.table, self.run.generation(), outcome, &self.facts)?;
        self.visited.push(step.node);
        Ok(())
    }

    /// Gates answer `ok` until the expected place is entered.
    fn reach(&mut self, t: &Test, expect: &Expect) -> Result<(), Failure> {
        for _ in 0..LONGEST {
            let here = self.node();
            if expect.places.contains(&here) {
                return Ok(());
            }
            let kind = &self.model.node(here).kind;
            if kind.is_terminal() {
                return Err(self.failed(t, expect, "the run ends elsewhere"));
            }
            if waits(kind) {
                return Err(self.failed(t, expect, "the run waits elsewhere for an outcome"));
            }
            self.advance(OK).map_err(|e| self.failed(t, expect, &refusal(e, "ok")))?;
        }
        Err(self.failed(t, expect, "the run goes in circles"))
    }

    fn compare(&self, t: &Test, expect: &Expect) -> Result<(), Failure> {
        let passed = |nodes: &[NodeId]| nodes.iter().any(|n| self.visited.contains(&n.index()));
        if let Some((text, _)) = expect.via.iter().find(|(_, nodes)| !passed(nodes)) {
            return Err(self.failed(t, expect, &format!("the run does not pass `{text}`")));
        }
        let decided = |nodes: &[NodeId], road: &RoadId| {
            self.chosen.iter().any(|(n, r)| *r == road.index() && nodes.iter().any(|k| k.index() == *n))
        };
        if let Some((text, ..)) = expect.chosen.iter().find(|(_, nodes, road)| !decided(nodes, road)) {
            return Err(self.failed(t, expect, &format!("the run does not pass `{text}`")));
        }
        if let Some((text, _)) = expect.without.iter().find(|(_, nodes)| passed(nodes)) {
            return Err(self.failed(t, expect, &format!("the run passes `{text}`")));
        }
        for (road, wanted) in &expect.because {
            let name = &self.model.road(*road).name;
            match self.reasons().into_iter().find(|(r, _)| r == road) {
                Some((_, Some(found))) if found == *wanted => {}
                Some((_, Some(found))) => {
                    return Err(self.failed(t, expect, &format!("`{name}` is closed by `{found}`, not by `{wanted}`")));
                }
                Some((_, None)) => return Err(self.failed(t, expect, &format!("`{name}` is open"))),
                None => return Err(self.failed(t, expect, &format!("no choose considered `{name}`"))),
            }
        }
        Ok(())
    }

    /// Each candidate of the choose that decided last, with the reason that closed it.
    fn reasons(&self) -> Vec<(RoadId, Option<String>)> {
        let Some((choose, latches)) = &self.decided else { return Vec::new() };
        self.table
            .candidates(*choose)
            .enumerate()
            .map(|(position, r)| {
                let road = RoadId(crate::graph::narrow(r));
                let why = self.table.reason(*choose, position, &self.facts, latches).map(|c| match c {
                    Closed::Judged => "judged".to_owned(),
                    Closed::Tried => "tried".to_owned(),
                    Closed::Profile => "profile".to_owned(),
                    Closed::Filter(i) => {
                        self.model.road(road).filters.get(i).map_or_else(String::new, |f| f.name.clone())
                    }
                });
                (road, why)
            })
            .collect()
    }

    fn failed(&self, t: &Test, expect: &Expect, why: &str) -> Failure {
        let here = &self.model.node(self.node()).name;
        let mut d = Diagnostic::error("T001", expect.span, format!("test \"{}\" fails: {why}", t.name))
            .with_primary_label(format!("expected `{}`, the run is at `{here}`", expect.text));
        let names: Vec<&str> = self.visited.iter().map(|n| self.model.nodes[*n].name.as_str()).collect();
        d = d.with_note(format!("it passed {}", names.join(" -> ")));
        let closed: Vec<String> = self
            .reasons()
            .into_iter()
            .filter_map(|(r, why)| Some(format!("`{}` by `{}`", self.model.road(r).name, why?)))
            .collect();
        if !closed.is_empty() {
            d = d.with_note(format!("closed were {}", closed.join(", ")));
        }
        Box::new(d)
    }
}

/// Nothing answers here by itself.
fn waits(k: &NodeKind) -> bool {
    matches!(
        k,
        NodeKind::Send
            | NodeKind::Call
            | NodeKind::AwaitUser
            | NodeKind::AwaitExternal
            | NodeKind::Reconcile
            | NodeKind::Review
            | NodeKind::Repair
    )
}
