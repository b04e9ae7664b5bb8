//! The move that an engine plays.

use super::SearchResult;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

/// The move that an engine plays, returned by :meth:`Engine.play`.
///
/// >>> position = secateurs.Position("nim", heaps=[1, 2], theory=False)
/// >>> played = secateurs.Engine(hash=1).play(position, secateurs.Limit(depth=5))
/// >>> played.move, played.ponder, played.info.depth
/// ('2-1', '1-1', 3)
/// >>> position.play(played.move).text
/// '1,1 2'
#[pyclass(frozen, module = "secateurs")]
pub struct PlayResult {
    info: Py<SearchResult>,
}

impl PlayResult {
    /// Creates the result of a search for a move.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn new(py: Python<'_>, info: SearchResult) -> PyResult<Self> {
        Ok(Self { info: Py::new(py, info)? })
    }

    fn pv(&self) -> &[String] {
        &self.info.get().report().pv
    }
}

#[pymethods]
impl PlayResult {
    #[new]
    fn read(info: Py<SearchResult>) -> Self {
        Self { info }
    }

    /// The move, which is legal; ``None`` only if there is none.
    #[getter]
    fn r#move(&self) -> Option<&str> {
        self.pv().first().map(String::as_str)
    }

    /// The expected reply; ``None`` if there is none.
    #[getter]
    fn ponder(&self) -> Option<&str> {
        self.pv().get(1).map(String::as_str)
    }

    /// The result of the search, with the score.
    #[getter]
    fn info(&self, py: Python<'_>) -> Py<SearchResult> {
        self.info.clone_ref(py)
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        self.info.get().__eq__(other.info.get())
    }

    fn __hash__(&self) -> u64 {
        self.info.get().__hash__()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.info)
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (Py<SearchResult>,) {
        (self.info.clone_ref(py),)
    }

    fn __repr__(&self) -> String {
        let text = |mv: Option<&str>| mv.map_or_else(|| "None".into(), |mv| format!("'{mv}'"));
        format!("<PlayResult move={}, ponder={}>", text(self.r#move()), text(self.ponder()))
    }
}
