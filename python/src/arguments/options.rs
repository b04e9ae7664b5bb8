//! The options of a game as keyword arguments: `MaxTake` of the registry is `max_take`.

use super::{Argument, refused, sequence, shown, wrong_type};
use crate::error::{BadOption, OrRaise, exception};
use crate::threads::calls;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use secateurs::core::error::Quoted;
use secateurs::core::{Error, OptionKind, OptionRow, OptionValue, Options};
use secateurs::registry::GameRow;
use std::path::PathBuf;

/// The maximum number of numbers read for an option, more than any option takes.
const NUMBERS: usize = 1 << 10;

/// Returns the options of a game: the given ones set, the others at their defaults.
///
/// # Errors
/// `BadOption` for a keyword that the game does not take and for a value out of range, `TypeError` for a value of the
/// wrong type.
pub fn read(game: &GameRow, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = game.defaults();
    for (name, value) in given.into_iter().flatten() {
        let name = name.str()?.to_string_lossy().into_owned();
        let row = game.options.iter().find(|row| keyword(row) == name).ok_or_else(|| unknown(game, &name))?;
        options.set(row.name, &text(row, &value)?).or_raise()?;
    }
    Ok(options)
}

/// Returns the keyword and the value of every option, in the order of the rows.
///
/// # Errors
/// None but those of Python itself.
pub fn write<'py>(py: Python<'py>, options: &Options) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    options.iter().map(|(row, value)| Ok((keyword(row), object(py, row, value)?))).collect()
}

/// Formats the options that are not at their defaults as keyword arguments: `, houses=4`.
///
/// # Errors
/// None but those of Python itself.
pub fn arguments(py: Python<'_>, options: &Options) -> PyResult<String> {
    let mut text = String::new();
    for (row, value) in options.iter().filter(|(row, value)| **value != row.default_value()) {
        text.push_str(&format!(", {}={}", keyword(row), object(py, row, value)?.repr()?.to_cow()?));
    }
    Ok(text)
}

/// Returns the name of an option in snake case.
fn keyword(row: &OptionRow) -> String {
    let mut word = String::new();
    let mut last = '_';
    for letter in row.name.chars() {
        if letter.is_ascii_uppercase() && last.is_ascii_lowercase() {
            word.push('_');
        }
        word.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
        last = letter;
    }
    word
}

fn unknown(game: &GameRow, name: &str) -> PyErr {
    let known: Vec<_> = game.options.iter().map(keyword).collect();
    BadOption::new_err(format!("{}; {} takes {}", Error::UnknownOption(Quoted::new(name)), game.name, known.join(", ")))
}

/// Returns the value in the notation of the registry.
fn text(row: &OptionRow, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let wrong = |takes| wrong_type(&keyword(row), takes, value);
    match row.kind {
        OptionKind::Check { .. } => value.extract::<bool>().map(|on| on.to_string()).map_err(|_| wrong("a bool")),
        OptionKind::Combo { choices, .. } if value.is_instance_of::<PyString>() || !are_numbers(choices) => {
            String::read(&keyword(row), value)
        }
        OptionKind::Spin { .. } | OptionKind::Combo { .. } if value.is_instance_of::<PyBool>() => Err(wrong("an int")),
        OptionKind::Spin { .. } | OptionKind::Combo { .. } => match value.extract::<i64>() {
            Ok(number) => Ok(number.to_string()),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                Err(exception(row.bad_value(&shown(value)?)))
            }
            Err(_) => Err(wrong("an int")),
        },
        OptionKind::Folder => match value.extract::<PathBuf>() {
            Ok(path) => Ok(path.to_string_lossy().into_owned()),
            Err(_) => Err(wrong("a str or a path")),
        },
        OptionKind::Text { .. } if !value.is_instance_of::<PyString>() => {
            let (name, expected) = (keyword(row), "a str or a list of int");
            let numbers = sequence(&name, value, expected)?.take(NUMBERS);
            let texts: PyResult<Vec<_>> = numbers.map(|number| shown(calls::number(&number?.1)?.as_any())).collect();
            Ok(refused(texts, &name, expected, value)?.join(","))
        }
        OptionKind::Text { .. } => String::read(&keyword(row), value),
    }
}

/// Returns whether the choices of an option are numbers, which are an `int` in Python.
fn are_numbers(choices: &[&str]) -> bool {
    choices.iter().all(|choice| choice.parse::<i64>().is_ok())
}

fn object<'py>(py: Python<'py>, row: &OptionRow, value: &OptionValue) -> PyResult<Bound<'py, PyAny>> {
    match value {
        OptionValue::Combo(word) if matches!(row.kind, OptionKind::Combo { choices, .. } if are_numbers(choices)) => {
            Ok(word.parse::<i64>()?.into_pyobject(py)?.into_any())
        }
        OptionValue::Check(on) => Ok(PyBool::new(py, *on).to_owned().into_any()),
        OptionValue::Spin(number) => Ok(number.into_pyobject(py)?.into_any()),
        OptionValue::Combo(word) => Ok(word.into_pyobject(py)?.into_any()),
        OptionValue::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
    }
}
