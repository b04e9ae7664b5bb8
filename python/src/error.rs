//! The exceptions, most of them subclasses of `ValueError`, with the messages of the library.

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::import_exception;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use secateurs::core::Error;

import_exception!(secateurs._errors, BadFile);
import_exception!(secateurs._errors, BadOption);
import_exception!(secateurs._errors, BadPosition);
import_exception!(secateurs._errors, EngineError);
import_exception!(secateurs._errors, IllegalMove);

/// Returns the exception for an error of the engine.
pub fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::IllegalMove(..) | Error::AmbiguousMove(..) => IllegalMove::new_err(text),
        Error::BadPosition(..) | Error::NoPosition => BadPosition::new_err(text),
        Error::UnknownGame(..) | Error::UnknownOption(..) | Error::BadValue { .. } | Error::BadOptions(..) => {
            BadOption::new_err(text)
        }
        Error::BadFile(..) => BadFile::new_err(text),
        // Python chooses the subclass of `OSError` for the kind of error.
        Error::File { kind, .. } => std::io::Error::new(kind, text).into(),
        Error::TableTooLarge { .. } => PyMemoryError::new_err(text),
        Error::Uncertified(..) => PyRuntimeError::new_err(text),
        Error::BadCommand(..) | Error::NoValue(..) | Error::TreeTooLarge { .. } => PyValueError::new_err(text),
    }
}

/// Results of the engine as results of Python.
pub trait OrRaise<T> {
    /// Turns an error into its [`exception`].
    ///
    /// # Errors
    /// That exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(exception)
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
    kind.setattr("__module__", "secateurs")?;
    kind.setattr("__doc__", "A fault of Secateurs itself; please report it.")?;
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

/// Returns a name with its indefinite article.
pub fn with_article(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// Returns the name of an object's class.
pub fn class_name(object: &Bound<'_, PyAny>) -> String {
    name_of(&object.get_type())
}

/// Returns the name of a class. `Display` would run signal handlers, and lose the exception of one.
pub fn name_of(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(|_| "object".into(), |name| name.to_string_lossy().into_owned())
}
