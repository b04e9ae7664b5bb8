//! What a search found.

use crate::core::{Report, score};
use pyo3::prelude::*;

/// What a search found. :meth:`Engine.search` makes these.
///
/// >>> result = secateur.Engine(hash=1).search(secateur.Position("nim", heaps="1,2", theory=False), depth=5)
/// >>> result.pv, result.mate
/// (['2-1', '1-1', '2-1'], 2)
#[pyclass(frozen, name = "Result", module = "secateur")]
pub struct SearchResult(Report);

impl From<Report> for SearchResult {
    fn from(report: Report) -> Self {
        Self(report)
    }
}

#[pymethods]
impl SearchResult {
    /// The move to play: a legal one however early the search ended; ``None`` only if the game is over.
    #[getter]
    fn best_move(&self) -> Option<&str> {
        self.0.best().map(String::as_str)
    }

    /// The value for the side to move, centi-units: 100 is one seed. Margins and evaluations are within +-28,800; a win in
    /// ``n`` plies is 32,000 - ``n`` and a loss -32,000 + ``n``.
    #[getter]
    fn score(&self) -> i32 {
        self.0.score
    }

    /// How the score relates to the value at this depth: "exact", or "lower" or "upper" if the search ended
    /// when it knew no more than a bound.
    #[getter]
    fn bound(&self) -> &'static str {
        self.0.bound.name()
    }

    /// Full moves to the forced end of a game that is won (positive) or lost (negative); ``None`` for other scores.
    #[getter]
    fn mate(&self) -> Option<i32> {
        score::mate(self.0.score)
    }

    /// The principal variation, the best move first; empty only if the game is over.
    #[getter]
    fn pv(&self) -> Vec<String> {
        self.0.pv.clone()
    }

    /// The last iteration that said anything, plies; 0 if the search ended before the first one did.
    #[getter]
    fn depth(&self) -> u8 {
        self.0.depth
    }

    /// Positions made by a move and entered.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// The time of the search, seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time.as_secs_f64()
    }

    /// Nodes per second; the nodes themselves if no time was measured.
    #[getter]
    fn nps(&self) -> u64 {
        self.0.nps()
    }

    /// The part of the table that this search filled, per mille.
    #[getter]
    fn hashfull(&self) -> u16 {
        self.0.hashfull
    }

    fn __repr__(&self) -> String {
        let Report { depth, score, nodes, .. } = self.0;
        let best = self.best_move().map_or_else(|| "None".into(), |mv| format!("'{mv}'"));
        format!("Result(best_move={best}, score={score}, depth={depth}, nodes={nodes})")
    }
}
