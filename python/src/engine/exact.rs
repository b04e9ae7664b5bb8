//! Exact searches of the built-in engine.

use super::Engine;
use crate::arguments::Value;
use crate::error::OrRaise;
use crate::position::Position;
use crate::progress::Listener;
use crate::results::solution;
use crate::threads::lock::{attach, lock};
use crate::threads::unwinding::with_thread_state;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::book::Openings;
use secateurs::certificate;
use secateurs::core::Solution as Found;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::store::FileLock;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

impl Engine {
    /// Searches for the value of a position, with the GIL released, after the values of `openings` are stored in the
    /// table. Calls `progress` with each improvement.
    pub(super) fn solved<'py>(
        &self,
        position: &Bound<'py, Position>,
        request: &SolveRequest,
        openings: Option<Arc<Openings>>,
        progress: Option<&Value<'_>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let listener = Listener::begin(position.py(), progress, "a function of a Solution", ("Solving", ()))?;
        let (py, set_up) = (position.py(), position.get());
        let task = SolveRequest { threads: set_up.threads(self.threads), ..request.clone() };
        let (board, table, run) = (set_up.board().boxed(), self.table()?, self.running.enter());
        let (stop, known) = (run.stop.clone(), Arc::new(Mutex::new(None)));
        let latest = Arc::clone(&known);
        let work = with_thread_state(set_up.is_python(), move || {
            if let Some(openings) = openings {
                openings.store(&table);
            }
            let mut progress = |solution: &Found| *lock(&latest) = Some(solution.clone());
            board.engine(table).solve(&task, &stop, &mut progress)
        });
        let (of, moves) = (position.clone().unbind(), request.moves);
        let report = |py: Python<'_>, known| listener.report(py, (solution(&known, moves, of.bind(py))?,));
        let poll = || {
            let known = lock(&known).take()?;
            attach(|py| report(py, known)).and_then(Result::err)
        };
        let found = run.attended(py, work, poll);
        listener.end(py)?;
        let found = found?;
        if let Some(reason) = found.unsolvable() {
            return Err(PyValueError::new_err(format!("{} cannot be solved: {reason}", set_up.game())));
        }
        check(&found, request, set_up)?;
        report(py, found.clone())?;
        solution(&found, request.moves, position)
    }

    /// Writes a proof of the value of a position to a file, with the GIL released, and returns the number of its lines.
    /// Calls `progress` with the number of claims so far.
    pub(super) fn certified(
        &self,
        py: Python<'_>,
        path: PathBuf,
        position: &Position,
        progress: Option<&Value<'_>>,
    ) -> PyResult<u64> {
        let _lock = FileLock::new(&path).or_raise()?;
        let listener = Listener::begin(py, progress, "a function of a number", ("Counting", ("claims",)))?;
        let board = position.registered()?.boxed();
        let task = SolveRequest { threads: self.threads, ..SolveRequest::default() };
        let (table, run) = (self.table()?, self.running.enter());
        let stop = run.stop.clone();
        let claims = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&claims);
        let work = move || {
            let mut engine = board.engine(table);
            certificate::save(&path, board.game(), board.options(), |emit| {
                engine.certify(&task, &stop, &mut |claim| {
                    counter.fetch_add(1, Ordering::Relaxed);
                    emit(claim);
                })
            })
        };
        let count = || (claims.load(Ordering::Relaxed),);
        let written = run.attended(py, work, listener.throttled(count));
        listener.end(py)?;
        let written = written?.or_raise()?;
        listener.report(py, count())?;
        Ok(written.lines)
    }
}

/// Checks that a game in Python agrees with itself: some move has the value of a position.
///
/// # Errors
/// `ValueError`, which names the class.
fn check(found: &Found, request: &SolveRequest, position: &Position) -> PyResult<()> {
    let is_complete = request.moves != Valued::None && found.complete;
    let is_over = || position.board().outcome().is_some();
    if !position.is_python() || !is_complete || found.best_moves().next().is_some() || is_over() {
        return Ok(());
    }
    let reason = "no move with the value of the position: it must give the same moves each time, and no method may \
                  change a state";
    Err(PyValueError::new_err(format!("{}.moves() gave {reason}", position.game())))
}
