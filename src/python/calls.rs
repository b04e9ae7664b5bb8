//! Calls of code in Python, of a game or a player, which may be asleep when Python leaves. Up to Python 3.13 a thread that comes back
//! after that is unwound without a panic, and one that leaves its Rust code so aborts the process. Here it stays for ever.

#![allow(unsafe_code)]

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::hint;
use std::mem;
use std::ptr;
use std::thread;

type Object = *mut ffi::PyObject;

/// Calls a method with up to two arguments, as `call_method` of pyo3 does.
///
/// # Errors
/// What the method raises.
pub fn method<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    arguments: [Option<&Bound<'py, PyAny>>; 2],
) -> PyResult<Bound<'py, PyAny>> {
    type Calls = unsafe extern "C" fn(Object, Object, ...) -> Object;
    type Unwinds = unsafe extern "C-unwind" fn(Object, Object, ...) -> Object;
    let [first, second] = arguments.map(|argument| argument.map_or(ptr::null_mut(), Bound::as_ptr));
    // Hidden from the optimiser: pyo3 declares that the function does not unwind.
    let calls = hint::black_box(ffi::PyObject_CallMethodObjArgs as Calls);
    // SAFETY: the types differ in nothing but that the call may unwind.
    let unwinds = unsafe { mem::transmute::<Calls, Unwinds>(calls) };
    // SAFETY: Python is attached; all are objects that are alive, up to the first null, which ends the arguments.
    let answer =
        stay(|| unsafe { unwinds(object.as_ptr(), name.as_ptr(), first, second, ptr::null_mut::<ffi::PyObject>()) });
    // SAFETY: the answer is a new reference, or null after an exception.
    unsafe { Bound::from_owned_ptr_or_err(object.py(), answer) }
}

/// Calls a function with two arguments.
///
/// # Errors
/// What it raises.
pub fn function<'py>(function: &Bound<'py, PyAny>, arguments: [&Bound<'py, PyAny>; 2]) -> PyResult<Bound<'py, PyAny>> {
    method(function, intern!(function.py(), "__call__"), arguments.map(Some))
}

/// An attribute, which may be a property.
///
/// # Errors
/// What it raises.
pub fn attribute<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    type Calls = unsafe extern "C" fn(Object, Object) -> Object;
    type Unwinds = unsafe extern "C-unwind" fn(Object, Object) -> Object;
    let calls = hint::black_box(ffi::PyObject_GetAttr as Calls);
    // SAFETY: as in `method`.
    let unwinds = unsafe { mem::transmute::<Calls, Unwinds>(calls) };
    // SAFETY: Python is attached, and both objects are alive.
    let answer = stay(|| unsafe { unwinds(object.as_ptr(), name.as_ptr()) });
    // SAFETY: the answer is a new reference, or null after an exception.
    unsafe { Bound::from_owned_ptr_or_err(object.py(), answer) }
}

/// `str(object)`.
///
/// # Errors
/// What it raises.
pub fn text<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(one(ffi::PyObject_Str, object)?.cast_into()?)
}

/// `repr(object)`.
///
/// # Errors
/// What it raises.
pub fn repr<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(one(ffi::PyObject_Repr, object)?.cast_into()?)
}

/// The whole number that an object is, or stands for by its `__index__`.
///
/// # Errors
/// What that raises; `TypeError` for other objects.
pub fn number<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    Ok(one(ffi::PyNumber_Index, object)?.cast_into()?)
}

/// `iter(object)`: what it gives, up to the first exception.
///
/// # Errors
/// What `__iter__` raises; `TypeError` for an object without it.
pub fn items<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let iterator = one(ffi::PyObject_GetIter, object)?;
    Ok(std::iter::from_fn(move || unary(ffi::PyIter_Next, &iterator).transpose()))
}

type Unary = unsafe extern "C" fn(Object) -> Object;

/// What a function answers that gives an object or raises.
fn one<'py>(function: Unary, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    unary(function, object)?.ok_or_else(|| PySystemError::new_err("neither an answer nor an exception"))
}

/// What a function of one object gives, which must be a new reference; `None`: nothing, and it has raised nothing.
fn unary<'py>(function: Unary, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    type Unwinds = unsafe extern "C-unwind" fn(Object) -> Object;
    // SAFETY: as in `method`.
    let unwinds = unsafe { mem::transmute::<Unary, Unwinds>(hint::black_box(function)) };
    // SAFETY: Python is attached, and the object is alive.
    let answer = stay(|| unsafe { unwinds(object.as_ptr()) });
    // SAFETY: the answer is a new reference, or null.
    match unsafe { Bound::from_owned_ptr_or_opt(object.py(), answer) } {
        Some(answer) => Ok(Some(answer)),
        None => PyErr::take(object.py()).map_or(Ok(None), Err),
    }
}

/// Keeps the thread here if the call unwinds.
fn stay(call: impl FnOnce() -> Object) -> Object {
    let stays = Stays;
    let answer = call();
    mem::forget(stays);
    answer
}

/// Keeps a thread that is unwound through it.
struct Stays;

impl Drop for Stays {
    fn drop(&mut self) {
        loop {
            thread::park();
        }
    }
}
