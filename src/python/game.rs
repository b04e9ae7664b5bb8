//! A game written in Python, as the search sees it: `secateur.Game`.
//!
//! A state becomes a [`State`] at once: whose turn it is, its moves, its key and its outcome are asked for when it is
//! made, its evaluation when the search wants it. The traits have no place for an exception of the game; it unwinds the
//! search, so that nothing is stored that would rest on it, and comes out at the door by [`caught`].

use crate::core::error::Quoted;
use crate::core::{BenchRow, Error, Game, Heuristics, OptionRow, Options, Outcome, Position, Score, Side, score};
use crate::engine::{Board, GameBoard};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

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
pub fn board(state: &Bound<'_, PyAny>) -> PyResult<Box<dyn Board>> {
    let state = State::new(state, &Arc::default())?;
    Ok(Box::new(GameBoard::new(PythonGame, &Options::new(PythonGame::OPTIONS), state)))
}

/// The state that a move, as text, leads to.
///
/// # Errors
/// `ValueError` for a move that there is not; what the state raises.
pub fn played<'py>(state: &Bound<'py, PyAny>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    for mv in state.call_method0(intern!(state.py(), "moves"))?.try_iter()? {
        let mv = mv?;
        if mv.str()?.to_cow()? == text {
            return state.call_method1(intern!(state.py(), "play"), (mv,));
        }
    }
    Err(Error::IllegalMove(Quoted::new(text), Quoted::new(&shown(state))).into())
}

/// What some work on a board gives, or what a game in Python raised meanwhile.
///
/// # Errors
/// The exception.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // What was being changed when a game failed is dropped with the search, or is a table, which is whole at any time.
    panic::catch_unwind(AssertUnwindSafe(work)).or_else(raised)
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
        // While Python shuts down nobody reads it.
        Python::try_attach(|py| shown(pos.0.object.bind(py))).unwrap_or_default()
    }

    fn write_move(&self, pos: &State, mv: u16) -> String {
        pos.0.moves[usize::from(mv)].text.clone()
    }

    fn draw(&self, pos: &State) -> String {
        self.write(pos) + "\n"
    }

    fn heuristics(&self) -> Judge {
        Judge
    }
}

/// A state of a game in Python. A move is its place among the legal ones.
#[derive(Clone)]
pub struct State(Arc<Inner>);

struct Inner {
    object: Py<PyAny>,
    turn: Side,
    moves: Vec<Move>,
    /// Meaningless while there are moves.
    outcome: Outcome,
    key: u64,
    codes: Arc<Codes>,
}

struct Move {
    object: Py<PyAny>,
    text: String,
    code: u16,
}

/// The codes of moves, by their texts: the same move has the same one everywhere.
#[derive(Default)]
struct Codes(Mutex<HashMap<String, u16>>);

impl Codes {
    /// The code of a move; `None` if all are taken.
    fn of(&self, text: &str) -> Option<u16> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = codes.len();
        let known = codes.get(text).copied();
        known.or_else(|| (next < State::CODES).then(|| *codes.entry(text.to_owned()).or_insert(next as u16)))
    }
}

