//! Types of arguments: one conversion for each, with the name of the argument in its errors.

use super::{Value, duration, index, refused, seconds, sequence, within, wrong_type};
use crate::error::{name_of, with_article};
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;
use std::time::Duration;

/// A type of argument.
pub trait Argument<'py>: Sized {
    /// Converts an argument, named in errors.
    ///
    /// # Errors
    /// `TypeError`; `ValueError` if it is out of range.
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self>;

    /// Converts an argument that may be left out.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    fn read_or(name: &str, given: Option<Value<'py>>, default: Self) -> PyResult<Self> {
        given.map_or(Ok(default), |given| Self::read(name, &given))
    }
}

/// Reads an attribute of an object as the argument of the same name.
///
/// # Errors
/// Those of [`Argument::read`].
pub fn field<'py, T: Argument<'py>>(object: &Value<'py>, name: &str) -> PyResult<T> {
    T::read(name, &object.getattr(name)?)
}

impl<'py, T: Argument<'py>> Argument<'py> for Option<T> {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::read(name, given).map(Some) }
    }
}

/// Instances of a class.
impl<'py, T: PyTypeInfo> Argument<'py> for Bound<'py, T> {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        let wrong = |_| wrong_type(name, &with_article(&name_of(&T::type_object(given.py()))), given);
        given.cast().cloned().map_err(wrong)
    }
}

impl<'py> Argument<'py> for bool {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        refused(given.extract(), name, "a bool", given)
    }
}

impl<'py> Argument<'py> for usize {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        within(name, given, 0.., "a whole number, at least 0")
    }
}

impl<'py> Argument<'py> for u64 {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        // Python has checked the range.
        index(name, given, "an int")?.extract()
    }
}

impl<'py> Argument<'py> for i32 {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        within(name, given, .., "a whole number of 32 bits, centi-units")
    }
}

/// A number; infinite if it is too large.
impl<'py> Argument<'py> for f64 {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        match given.extract::<f64>() {
            // Of Python or numpy.
            _ if given.extract::<bool>().is_ok() => Err(wrong_type(name, "a number", given)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Ok(f64::INFINITY),
            found => refused(found, name, "a number", given),
        }
    }
}

/// A positive number of seconds, or a `datetime.timedelta`.
impl<'py> Argument<'py> for Duration {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        duration(name, seconds(name, given)?)
    }
}

/// A text; invalid Unicode in it is replaced.
impl<'py> Argument<'py> for String {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        let text = given.cast::<PyString>().map_err(|_| wrong_type(name, "a str", given))?;
        Ok(text.to_string_lossy().into_owned())
    }
}

/// A path; a text that is not allowed in one is a `ValueError`.
impl<'py> Argument<'py> for PathBuf {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        let unusual = |what: &str| PyValueError::new_err(format!("{name} has {what}, which no path has"));
        let found: PyResult<Self> = refused(given.extract(), name, "a str or a path", given);
        let path = found.map_err(|error| {
            let unwritable = error.is_instance_of::<PyUnicodeEncodeError>(given.py());
            if unwritable { unusual("half a character (a lone surrogate)") } else { error }
        })?;
        if path.as_os_str().as_encoded_bytes().contains(&0) { Err(unusual("a NUL character")) } else { Ok(path) }
    }
}

impl<'py, T: Argument<'py>> Argument<'py> for Vec<T> {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        sequence(name, given, "a list")?.map(|item| item.and_then(|(name, item)| T::read(&name, &item))).collect()
    }
}
