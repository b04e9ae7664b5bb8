//! The exceptions, most of them subclasses of `ValueError`, with the messages of the library.

use crate::core::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

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
            // Python chooses the subclass of `OSError` for the kind of error.
            Error::File { kind, .. } => std::io::Error::new(kind, text).into(),
            Error::TableTooLarge { .. } => PyMemoryError::new_err(text),
            Error::Uncertified(..) => PyRuntimeError::new_err(text),
            Error::BadCommand(..) | Error::TreeTooLarge { .. } => PyValueError::new_err(text),
        }
    }
}

/// Turns pyo3's exception for panics into `InternalError`. pyo3's is a `BaseException`, which `except Exception` does
/// not catch and which ends the loop of a notebook; ours is a `RuntimeError`.
///
/// # Errors
/// None but those of Python itself.
pub fn internal(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let kind = py.get_type::<PanicException>();
    kind.setattr("__bases__", PyTuple::new(py, [py.get_type::<PyRuntimeError>()])?)?;
    kind.setattr("__name__", "InternalError")?;
    kind.setattr("__qualname__", "InternalError")?;
    kind.setattr("__module__", "secateur")?;
    kind.setattr("__doc__", "A fault of Secateur itself; please report it.")?;
    Ok(kind)
}

/// Panics, for the test of [`internal`].
#[pyfunction]
#[pyo3(name = "_panic")]
#[expect(clippy::panic, reason = "that is what it is for")]
pub fn panic(words: String) {
    panic!("{words}");
}

/// The error for a pickle of another version, or a forged one.
pub fn unpicklable(_: serde_json::Error) -> PyErr {
    PyValueError::new_err("this cannot be unpickled: it is damaged, or was pickled by another version")
}
