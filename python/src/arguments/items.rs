//! Arguments of several values: their items are read one by one, so that the first wrong item ends the reading. The
//! length that an object states is not trusted, and Ctrl-C ends an endless iterable.

use super::{Argument, Value, is_text, refused, wrong_type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyString, PyType};
use secateurs::util::counted::counted;
use std::ops::{Deref, RangeInclusive};

/// The number of items between two runs of signal handlers.
const POLL: usize = 1 << 10;

/// Returns the items of any iterable. Between them, signal handlers and other threads can run.
///
/// # Errors
/// `TypeError`, without the name of the argument, for an object that is not iterable; the exception of its iterator or
/// of a signal handler.
fn items<'py>(given: &Value<'py>) -> PyResult<impl Iterator<Item = PyResult<Value<'py>>> + use<'py>> {
    let (py, mut items, mut count) = (given.py(), given.try_iter()?, 0);
    Ok(std::iter::from_fn(move || {
        count += 1;
        if count % POLL == 0 {
            // Signal handlers run on the main thread, which may wait for this one.
            py.detach(|| {});
            if let Err(raised) = py.check_signals() {
                return Some(Err(raised));
            }
        }
        items.next()
    }))
}

/// Returns the items of an iterable that is no text, each with its name: `root_moves[2]`.
///
/// # Errors
/// `TypeError` with `expected`; the items have those of [`items`].
pub fn iterable<'py>(
    name: &str,
    given: &Value<'py>,
    expected: &str,
) -> PyResult<impl Iterator<Item = PyResult<(String, Value<'py>)>>> {
    if is_text(given) {
        return Err(wrong_type(name, expected, given));
    }
    if let Some(way) = line_of(given)? {
        let wrong = wrong_type(name, expected, given);
        return Err(PyTypeError::new_err(format!("{}: {way}", wrong.value(given.py()))));
    }
    let items = refused(items(given), name, expected, given)?;
    Ok(items.enumerate().map(move |(index, item)| Ok((format!("{name}[{index}]"), item?))))
}

/// Returns how to write the moves of an object whose items are others: of a node of a game of python-chess, its
/// alternatives; of a result, its keys. `None` for other objects.
///
/// # Errors
/// The exception of a signal handler.
fn line_of(given: &Value<'_>) -> PyResult<Option<&'static str>> {
    let has = |name: &Bound<'_, PyString>| given.hasattr(name);
    Ok(match given.is_instance_of::<PyType>() {
        false if has(intern!(given.py(), "mainline_moves"))? => Some("game.mainline_moves() has its moves"),
        false if has(intern!(given.py(), "pv"))? => Some("result.pv has its moves"),
        _ => None,
    })
}

/// Returns the items of an iterable as [`iterable`], or a text or another object that is none as the only item.
///
/// # Errors
/// Those of [`iterable`].
pub fn one_or_more<'py>(
    name: &str,
    given: &Value<'py>,
    expected: &str,
) -> PyResult<impl Iterator<Item = PyResult<(String, Value<'py>)>>> {
    let is_one = given.is_instance_of::<PyString>() || !given.hasattr(intern!(given.py(), "__iter__"))?;
    let one = is_one.then(|| Ok((name.to_owned(), given.clone())));
    let items = if is_one { None } else { Some(iterable(name, given, expected)?) };
    Ok(one.into_iter().chain(items.into_iter().flatten()))
}

/// Like [`iterable`], where the order of the items counts: refuses sets and mappings.
///
/// # Errors
/// Those of [`iterable`].
pub fn sequence<'py>(
    name: &str,
    given: &Value<'py>,
    expected: &str,
) -> PyResult<impl Iterator<Item = PyResult<(String, Value<'py>)>>> {
    if has_order(given)? { iterable(name, given, expected) } else { Err(wrong_type(name, expected, given)) }
}

static SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static TIMEDELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Imports the classes that arguments are compared with: while Python shuts down, they cannot be imported.
///
/// # Errors
/// The error of the import.
pub fn import_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    has_order(module)?;
    is_timedelta(module).map(drop)
}

