//! What a search found.

use crate::core::{Report, score};
use pyo3::prelude::*;

/// What a search found. :meth:`Engine.search` makes these.
///
/// >>> result = secateur.Engine(hash=1).search(secateur.Position("nim", heaps="1,2", theory=False), depth=5)
/// >>> result.pv, result.mate
/// (['2-1', '1-1', '2-1'], 2)
#[pyclass(frozen, name = "Result", module = "secateur")]
pub struct SearchResult {
    report: Report,
    /// The lines behind this one.
    others: Vec<Py<Self>>,
}

impl SearchResult {
    /// What a search found: its lines, the best one first.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn new(py: Python<'_>, mut lines: Vec<Report>) -> PyResult<Self> {
        let others = lines.split_off(1).into_iter().map(|report| Py::new(py, Self { report, others: Vec::new() }));
        Ok(Self { others: others.collect::<PyResult<_>>()?, report: lines.swap_remove(0) })
    }
}

#[pymethods]
impl SearchResult {
    /// The move to play: a legal one however early the search ended; ``None`` only if the game is over.
    #[getter]
    fn best_move(&self) -> Option<&str> {
        self.report.best().map(String::as_str)
    }

    /// The value for the side to move, centi-units: 100 is one seed. Margins and evaluations are within +-28,800; a win in
    /// ``n`` plies is 32,000 - ``n`` and a loss -32,000 + ``n``.
    #[getter]
    fn score(&self) -> i32 {
        self.report.score
    }

    /// How the score relates to the value at this depth: "exact", or "lower" or "upper" if the search ended
    /// when it knew no more than a bound.
    #[getter]
    fn bound(&self) -> &'static str {
        self.report.bound.name()
    }

    /// What is proven of the game's own value, whatever the depth: that it is the score ("exact"), at least the score
    /// ("lower") or at most ("upper"); ``None`` where nothing is. Where the search was restricted to some moves, and for
    /// :attr:`lines` after the first, it speaks of the value of the move.
    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.report.proof.name()
    }

    /// The chances of a win, a draw and a loss for the side to move, per mille; ``None`` where the game cannot say them.
    #[getter]
    fn wdl(&self) -> Option<(u16, u16, u16)> {
        self.report.wdl.map(|[win, draw, loss]| (win, draw, loss))
    }

    /// Full moves to the forced end of a game that is won (positive) or lost (negative); ``None`` for other scores.
    #[getter]
    fn mate(&self) -> Option<i32> {
        score::mate(self.report.score)
    }

    /// The principal variation, the best move first; empty only if the game is over.
    #[getter]
    fn pv(&self) -> Vec<String> {
        self.report.pv.clone()
    }

    /// The last iteration that said anything, plies; 0 if the search ended before the first one did.
    #[getter]
    fn depth(&self) -> u8 {
        self.report.depth
    }

    /// The farthest that any line was followed in the last iteration, plies.
    #[getter]
    fn seldepth(&self) -> u8 {
        self.report.seldepth
    }

    /// The best moves, each a result with its own score and line, this one first: as many as were asked for by
    /// ``lines``, or as there are moves.
    ///
    /// >>> result = secateur.Engine(hash=1).search(secateur.Position("nim"), depth=3)
    /// >>> result.lines[0] is result
    /// True
    #[getter]
    fn lines(slf: Bound<'_, Self>) -> Vec<Py<Self>> {
        let others = slf.get().others.iter().map(|line| line.clone_ref(slf.py()));
        std::iter::once(slf.clone().unbind()).chain(others).collect()
    }

    /// Every move that is exactly as good as the best one, itself included, in the order of the game's moves; empty
    /// unless asked for by ``ties``, and where the search ended before it was settled.
    #[getter]
    fn ties(&self) -> Vec<String> {
        self.report.ties.clone()
    }

    /// Positions made by a move and entered.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The time of the search, seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.report.time.as_secs_f64()
    }

    /// Nodes per second; the nodes themselves if no time was measured.
    #[getter]
    fn nps(&self) -> u64 {
        self.report.nps()
    }

    /// The part of the table that this search filled, per mille.
    #[getter]
    fn hashfull(&self) -> u16 {
        self.report.hashfull
    }

    fn __repr__(&self) -> String {
        let Report { depth, score, nodes, .. } = self.report;
        let best = self.best_move().map_or_else(|| "None".into(), |mv| format!("'{mv}'"));
        format!("Result(best_move={best}, score={score}, depth={depth}, nodes={nodes})")
    }
}
