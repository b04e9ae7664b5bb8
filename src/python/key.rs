//! What tells the states of a game in Python apart, and whether one has changed.

use super::calls;
use super::state::{kind, turn};
use crate::core::Side;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The key of a state.
pub struct Key {
    hash: u64,
    /// So many attributes are in it, if it is all of them.
    attributes: usize,
    /// What it was made of.
    parts: Option<Parts>,
}

/// The address of the class, and all that a key consists of, names of attributes too, where nothing of it can ever change: as
/// long as it is the same, so is the hash, which takes longer to find.
struct Parts {
    class: usize,
    objects: Vec<Py<PyAny>>,
}

impl Key {
    /// Of a state whose turn is known.
    ///
    /// # Errors
    /// What the state raises; `ValueError` for a key that does not tell it apart.
    pub fn of(object: &Bound<'_, PyAny>, turn: Side) -> PyResult<Self> {
        let key = calls::method(object, intern!(object.py(), "key"), [None; 2])?;
        let attributes = key.cast::<PyDict>().map_or(0, |attributes| attributes.len());
        Ok(Self { hash: hashed(object, turn, &key)?, attributes, parts: Parts::of(object, &key)? })
    }

    /// Equal for states that are one for the table.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Refuses an object that a method has changed: its turn or its key is another than it was.
    ///
    /// # Errors
    /// `ValueError`; what the state raises.
    pub fn check(&self, object: &Bound<'_, PyAny>, before: Side, method: &str) -> PyResult<()> {
        if turn(object)? == before && self.is_of(object, before)? {
            return Ok(());
        }
        let kind = kind(object);
        let reason = "its turn or its key is another then. A state must never change, and what it only remembers stays out \
                      of its key";
        let message = format!("{kind}.{method} changes the state that it is called on: {reason}");
        Err(PyValueError::new_err(message))
    }

    /// Whether the object still has this key. Attributes that it has got since do not count: they keep what it has worked out.
    fn is_of(&self, object: &Bound<'_, PyAny>, turn: Side) -> PyResult<bool> {
        let py = object.py();
        let mut key = calls::method(object, intern!(py, "key"), [None; 2])?;
        if self.parts.as_ref().is_some_and(|parts| parts.are_those_of(object, &key)) {
            return Ok(true);
        }
        if let Ok(all) = key.cast::<PyDict>().cloned()
            && all.len() > self.attributes
            && (all.cast_exact::<PyDict>().is_err()
                || object.getattr(intern!(py, "__dict__")).is_ok_and(|attributes| attributes.is(&all)))
        {
            // They are in the order in which they were made.
            let known = PyDict::new(py);
            all.iter().take(self.attributes).try_for_each(|(name, value)| known.set_item(name, value))?;
            key = known.into_any();
        }
        Ok(hashed(object, turn, &key)? == self.hash)
    }
}

impl Parts {
    /// Of a key, if nothing of it can change.
    fn of(object: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        static ATTRIBUTES: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = object.py();
        let mut objects = Vec::new();
        if let Ok(attributes) = key.cast::<PyDict>() {
            let shows_all = attributes.is_exact_instance_of::<PyDict>()
                || attributes.get_type().is(ATTRIBUTES.import(py, "secateur._key", "Attributes")?);
            if !shows_all {
                return Ok(None);
            }
            objects.extend(attributes.iter().flat_map(|(name, value)| [name, value]));
        } else {
            objects.push(key.clone());
        }
        let class = object.get_type().as_ptr() as usize;
        let fixed = objects.iter().all(is_immutable);
        Ok(fixed.then(|| Self { class, objects: objects.into_iter().map(Bound::unbind).collect() }))
    }

    /// Whether the same object has a key of the same objects.
    fn are_those_of(&self, object: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> bool {
        let mut known = self.objects.iter();
        let mut is_next = |part: &Bound<'_, PyAny>| known.next().is_some_and(|known| known.is(part));
        let same = match key.cast::<PyDict>() {
            Ok(attributes) => attributes.iter().all(|(name, value)| is_next(&name) && is_next(&value)),
            Err(_) => is_next(key),
        };
        same && known.next().is_none() && object.get_type().as_ptr() as usize == self.class
    }
}

/// Whether an object has the same `repr` for ever.
fn is_immutable(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_none()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.cast_exact::<PyTuple>().is_ok_and(|parts| parts.iter_borrowed().all(|part| is_immutable(&part)))
}

/// What a `repr` has in it that perhaps does not show all of the object: an address, something left out, an array of numpy, whose
/// numbers are rounded.
const OPAQUE: [&str; 3] = [" at 0x", "...", "array("];

/// A key as `secateur._key.plain` gives it.
fn plain<'py>(object: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    calls::function(PLAIN.import(object.py(), "secateur._key", "plain")?, [object, key])
}

/// The number of the class.
fn rules(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    static FACTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (py, class) = (object.py(), object.get_type());
    let mut facts = class.getattr(intern!(py, "_facts"))?;
    if facts.is_none() || !facts.getattr(intern!(py, "kind"))?.is(&class) {
        facts = FACTS.import(py, "secateur._key", "facts")?.call1((class,))?;
    }
    facts.getattr(intern!(py, "rules"))?.extract()
}

/// The hash of a key. Equal keys of two classes are no equal positions, though both have the same name.
fn hashed(object: &Bound<'_, PyAny>, turn: Side, key: &Bound<'_, PyAny>) -> PyResult<u64> {
    let mut hasher = DefaultHasher::new();
    rules(object)?.hash(&mut hasher);
    turn.hash(&mut hasher);
    let mut text = calls::repr(key)?;
    if OPAQUE.iter().any(|part| text.to_string_lossy().contains(part)) {
        text = calls::repr(&plain(object, key)?)?;
    }
    text.to_string_lossy().hash(&mut hasher);
    Ok(hasher.finish())
}
