//! Runs by name.

use crate::facts::Facts;
use crate::table::Named;
use crate::{RunError, TableError};
use pyo3::prelude::*;
use roadlaw_runtime::format::OUTCOMES;
use roadlaw_runtime::{Obligation, Obligations};
use std::sync::Arc;

/// A run of a flow.
#[pyclass]
pub(crate) struct Run {
    pub(crate) of: Arc<Named>,
    pub(crate) run: roadlaw_runtime::Run,
}

/// One step of a run.
#[pyclass(frozen, get_all)]
pub(crate) struct Step {
    /// The node that was entered.
    node: String,
    /// The road of the node, or the one that a choose just took.
    road: Option<String>,
    /// To be met and acknowledged before the next step.
    obligations: Vec<&'static str>,
    /// No step follows.
    ended: bool,
}

impl Run {
    pub(crate) fn start(of: Arc<Named>, flow: Option<&str>) -> PyResult<Self> {
        let found = flow.map_or(Some(0), |f| of.flows.iter().position(|n| n == f));
        let flow = found.ok_or_else(|| TableError::new_err("no such flow"))?;
        let run = roadlaw_runtime::Run::start(of.table(), flow).map_err(|e| RunError::new_err(e.to_string()))?;
        Ok(Self { of, run })
    }
}

fn named(bits: u32) -> Vec<&'static str> {
    Obligations::named(bits).iter().map(Obligation::name).collect()
}

#[pymethods]
impl Run {
    /// The node the run is at.
    #[getter]
    fn node(&self) -> Option<String> {
        self.of.nodes.get(self.run.node()).cloned()
    }

    /// The generation of the current attempt.
    #[getter]
    fn generation(&self) -> u32 {
        self.run.generation()
    }

    /// The epoch that facts must be of.
    #[getter]
    fn epoch(&self) -> u32 {
        self.run.epoch()
    }

    /// Obligations that are still open.
    #[getter]
    fn obligations(&self) -> Vec<&'static str> {
        named(self.run.obligations())
    }

    /// Moves along the port of an outcome; at a choose the outcome is `ok`, and the facts decide. `generation` is that of the attempt
    /// that answered; without it, the current one.
    #[pyo3(signature = (outcome, facts, generation = None))]
    fn advance(&mut self, outcome: &str, facts: &Facts, generation: Option<u32>) -> PyResult<Step> {
        if !Arc::ptr_eq(&self.of, &facts.of) {
            return Err(RunError::new_err("the facts are another table's"));
        }
        let code = OUTCOMES.iter().position(|o| !o.is_empty() && *o == outcome).and_then(|i| u8::try_from(i).ok());
        let code = code.ok_or_else(|| RunError::new_err(format!("`{outcome}` is no outcome")))?;
        let generation = generation.unwrap_or_else(|| self.run.generation());
        let step = self.run.advance(self.of.table(), generation, code, &facts.facts);
        let step = step.map_err(|e| RunError::new_err(e.to_string()))?;
        Ok(Step {
            node: self.of.nodes.get(step.node).cloned().unwrap_or_default(),
            road: step.road.and_then(|r| self.of.roads.get(r).cloned()),
            obligations: named(step.obligations),
            ended: step.ended,
        })
    }

    /// Says that these obligations were met.
    #[pyo3(signature = (*met))]
    fn acknowledge(&mut self, met: Vec<String>) -> PyResult<()> {
        let mut bits = 0;
        for name in met {
            let one = Obligation::all().find(|o| o.name() == name);
            bits |= 1_u32 << one.ok_or_else(|| RunError::new_err(format!("`{name}` is no obligation")))?.index();
        }
        self.run.acknowledge(bits);
        Ok(())
    }
}
