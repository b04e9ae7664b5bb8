//! Arguments of several values: their items are read one by one, so that the first wrong item ends the reading. The
//! length that an object states is not trusted, and Ctrl-C ends an endless iterable.

use super::{Value, is_text, refused, wrong_type};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use std::ops::Deref;

/// The number of items between two runs of signal handlers.
const POLL: usize = 1 << 10;

/// Returns the items of any iterable. Between them, signal handlers and other threads can run.
///
/// # Errors
/// `TypeError`, without the name of the argument, for an object that is not iterable; the exception of its iterator or
/// of a signal handler.
pub fn items<'py>(given: &Value<'py>) -> PyResult<impl Iterator<Item = PyResult<Value<'py>>> + use<'py>> {
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
    let items = refused(items(given), name, expected, given)?;
    Ok(items.enumerate().map(move |(index, item)| Ok((format!("{name}[{index}]"), item?))))
}

/// Like [`iterable`], for sequences only.
///
/// # Errors
/// Those of [`iterable`].
pub fn sequence<'py>(
    name: &str,
    given: &Value<'py>,
    expected: &str,
) -> PyResult<impl Iterator<Item = PyResult<(String, Value<'py>)>>> {
    if !is_sequence(given)? {
        return Err(wrong_type(name, expected, given));
    }
    iterable(name, given, expected)
}

static SEQUENCE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Imports the classes that arguments are compared with: while Python shuts down, they cannot be imported.
///
/// # Errors
/// The error of the import.
pub fn import_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    is_sequence(module)?;
    is_mapping(module).map(drop)
}

/// Returns whether an object is a `collections.abc.Sequence`.
///
/// # Errors
/// The exception of a signal handler or of the class: pyo3's own cast prints it and returns false.
pub fn is_sequence(given: &Value<'_>) -> PyResult<bool> {
    given.is_instance(SEQUENCE.import(given.py(), "collections.abc", "Sequence")?)
}

/// Returns whether an object is a `collections.abc.Mapping`.
///
/// # Errors
/// As [`is_sequence`].
fn is_mapping(given: &Value<'_>) -> PyResult<bool> {
    given.is_instance(MAPPING.import(given.py(), "collections.abc", "Mapping")?)
}

/// Converts a sequence of `N` values, described by `expected`.
///
/// # Errors
/// `TypeError` if it is no sequence, `ValueError` for another number of values.
pub fn parts<'py, const N: usize>(name: &str, given: &Value<'py>, expected: &str) -> PyResult<[Value<'py>; N]> {
    let values = sequence(name, given, expected)?.take(N + 1).map(|item| Ok(item?.1));
    let found = values.collect::<PyResult<Vec<_>>>()?;
    let count = if found.len() > N { format!("more than {N}") } else { found.len().to_string() };
    found.try_into().map_err(|_| PyValueError::new_err(format!("{name} is {expected}, not {count} values")))
}

/// Converts a mapping with text keys to pairs.
///
/// # Errors
/// `TypeError`.
pub fn pairs<'py>(name: &str, given: &Value<'py>) -> PyResult<Vec<(String, Value<'py>)>> {
    let expected = "a dict with keys of str";
    if !is_mapping(given)? {
        return Err(wrong_type(name, expected, given));
    }
    let pair = |item: PyResult<Value<'py>>| {
        let (key, value): (Value<'py>, Value<'py>) = item?.extract()?;
        let key = key.cast::<PyString>().map_err(|_| wrong_type(&format!("a key of {name}"), "a str", &key))?;
        Ok((key.to_string_lossy().into_owned(), value))
    };
    items(&given.call_method0("items")?)?.map(pair).collect()
}

/// Returns the items of several moves, each with its name.
///
/// # Errors
/// `TypeError` if it is no sequence, including a single text.
pub fn moves<'py>(name: &str, given: &Value<'py>) -> PyResult<impl Iterator<Item = PyResult<(String, Value<'py>)>>> {
    sequence(name, given, "a list of str or int")
}

/// The items of a sequence as the parameter of a function: pyo3 itself reserves memory for as many as the sequence
/// states.
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