impl State {
    fn new(object: &Bound<'_, PyAny>, codes: &Arc<Codes>) -> PyResult<Self> {
        let py = object.py();
        let kind = || object.get_type().name().map_or_else(|_| "the game".into(), |name| name.to_string());
        let turn = object.getattr(intern!(py, "turn"))?;
        let turn = match turn.extract::<u8>() {
            Ok(1) => Side::First,
            Ok(2) => Side::Second,
            _ => return Err(PyValueError::new_err(format!("{}.turn is 1 or 2, not {}", kind(), turn.repr()?))),
        };
        let mut moves: Vec<Move> = Vec::new();
        for mv in object.call_method0(intern!(py, "moves"))?.try_iter()? {
            let mv = mv?;
            let text = mv.str()?.to_cow()?.into_owned();
            let Some(code) = codes.of(&text) else {
                let message = format!("{} has more than {} different moves", kind(), Self::CODES);
                return Err(PyValueError::new_err(message));
            };
            if moves.iter().any(|other| other.code == code) {
                return Err(PyValueError::new_err(format!("{}.moves() has {} twice", kind(), Quoted::new(&text))));
            }
            moves.push(Move { object: mv.unbind(), text, code });
        }
        let outcome = if moves.is_empty() {
            let outcome = object.call_method0(intern!(py, "outcome"))?;
            match outcome.cast::<super::outcome::Outcome>() {
                Ok(outcome) => outcome.get().seen_by(turn),
                Err(_) => {
                    let message = format!("{}.outcome() returns an Outcome, not {}", kind(), outcome.repr()?);
                    return Err(PyTypeError::new_err(message));
                }
            }
        } else {
            Outcome::Draw
        };
        // Equal keys of two classes are no equal positions, though both have the same name.
        let mut hasher = DefaultHasher::new();
        object.getattr(intern!(py, "_rules"))?.extract::<u64>()?.hash(&mut hasher);
        turn.hash(&mut hasher);
        object.call_method0(intern!(py, "key"))?.repr()?.to_cow()?.hash(&mut hasher);
        let (object, key, codes) = (object.clone().unbind(), hasher.finish(), Arc::clone(codes));
        Ok(Self(Arc::new(Inner { object, turn, moves, outcome, key, codes })))
    }

    fn played(&self, py: Python<'_>, mv: u16) -> PyResult<Self> {
        let (object, mv) = (self.0.object.bind(py), &self.0.moves[usize::from(mv)]);
        let next = object.call_method1(intern!(py, "play"), (mv.object.bind(py),))?;
        if next.is_instance(class(py)?)? {
            return Self::new(&next, &self.0.codes);
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("{kind}.play({}) returns a Game, not {}", mv.text, next.repr()?)))
    }

    fn judged(&self, py: Python<'_>) -> PyResult<Score> {
        let object = self.0.object.bind(py);
        let value = object.call_method0(intern!(py, "evaluate"))?;
        let (kind, most) = (object.get_type().name()?, score::MAX_GAME);
        match value.extract::<Score>() {
            Ok(value) if value.abs() <= most => Ok(value),
            Ok(value) => Err(PyValueError::new_err(format!("{kind}.evaluate() is within ±{most}, not {value}"))),
            Err(_) => Err(PyTypeError::new_err(format!("{kind}.evaluate() returns an int, not {}", value.repr()?))),
        }
    }
}

impl Position for State {
    type Move = u16;
    const CODES: usize = 1 << 15;

    fn turn(&self) -> Side {
        self.0.turn
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.extend(0..self.0.moves.len() as u16);
    }

    fn is_over(&self) -> bool {
        self.0.moves.is_empty()
    }

    fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    fn after(&self, mv: u16) -> Self {
        Python::attach(|py| self.played(py, mv)).unwrap_or_else(unwind)
    }

    fn key(&self) -> u64 {
        self.0.key
    }

    fn code(&self, mv: u16) -> u16 {
        self.0.moves[usize::from(mv)].code
    }
}

/// What the states say of themselves.
#[derive(Clone)]
pub struct Judge;

impl Heuristics<State> for Judge {
    fn evaluate(&self, pos: &State) -> Score {
        Python::attach(|py| pos.judged(py)).unwrap_or_else(unwind)
    }
}

/// No panic of its own: nothing is printed, and [`caught`] waits for it.
fn unwind<T>(error: PyErr) -> T {
    panic::resume_unwind(Box::new(error))
}

/// The text of a state; one that has none, or raises, is named by its class.
fn shown(state: &Bound<'_, PyAny>) -> String {
    let name = || state.get_type().name().map_or_else(|_| "a state".into(), |name| format!("<{name}>"));
    state.str().and_then(|text| Ok(text.to_cow()?.into_owned())).unwrap_or_else(|_| name())
}
