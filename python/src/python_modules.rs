//! Calls of modules in Python, such as those that make displays for notebooks. They are imported at the first use.

use pyo3::PyTypeInfo;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serde::Serialize;

/// Calls a function of `secateurs._display`.
///
/// # Errors
/// Those of the function.
pub fn shown<'py>(
    py: Python<'py>,
    function: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    call_function(py, ("secateurs._display", function), arguments)
}

/// Calls a function of a module.
///
/// # Errors
/// Those of the function.
pub fn call_function<'py>(
    py: Python<'py>,
    (module, function): (&str, &str),
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import(module)?.getattr(function)?.call1(arguments.into_pyobject(py)?)
}

/// Raises the error for an attribute that an object does not have.
///
/// # Errors
/// `AttributeError`, which may name another attribute.
pub fn missing<'py, T: PyTypeInfo>(of: &Bound<'py, T>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    call_function(of.py(), ("secateurs._attributes", "missing"), (of, name))
}

/// Converts a value by its form in JSON.
///
/// # Errors
/// `ValueError` for a value that JSON does not have.
pub fn from_json<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    call_function(py, ("json", "loads"), (text,))
}
