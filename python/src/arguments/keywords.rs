//! Mistyped keywords: the error names the nearest of those that a function takes.

use crate::python_modules::call_function;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::core::error::Quoted;
use secateurs::core::limits::meant;
use secateurs::util::suggestion::did_you_mean;

/// Returns the keywords of a function of the package, such as `Engine.analyse`, by its signature, and `more`.
pub fn known(py: Python<'_>, function: &str, more: &[String]) -> Vec<String> {
    let parameters = || -> PyResult<Vec<String>> {
        let package = py.import("secateurs")?.into_any();
        let function = function.split('.').try_fold(package, |object, name| object.getattr(name))?;
        call_function(py, ("secateurs._arguments", "parameters"), (function,))?.extract()
    };
    [&parameters().unwrap_or_default(), more].concat()
}

/// Returns the end of a message about a keyword that a function does not take: what there is instead, or a suggestion,
/// or without both, `otherwise`.
pub fn hint(py: Python<'_>, function: &str, word: &str, known: &[String], otherwise: &str) -> String {
    let instead = call_function(py, ("secateurs._attributes", "instead_of"), (function, word));
    let instead = instead.and_then(|instead| instead.extract::<Option<String>>()).ok().flatten();
    let hint = instead.map_or_else(|| suggestion(word, known), |instead| format!("; {instead}"));
    if hint.is_empty() { otherwise.into() } else { hint }
}

/// Returns the end of a message about a mistyped keyword, `; did you mean hash?`; empty if it is like none of `known`.
fn suggestion(word: &str, known: &[String]) -> String {
    match meant(word).filter(|meant| known.iter().any(|known| known == meant)) {
        Some(meant) => format!("; did you mean {meant}?"),
        None => did_you_mean(word, known.iter().map(String::as_str)),
    }
}

/// Returns the `TypeError` for a keyword that a function does not take, with its [`hint`].
#[pyfunction]
#[pyo3(name = "_unexpected", signature = (function, word, known, otherwise = ""))]
pub fn unexpected(py: Python<'_>, function: &str, word: &str, known: Vec<String>, otherwise: &str) -> PyErr {
    let hint = hint(py, function, word, &known, otherwise);
    PyTypeError::new_err(format!("{function}() got an unexpected keyword argument {}{hint}", Quoted::new(word)))
}

/// Refuses all keywords of a function beside its parameters.
///
/// # Errors
/// `TypeError` for the first one.
pub fn no_others(py: Python<'_>, function: &str, others: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    match others.into_iter().flatten().next() {
        Some((word, _)) => Err(unexpected(py, function, &word.str()?.to_string_lossy(), known(py, function, &[]), "")),
        None => Ok(()),
    }
}
