//! Questions about the value of a position, for `secateurs.dask`. Bounds are scores: centi-units or win distances.

use super::Engine;
use crate::arguments::{Items, Value, limit, options};
use crate::error::OrRaise;
use crate::position::Position;
use crate::results::solution;
use crate::threads::lock::attach;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use secateurs::certificate;
use secateurs::core::score;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Bounds, Limits, Request, Score, Solution, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::search::Table;
use secateurs::store::{Replacement, paths, regular};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The nodes of the search that estimates the value of a move.
const ESTIMATE: u64 = 2_000;

/// A position after a move: its text, and for the side to move before it whether it moves again, the bounds of the
/// value by the rules, and an estimate.
type Child = (String, bool, Score, Score, Score);

/// The bounds of a value, the nodes, entries of the table, and positions after the moves.
type Proved<'py> = (Score, Score, u64, Bound<'py, PyBytes>, Vec<Child>);

/// Searches for whether the value of a position is at least a score, after the entries of other tables are added to
/// that of the engine. Returns the bounds of the value, the nodes, the `most` most expensive entries of the search,
/// and, if the limit of nodes ended it, the positions after the moves. An exception of `go_on`, which is called
/// repeatedly, ends it.
#[pyfunction]
#[pyo3(name = "_prove")]
pub fn prove<'py>(
    engine: &Bound<'py, Engine>,
    position: &Bound<'py, Position>,
    at_least: Score,
    nodes: u64,
    entries: Items<PyBackedBytes>,
    most: usize,
    go_on: Py<PyAny>,
) -> PyResult<Proved<'py>> {
    let engine = engine.get();
    let board = position.get().registered()?.boxed();
    let (table, run) = (engine.table()?, engine.running.enter());
    let stop = run.stop.clone();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = SolveRequest { limits, moves: Valued::None, at_least: Some(at_least), ..SolveRequest::default() };
    let work = move || {
        for entries in entries.iter() {
            let (words, _) = entries.as_chunks().0.as_chunks();
            table.share(words.iter().map(|entry| entry.map(u64::from_le_bytes)));
        }
        table.record(most);
        let found = board.engine(Arc::clone(&table)).solve(&request, &stop, &mut |_| {});
        let costly = table.recorded();
        let Bounds { lower, upper } = found.bounds;
        let is_open = lower < at_least && upper >= at_least && found.refused.is_none();
        let children = if is_open { children(&*board, &table, &stop) } else { Vec::new() };
        (found, costly, children)
    };
    let poll = move || attach(|py| go_on.call0(py).err()).flatten();
    let (found, costly, children) = run.attended(position.py(), work, poll)?;
    if let Some(reason) = found.refused {
        return Err(PyValueError::new_err(format!("the position cannot be solved: {reason}")));
    }
    let words: Vec<_> = costly.as_flattened().iter().map(|word| word.to_le_bytes()).collect();
    let bytes = PyBytes::new(position.py(), words.as_flattened());
    Ok((found.bounds.lower, found.bounds.upper, found.nodes, bytes, children))
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

/// Returns the limits of an exact search of `game` by `dask.solve`, nodes and seconds, and checks its files.
///
/// # Errors
/// Those of [`limit::exact`]; `ValueError` if both files are the same; `BadFile` for a checkpoint that is not a regular
/// file; those of [`certificate::check_file`].
#[pyfunction]
#[pyo3(name = "_solve_arguments")]
pub fn solve_arguments(
    game: &str,
    limit: Option<&Value<'_>>,
    keywords: &Bound<'_, PyDict>,
    checkpoint: Option<PathBuf>,
    proof: Option<PathBuf>,
) -> PyResult<(Option<u64>, Option<f64>)> {
    let limits = limit::exact("dask.solve", limit, Some(keywords))?;
    let outputs = [("checkpoint", checkpoint.as_deref()), ("certificate", proof.as_deref())];
    paths::check(&[], &outputs).or_raise()?;
    checkpoint.map_or(Ok(()), |path| regular::check(&path)).or_raise()?;
    proof.map_or(Ok(()), |path| certificate::check_file(&path, game)).or_raise()?;
    Ok((limits.nodes, limits.movetime.map(|time| time.as_secs_f64())))
}

/// Writes a certificate as a whole or not at all.
#[pyfunction]
#[pyo3(name = "_write_certificate")]
pub fn write_certificate(path: PathBuf, text: &[u8]) -> PyResult<()> {
    Replacement::write_whole(&path, text).or_raise()
}

/// Returns the options of a position that make another game of that of the defaults.
///
/// # Errors
/// `ValueError` for a game in Python.
#[pyfunction]
#[pyo3(name = "_rules")]
pub fn rules<'py>(position: &Bound<'py, Position>) -> PyResult<Bound<'py, PyDict>> {
    let setup = Setup::from_board(position.get().registered()?).or_raise()?;
    options::dict(position.py(), setup.rules())
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
    let rules = position.get().registered()?.static_evaluation().bounds;
    let bounds = Bounds { lower: lower.max(rules.lower), upper: upper.min(rules.upper) };
    let found = Solution {
        bounds,
        rules,
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
