//! Long work on a thread of its own, with the GIL released and Ctrl-C obeyed.

use super::{background, game, logs};
use crate::core::StopFlag;
use crate::search::STACK;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How often Python's signal handlers get their turn: what Ctrl-C waits for, beside the search's own poll.
pub const POLL: Duration = Duration::from_millis(10);

/// So many searches may stand inside each other: a method of a game in Python may search itself.
const NESTED: usize = 16;

thread_local! { static AROUND: RefCell<Option<Nesting>> = const { RefCell::new(None) } }

/// How long work goes on in Python after an exception, until it is interrupted there,
const GRACE: Duration = Duration::from_millis(20);

/// and until the exception is raised all the same; the work then ends in the background.
const PATIENCE: Duration = Duration::from_millis(150);

/// Work that stands inside other work, and what stops it.
#[derive(Clone)]
pub struct Nesting {
    /// So much work, with what is around it.
    depth: usize,
    stop: StopFlag,
    /// An exception has ended the work.
    abandoned: Arc<AtomicBool>,
    /// A handler of our own log records began it.
    silent: bool,
}

impl Nesting {
    /// Of work that this thread begins.
    ///
    /// # Errors
    /// `RuntimeError` if there is too much around it: then there would be no end; or if Python is shutting down.
    pub fn begun(stop: &StopFlag) -> PyResult<Self> {
        if background::has_ended() {
            return Err(PyRuntimeError::new_err("Python is shutting down"));
        }
        let around = AROUND.with_borrow(|around| around.as_ref().map_or(0, |around| around.depth));
        if around >= NESTED {
            let message = format!(
                "{NESTED} searches are under way inside each other: a method of a game searches a position whose search calls \
                 that method"
            );
            return Err(PyRuntimeError::new_err(message));
        }
        Ok(Self { depth: around + 1, stop: stop.clone(), abandoned: Arc::default(), silent: logs::is_silent() })
    }

    /// The thread does this work from now on.
    pub fn enter(self) {
        AROUND.set(Some(self));
    }

    /// Whether a handler of our own log records began the work that this thread does: it would wait for itself.
    pub fn is_silent() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.silent))
    }

    /// Whether an exception has ended the work that this thread does.
    fn is_abandoned() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.abandoned.load(Ordering::Relaxed)))
    }

    /// Whether the work that this thread does was stopped: then what it has begun itself and waits for must end too.
    pub fn is_stopped() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.stop.is_raised()))
    }
}

/// Runs `work` without the GIL while the calling thread waits for it and lets signal handlers run. If one raises
/// (Ctrl-C: `KeyboardInterrupt`), the flag goes up, the work ends as it would by any other stop, and the exception
/// is returned in its place. A method of a game in Python that goes on is interrupted by a `KeyboardInterrupt` of its own;
/// nobody waits for one that does not obey. Python runs handlers on its main thread only, so only calls from there are
/// interrupted.
///
/// # Errors
/// What a signal handler raised; what a game in Python raised; a thread that cannot be started; that of [`Nesting::begun`].
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    attended(py, stop, work, interrupted)
}

/// The same, with something else done each time while the calling thread waits: what it raises ends the work.
///
/// # Errors
/// What `poll` raised; a thread that cannot be started; that of [`Nesting::begun`].
pub fn attended<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
    mut poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let nesting = Nesting::begun(stop)?;
    let (working, abandoned) = (background::working(stop), Arc::clone(&nesting.abandoned));
    // Attached again only to poll: the worker may want the GIL for a log record, also while it is being stopped.
    py.detach(|| {
        let (done, ended) = mpsc::channel();
        let worker = Builder::new().name("secateur".into()).stack_size(STACK).spawn(move || {
            let _working = working;
            nesting.enter();
            // Not received if it was abandoned.
            let _ = done.send(work());
        })?;
        let mut raised: Option<(PyErr, Instant)> = None;
        let found = loop {
            match ended.recv_timeout(POLL) {
                Err(RecvTimeoutError::Timeout) => {}
                found => break found,
            }
            if Nesting::is_stopped() {
                stop.raise();
            }
            if let Some((error, since)) = raised.take() {
                if since.elapsed() > GRACE && background::interrupt(worker.thread().id()) && since.elapsed() > PATIENCE
                {
                    background::keep(stop.clone(), worker);
                    return Err(error);
                }
                raised = Some((error, since));
                continue;
            }
            let outer = Nesting::is_abandoned().then(|| PyKeyboardInterrupt::new_err(()));
            if let Some(error) = outer.or_else(&mut poll) {
                stop.raise();
                abandoned.store(true, Ordering::Relaxed);
                raised = Some((error, Instant::now()));
            }
        };
        let joined = worker.join().or_else(game::raised);
        match (raised, found) {
            (Some((error, _)), _) => Err(error),
            (None, Ok(done)) => Ok(done),
            // It has failed.
            (None, Err(_)) => Err(joined.err().unwrap_or_else(|| PyRuntimeError::new_err("the work failed"))),
        }
    })
}

/// Lets Python's signal handlers run; what one raised. Python cannot be attached to while it shuts down; then there is
/// nobody left to interrupt.
pub fn interrupted() -> Option<PyErr> {
    Python::try_attach(|py| py.check_signals()).and_then(Result::err)
}