/// Returns whether an object is a `datetime.timedelta`.
///
/// # Errors
/// As [`has_order`]; pyo3's own cast panics.
pub fn is_timedelta(given: &Value<'_>) -> PyResult<bool> {
    given.is_instance(TIMEDELTA.import(given.py(), "datetime", "timedelta")?)
}

/// Returns a `numpy.timedelta64` as a `datetime.timedelta`, of whole microseconds; another object as it is.
///
/// # Errors
/// Those of numpy.
pub fn as_timedelta<'py>(given: &Value<'py>) -> PyResult<Value<'py>> {
    if given.get_type().name()? != "timedelta64" {
        return Ok(given.clone());
    }
    given.call_method1("astype", ("timedelta64[us]",))?.call_method0("item")
}

/// Returns whether a value is missing, as tables write it: `None`, a number that is none (NaN), `pandas.NA` or
/// `pandas.NaT`.
///
/// # Errors
/// The exception of a signal handler.
pub fn is_missing(given: &Value<'_>) -> PyResult<bool> {
    let is_named = || given.get_type().name().map(|name| name == "NAType" || name == "NaTType");
    Ok(given.is_none() || given.cast::<PyFloat>().is_ok_and(|number| number.value().is_nan()) || is_named()?)
}

/// Returns whether the items of an object would have an order: it is neither a set nor a mapping.
///
/// # Errors
/// The exception of a signal handler or of the class: pyo3's own cast prints it and returns false.
fn has_order(given: &Value<'_>) -> PyResult<bool> {
    Ok(!is_mapping(given)? && !given.is_instance(SET.import(given.py(), "collections.abc", "Set")?)?)
}

/// Returns whether an object is a `collections.abc.Mapping`.
///
/// # Errors
/// As [`has_order`].
fn is_mapping(given: &Value<'_>) -> PyResult<bool> {
    given.is_instance(MAPPING.import(given.py(), "collections.abc", "Mapping")?)
}

/// Returns a few values in order, described by `expected`, each with its name.
///
/// # Errors
/// `TypeError` if it is no iterable with an order, `ValueError` for another number of values.
pub fn parts<'py>(
    name: &str,
    given: &Value<'py>,
    expected: &str,
    count: RangeInclusive<usize>,
) -> PyResult<Vec<(String, Value<'py>)>> {
    let most = *count.end();
    let found = sequence(name, given, expected)?.take(most + 1).collect::<PyResult<Vec<_>>>()?;
    if count.contains(&found.len()) {
        return Ok(found);
    }
    let wrong = if found.len() > most { format!("more than {most} values") } else { counted(found.len(), "value") };
    Err(PyValueError::new_err(format!("{name} is {expected}, not {wrong}")))
}

/// Converts a mapping with text keys to pairs.
///
/// # Errors
/// `TypeError`.
pub fn pairs<'py>(name: &str, given: &Value<'py>) -> PyResult<Vec<(String, Value<'py>)>> {
    let text = |(key, value): (Value<'py>, _)| Ok((String::read(&format!("a key of {name}"), &key)?, value));
    entries(name, given, "a dict with keys of str")?.into_iter().map(text).collect()
}

/// Converts a mapping to pairs.
///
/// # Errors
/// `TypeError`.
pub fn entries<'py>(name: &str, given: &Value<'py>, expected: &str) -> PyResult<Vec<(Value<'py>, Value<'py>)>> {
    if !is_mapping(given)? {
        return Err(wrong_type(name, expected, given));
    }
    items(&given.call_method0("items")?)?.map(|item| item?.extract()).collect()
}

/// The items of an iterable as the parameter of a function: pyo3 itself takes sequences only, and reserves memory for
/// as many items as one states.
pub struct Items<T>(Vec<T>);

impl<T> Deref for Items<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> From<Items<T>> for Vec<T> {
    fn from(items: Items<T>) -> Self {
        items.0
    }
}

impl<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>> FromPyObject<'_, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let items = sequence("the argument", &given, "a list")?;
        items.map(|item| item?.1.extract().map_err(Into::into)).collect::<PyResult<_>>().map(Self)
    }
}
