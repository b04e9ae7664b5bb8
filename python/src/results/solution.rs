//! The result of an exact search.

use super::tree::Pickled;
use crate::display::{called, shown};
use crate::error::unpicklable;
use crate::position::Position;
use crate::score::Score;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core;
use secateurs::core::solution::Valued;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What is known of the value of a position, returned by :meth:`Engine.solve`.
///
/// Values are for the side to move, in the units of the game: a margin in units (in Kalah: seeds); in Connect Four 1
/// for a win with the last stone, 2 with the one before, negative for a loss, 0 for a draw; in other games plies to the
/// win, negative to the loss, 0 for a draw or if the game is over.
///
/// >>> position = secateurs.Position("kalah", houses=3, seeds=3)
/// >>> solution = secateurs.Engine(hash=1).solve(position, moves="all")
/// >>> solution.value, solution.proven, solution.best_moves
/// (2, 'exact', ['1', '2'])
/// >>> solution.moves["3"]
/// (-4, -4)
/// >>> for move in solution.pv:
/// ...     position = position.play(move)
/// >>> position.outcome
/// Outcome(winner=1, margin=2)
///
/// Solutions are equal if their positions, bounds, moves and lines are, including the nodes and the times.
#[pyclass(frozen, module = "secateurs")]
pub struct Solution {
    position: Py<Position>,
    solution: core::Solution,
    /// Which moves were requested.
    extent: Valued,
    value: Option<i64>,
    ends: [Option<i64>; 2],
    /// The bounds of the values of the moves, if all were requested.
    move_ends: Vec<[Option<i64>; 2]>,
}

impl Solution {
    /// Creates the solution of a position from the result of a search.
    pub fn new(solution: core::Solution, extent: Valued, position: &Bound<'_, Position>) -> Self {
        let board = position.get().board();
        let ends = board.count_ends(solution.bounds);
        let value = solution.proof().bound(ends);
        let valued = solution.moves.iter().filter(|_| extent == Valued::All);
        let move_ends = valued.map(|&(_, bounds)| board.count_ends(bounds)).collect();
        Self { position: position.clone().unbind(), solution, extent, value, ends, move_ends }
    }
}

#[pymethods]
impl Solution {
    /// The position that was solved.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// The value or, as :attr:`proven` shows, a bound of it; ``None`` if no more is known than the rules imply, and for a
    /// win or loss in an unknown number of plies.
    #[getter]
    fn value(&self) -> Option<i64> {
        self.value
    }

