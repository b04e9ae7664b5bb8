//! The result of an exact search, an instance of `secateurs.Solution`.

use crate::position::Position;
use crate::score::Score;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use secateurs::core::Solution;
use secateurs::core::solution::Valued;

/// Creates the solution of a position from the result of a search for the values of these moves.
///
/// # Errors
/// None but those of Python itself.
pub fn solution<'py>(found: &Solution, valued: Valued, position: &Bound<'py, Position>) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (py, board, proof) = (position.py(), position.get().board(), found.proof());
    let named = |mv: &String| position.get().result_move(py, mv);
    let moves = PyDict::new(py);
    for (mv, bounds) in found.moves.iter().filter(|_| valued == Valued::All) {
        let [lower, upper] = board.count_ends(*bounds);
        moves.set_item(named(mv)?, (lower, upper))?;
    }
    let ends = board.count_ends(found.bounds);
    let fields = PyDict::new(py);
    fields.set_item("position", position)?;
    fields.set_item("value", proof.bound(ends))?;
    fields.set_item("outcome", found.bounds.outcome())?;
    fields.set_item("score", found.value().map(|cp| Score::new(cp, board.turn(), proof)))?;
    fields.set_item("proven", proof.name())?;
    fields.set_item("lower", ends[0])?;
    fields.set_item("upper", ends[1])?;
    fields.set_item("best_moves", found.best_moves().map(named).collect::<PyResult<Vec<_>>>()?)?;
    fields.set_item("moves", moves)?;
    fields.set_item("pv", position.get().result_moves(py, &found.pv)?)?;
    fields.set_item("complete", found.complete)?;
    fields.set_item("nodes", found.nodes)?;
    fields.set_item("time", found.time.as_secs_f64())?;
    fields.set_item("cpu_time", found.cpu.as_secs_f64())?;
    fields.set_item("hashfull", found.hashfull)?;
    CLASS.import(py, "secateurs._results", "Solution")?.call((), Some(&fields))
}
