//! Questions about the value of a position, for `secateurs.dask`. Bounds are scores: centi-units or win distances.

use super::Engine;
use crate::position::Position;
use crate::results::solution;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::score;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Bounds, Limits, Request, Score, Solution, StopFlag};
use secateurs::engine::Board;
use secateurs::search::Table;
use std::sync::Arc;
use std::time::Duration;

/// The nodes of the search that estimates the value of a move.
const ESTIMATE: u64 = 2_000;

/// A position after a move: its text, and for the side to move before it whether it moves again, the bounds of the value
/// by the rules, and an estimate.
type Child = (String, bool, Score, Score, Score);

/// Searches for whether the value of a position is at least a score. Returns its bounds, the nodes, and, if the limit of
/// nodes ended the search, the positions after its moves.
#[pyfunction]
#[pyo3(name = "_prove")]
pub fn prove(
    engine: &Bound<'_, Engine>,
    position: &Bound<'_, Position>,
    at_least: Score,
    nodes: u64,
) -> PyResult<(Score, Score, u64, Vec<Child>)> {
    let engine = engine.get();
    let board = position.get().registered()?.boxed();
    let (table, run) = (engine.table()?, engine.running.enter());
    let stop = run.stop().clone();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = SolveRequest { limits, moves: Valued::None, at_least: Some(at_least), ..SolveRequest::default() };
    let work = move || {
        let found = board.engine(Arc::clone(&table)).solve(&request, &stop, &mut |_| {});
        let Bounds { lower, upper } = found.bounds;
        let is_open = lower < at_least && upper >= at_least && found.refused.is_none();
        let children = if is_open { children(&*board, &table, &stop) } else { Vec::new() };
        (found, children)
    };
    let (found, children) = run.attended(position.py(), work, || None)?;
    if let Some(reason) = found.refused {
        return Err(PyValueError::new_err(format!("the position cannot be solved: {reason}")));
    }
    Ok((found.bounds.lower, found.bounds.upper, found.nodes, children))
}

fn children(board: &dyn Board, table: &Arc<Table>, stop: &StopFlag) -> Vec<Child> {
    let child = |after: Box<dyn Board>| {
        let same = after.turn() == board.turn();
        let known = match after.outcome() {
            Some(outcome) => Bounds::exactly(outcome.score()),
            None => after.static_evaluation().bounds,
        };
        let request = Request::new(Limits { nodes: Some(ESTIMATE), ..Limits::default() });
        let report = after.engine(Arc::clone(table)).search(&request, stop, &mut |_| {}).swap_remove(0);
        let Bounds { lower, upper } = known.from_node(1).seen(same);
        let estimate = score::from_node(report.score, 1);
        (after.text(), same, lower, upper, if same { estimate } else { -estimate })
    };
    board.children().into_iter().map(child).collect()
}

/// Returns the solution of a position whose value has these bounds.
#[pyfunction]
#[pyo3(name = "_solution")]
pub fn proven<'py>(
    position: &Bound<'py, Position>,
    lower: Score,
    upper: Score,
    nodes: u64,
    seconds: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let bounds = Bounds { lower, upper };
    let found = Solution {
        bounds,
        rules: position.get().registered()?.static_evaluation().bounds,
        moves: Vec::new(),
        pv: Vec::new(),
        complete: bounds.is_exact(),
        nodes,
        cpu: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
        time: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
        hashfull: 0,
        refused: None,
    };
    solution(&found, Valued::None, position)
}
