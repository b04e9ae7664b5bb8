//! The exceptions, all but one of them subclasses of `ValueError`, with the library's own words.

use crate::core::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    secateur,
    BadOption,
    PyValueError,
    "A game or an option that there is not, a value that an option does not take, or options that do not go together."
);
create_exception!(
    secateur,
    BadFile,
    PyValueError,
    "A file that is no saved table or endgame database, is damaged, or was made for other rules or by another version."
);
create_exception!(secateur, BadPosition, PyValueError, "A position that cannot be read, or that cannot occur.");
create_exception!(
    secateur,
    EngineError,
    PyRuntimeError,
    "An engine at the end of a pipe that cannot be started, has crashed, hangs, or says what cannot be. The message names its \
     command, and what it said last."
);
create_exception!(secateur, IllegalMove, PyValueError, "A move that is not legal where it was played.");

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::IllegalMove(..) => IllegalMove::new_err(text),
            Error::BadPosition(..) => BadPosition::new_err(text),
            Error::UnknownGame(..) | Error::UnknownOption(..) | Error::BadValue { .. } | Error::BadOptions(..) => {
                BadOption::new_err(text)
            }
            Error::BadFile(..) => BadFile::new_err(text),
            // Python's own subclass of `OSError` for what went wrong.
            Error::File { kind, .. } => std::io::Error::new(kind, text).into(),
            Error::TableTooLarge { .. } => PyMemoryError::new_err(text),
            Error::Uncertified(..) => PyRuntimeError::new_err(text),
            Error::BadCommand(..) | Error::TreeTooLarge { .. } => PyValueError::new_err(text),
        }
    }
}

/// What was pickled by another version, or by nobody.
pub fn unpicklable(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("this cannot be unpickled: {error}"))
}
