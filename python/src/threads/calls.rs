//! Calls of Python code of a game or a player that may still be blocked when Python shuts down. Up to Python 3.13, a
//! thread that then returns to Python is unwound without a panic, and unwinding out of its Rust code aborts the
//! process. Here such a thread is parked forever instead.

#![allow(unsafe_code)]

use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyType};
use std::ffi::c_ulong;
use std::hint;
use std::mem;
use std::ptr;
use std::thread;

type Object = *mut ffi::PyObject;

/// Calls a method with up to two arguments, like pyo3's `call_method`.
///
/// # Errors
/// The exception of the method.
pub fn method<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    arguments: [Option<&Bound<'py, PyAny>>; 2],
) -> PyResult<Bound<'py, PyAny>> {
    type Calls = unsafe extern "C" fn(Object, Object, ...) -> Object;
    type Unwinds = unsafe extern "C-unwind" fn(Object, Object, ...) -> Object;
    let [first, second] = arguments.map(|argument| argument.map_or(ptr::null_mut(), Bound::as_ptr));
    // Hidden from the optimiser: pyo3 declares the function as non-unwinding.
    let calls = hint::black_box(ffi::PyObject_CallMethodObjArgs as Calls);
    // SAFETY: the types differ only in that the call may unwind.
    let unwinds = unsafe { mem::transmute::<Calls, Unwinds>(calls) };
    // SAFETY: Python is attached; all arguments up to the terminating null are live objects.
    let answer =
        stay(|| unsafe { unwinds(object.as_ptr(), name.as_ptr(), first, second, ptr::null_mut::<ffi::PyObject>()) });
    // SAFETY: the result is a new reference, or null after an exception.
    unsafe { Bound::from_owned_ptr_or_err(object.py(), answer) }
}

/// Calls a function with two arguments.
///
/// # Errors
/// The exception of the function.
pub fn function<'py>(function: &Bound<'py, PyAny>, arguments: [&Bound<'py, PyAny>; 2]) -> PyResult<Bound<'py, PyAny>> {
    method(function, intern!(function.py(), "__call__"), arguments.map(Some))
}

/// Returns an attribute, which may be a property.
///
/// # Errors
/// The exception of the access.
pub fn attribute<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    type Calls = unsafe extern "C" fn(Object, Object) -> Object;
    type Unwinds = unsafe extern "C-unwind" fn(Object, Object) -> Object;
    let calls = hint::black_box(ffi::PyObject_GetAttr as Calls);
    // SAFETY: as in `method`.
    let unwinds = unsafe { mem::transmute::<Calls, Unwinds>(calls) };
    // SAFETY: Python is attached, and both objects are alive.
    let answer = stay(|| unsafe { unwinds(object.as_ptr(), name.as_ptr()) });
    // SAFETY: the result is a new reference, or null after an exception.
    unsafe { Bound::from_owned_ptr_or_err(object.py(), answer) }
}

/// Returns `str(object)`.
///
/// # Errors
/// The exception of the call.
pub fn text<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(one(ffi::PyObject_Str, object)?.cast_into()?)
}

/// Returns `repr(object)`.
///
/// # Errors
/// The exception of the call.
pub fn repr<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    Ok(one(ffi::PyObject_Repr, object)?.cast_into()?)
}

/// Returns the whole number of an object, by its `__index__`. A bool is no number here.
///
/// # Errors
/// The exception of `__index__`; `TypeError` for objects without it.
pub fn number<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    if object.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a bool is no number"));
    }
    Ok(one(ffi::PyNumber_Index, object)?.cast_into()?)
}

/// Returns the items of `iter(object)`; the caller stops at an exception.
///
/// # Errors
/// The exception of `__iter__`; `TypeError` for objects without it.
pub fn items<'py>(
    object: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let iterator = one(ffi::PyObject_GetIter, object)?;
    Ok(std::iter::from_fn(move || unary(ffi::PyIter_Next, &iterator).transpose()))
}

/// Raises an exception in the Python code of a thread, given by its ID in Python. It runs no Python code itself: an
/// exception raised in the calling thread would interrupt that code.
pub fn raise_in(thread: c_ulong, exception: &Bound<'_, PyType>) {
    // SAFETY: Python is attached, and the class is alive. A thread that has ended is ignored.
    unsafe { ffi::PyThreadState_SetAsyncExc(thread.cast_signed(), exception.as_ptr()) };
}

/// Removes an exception that was raised in a thread by [`raise_in`] and is still pending.
pub fn clear(_: Python<'_>, thread: c_ulong) {
    // SAFETY: Python is attached; null stands for no exception.
    unsafe { ffi::PyThreadState_SetAsyncExc(thread.cast_signed(), ptr::null_mut()) };
}

type Unary = unsafe extern "C" fn(Object) -> Object;

/// Calls a function that returns an object or raises an exception.
fn one<'py>(function: Unary, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    unary(function, object)?.ok_or_else(|| PySystemError::new_err("neither an answer nor an exception"))
}

/// Calls a function of one object, which returns a new reference; `None` if it returns null without an exception.
fn unary<'py>(function: Unary, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    type Unwinds = unsafe extern "C-unwind" fn(Object) -> Object;
    // SAFETY: as in `method`.
    let unwinds = unsafe { mem::transmute::<Unary, Unwinds>(hint::black_box(function)) };
    // SAFETY: Python is attached, and the object is alive.
    let answer = stay(|| unsafe { unwinds(object.as_ptr()) });
    // SAFETY: the result is a new reference, or null.
    match unsafe { Bound::from_owned_ptr_or_opt(object.py(), answer) } {
        Some(answer) => Ok(Some(answer)),
        None => PyErr::take(object.py()).map_or(Ok(None), Err),
    }
}

/// Parks the thread if the call unwinds.
fn stay(call: impl FnOnce() -> Object) -> Object {
    let stays = Stays;
    let answer = call();
    mem::forget(stays);
    answer
}

/// Parks the thread when dropped.
struct Stays;

impl Drop for Stays {
    fn drop(&mut self) {
        loop {
            thread::park();
        }
    }
}

/// Whether Python knows the thread.
pub fn is_known() -> bool {
    // SAFETY: any thread may call this at any time.
    !unsafe { ffi::PyGILState_GetThisThreadState() }.is_null()
}
