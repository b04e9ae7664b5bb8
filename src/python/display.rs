//! What notebooks show: drawn in Python, by `secateur._display`, which is loaded when it is first asked for.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What a function of the module makes of these.
///
/// # Errors
/// Those of the function.
pub fn shown<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("secateur._display")?.getattr(function)?.call1(arguments.into_pyobject(py)?)
}
