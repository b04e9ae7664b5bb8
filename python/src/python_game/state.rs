//! A state of a game in Python, queried once and checked: types, duplicate moves, modified states.

use super::features::{self, PythonHeuristics};
use super::hooks::{Hooks, overrides, within};
use super::inspection::{class, mistyped, repr_of, shortened, turn};
use super::key::{Key, is_immutable};
use super::move_codes::{CODES, MoveCodeError, MoveCodes};
use crate::error::class_name;
use crate::outcome::Outcome as PythonOutcome;
use crate::threads::calls;
use crate::threads::unwinding::{attached, drop_later};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core::error::Quoted;
use secateurs::core::{Outcome, Position, Score, Side};
use secateurs::network::WithNetwork;
use std::sync::Arc;

/// A state of a game in Python.
#[derive(Clone)]
pub struct State(Arc<Inner>);

/// A move: its index among the legal moves of the queried state, and its code, which is the same in all states. A state
/// that is created again may list its moves in another order.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    place: u16,
    code: u16,
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Choice {}

struct Inner {
    object: Py<PyAny>,
    turn: Side,
    moves: Vec<Move>,
    /// Unused while there are moves.
    outcome: Outcome,
    key: Key,
    hooks: Hooks,
    common: Arc<Common>,
}

impl Drop for State {
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) == 1 {
            drop_later(Arc::clone(&self.0) as _);
        }
    }
}

struct Move {
    object: Py<PyAny>,
    text: String,
    code: u16,
}

/// The data shared by the states of a game.
pub struct Common {
    codes: MoveCodes,
    /// Whether the game declares that positions can repeat.
    cyclic: bool,
    /// The evaluation, by a network if the class names one.
    pub heuristics: WithNetwork<PythonHeuristics>,
}

impl Common {
    /// Creates the shared data for the game of a state.
    ///
    /// # Errors
    /// `TypeError` if `cyclic` is no bool; `TypeError` and `ValueError` for a `feature_count` that is no number of
    /// features; `TypeError`, `OSError` and `ValueError` for an `eval_file` that is no network of the game.
    pub fn new(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let cyclic = calls::attribute(state, intern!(state.py(), "cyclic"))?;
        let Ok(flag) = cyclic.extract() else {
            return Err(PyTypeError::new_err(format!(
                "{}.cyclic is True or False, not {}",
                class_name(state),
                repr_of(&cyclic)
            )));
        };
        Ok(Self { codes: MoveCodes::default(), cyclic: flag, heuristics: features::heuristics(state)? })
    }
}

impl State {
    /// Queries an object for everything except an evaluation of its own.
    ///
    /// # Errors
    /// The exceptions of the methods, and errors for invalid results.
    pub fn new(object: &Bound<'_, PyAny>, common: &Arc<Common>) -> PyResult<Self> {
        let py = object.py();
        let turn = turn(object)?;
        let key = Key::new(object, turn)?;
        let (mut objects, mut texts) = (Vec::new(), Vec::new());
        for mv in listed(object)? {
            let mv = mv?;
            let text = text_of(&mv)?;
            let unusable = |what| {
                let (game, mv) = (class_name(object), repr_of(&mv));
                PyValueError::new_err(format!("{game}.moves() has {mv}: its text has {what}"))
            };
            let text = text.to_str().map_err(|_| unusable("half a character (a lone surrogate)"))?;
            // Records and the protocol have lines, and a terminal follows escape sequences.
            if text.contains(char::is_control) {
                return Err(unusable("a control character"));
            }
            texts.push(text.to_owned());
            objects.push(mv.unbind());
            if texts.len() > CODES {
                break;
            }
        }
        let codes = common.codes.assign(&texts).map_err(|reason| {
            PyValueError::new_err(match reason {
                MoveCodeError::Repeated(place) => {
                    format!("{}.moves() has {} twice", class_name(object), Quoted::new(&texts[place]))
                }
                MoveCodeError::TooMany => format!("{}.moves() has more than {CODES} moves", class_name(object)),
            })
        })?;
        let moves: Vec<Move> = objects
            .into_iter()
            .zip(texts)
            .zip(codes)
            .map(|((object, text), code)| Move { object, text, code })
            .collect();
        let outcome = if moves.is_empty() {
            let outcome = calls::method(object, intern!(py, "outcome"), [None; 2])?;
            match outcome.cast::<PythonOutcome>() {
                Ok(outcome) => outcome.get().seen_by(turn),
                Err(_) => return Err(mistyped(object, "outcome()", "an Outcome", &outcome)),
            }
        } else {
            Outcome::Draw
        };
        let hooks = Hooks::new(object, turn, &key, moves.is_empty().then_some(outcome))?;
        let mut methods = if moves.is_empty() { vec!["moves()", "outcome()"] } else { vec!["moves()"] };
        methods.extend(&hooks.methods);
        key.check(object, turn, &methods.join(" or "))?;
        let common = Arc::clone(common);
        Ok(Self(Arc::new(Inner { object: object.clone().unbind(), turn, moves, outcome, key, hooks, common })))
    }

