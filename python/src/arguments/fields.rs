//! The attributes of an object, each converted as the argument of the same name.

use super::{Given, flag, parts, path, real, sequence, text, within, wrong_type};
use crate::error::name_of;
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A type of attribute.
pub trait Field<'py>: Sized {
    /// Converts an attribute, named in errors.
    ///
    /// # Errors
    /// `TypeError`; `ValueError` if it is out of range.
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self>;
}

/// Creates a structure from the attributes of an object that have the names of its fields.
macro_rules! fields {
    ($object:expr; $($name:ident),* $(,)?) => {
        Self { $($name: $crate::arguments::fields::Field::read(stringify!($name), &$object.getattr(stringify!($name))?)?),* }
    };
}
pub(crate) use fields;

impl<'py, T: Field<'py>> Field<'py> for Option<T> {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::read(name, given).map(Some) }
    }
}

/// Instances of a class.
impl<'py, T: PyTypeInfo> Field<'py> for Bound<'py, T> {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        let class = |_| name_of(&T::type_object(given.py()));
        given.cast().cloned().map_err(class).map_err(|class| wrong_type(name, &format!("a {class}"), given))
    }
}

impl<'py> Field<'py> for bool {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        flag(name, given)
    }
}

impl<'py> Field<'py> for usize {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        within(name, given, 0.., "a whole number, at least 0")
    }
}

impl<'py> Field<'py> for u64 {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        // Python has checked the range.
        given.extract().map_err(|_| wrong_type(name, "an int", given))
    }
}

impl<'py> Field<'py> for i32 {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        within(name, given, .., "a whole number of 32 bits, centi-units")
    }
}

impl<'py> Field<'py> for f64 {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        real(name, given)
    }
}

impl<'py> Field<'py> for String {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        text(name, given)
    }
}

impl<'py> Field<'py> for PathBuf {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        path(name, given)
    }
}

impl<'py, T: Field<'py>> Field<'py> for Vec<T> {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        sequence(name, given, "a list")?.map(|item| item.and_then(|(name, item)| T::read(&name, &item))).collect()
    }
}

/// The parameters of a test: both differences, both error rates, normalized, trinomial.
pub type TestPlan = (f64, f64, f64, f64, bool, bool);

impl<'py> Field<'py> for TestPlan {
    fn read(_: &str, given: &Given<'py>) -> PyResult<Self> {
        // Python has checked the types.
        given.extract()
    }
}

impl<'py, A: Field<'py>, B: Field<'py>> Field<'py> for (A, B) {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        let [a, b] = parts(name, given, "a tuple of 2 numbers")?;
        Ok((A::read(&format!("{name}[0]"), &a)?, B::read(&format!("{name}[1]"), &b)?))
    }
}

impl<'py, A: Field<'py>, B: Field<'py>, C: Field<'py>> Field<'py> for (A, B, C) {
    fn read(name: &str, given: &Given<'py>) -> PyResult<Self> {
        let [a, b, c] = parts(name, given, "a tuple of 3 numbers")?;
        let (a, b) = (A::read(&format!("{name}[0]"), &a)?, B::read(&format!("{name}[1]"), &b)?);
        Ok((a, b, C::read(&format!("{name}[2]"), &c)?))
    }
}