    /// The result of the game for the side to move, once it is known: "win", "draw" or "loss".
    ///
    /// >>> secateurs.Engine(hash=1).solve(secateurs.Position("nim", heaps="3,4,5")).outcome
    /// 'win'
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.solution.bounds.outcome()
    }

    /// The value on the scale of :class:`Score`, with what is proven of it; ``None`` if no more is known than the rules
    /// imply.
    #[getter]
    fn score(&self) -> Option<Score> {
        let turn = self.position.get().board().turn();
        self.solution.value().map(|cp| Score::new(cp, turn, self.solution.proof()))
    }

    /// What is proven: the value is :attr:`value` ("exact"), at least that ("lower") or at most that ("upper");
    /// ``None`` if no more is known than the rules imply.
    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.solution.proof().name()
    }

    /// A lower bound of the value; ``None`` if nothing is known. In a game counted by plies, -4 is a loss in four plies
    /// or, which is better, in more.
    #[getter]
    fn lower(&self) -> Option<i64> {
        self.ends[0]
    }

    /// An upper bound of the value; ``None`` if nothing is known.
    #[getter]
    fn upper(&self) -> Option<i64> {
        self.ends[1]
    }

    /// All moves as good as the best, in the order of the game's moves; empty with ``moves="none"``, if the game is
    /// over, and until the value is known. Some may be missing unless :attr:`complete`.
    #[getter]
    fn best_moves(&self) -> Vec<&str> {
        self.solution.best_moves().map(String::as_str).collect()
    }

    /// Each move with the lower and upper bound of its value, in the order of the game's moves; empty unless
    /// ``moves="all"``. Moves that were not valued because of a limit are missing.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let moves = PyDict::new(py);
        for ((mv, _), [lower, upper]) in self.solution.moves.iter().zip(&self.move_ends) {
            moves.set_item(mv, (lower, upper))?;
        }
        Ok(moves)
    }

    /// A line of best play to the end of the game; empty with ``moves="none"`` or ``pv=False``, and until the moves are
    /// valued. It may end earlier unless :attr:`complete`.
    #[getter]
    fn pv(&self) -> Vec<String> {
        self.solution.pv.clone()
    }

    /// Whether all that was requested was found: the value, the moves and the line. A limit or :meth:`Engine.stop` may
    /// end the search before.
    ///
    /// >>> engine, position = secateurs.Engine(hash=1), secateurs.Position("nim", heaps="3,4,5")
    /// >>> engine.solve(position).complete, engine.solve(position, nodes=1).complete
    /// (True, False)
    #[getter]
    fn complete(&self) -> bool {
        self.solution.complete
    }

    /// The number of nodes: positions entered after a move.
    #[getter]
    fn nodes(&self) -> u64 {
        self.solution.nodes
    }

    /// The time of the search, seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.solution.time.as_secs_f64()
    }

    /// The CPU time of all threads of the search, seconds.
    #[getter]
    fn cpu_time(&self) -> f64 {
        self.solution.cpu.as_secs_f64()
    }

    /// The part of the table that this search filled, per mille.
    #[getter]
    fn hashfull(&self) -> u16 {
        self.solution.hashfull
    }

    /// Returns the solution as a ``dict`` that ``json.dumps`` accepts. Its keys are the attributes; the position is its
    /// ``game``, ``options``, ``text`` and ``history``, and the score is in centi-units for the side to move.
    ///
    /// >>> solution = secateurs.Engine(hash=1).solve(secateurs.Position("nim", heaps=[1, 2]))
    /// >>> row = solution.to_dict()
    /// >>> row["value"], row["best_moves"], row["complete"]
    /// (3, ['2-1'], True)
    fn to_dict<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        called(slf.py(), ("secateurs._dicts", "of_solution"), (&slf,))
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        let alike = self.solution == other.solution && self.extent == other.extent;
        Ok(alike && self.position.get().__eq__(other.position.get())?)
    }

    fn __hash__(&self) -> u64 {
        let core::Solution { pv, nodes, time, cpu, .. } = &self.solution;
        let mut hasher = DefaultHasher::new();
        (self.position.get().key(), self.ends, pv, nodes, time, cpu).hash(&mut hasher);
        hasher.finish()
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "solution_html", (&slf,))?.extract()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.position)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let text = serde_json::to_string(&(&self.solution, self.extent)).map_err(unpicklable)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.position.clone_ref(py), text)))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, position: &Bound<'_, Position>, text: &str) -> PyResult<Self> {
        let (solution, extent): (core::Solution, Valued) = serde_json::from_str(text).map_err(unpicklable)?;
        Ok(Self::new(solution, extent, position))
    }

    fn __repr__(&self) -> String {
        let number = |value: Option<i64>| value.map_or_else(|| "None".into(), |value| value.to_string());
        let proven = self.proven().map_or_else(|| "None".into(), |proven| format!("'{proven}'"));
        let best: Vec<_> = self.solution.best_moves().map(|mv| format!("'{mv}'")).collect();
        let (value, [lower, upper]) = (number(self.value), self.ends.map(number));
        let outcome = self.outcome().map_or_else(String::new, |outcome| format!(", outcome='{outcome}'"));
        let known = if self.solution.is_solved() { String::new() } else { format!(", lower={lower}, upper={upper}") };
        let (best, nodes) = (best.join(", "), self.solution.nodes);
        let cut = if self.solution.is_solved() && !self.solution.complete { ", complete=False" } else { "" };
        format!("Solution(value={value}, proven={proven}{outcome}{known}, best_moves=[{best}]{cut}, nodes={nodes})")
    }
}