    /// Returns the object in Python.
    pub fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.0.object.bind(py)
    }

    /// Returns what the states of its game share.
    pub fn common(&self) -> &Arc<Common> {
        &self.0.common
    }

    /// Shows Python's garbage collector the objects of the state.
    ///
    /// # Errors
    /// Those of the visitor.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0.object)?;
        self.0.moves.iter().try_for_each(|mv| visit.call(&mv.object))
    }

    /// Returns the name of the class of the state.
    pub fn class_name(&self) -> String {
        attached(|py| Ok(class_name(self.0.object.bind(py))))
    }

    /// Returns the text of the state. Unwinds with the exception of its `__str__`, as [`attached`] does.
    pub fn text(&self) -> String {
        attached(|py| Ok(calls::text(self.0.object.bind(py))?.to_string_lossy().into_owned()))
    }

    /// Returns the text of the legal move that is equal to an object; `None` if there is none.
    ///
    /// # Errors
    /// An exception of the comparison that is no `Exception`; for others the move is not equal.
    pub fn equal(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let py = given.py();
        for mv in &self.0.moves {
            let own = mv.object.bind(py);
            // True is no 1.
            let is_kind = own.is_instance_of::<PyBool>() == given.is_instance_of::<PyBool>();
            let is_equal = match own.eq(given) {
                Err(error) if error.is_instance_of::<PyException>(py) => false,
                equal => equal?,
            };
            if is_kind && is_equal {
                return Ok(Some(mv.text.clone()));
            }
        }
        Ok(None)
    }

    /// Returns the text of a move.
    pub fn text_of(&self, mv: Choice) -> String {
        self.find(mv).map_or_else(|| self.0.common.codes.text(mv.code), |mv| mv.text.clone())
    }

    fn find(&self, mv: Choice) -> Option<&Move> {
        let moves = &self.0.moves;
        let there = moves.get(usize::from(mv.place)).filter(|known| known.code == mv.code);
        there.or_else(|| moves.iter().find(|known| known.code == mv.code))
    }

    fn played(&self, py: Python<'_>, mv: Choice) -> PyResult<Self> {
        let object = self.0.object.bind(py);
        let Some(mv) = self.find(mv) else { return Err(unsteady(object, &self.0.common.codes.text(mv.code))) };
        let next = calls::method(object, intern!(py, "play"), [Some(mv.object.bind(py)), None])?;
        let method = || format!("play({})", shortened(&mv.text));
        if next.is(object) {
            let (kind, method) = (class_name(object), method());
            let message = format!("{kind}.{method} returns the state that it is called on; it must return a new one");
            return Err(PyValueError::new_err(message));
        }
        if !next.is_instance(class(py)?)? {
            return Err(mistyped(object, &method(), "a Game", &next));
        }
        self.0.key.check(object, self.0.turn, &method())?;
        Self::new(&next, &self.0.common)
    }

    /// Returns what the optional methods of the state return.
    pub fn hooks(&self) -> &Hooks {
        &self.0.hooks
    }

    /// Returns whether tables store the state under its own key, not under that of a symmetric one.
    pub fn is_canonical(&self) -> bool {
        self.0.hooks.table_key == self.0.key.hash
    }

    /// Returns the static evaluation: the settled margin, if the game has no evaluation of its own.
    ///
    /// # Errors
    /// The exception of the method, and errors for an invalid result.
    pub fn evaluation(&self, py: Python<'_>) -> PyResult<Score> {
        let (object, most) = (self.0.object.bind(py), self.0.hooks.max_evaluation());
        if !overrides(object, intern!(py, "evaluate"))? {
            return Ok(self.0.hooks.settled());
        }
        let value = calls::method(object, intern!(py, "evaluate"), [None; 2])?;
        within(object, "evaluate()", &value, most)
    }
}

/// Returns the text of an object that is a move: its `str`, in which numbers of numpy are those of Python.
///
/// # Errors
/// The exception of the `str`.
pub fn text_of<'py>(mv: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if is_immutable(mv) || !(mv.is_exact_instance_of::<PyTuple>() || mv.is_exact_instance_of::<PyList>()) {
        return calls::text(mv);
    }
    calls::text(&PLAIN.import(mv.py(), "secateurs._key", "plain")?.call1((mv,))?)
}

/// Returns the moves.
fn listed<'py>(object: &Bound<'py, PyAny>) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let moves = calls::method(object, intern!(object.py(), "moves"), [None; 2])?;
    calls::items(&moves).map_err(|error| {
        let iterates = moves.hasattr(intern!(object.py(), "__iter__")).unwrap_or(true);
        if iterates { error } else { mistyped(object, "moves()", "an iterable", &moves) }
    })
}

/// The error for a move that was legal in an earlier query of the state.
pub fn unsteady(object: &Bound<'_, PyAny>, text: &str) -> PyErr {
    let (kind, text) = (class_name(object), Quoted::new(text));
    let reason = "it must give the same moves each time, and no method may change a state";
    PyValueError::new_err(format!("{kind}.moves() gave {text} before, and does not now: {reason}"))
}

impl Position for State {
    type Move = Choice;
    const CODES: usize = CODES;
    // A class may declare that positions can repeat; for other classes this is unknown before the game is played.
    const CYCLIC: bool = true;

    fn turn(&self) -> Side {
        self.0.turn
    }

    fn moves(&self, out: &mut Vec<Choice>) {
        out.extend((0..).zip(&self.0.moves).map(|(place, mv)| Choice { place, code: mv.code }));
    }

    fn is_over(&self) -> bool {
        self.0.moves.is_empty()
    }

    fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    fn repeated(&self, _cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        self.0.common.cyclic.then_some(Outcome::Draw)
    }

    fn after(&self, mv: Choice) -> Self {
        attached(|py| self.played(py, mv))
    }

    fn key(&self) -> u64 {
        self.0.key.hash
    }

    fn code(&self, mv: Choice) -> u16 {
        mv.code
    }
}
