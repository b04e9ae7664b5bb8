//! An engine behind a pipe as Python describes it.

use crate::client::Spec;
use crate::core::error::Quoted;
use crate::protocol::command::Dialect;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A program, alone or with its arguments.
#[derive(FromPyObject)]
pub enum Command {
    /// Alone.
    Program(PathBuf),
    /// With its arguments.
    Words(Vec<String>),
}

/// Options as Python gives them.
pub type Settings<'py> = Option<BTreeMap<String, Bound<'py, PyAny>>>;

/// An engine as a user describes it.
///
/// # Errors
/// `ValueError` for a command without words and a protocol that there is not, `TypeError` for values of other types.
pub fn spec(command: Command, options: Settings<'_>, protocol: Option<&str>) -> PyResult<Spec> {
    let (program, arguments) = match command {
        Command::Program(program) => (program, Vec::new()),
        Command::Words(words) => {
            let mut words = words.into_iter();
            (words.next().unwrap_or_default().into(), words.collect())
        }
    };
    if program.as_os_str().is_empty() {
        return Err(PyValueError::new_err("command is empty: it names the program"));
    }
    let dialect = match protocol {
        Some("uci") | None => Dialect::Uci,
        Some("ugi") => Dialect::Ugi,
        Some(other) => {
            let other = Quoted::new(other);
            return Err(PyValueError::new_err(format!("protocol is \"uci\", \"ugi\" or None, not {other}")));
        }
    };
    let probe = protocol.is_none();
    Ok(Spec { arguments, probe, options: settings(options)?, ..Spec::new(dialect, program) })
}

/// Options in the engine's words.
///
/// # Errors
/// `TypeError` for a value that is no `bool`, `int`, `str` or `None`.
pub fn settings(options: Settings<'_>) -> PyResult<Vec<(String, String)>> {
    let text = |(name, value): (String, Bound<'_, PyAny>)| {
        let text = if value.is_none() {
            String::new()
        } else if let Ok(on) = value.cast::<PyBool>() {
            on.is_true().to_string()
        } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
            value.str()?.to_cow()?.into_owned()
        } else {
            let given = value.get_type().name()?.to_string();
            return Err(PyTypeError::new_err(format!(
                "option {name} takes a bool, an int, a str or None, not {given}"
            )));
        };
        Ok((name, text))
    };
    options.into_iter().flatten().map(text).collect()
}

/// Seconds.
///
/// # Errors
/// `ValueError` unless it is positive and finite.
pub fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    let positive = Some(seconds).filter(|&seconds| seconds > 0.0);
    let duration = positive.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| PyValueError::new_err(format!("{name} is a positive number of seconds, not {seconds}")))
}
