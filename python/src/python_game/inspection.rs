//! Games in Python from outside: their base class, the turn of a state, and names for errors.

use crate::error::{class_name, name_of, with_article};
use crate::threads::{calls, logs};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use secateurs::core::Side;
use secateurs::core::error::Quoted;

/// Returns the Python class that is the base of all such games.
///
/// # Errors
/// None but those of Python itself.
pub fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    // Every move played needs the class.
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "secateurs.game", "Game")
}

/// Returns what an argument is to be, for the error for another one: where the class of a game is given, a state of it.
///
/// # Errors
/// None but those of Python itself.
pub fn expected(given: &Bound<'_, PyAny>, otherwise: &str) -> PyResult<String> {
    Ok(match given.cast::<PyType>() {
        Ok(kind) if kind.is_subclass(class(given.py())?)? => format!("a Game, such as {}()", name_of(kind)),
        _ => otherwise.into(),
    })
}

/// Returns the side to move.
///
/// # Errors
/// The exception of the state; `ValueError` for other numbers.
pub fn turn(object: &Bound<'_, PyAny>) -> PyResult<Side> {
    let turn = calls::attribute(object, intern!(object.py(), "turn"))?;
    match calls::number(&turn).and_then(|number| number.extract::<u8>()) {
        Ok(1) => Ok(Side::First),
        Ok(2) => Ok(Side::Second),
        _ => Err(PyValueError::new_err(format!("{}.turn is 1 or 2, not {}", class_name(object), repr_of(&turn)))),
    }
}

/// Returns the shortened `repr` of a value, or the name of its class if the `repr` fails. An interrupt in it is raised
/// later.
pub fn repr_of(value: &Bound<'_, PyAny>) -> String {
    let text = calls::repr(value).map_err(|error| {
        if !error.is_instance_of::<PyException>(value.py()) {
            logs::later(Err(error));
        }
    });
    text.map_or_else(|()| with_article(&class_name(value)), |text| shortened(&text.to_string_lossy()))
}

/// Returns a text of at most [`Quoted::LIMIT`] characters, the beginning of a longer one.
pub fn shortened(text: &str) -> String {
    if text.chars().nth(Quoted::LIMIT).is_none() {
        return text.into();
    }
    text.chars().take(Quoted::LIMIT).chain("...".chars()).collect()
}

/// The error for a method that returns a value of the wrong type.
pub fn mistyped(object: &Bound<'_, PyAny>, method: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{}.{method} returns {wanted}, not {}", class_name(object), repr_of(value)))
}
