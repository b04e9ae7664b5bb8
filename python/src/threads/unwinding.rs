//! Calls of games in Python from a search.
//!
//! The traits of games cannot return exceptions: an exception of a game unwinds the search, so that no result that
//! depends on it is stored, and [`caught`] returns it.

use super::background;
use super::lock::attach;
use crate::error::class_name;
use pyo3::exceptions::{PyRuntimeError, PyStopAsyncIteration, PyStopIteration};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

/// An object of any type.
type Object = Arc<dyn Any + Send + Sync>;

thread_local! {
    /// The objects of Python that this thread, while it searches, has dropped without the GIL. It releases them when it
    /// next has the GIL: otherwise pyo3 queues them under a lock, which a fork could leave locked forever.
    static DROPPED: RefCell<Option<Vec<Object>>> = const { RefCell::new(None) };
}

/// Drops an object later if this thread searches.
pub fn drop_later(object: Object) {
    // There is no list while the thread ends.
    let _ = DROPPED.try_with(|dropped| {
        if let Some(dropped) = dropped.borrow_mut().as_mut() {
            dropped.push(object);
        }
    });
}

/// Wraps the work of a thread. If it calls a game in Python, one thread state of Python persists for all calls:
/// creating one for each call would double the cost of a call.
pub fn with_thread_state<T: Send>(python: bool, work: impl FnOnce() -> T + Send) -> impl FnOnce() -> T + Send {
    move || {
        if !python {
            return work();
        }
        let done = attach(|py| {
            DROPPED.set(Some(Vec::new()));
            let done = py.detach(work);
            drop(DROPPED.take());
            done
        });
        done.unwrap_or_else(|| panic::resume_unwind(Box::new(PyRuntimeError::new_err("Python is shutting down"))))
    }
}

/// Calls a game in Python. An exception unwinds the search without a panic message; [`caught`] returns it.
pub fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    let answer = attach(|py| {
        // Releasing an object may run Python code that drops others.
        let dropped = DROPPED.with_borrow_mut(|dropped| dropped.as_mut().map(mem::take));
        drop(dropped);
        background::in_python(py, || call(py)).flatten().map_err(|error| not_the_end(py, error))
    });
    let answer = answer.unwrap_or_else(|| Err(PyRuntimeError::new_err("Python is shutting down")));
    answer.unwrap_or_else(|error| panic::resume_unwind(Box::new(error)))
}

/// Converts a `StopIteration`, which would silently end a loop or a task of the caller, to a `RuntimeError`, as in
/// generators (PEP 479).
pub fn not_the_end(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyStopIteration>(py) || error.is_instance_of::<PyStopAsyncIteration>(py) {
        let wrong = PyRuntimeError::new_err(format!("a method of the game raised {}", class_name(error.value(py))));
        wrong.set_cause(py, Some(error));
        return wrong;
    }
    error
}

/// Runs work that may call a game in Python.
///
/// # Errors
/// The exception of the game.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // State modified when a game failed is dropped with the search, or is a table, which is consistent at all times.
    panic::catch_unwind(AssertUnwindSafe(work)).or_else(raised)
}

/// Returns the exception that ended a thread; resumes any other panic.
///
/// # Errors
/// The exception.
pub fn raised<T>(payload: Box<dyn Any + Send>) -> PyResult<T> {
    match payload.downcast::<PyErr>() {
        Ok(error) => Err(*error),
        Err(payload) => panic::resume_unwind(payload),
    }
}
