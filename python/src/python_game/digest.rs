//! The hash of a key in Python, by its whole content. Equal dicts and sets have the same hash in any order of their
//! items.

use crate::error::class_name;
use crate::threads::calls;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyTypeMethods,
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How deep the parts of a key may be nested.
const MAX_DEPTH: usize = 500;

/// A walk through a key.
pub struct Digest<'a, 'py> {
    state: &'a Bound<'py, PyAny>,
    key: &'a Bound<'py, PyAny>,
    /// The name of the item of the outermost dict that contains the current part.
    item: Option<Bound<'py, PyAny>>,
    /// The addresses of all parts that contain the current part.
    around: Vec<usize>,
}

impl<'a, 'py> Digest<'a, 'py> {
    /// Prepares the walk through the key of a state.
    pub fn new(state: &'a Bound<'py, PyAny>, key: &'a Bound<'py, PyAny>) -> Self {
        Self { state, key, item: None, around: Vec::new() }
    }

    /// Hashes the key.
    ///
    /// # Errors
    /// `ValueError` for a part whose content is hidden, or that is nested too deep; the exceptions of a `__repr__`.
    pub fn write(mut self, hasher: &mut DefaultHasher) -> PyResult<()> {
        self.part(self.key, hasher)
    }

    /// Hashes a part with its kind: parts of different kinds have different hashes.
    fn part(&mut self, part: &Bound<'py, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
        if part.is_none() {
            "None".hash(hasher);
        } else if let Ok(value) = part.cast_exact::<PyBool>() {
            ("bool", value.is_true()).hash(hasher);
        } else if part.is_exact_instance_of::<PyInt>() {
            match part.extract::<i64>() {
                Ok(value) => ("int", value).hash(hasher),
                // Hexadecimal: Python limits the decimal digits.
                Err(_) => {
                    let form = Some(intern!(part.py(), "x").as_any());
                    let digits = calls::method(part, intern!(part.py(), "__format__"), [form, None])?;
                    ("int", calls::text(&digits)?.to_string_lossy()).hash(hasher);
                }
            }
        } else if let Ok(value) = part.cast_exact::<PyFloat>() {
            ("float", value.value().to_bits()).hash(hasher);
        } else if let Ok(value) = part.cast_exact::<PyString>() {
            match value.to_str() {
                Ok(text) => ("str", text).hash(hasher),
                // A lone surrogate.
                Err(_) => ("str", calls::repr(part)?.to_string_lossy()).hash(hasher),
            }
        } else if let Ok(value) = part.cast_exact::<PyBytes>() {
            ("bytes", value.as_bytes()).hash(hasher);
        } else {
            return self.inside(part, hasher);
        }
        Ok(())
    }

    /// Hashes a part with parts of its own.
    fn inside(&mut self, part: &Bound<'py, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
        let address = part.as_ptr() as usize;
        if let Some(depth) = self.around.iter().position(|&around| around == address) {
            // The part contains itself: the number of the parts around it.
            ("around", depth).hash(hasher);
            return Ok(());
        }
        if self.around.len() == MAX_DEPTH {
            let kind = class_name(self.state);
            let message = format!("the key of {kind} is nested more than {MAX_DEPTH} deep: override {kind}.key()");
            return Err(PyValueError::new_err(message));
        }
        self.around.push(address);
        if let Ok(dict) = part.cast_exact::<PyDict>() {
            self.dict(dict, hasher)?;
        } else if part.is_exact_instance_of::<PyTuple>() {
            self.sequence("tuple", part, hasher)?;
        } else if part.is_exact_instance_of::<PyList>() {
            self.sequence("list", part, hasher)?;
        } else if part.is_exact_instance_of::<PySet>() {
            self.set("set", part, hasher)?;
        } else if part.is_exact_instance_of::<PyFrozenSet>() {
            self.set("frozenset", part, hasher)?;
        } else {
            // By the parts that `secateurs._key.parts` returns.
            ("object", part.get_type().qualname()?.to_string_lossy()).hash(hasher);
            self.part(&self.parts(part)?, hasher)?;
        }
        self.around.pop();
        Ok(())
    }

    fn sequence(&mut self, kind: &str, items: &Bound<'py, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
        (kind, items.len()?).hash(hasher);
        calls::items(items)?.try_for_each(|item| self.part(&item?, hasher))
    }

    fn set(&mut self, kind: &str, items: &Bound<'py, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
        let mut sum = 0_u64;
        for item in calls::items(items)? {
            sum = sum.wrapping_add(self.alone(&[item?])?);
        }
        (kind, items.len()?, sum).hash(hasher);
        Ok(())
    }

    fn dict(&mut self, dict: &Bound<'py, PyDict>, hasher: &mut DefaultHasher) -> PyResult<()> {
        let outermost = self.item.is_none();
        let mut sum = 0_u64;
        // A copy: a `__repr__` might change the dict.
        for item in dict.items() {
            let item: (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            if outermost {
                self.item = Some(item.0.clone());
            }
            sum = sum.wrapping_add(self.alone(&[item.0, item.1])?);
        }
        ("dict", dict.len(), sum).hash(hasher);
        Ok(())
    }

    /// Returns the hash of some parts alone.
    fn alone(&mut self, parts: &[Bound<'py, PyAny>]) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        parts.iter().try_for_each(|part| self.part(part, &mut hasher))?;
        Ok(hasher.finish())
    }

    /// Returns the parts of an object of another class.
    fn parts(&self, part: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        static PARTS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = part.py();
        let place = (self.state, self.key, self.item.as_ref()).into_pyobject(py)?;
        calls::function(PARTS.import(py, "secateurs._key", "parts")?, [part, &place])
    }
}
