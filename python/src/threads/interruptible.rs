//! Work that takes long, on a thread of its own, with the GIL released and under Ctrl-C.

use super::lock::attach;
use super::nesting::Nesting;
use super::{background, logs, unwinding};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use secateurs::core::forks::tracked;
use secateurs::search::thread::builder;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The interval at which Python's signal handlers run: the latency of Ctrl-C, in addition to the poll of the search.
pub const POLL: Duration = Duration::from_millis(10);

/// The time that Python code may continue after an exception before it is interrupted.
pub const GRACE: Duration = Duration::from_millis(20);

/// The time after which the exception is raised without waiting; the work then ends in the background.
pub const PATIENCE: Duration = Duration::from_millis(150);

/// Runs `work` without the GIL. The calling thread waits for it and runs signal handlers. If a handler raises an
/// exception (Ctrl-C: `KeyboardInterrupt`), the flag is raised, the work ends as after any stop, and the exception is
/// returned instead of its result. A method of a game in Python that does not return is interrupted by a
/// `KeyboardInterrupt`; if it still does not return, it is abandoned. Python runs handlers only on its main thread, so
/// other calls are not interrupted.
///
/// # Errors
/// The exception of a signal handler, of a handler of log records or of a game in Python; a thread that cannot be
/// started; those of [`Nesting::begin`].
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    attended(py, stop, work, interrupted)
}

/// Like [`interruptible`], but calls `poll` repeatedly instead of running signal handlers. An exception that it returns
/// ends the work.
///
/// # Errors
/// The exception of `poll` or of a handler of log records; a thread that cannot be started; those of
/// [`Nesting::begin`].
pub fn attended<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
    mut poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let nesting = Nesting::begin(stop)?;
    let (working, own) = (background::working(stop), nesting.clone());
    let _waiting = Nesting::wait_for(nesting.number())?;
    // The thread attaches only to poll: the worker may need the GIL for a log record, even while it is being stopped.
    py.detach(|| {
        let (done, ended) = mpsc::channel();
        let work = move || {
            let _working = working;
            own.enter();
            // There is no receiver if the work was abandoned.
            let _ = done.send(work());
        };
        let worker = builder("secateurs").and_then(|thread| thread.spawn(tracked(work))).map_err(unstarted)?;
        let mut raised: Option<(PyErr, Instant)> = None;
        let found = loop {
            match ended.recv_timeout(POLL) {
                Err(RecvTimeoutError::Timeout) => {}
                found => break found,
            }
            let emitted = logs::emit(nesting.records());
            if Nesting::is_stopped() {
                stop.raise();
            }
            if let Some((error, since)) = raised.take() {
                logs::later(emitted);
                if since.elapsed() > GRACE && background::interrupt(worker.thread().id()) && since.elapsed() > PATIENCE
                {
                    background::register(stop.clone(), worker);
                    return Err(error);
                }
                raised = Some((error, since));
                continue;
            }
            let outer = Nesting::is_abandoned().then(|| PyKeyboardInterrupt::new_err(()));
            if let Some(error) = outer.or(emitted.err()).or_else(&mut poll) {
                nesting.abandon();
                raised = Some((error, Instant::now()));
            }
        };
        let joined = worker.join().or_else(unwinding::raised);
        let emitted = logs::emit(nesting.records());
        match (raised, found) {
            (Some((error, _)), _) => {
                logs::later(emitted);
                Err(error)
            }
            // An interrupt, or the exception of a handler, comes before the result and before a failure of the work.
            (None, found) => emitted.and_then(|()| {
                // Without a result the worker has panicked.
                found.map_err(|_| joined.err().unwrap_or_else(|| PyRuntimeError::new_err("the work failed")))
            }),
        }
    })
}

/// Adds the context to the error for a thread that cannot be started.
pub fn unstarted(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("a thread cannot be started: {error}"))
}

/// Runs Python's signal handlers and returns the exception of one. Python cannot be attached while it shuts down; then
/// no caller is left to interrupt.
pub fn interrupted() -> Option<PyErr> {
    attach(|py| py.check_signals()).and_then(Result::err)
}
