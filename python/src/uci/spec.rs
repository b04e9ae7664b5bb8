//! The description of an external engine by Python arguments.

use crate::arguments::{Argument, Value, one_of, pairs, sequence, word, wrong_type};
use crate::python_modules::call_function;
use crate::threads::calls;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString};
use secateurs::protocol::command::Dialect;
use secateurs_tools::client::Spec;
use std::path::PathBuf;

/// Reads the description of an engine: the program, alone or with its arguments; options; the protocol.
///
/// # Errors
/// `ValueError` for an empty command and an unknown protocol, `TypeError` for values of other types.
pub fn spec(command: &Value<'_>, options: Option<Value<'_>>, protocol: Option<Value<'_>>) -> PyResult<Spec> {
    let py = command.py();
    let is_path = command.is_instance_of::<PyString>() || command.is_instance_of::<PyBytes>();
    let (program, arguments) = if is_path || command.hasattr("__fspath__")? {
        let program = PathBuf::read("command", command)?;
        let words: Option<String> = call_function(py, ("secateurs._arguments", "words"), (command,))?.extract()?;
        if let Some(words) = words {
            let message = format!("command is the name of a program, or a list with its arguments: {words}");
            return Err(PyValueError::new_err(message));
        }
        (program, Vec::new())
    } else {
        let words = sequence("command", command, "a str, a path or a list of str")?;
        let words = words.map(|item| item.and_then(|(name, item)| word(&name, &item)));
        let mut words = words.collect::<PyResult<Vec<_>>>()?.into_iter();
        (words.next().unwrap_or_default().into(), words.collect())
    };
    if program.as_os_str().is_empty() {
        return Err(PyValueError::new_err("command is empty: it names the program"));
    }
    let probe = protocol.is_none();
    let dialect = protocol.map_or(Ok(Dialect::Uci), |protocol| dialect(&protocol))?;
    let options = options.map(|options| settings(&options)).transpose()?.unwrap_or_default();
    Ok(Spec { arguments, probe, options, ..Spec::new(dialect, program) })
}

/// Reads the name of a protocol.
///
/// # Errors
/// `TypeError`; `ValueError` for another word.
pub fn dialect(protocol: &Value<'_>) -> PyResult<Dialect> {
    one_of("protocol", protocol, &[("uci", Dialect::Uci), ("ugi", Dialect::Ugi), ("hub", Dialect::Hub)])
}

/// Reads the options of an engine.
///
/// # Errors
/// `TypeError` if it is no mapping, and for values that are no `bool`, `int`, `str` or `None`.
pub fn settings(options: &Value<'_>) -> PyResult<Vec<(String, String)>> {
    let text = |(name, value): (String, Value<'_>)| {
        let text = if value.is_none() {
            String::new()
        } else if let Ok(on) = value.cast::<PyBool>() {
            on.is_true().to_string()
        } else if value.is_instance_of::<PyString>() {
            value.str()?.to_string_lossy().into_owned()
        } else if value.hasattr("__index__")? {
            calls::number(&value)?.str()?.to_string_lossy().into_owned()
        } else {
            return Err(wrong_type(&format!("option {name}"), "a bool, an int, a str or None", &value));
        };
        Ok((name, text))
    };
    pairs("options", options)?.into_iter().map(text).collect()
}
