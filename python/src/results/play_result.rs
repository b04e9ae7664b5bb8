//! The move that an engine plays, an instance of `secateurs.PlayResult`.

use super::SearchResult;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Creates the result of a search for a move.
///
/// # Errors
/// None but those of Python itself.
pub fn play_result(py: Python<'_>, info: SearchResult) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "secateurs._results", "PlayResult")?.call1((info,))
}
