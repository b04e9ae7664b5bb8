//! The optional methods of a state that prune a search: `settled`, `bounds` and `symmetric_key`.

use super::inspection::{class, mistyped, repr_of};
use super::key::{Key, hashed};
use crate::error::class_name;
use crate::outcome::Outcome as PythonOutcome;
use crate::threads::calls;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use secateurs::core::score::{MAX_DISTANCE, MAX_EVALUATION, UNIT, win_in};
use secateurs::core::{Bounds, Outcome, Score, Side};

/// The largest settled margin, and the largest value of a game that has one, centi-units: tables store their
/// difference.
const MAX_SETTLED: Score = MAX_EVALUATION / 2;

/// What the optional methods of a state return.
pub struct Hooks {
    /// The settled margin, centi-units for the side to move; `None` if the game settles nothing.
    settled: Option<Score>,
    /// The bounds of the value for the side to move.
    pub bounds: Bounds,
    /// The hash under which tables store the state.
    pub table_key: u64,
    /// The optional methods that the game has.
    pub methods: Vec<&'static str>,
}

impl Hooks {
    /// Queries a state. `outcome` is that of a finished game.
    ///
    /// # Errors
    /// The exceptions of the methods, and errors for invalid results.
    pub fn new(object: &Bound<'_, PyAny>, turn: Side, key: &Key, outcome: Option<Outcome>) -> PyResult<Self> {
        let py = object.py();
        let mut hooks = Self { settled: None, bounds: Bounds::NONE, table_key: key.hash, methods: Vec::new() };
        if let Some(value) = hooks.call(object, "settled()", intern!(py, "settled"))? {
            // Whole units for player 1, in Python; centi-units for the side to move, here.
            let units = within(object, "settled()", &value, MAX_SETTLED / UNIT)?;
            hooks.settled = Some(UNIT * if turn == Side::First { units } else { -units });
        }
        if let Some(value) = hooks.call(object, "bounds()", intern!(py, "bounds"))? {
            hooks.bounds = bounds(object, turn, &value)?;
        }
        if let Some(value) = hooks.call(object, "symmetric_key()", intern!(py, "symmetric_key"))? {
            hooks.table_key = hashed(object, turn, "symmetric_key()", &value)?;
        }
        outcome.map_or(Ok(()), |outcome| hooks.check(object, outcome))?;
        Ok(hooks)
    }

    /// Returns the settled margin, centi-units for the side to move.
    pub fn settled(&self) -> Score {
        self.settled.unwrap_or(0)
    }

    /// Returns the largest static evaluation, centi-units.
    pub fn max_evaluation(&self) -> Score {
        if self.settled.is_some() { MAX_SETTLED } else { MAX_EVALUATION }
    }

    /// Returns the answer of a method; `None` if the class does not override it.
    fn call<'py>(
        &mut self,
        object: &Bound<'py, PyAny>,
        method: &'static str,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !overrides(object, name)? {
            return Ok(None);
        }
        self.methods.push(method);
        calls::method(object, name, [None; 2]).map(Some)
    }

    /// Compares the answers with the outcome of the game.
    fn check(&self, object: &Bound<'_, PyAny>, outcome: Outcome) -> PyResult<()> {
        let (kind, score) = (class_name(object), outcome.score());
        let message = if self.settled.is_some() && !matches!(outcome, Outcome::Margin(_)) {
            format!("{kind}.outcome() has no margin, and {kind}.settled() returns a part of one")
        } else if self.settled.is_some() && score.abs() > MAX_SETTLED {
            let (most, units) = (MAX_SETTLED / UNIT, score.abs() / UNIT);
            format!("the margin of a game with {kind}.settled() is within ±{most}, not {units} as in {kind}.outcome()")
        } else if self.bounds.hold(score) != score {
            format!("{kind}.bounds() excludes what {kind}.outcome() returns: bounds must hold whatever is played")
        } else {
            return Ok(());
        };
        Err(PyValueError::new_err(message))
    }
}

/// Returns whether the class of a state has its own method of this name.
///
/// # Errors
/// `TypeError` for an attribute that is no method.
pub fn overrides(object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let own = object.get_type().getattr(name)?;
    if own.is(&class(object.py())?.getattr(name)?) {
        return Ok(false);
    }
    if own.is_callable() {
        return Ok(true);
    }
    let kind = class_name(object);
    let message = format!("{kind}.{name} is no method: secateurs.Game has a method {name}(), which searches call");
    Err(PyTypeError::new_err(message))
}

/// Reads what a method returns: a whole number from -`most` to `most`.
///
/// # Errors
/// `TypeError`; `ValueError` if it is out of range.
pub fn within(object: &Bound<'_, PyAny>, method: &str, value: &Bound<'_, PyAny>, most: Score) -> PyResult<Score> {
    match calls::number(value).and_then(|number| number.extract::<Score>()) {
        Ok(number) if (-most..=most).contains(&number) => Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => {
            Err(mistyped(object, method, "an int", value))
        }
        _ => {
            let kind = class_name(object);
            Err(PyValueError::new_err(format!("{kind}.{method} is within ±{most}, not {}", repr_of(value))))
        }
    }
}

/// Reads the outcomes between which a game must end, the worst and the best one for player 1: a pair, of which each may
/// be `None`, or `None` alone.
fn bounds(object: &Bound<'_, PyAny>, turn: Side, value: &Bound<'_, PyAny>) -> PyResult<Bounds> {
    if value.is_none() {
        return Ok(Bounds::NONE);
    }
    let wrong = || mistyped(object, "bounds()", "a tuple of two, each an Outcome or None", value);
    let pair = value.cast::<PyTuple>().map_err(|_| wrong())?;
    if pair.len() != 2 {
        return Err(wrong());
    }
    let end = |at| {
        let end = pair.get_item(at)?;
        if end.is_none() {
            return Ok(None);
        }
        let outcome = end.cast::<PythonOutcome>().map_err(|_| wrong())?;
        Ok::<_, PyErr>(Some(outcome.get().seen_by(Side::First)))
    };
    // A win comes in an unknown number of plies.
    let sure = win_in(MAX_DISTANCE);
    let lower = end(0)?.map_or(Bounds::NONE.lower, |least| match least {
        Outcome::Win => sure,
        Outcome::Loss => Bounds::NONE.lower,
        least => least.score(),
    });
    let upper = end(1)?.map_or(Bounds::NONE.upper, |most| match most {
        Outcome::Win => Bounds::NONE.upper,
        Outcome::Loss => -sure,
        most => most.score(),
    });
    if lower > upper {
        let message = format!(
            "{}.bounds() is the worst and the best outcome for player 1, not {}",
            class_name(object),
            repr_of(value)
        );
        return Err(PyValueError::new_err(message));
    }
    Ok(Bounds { lower, upper }.seen(turn == Side::First))
}
