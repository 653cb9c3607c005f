//! Facts by name.

use crate::FactsError;
use crate::table::Named;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use roadlaw_runtime::CellKind;
use std::sync::Arc;

/// What is known. A fact that is not set is unknown, and unknown opens nothing. `facts["labels"] = {"client"}`; `None`, or `del`,
/// makes a fact unknown again. A value that is refused leaves its fact unknown.
#[pyclass]
pub(crate) struct Facts {
    pub(crate) of: Arc<Named>,
    pub(crate) facts: roadlaw_runtime::Facts,
}

impl Facts {
    pub(crate) fn new(of: Arc<Named>) -> Self {
        Self { of, facts: roadlaw_runtime::Facts::new() }
    }

    fn cell(&self, name: &str) -> PyResult<usize> {
        self.of.cells.get(name).copied().ok_or_else(|| FactsError::new_err(format!("`{name}`: no such fact")))
    }

    /// The number of a word of a cell.
    fn word(&self, cell: usize, word: &str) -> Result<usize, String> {
        let words = self.of.values.get(cell).map_or(&[][..], Vec::as_slice);
        words.iter().position(|w| w == word).ok_or_else(|| format!("`{word}` is none of {}", words.join(", ")))
    }

    fn put(&mut self, cell: usize, value: &Bound<'_, PyAny>) -> Result<(), String> {
        let table = self.of.table();
        let kind = table.cell(cell).map(|c| c.kind()).ok_or("no such fact")?;
        let done = match kind {
            CellKind::Bool => {
                let value = value.cast::<PyBool>().map_err(|_| "it takes True or False")?;
                self.facts.set_bool(table, cell, value.is_true())
            }
            CellKind::Enum { .. } | CellKind::Level { .. } => {
                let word: String = value.extract().map_err(|_| "it takes one of its words")?;
                let number = u8::try_from(self.word(cell, &word)?).map_err(|e| e.to_string())?;
                self.facts.set_value(table, cell, number)
            }
            CellKind::Int { lo, hi } => {
                // A bool is a number in Python, and none here.
                let plain = !value.is_instance_of::<PyBool>();
                let number: i32 = value
                    .extract()
                    .ok()
                    .filter(|_| plain)
                    .ok_or_else(|| format!("it takes a number from {lo} to {hi}"))?;
                self.facts.set_int(table, cell, number)
            }
            CellKind::Set { .. } => {
                // A text would be taken apart into letters.
                if value.is_instance_of::<PyString>() {
                    return Err("it takes a set or a list of its labels".to_owned());
                }
                let mut mask = 0_u64;
                for label in value.try_iter().map_err(|_| "it takes a set or a list of its labels")? {
                    let label: String =
                        label.and_then(|l| l.extract()).map_err(|_| "it takes a set or a list of its labels")?;
                    mask |=
                        u32::try_from(self.word(cell, &label)?).ok().and_then(|i| 1_u64.checked_shl(i)).unwrap_or(0);
                }
                self.facts.set_labels(table, cell, mask)
            }
        };
        done.map_err(|e| e.to_string())
    }
}

#[pymethods]
impl Facts {
    fn __setitem__(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let cell = self.cell(name)?;
        // Whatever happens, the old value decides nothing any more.
        self.facts.unset(cell);
        if value.is_none() {
            return Ok(());
        }
        self.put(cell, value).map_err(|why| FactsError::new_err(format!("`{name}`: {why}")))
    }

    fn __delitem__(&mut self, name: &str) -> PyResult<()> {
        let cell = self.cell(name).map_err(|_| PyKeyError::new_err(name.to_owned()))?;
        self.facts.unset(cell);
        Ok(())
    }

    /// Sets all facts of a dictionary; the others are kept.
    pub(crate) fn update(&mut self, facts: &Bound<'_, PyDict>) -> PyResult<()> {
        for (name, value) in facts {
            self.__setitem__(&name.extract::<String>()?, &value)?;
        }
        Ok(())
    }

    /// The epoch of a run in which the volatile facts were read.
    #[getter]
    fn epoch(&self) -> u32 {
        self.facts.epoch()
    }

    #[setter]
    fn set_epoch(&mut self, epoch: u32) {
        self.facts.set_epoch(epoch);
    }
}
