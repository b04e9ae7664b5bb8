//! Displays for notebooks, drawn by `secateurs._display`, which is imported at the first use.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Calls a function of the module.
///
/// # Errors
/// Those of the function.
pub fn shown<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("secateurs._display")?.getattr(function)?.call1(arguments.into_pyobject(py)?)
}
