//! Keys of the states of a game in Python. They distinguish states and detect changes.

use super::digest::Digest;
use super::inspection::{mistyped, turn};
use crate::error::class_name;
use crate::threads::calls;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple, PyType};
use secateurs::core::Side;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The key of a state.
pub struct Key {
    /// Equal for states that share an entry of the transposition table.
    pub hash: u64,
    /// The number of attributes in the key; 0 if the key is no dict.
    attributes: usize,
    /// The objects of the key, if none of them can change.
    parts: Option<Parts>,
}

/// The address of the class and all objects of a key, including the names of attributes, if all are immutable. While
/// they are the same objects, the hash is the same; comparing them is cheaper than hashing.
struct Parts {
    class: usize,
    objects: Vec<Py<PyAny>>,
}

impl Key {
    /// Creates the key of a state with a known turn.
    ///
    /// # Errors
    /// The exceptions of the state; `ValueError` for a key that does not identify it.
    pub fn new(object: &Bound<'_, PyAny>, turn: Side) -> PyResult<Self> {
        let key = calls::method(object, intern!(object.py(), "key"), [None; 2])?;
        let attributes = key.cast::<PyDict>().map_or(0, |attributes| attributes.len());
        Ok(Self { hash: hashed(object, turn, "key()", &key)?, attributes, parts: Parts::new(object, &key)? })
    }

    /// Refuses an object whose turn or key a method has changed.
    ///
    /// # Errors
    /// `ValueError`; the exceptions of the state.
    pub fn check(&self, object: &Bound<'_, PyAny>, before: Side, method: &str) -> PyResult<()> {
        if turn(object)? == before && self.is_of(object, before)? {
            return Ok(());
        }
        let kind = class_name(object);
        let reason = "its turn or its key is another then. A state must never change, and what it only remembers stays out \
                      of its key";
        let message = format!("{kind}.{method} changes the state that it is called on: {reason}");
        Err(PyValueError::new_err(message))
    }

    /// Returns whether the object still has this key. Attributes added since are ignored: they are caches.
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
            // Attributes are in the order of their creation.
            let known = PyDict::new(py);
            all.iter().take(self.attributes).try_for_each(|(name, value)| known.set_item(name, value))?;
            key = known.into_any();
        }
        Ok(hashed(object, turn, "key()", &key)? == self.hash)
    }
}

impl Parts {
    /// Returns the parts of a key; `None` if one of them can change.
    fn new(object: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        static ATTRIBUTES: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = object.py();
        let mut objects = Vec::new();
        if let Ok(attributes) = key.cast::<PyDict>() {
            let shows_all = attributes.is_exact_instance_of::<PyDict>()
                || attributes.get_type().is(ATTRIBUTES.import(py, "secateurs._key", "Attributes")?);
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

    /// Returns whether the object still has the same class and a key of the same objects.
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

/// Returns whether an object and all its parts never change.
pub fn is_immutable(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_none()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.cast_exact::<PyTuple>().is_ok_and(|parts| parts.iter_borrowed().all(|part| is_immutable(&part)))
}

/// Returns the number of the class.
fn rules(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    static FACTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (py, class) = (object.py(), object.get_type());
    let mut facts = class.getattr(intern!(py, "_facts"))?;
    if facts.is_none() || !facts.getattr(intern!(py, "kind"))?.is(&class) {
        facts = FACTS.import(py, "secateurs._key", "facts")?.call1((class,))?;
    }
    facts.getattr(intern!(py, "rules"))?.extract()
}

/// Hashes a key of a state, which `method` has returned. Equal keys of two classes have different hashes, even if the
/// classes have the same name.
///
/// # Errors
/// `ValueError` for a key that does not identify the state; `TypeError` for that of a method that returns nothing.
pub fn hashed(object: &Bound<'_, PyAny>, turn: Side, method: &str, key: &Bound<'_, PyAny>) -> PyResult<u64> {
    if key.is_none() {
        return Err(mistyped(object, method, "what identifies the state", key));
    }
    let mut hasher = DefaultHasher::new();
    rules(object)?.hash(&mut hasher);
    turn.hash(&mut hasher);
    Digest::new(object, key).write(&mut hasher)?;
    Ok(hasher.finish())
}
