//! A table with its names.

use crate::facts::Facts;
use crate::run::Run;
use crate::{FactsError, TableError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use roadlaw_runtime::{CellKind, Closed, Latches, Symbol, Table as Checked};
use self_cell::self_cell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

// `self_cell` keeps bytes and the table over them together without unsafe code of our own.
self_cell!(
    /// Bytes, and the checked table over them.
    pub(crate) struct Owned {
        owner: Vec<u8>,
        #[covariant]
        dependent: Checked,
    }
);

/// A table, and numbers by name.
pub(crate) struct Named {
    owned: Owned,
    pub(crate) cells: HashMap<String, usize>,
    /// Values of enums and levels, labels of sets, by cell.
    pub(crate) values: Vec<Vec<String>>,
    pub(crate) roads: Vec<String>,
    pub(crate) nodes: Vec<String>,
    pub(crate) flows: Vec<String>,
    /// Node and choose, in the order of the chooses.
    chooses: Vec<(String, usize)>,
    filters: Vec<String>,
}

impl Named {
    pub(crate) fn table(&self) -> &Checked<'_> {
        self.owned.borrow_dependent()
    }

    fn new(bytes: Vec<u8>) -> PyResult<Self> {
        let owned =
            Owned::try_new(bytes, |b| Checked::from_bytes(b)).map_err(|e| TableError::new_err(e.to_string()))?;
        let t = owned.borrow_dependent();
        let name = |of| {
            let name = t.name(of).map(|n| n.to_string());
            name.ok_or_else(|| TableError::new_err("the table has no names: build it without --strip"))
        };
        let list =
            |count: usize, of: fn(usize) -> Symbol| (0..count).map(|i| name(of(i))).collect::<PyResult<Vec<_>>>();
        let mut cells = HashMap::new();
        let mut values = Vec::new();
        for cell in 0..t.cells() {
            cells.insert(name(Symbol::Cell(cell))?, cell);
            let count = match t.cell(cell).map(|c| c.kind()) {
                Some(CellKind::Enum { values } | CellKind::Level { values }) => values,
                Some(CellKind::Set { labels }) => labels,
                _ => 0,
            };
            values.push((0..count.into()).map(|value| name(Symbol::Value { cell, value })).collect::<PyResult<_>>()?);
        }
        let roads = list(t.roads(), Symbol::Road)?;
        let nodes = list(t.nodes(), Symbol::Node)?;
        let flows = list(t.flows(), Symbol::Flow)?;
        let filters = list(t.filters(), Symbol::Filter)?;
        let chooses = nodes.iter().enumerate();
        let chooses = chooses.filter_map(|(i, n)| Some((n.clone(), t.node(i)?.choose()?))).collect();
        Ok(Self { cells, values, roads, nodes, flows, chooses, filters, owned })
    }

    /// The number of a choose; without a name, of the first one.
    fn choose(&self, name: Option<&str>) -> PyResult<usize> {
        let found = match name {
            None => self.chooses.iter().map(|(_, i)| *i).min(),
            Some(name) => self.chooses.iter().find(|(n, _)| n == name).map(|(_, i)| *i),
        };
        found.ok_or_else(|| TableError::new_err(format!("no such choose: {}", name.unwrap_or("the table has none"))))
    }

    /// The first reason of each candidate that is closed.
    fn closed(&self, choose: usize, facts: &roadlaw_runtime::Facts, latches: &Latches) -> Vec<(String, String)> {
        let t = self.table();
        let reason = |(position, road): (usize, usize)| {
            let why = match t.reason(choose, position, facts, latches)? {
                Closed::Judged => "judged".to_owned(),
                Closed::Tried => "tried".to_owned(),
                Closed::Profile => "order".to_owned(),
                Closed::Filter(i) => self.filters.get(t.road(road)?.first_filter().saturating_add(i))?.clone(),
            };
            Some((self.roads.get(road)?.clone(), why))
        };
        t.candidates(choose).enumerate().filter_map(reason).collect()
    }
}

/// A proved road table. Immutable; any number of threads may decide from it.
#[pyclass(frozen)]
pub(crate) struct Table(pub(crate) Arc<Named>);

