//! A game written in Python, as the search sees it: `secateur.Game`.
//!
//! A state becomes a [`State`] at once: whose turn it is, its moves, its key and its outcome are asked for when it is
//! made, its evaluation when the search wants it. The traits have no place for an exception of the game; it unwinds the
//! search, so that nothing is stored that would rest on it, and [`caught`] returns it.
//!
//! Nothing that a game returns is trusted: types are checked, a move is looked up in the state that it is played in, and a
//! state that has changed since it was made is refused.

use super::calls;
use super::state::{Choice, Common, State, attached, not_the_end, unsteady};
use crate::core::error::Quoted;
use crate::core::{BenchRow, Error, Evaluation, Game, MoveOrdering, OptionRow, Options, Pruning, Score, Solver};
use crate::engine::GameBoard;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// The class of Python that such games are subclasses of.
///
/// # Errors
/// None but those of Python itself.
pub fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    // Every move that is played asks for it.
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "secateur.game", "Game")
}

/// A board over a state, an instance of a subclass of `secateur.Game`.
///
/// # Errors
/// What the methods of the state raise, and what is wrong with what they return.
pub fn board(state: &Bound<'_, PyAny>) -> PyResult<GameBoard<PythonGame>> {
    let made = Common::of_game(state).and_then(|common| State::new(state, &Arc::new(common)));
    let state = made.map_err(|error| not_the_end(state.py(), error))?;
    Ok(GameBoard::new(PythonGame, &Options::new(PythonGame::OPTIONS), state))
}

/// The state that a move leads to which was legal before; the move is given as text.
///
/// # Errors
/// `ValueError` where it is legal no more; what the state raises.
pub fn played<'py>(state: &Bound<'py, PyAny>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    for mv in calls::items(&calls::method(state, intern!(state.py(), "moves"), [None; 2])?)? {
        let mv = mv?;
        if calls::text(&mv)?.to_string_lossy() == text {
            return calls::method(state, intern!(state.py(), "play"), [Some(&mv), None]);
        }
    }
    Err(unsteady(state, text))
}

/// What some work on a board gives, or what a game in Python raised meanwhile.
///
/// # Errors
/// The exception.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // What was being changed when a game failed is dropped with the search, or is a table, which is whole at any time.
    panic::catch_unwind(AssertUnwindSafe(work)).or_else(raised)
}

/// Work of a thread; of one that calls a game in Python, under one thread state of Python's. A thread without one gets a new one in
/// each call, which takes as long as the call itself.
pub fn held<T: Send>(python: bool, work: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    move || {
        if !python {
            return work();
        }
        let done = Python::try_attach(|py| py.detach(work));
        done.unwrap_or_else(|| panic::resume_unwind(Box::new(PyRuntimeError::new_err("Python is shutting down"))))
    }
}

/// The exception that ended a thread; another panic goes on.
///
/// # Errors
/// The exception.
pub fn raised<T>(payload: Box<dyn Any + Send>) -> PyResult<T> {
    match payload.downcast::<PyErr>() {
        Ok(error) => Err(*error),
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// Every game in Python: the states have the rules.
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

/// What the states say of themselves.
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
