//! Road tables for Python: `roadlaw.Table`, `roadlaw.Facts`, `roadlaw.Run`. Everything is checked and decided by
//! `roadlaw_runtime`; this crate turns names into numbers and errors into exceptions.

mod facts;
mod run;
mod table;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(roadlaw, TableError, PyValueError, "The bytes are no table, or the table has no such name.");
create_exception!(
    roadlaw,
    FactsError,
    PyValueError,
    "A fact that the table does not have, or a value that the fact cannot have."
);
create_exception!(roadlaw, RunError, PyValueError, "The run refuses an outcome. It is unchanged.");

/// Decides from proved road tables.
#[pymodule]
fn roadlaw(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<table::Table>()?;
    m.add_class::<table::Decision>()?;
    m.add_class::<facts::Facts>()?;
    m.add_class::<run::Run>()?;
    m.add_class::<run::Step>()?;
    m.add("TableError", m.py().get_type::<TableError>())?;
    m.add("FactsError", m.py().get_type::<FactsError>())?;
    m.add("RunError", m.py().get_type::<RunError>())
}
