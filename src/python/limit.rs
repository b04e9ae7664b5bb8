//! The limits of a search as a value.

use super::arguments::{self, Given};
use crate::core::Limits;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The limits of a search, at least one of them: the one that is reached first ends it.
///
/// >>> limit = secateur.Limit(depth=8, time=2.5)
/// >>> secateur.Engine(hash=1).search(secateur.Position("nim"), limit).depth <= 8
/// True
/// >>> limit == secateur.Limit(time=2.5, depth=8), limit
/// (True, Limit(depth=8, time=2.5))
///
/// :param depth: the deepest iteration, 1 to 255 plies.
/// :param nodes: at most so many positions are entered, at least 1.
/// :param time: at most so many seconds, more than 0.
/// :param mate: iterations to at most so many full moves (two plies each), 1 to 65535, until it is proven that the side
///     to move wins.
/// :raises ValueError: there is none, or one is out of range.
#[pyclass(frozen, eq, module = "secateur")]
#[derive(PartialEq, Eq)]
pub struct Limit {
    limits: Limits,
}

impl Limit {
    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// What a limit is made of.
type Parts = (Option<u8>, Option<u64>, Option<f64>, Option<u16>);

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (*, depth = None, nodes = None, time = None, mate = None))]
    fn new(
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
    ) -> PyResult<Self> {
        Ok(Self { limits: arguments::limits((depth, nodes, time, mate))? })
    }

    /// The deepest iteration, plies.
    #[getter]
    fn depth(&self) -> Option<u8> {
        self.limits.depth
    }

    /// The most positions that are entered.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// The most seconds.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.limits.movetime.map(|time| time.as_secs_f64())
    }

    /// The most full moves to a proven win.
    #[getter]
    fn mate(&self) -> Option<u16> {
        self.limits.mate
    }

    fn __hash__(&self) -> u64 {
        let Limits { depth, nodes, movetime, mate, .. } = &self.limits;
        let time = movetime.map_or(0, |time| time.as_nanos() as u64);
        let parts = [depth.map_or(0, u64::from), nodes.unwrap_or(0), time, mate.map_or(0, u64::from)];
        parts.iter().fold(0, |hash: u64, part| (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut parts = Vec::new();
        parts.extend(self.depth().map(|depth| format!("depth={depth}")));
        parts.extend(self.nodes().map(|nodes| format!("nodes={nodes}")));
        if let Some(time) = self.time() {
            parts.push(format!("time={}", time.into_pyobject(py)?.repr()?.to_cow()?));
        }
        parts.extend(self.mate().map(|mate| format!("mate={mate}")));
        Ok(format!("Limit({})", parts.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.depth(), self.nodes(), self.time(), self.mate())))
    }

    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
    ) -> PyResult<Self> {
        Self::new(depth, nodes, time, mate)
    }
}
