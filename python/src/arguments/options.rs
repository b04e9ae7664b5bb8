//! The options of a game as keyword arguments: `MaxTake` of the registry is `max_take`.

use super::{Argument, hint, index, known, sequence, shown, whole, wrong_type};
use crate::error::{BadOption, OrRaise, exception};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use secateurs::core::error::Quoted;
use secateurs::core::{Error, OptionKind, OptionRow, OptionValue, Options};
use secateurs::registry::GameRow;
use std::path::PathBuf;

/// The maximum number of numbers read for an option, more than any option takes.
const NUMBERS: usize = 1 << 10;

/// Returns the options of a game: the given ones set, the others at their defaults. They are keywords of `function`.
///
/// # Errors
/// `BadOption` for a keyword that the game does not take and for a value out of range, `TypeError` for a value of the
/// wrong type.
pub fn read(game: &GameRow, given: Option<&Bound<'_, PyDict>>, function: &str) -> PyResult<Options> {
    let mut options = game.defaults();
    for (name, value) in given.into_iter().flatten() {
        let name = name.str()?.to_string_lossy().into_owned();
        let Some(row) = game.options.iter().find(|row| keyword(row) == name) else {
            return Err(unknown(game, &name, value.py(), function));
        };
        options.set(row.name, &text(row, &value)?).or_raise()?;
    }
    Ok(options)
}

/// Returns options as a dictionary of keywords and values.
///
/// # Errors
/// None but those of Python itself.
pub fn dict<'a, 'py>(
    py: Python<'py>,
    options: impl Iterator<Item = (&'static OptionRow, &'a OptionValue)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (row, value) in options {
        dict.set_item(keyword(row), object(py, row, value)?)?;
    }
    Ok(dict)
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

fn unknown(game: &GameRow, name: &str, py: Python<'_>, function: &str) -> PyErr {
    let options: Vec<_> = game.options.iter().map(keyword).collect();
    let takes = if options.is_empty() { "has no options".into() } else { format!("takes {}", options.join(", ")) };
    let otherwise = format!("; {} {takes}", game.name);
    let hint = hint(py, function, name, &known(py, function, &options), &otherwise);
    BadOption::new_err(format!("{}{hint}", Error::UnknownOption(Quoted::new(name))))
}

/// Returns the value in the notation of the registry.
fn text(row: &OptionRow, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let wrong = |takes| wrong_type(&keyword(row), takes, value);
    match row.kind {
        OptionKind::Check { .. } => value.extract::<bool>().map(|on| on.to_string()).map_err(|_| wrong("a bool")),
        OptionKind::Combo { choices, .. } if value.is_instance_of::<PyString>() || !are_numbers(choices) => {
            String::read(&keyword(row), value)
        }
        OptionKind::Spin { .. } | OptionKind::Combo { .. } => match whole(&keyword(row), value)? {
            Some(number) => Ok(number.to_string()),
            None => Err(exception(row.bad_value(&shown(value)?))),
        },
        OptionKind::File | OptionKind::Folder => match value.extract::<PathBuf>() {
            Ok(path) => Ok(path.to_string_lossy().into_owned()),
            Err(_) => Err(wrong("a str or a path")),
        },
        // Weights are names with values.
        OptionKind::Text { default } if default.contains('=') && !value.is_instance_of::<PyString>() => {
            Err(wrong("a str"))
        }
        OptionKind::Text { .. } if !value.is_instance_of::<PyString>() => {
            let name = keyword(row);
            let numbers = sequence(&name, value, "a str or a list of int")?.take(NUMBERS);
            let text =
                |number: PyResult<(String, _)>| number.and_then(|(name, it)| shown(&index(&name, &it, "an int")?));
            Ok(numbers.map(text).collect::<PyResult<Vec<_>>>()?.join(","))
        }
        // A list as text, written as a list of numbers would be.
        OptionKind::Text { .. } => {
            let text = String::read(&keyword(row), value)?;
            let part = |part: &str| part.parse().map_or_else(|_| part.into(), |number: i64| number.to_string());
            Ok(text.split(',').map(|text| part(text.trim())).collect::<Vec<_>>().join(","))
        }
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