#[pymethods]
impl Table {
    /// Checks bytes as `roadlaw build` writes them.
    #[new]
    fn new(bytes: Vec<u8>) -> PyResult<Self> {
        Named::new(bytes).map(|n| Self(Arc::new(n)))
    }

    /// Reads and checks a file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        Self::new(std::fs::read(path)?)
    }

    /// The policy's name and version.
    #[getter]
    fn policy(&self) -> Option<String> {
        self.0.table().name(Symbol::Policy).map(|n| n.to_string())
    }

    /// The digest that the table carries, in hexadecimal: compare it with one that was pinned.
    #[getter]
    fn digest(&self) -> String {
        self.0.table().digest().iter().map(|b| format!("{b:02x}")).collect()
    }

    /// Names of the roads.
    #[getter]
    fn roads(&self) -> Vec<String> {
        self.0.roads.clone()
    }

    /// Names of the facts that a caller sets.
    #[getter]
    fn facts(&self) -> Vec<String> {
        let mut all: Vec<(&String, usize)> = self.0.cells.iter().map(|(n, i)| (n, *i)).collect();
        all.sort_by_key(|(_, i)| *i);
        all.retain(|(_, i)| self.0.table().cell(*i).is_some_and(|c| !c.latch()));
        all.into_iter().map(|(n, _)| n.clone()).collect()
    }

    /// Facts of this table; those that are not given are unknown.
    #[pyo3(signature = (facts = None))]
    fn tell(&self, facts: Option<&Bound<'_, PyDict>>) -> PyResult<Facts> {
        let mut made = Facts::new(Arc::clone(&self.0));
        if let Some(facts) = facts {
            made.update(facts)?;
        }
        Ok(made)
    }

    /// Chooses a road: at the first choose of the policy, or at one that is named; with what a run remembers, if one is given.
    #[pyo3(signature = (facts, choose = None, run = None))]
    fn choose(&self, facts: &Facts, choose: Option<&str>, run: Option<&Run>) -> PyResult<Decision> {
        if !Arc::ptr_eq(&self.0, &facts.of) || run.is_some_and(|r| !Arc::ptr_eq(&self.0, &r.of)) {
            return Err(FactsError::new_err("the facts, or the run, are another table's"));
        }
        let choose = self.0.choose(choose)?;
        let t = self.0.table();
        let latches = run.map_or_else(|| Latches::fresh(t), |r| *r.run.latches());
        let decision = t.choose_with(choose, &facts.facts, &latches);
        let exit = decision.exit().and_then(|e| t.edge(e)).and_then(|e| self.0.nodes.get(e.to()).cloned());
        let road = decision.road().and_then(|r| self.0.roads.get(r).cloned());
        Ok(Decision { of: Arc::clone(&self.0), choose, facts: facts.facts, latches, road, exit })
    }

    /// Starts a run of the policy's own flow, or of one that is named.
    #[pyo3(signature = (flow = None))]
    fn run(&self, flow: Option<&str>) -> PyResult<Run> {
        Run::start(Arc::clone(&self.0), flow)
    }

    fn __repr__(&self) -> String {
        format!("<roadlaw.Table {}>", self.policy().unwrap_or_default())
    }
}

/// What a choose decided.
#[pyclass(frozen)]
pub(crate) struct Decision {
    of: Arc<Named>,
    choose: usize,
    facts: roadlaw_runtime::Facts,
    latches: Latches,
    /// The road; `None`: every one is closed.
    #[pyo3(get)]
    road: Option<String>,
    /// The node to which a run goes on when every road is closed, where facts alone say it.
    #[pyo3(get)]
    exit: Option<String>,
}

#[pymethods]
impl Decision {
    /// The first reason of each road that is closed: the name of a filter, `tried`, `judged`, or `order` where the order in force
    /// leaves the road out. Computed only when asked for.
    #[getter]
    fn closed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (road, why) in self.of.closed(self.choose, &self.facts, &self.latches) {
            dict.set_item(road, why)?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        match (&self.road, &self.exit) {
            (Some(road), _) => format!("<roadlaw.Decision road {road}>"),
            (None, Some(exit)) => format!("<roadlaw.Decision no road, on to {exit}>"),
            (None, None) => "<roadlaw.Decision no road>".to_owned(),
        }
    }
}
