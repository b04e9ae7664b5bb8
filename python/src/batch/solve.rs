//! Exact values of many positions.

use super::{apart, read, setup};
use crate::arguments::{self, Argument, Value, limit};
use crate::error::OrRaise;
use crate::position::Position;
use crate::progress::supervised;
use crate::results::solution;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::batch::workers;
use secateurs::core::error::Error;
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Solution as Found, StopFlag};
use secateurs::engine::Board;
use secateurs::search::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Solves many positions, each as if by :meth:`Engine.solve` of a fresh engine, with ``threads`` threads and the GIL
/// released. Returns a :class:`Solution` for each, in order.
///
/// Each search has one thread and a cleared table of its own, so that the solutions do not depend on the number of
/// threads; with a time limit they depend on the machine. Ctrl-C ends all searches and discards their results.
///
/// >>> positions = [secateurs.Position("kalah", houses=houses, seeds=2) for houses in (1, 2, 3)]
/// >>> [solution.value for solution in secateurs.solve_many(positions)]
/// [-2, -2, 4]
/// >>> [solution] = secateurs.solve_many(["1,2 1"], game="nim", theory=False)
/// >>> solution.best_moves
/// ['2-1']
///
/// :param positions: an iterable of positions and ``str``, as for :func:`analyse_many`.
/// :param limit: the limits of each search: a :class:`Limit` with only nodes and time, or these keywords; ``None``: no
///     limit.
/// :param moves: the moves to value: "none", "best" or "all", as for :meth:`Engine.solve`.
/// :param pv: whether to search for lines of best play too.
/// :param threads: the number of concurrent searches, 1 to 256; ``None``: the number of cores.
/// :param hash: the table of each search, MiB, at least 1.
/// :param progress: ``True`` or a function, as for :func:`analyse_many`.
/// :param game: the game of positions given as text, as for :func:`analyse_many`.
/// :param limits_and_options: the keywords of a limit, and options of the game as for :class:`Position`.
/// :raises ValueError: an argument is out of range; a text is not a position, or its game cannot be solved: the message
///     starts with the index.
/// :raises TypeError: a position is neither, or the value of an option is of the wrong type.
/// :raises BadOption: the game or the option does not exist, or the option does not take the value.
/// :raises MemoryError: the tables together are larger than the memory available now.
#[pyfunction]
#[pyo3(
    signature = (
        positions, limit = None, *, moves = None, pv = None, threads = None, hash = None, progress = None, game = None,
        **limits_and_options
    ),
    text_signature = "(positions, limit=None, *, moves='best', pv=True, threads=None, hash=4, progress=None, \
                      game=None, **limits_and_options)"
)]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn solve_many<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    limit: Option<Value<'_>>,
    moves: Option<Value<'_>>,
    pv: Option<Value<'_>>,
    threads: Option<Value<'_>>,
    hash: Option<Value<'_>>,
    progress: Option<&Value<'_>>,
    game: Option<Value<'_>>,
    limits_and_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (keywords, options) = apart(py, limits_and_options)?;
    let limits = limit::exact("solve_many", limit.as_ref(), Some(&keywords))?;
    let moves = arguments::valued(moves)?;
    let pv = bool::read_or("pv", pv, true)?;
    let threads = arguments::threads(threads, arguments::cores())?;
    let hash = arguments::mebibytes(hash, 4)?;
    let positions = read("positions", positions)?;
    let setup = setup("solve_many", game.as_ref(), &positions, &options)?;
    let (mut boards, mut all) = (Vec::new(), Vec::new());
    for (index, given) in positions.into_iter().enumerate() {
        let position = match given.cast_into::<Position>() {
            Ok(position) => position,
            Err(given) => {
                let wrong = |error: Error| PyValueError::new_err(format!("positions[{index}]: {error}"));
                let board = setup.board(&String::read("position", &given.into_inner())?).map_err(wrong)?;
                Bound::new(py, Position::from(board))?
            }
        };
        boards.push(position.get().board().boxed());
        all.push(position);
    }
    let is_python = all.iter().any(|position| position.get().is_python());
    // Only one thread at a time can run Python code.
    let threads = if is_python { 1 } else { threads.clamp(1, boards.len().max(1)) };
    let request = SolveRequest { limits, moves, pv, ..SolveRequest::default() };
    let found = supervised(py, progress, (boards.len(), "positions"), is_python, move |stop, done| {
        solved(&boards, &request, (hash, threads), stop, done).or_raise()
    })?;
    let mut solutions = Vec::with_capacity(all.len());
    for (index, (found, position)) in found.into_iter().zip(&all).enumerate() {
        if let Some(reason) = found.unsolvable() {
            return Err(PyValueError::new_err(format!("positions[{index}] cannot be solved: {reason}")));
        }
        solutions.push(solution(&found, moves, position)?);
    }
    Ok(solutions)
}

/// Solves all boards with `threads` workers, each with a table of `hash` MiB; `None` if the flag is raised meanwhile.
/// The calling thread is one of the workers.
fn solved(
    boards: &[Box<dyn Board>],
    request: &SolveRequest,
    (hash, threads): (usize, usize),
    stop: &StopFlag,
    done: &AtomicUsize,
) -> Result<Option<Vec<Found>>, Error> {
    let work = |table: &Arc<Table>, index: usize| {
        table.clear();
        let found = boards[index].engine(Arc::clone(table)).solve(request, stop, &mut |_| {});
        done.fetch_add(1, Ordering::Relaxed);
        // A stopped search has no value.
        Ok((!stop.is_raised()).then_some(found))
    };
    let mut all: Vec<_> = std::iter::repeat_with(|| None).take(boards.len()).collect();
    workers::fill(workers::tables(threads, hash)?, &mut all, stop, work)?;
    Ok(all.into_iter().collect())
}
