//! Work on many rows, under Ctrl-C and with progress reports.

use crate::error::class_name;
use crate::threads::lock::attach;
use crate::threads::unwinding::with_thread_state;
use crate::threads::work::{attended, interrupted};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The minimum time between two progress reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` on `total` things, named in the plural, with the GIL released. The work must stop at the flag, count
/// finished ones, and return `None` if it was stopped. `python`: it calls a game in Python.
///
/// # Errors
/// Those of the work, of signal handlers, and of the function `progress`; `TypeError` for other values of `progress`.
pub fn supervised<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (total, things): (usize, &'static str),
    python: bool,
    work: impl FnOnce(&StopFlag, &AtomicUsize) -> PyResult<Option<T>> + Send + 'static,
) -> PyResult<T> {
    let listener = Listener::begin(py, progress, "a function of two numbers", ("Progress", (total, things)))?;
    let (stop, done) = (StopFlag::new(), Arc::new(AtomicUsize::new(0)));
    let mut reports = listener.throttled(|| (done.load(Ordering::Relaxed), total));
    let poll = || interrupted().or_else(&mut reports);
    let (flag, counted) = (stop.clone(), Arc::clone(&done));
    let found = attended(py, &stop, with_thread_state(python, move || work(&flag, &counted)), poll);
    let ended = match &found {
        Ok(Ok(Some(_))) => listener.report(py, (total, total)),
        _ => Ok(()),
    };
    listener.end(py)?;
    let found = found??;
    ended?;
    // Only an exception stops the work; it is returned instead.
    found.ok_or_else(|| PyRuntimeError::new_err("the batch was stopped"))
}

/// The receiver of progress reports.
pub struct Listener {
    function: Option<Py<PyAny>>,
    /// Whether the function is our own display, which must be closed.
    own: bool,
}

impl Listener {
    /// Reads the argument `progress`: whether there is a display, a class of `secateurs._batch` with its arguments; or
    /// a function, described by `kind`.
    ///
    /// # Errors
    /// `TypeError` for another value; those of the display.
    pub fn begin<'py>(
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
        kind: &str,
        (display, arguments): (&str, impl PyCallArgs<'py>),
    ) -> PyResult<Self> {
        let Some(progress) = progress else { return Ok(Self { function: None, own: false }) };
        if let Ok(wanted) = progress.extract::<bool>() {
            let made = || py.import("secateurs._batch")?.getattr(display)?.call1(arguments);
            let function = wanted.then(made).transpose()?.map(Bound::unbind);
            return Ok(Self { function, own: wanted });
        }
        if !progress.is_callable() {
            let found = class_name(progress);
            return Err(PyTypeError::new_err(format!("progress is a bool or {kind}, not {found}")));
        }
        Ok(Self { function: Some(progress.clone().unbind()), own: false })
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Its exception.
    pub fn report<'py>(&self, py: Python<'py>, arguments: impl PyCallArgs<'py>) -> PyResult<()> {
        self.function.as_ref().map_or(Ok(()), |function| function.call1(py, arguments).map(drop))
    }

    /// Returns a function that calls the function with these arguments, at most once in [`INTERVAL`], and returns its
    /// exception.
    pub fn throttled<'a, A: for<'py> PyCallArgs<'py>>(
        &'a self,
        arguments: impl Fn() -> A + Send + 'a,
    ) -> impl FnMut() -> Option<PyErr> + Send + 'a {
        let mut last = Instant::now();
        move || {
            if self.function.is_none() || last.elapsed() < INTERVAL {
                return None;
            }
            last = Instant::now();
            attach(|py| self.report(py, arguments())).and_then(Result::err)
        }
    }

    /// Closes our own display.
    ///
    /// # Errors
    /// Its exception.
    pub fn end(&self, py: Python<'_>) -> PyResult<()> {
        match &self.function {
            Some(display) if self.own => display.call_method0(py, "close").map(drop),
            _ => Ok(()),
        }
    }
}
