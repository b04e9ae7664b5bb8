//! Games written in Python, subclasses of `secateurs.Game`, for the search.
//!
//! A [`State`] is queried for its side to move, moves, key and outcome when it is created, and for its evaluation when
//! the search needs it. The traits cannot return exceptions: an exception of the game unwinds the search, so that no
//! result that depends on it is stored, and [`caught`] returns it.
//!
//! No result of a game is trusted: types are checked, a move is looked up in the state in which it is played, and a
//! state that has changed since its creation is refused.

use super::calls;
use super::lock::attach;
use super::state::{Choice, Common, State, attached, dropping, not_the_end, text_of, unsteady};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use secateurs::core::error::Quoted;
use secateurs::core::{BenchRow, Error, Evaluation, Game, MoveOrdering, OptionRow, Options, Pruning, Score, Solver};
use secateurs::engine::GameBoard;
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// Creates a board for a state, an instance of a subclass of `secateurs.Game`.
///
/// # Errors
/// The exceptions of the methods of the state, and errors for invalid results.
pub fn board(state: &Bound<'_, PyAny>) -> PyResult<GameBoard<PythonGame>> {
    let made = Common::of_game(state).and_then(|common| State::new(state, &Arc::new(common)));
    let state = made.map_err(|error| not_the_end(state.py(), error))?;
    Ok(GameBoard::new(PythonGame, &Options::new(PythonGame::OPTIONS), state))
}

/// Returns the state after a move, given as text, that was legal in an earlier query.
///
/// # Errors
/// `ValueError` if the move is no longer legal; the exceptions of the state.
pub fn played<'py>(state: &Bound<'py, PyAny>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    for mv in calls::items(&calls::method(state, intern!(state.py(), "moves"), [None; 2])?)? {
        let mv = mv?;
        if text_of(&mv)?.to_string_lossy() == text {
            return calls::method(state, intern!(state.py(), "play"), [Some(&mv), None]);
        }
    }
    Err(unsteady(state, text))
}

/// Runs work on a board and returns the exception of a game in Python, if any.
///
/// # Errors
/// The exception.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // State modified when a game failed is dropped with the search, or is a table, which is consistent at all times.
    panic::catch_unwind(AssertUnwindSafe(work)).or_else(raised)
}

/// Wraps the work of a thread. If it calls a game in Python, one thread state of Python persists for all calls:
/// creating one for each call would double the cost of a call.
pub fn held<T: Send>(python: bool, work: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    move || {
        if !python {
            return work();
        }
        let done = attach(|py| dropping(py, |py| py.detach(work)));
        done.unwrap_or_else(|| panic::resume_unwind(Box::new(PyRuntimeError::new_err("Python is shutting down"))))
    }
}

/// Returns the exception that ended a thread; resumes any other panic.
///
/// # Errors
/// The exception.
pub fn raised<T>(payload: Box<dyn Any + Send>) -> PyResult<T> {
    match payload.downcast::<PyErr>() {
        Ok(error) => Err(*error),
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// All games in Python; the states contain the rules.
#[derive(Clone)]
pub struct PythonGame;

impl Game for PythonGame {
    type Position = State;
    type Heuristics = Judge;
    const NAME: &'static str = "python";
    const ABOUT: &'static str = "a game written in Python";
    const OPTIONS: &'static [OptionRow] = &[];
    const BENCH: &'static [BenchRow] = &[];

    fn new(_: &Options) -> Result<Self, Error> {
        Ok(Self)
    }

    fn start(&self) -> Result<String, Error> {
        Err(Error::BadOptions("a game in Python starts from an object".into()))
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        Err(Error::BadPosition(Quoted::new(text), "a game in Python has no notation that is read".into()))
    }

    fn write(&self, pos: &State) -> String {
        pos.text()
    }

    fn write_move(&self, pos: &State, mv: Choice) -> String {
        pos.text_of(mv)
    }

    fn draw(&self, pos: &State) -> String {
        self.write(pos) + "\n"
    }

    fn heuristics(&self) -> Judge {
        Judge
    }
}

/// The evaluation, by the states themselves.
#[derive(Clone)]
pub struct Judge;

impl Evaluation<State> for Judge {
    type State = ();

    fn evaluate(&self, pos: &State) -> Score {
        attached(|py| pos.evaluation(py))
    }
}

impl MoveOrdering<State> for Judge {}

impl Pruning<State> for Judge {}

impl Solver<State> for Judge {}
