//! Long work on a thread of its own, with the GIL released and Ctrl-C obeyed.

use super::{background, game};
use crate::core::StopFlag;
use crate::search::STACK;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

/// How often Python's signal handlers get their turn: what Ctrl-C waits for, beside the search's own poll.
pub const POLL: Duration = Duration::from_millis(10);

/// So many searches may stand inside each other: a method of a game in Python may search itself.
const NESTED: usize = 16;

thread_local! { static AROUND: RefCell<Option<Nesting>> = const { RefCell::new(None) } }

/// Work that stands inside other work, and what stops it.
#[derive(Clone)]
pub struct Nesting {
    /// So much work, with what is around it.
    depth: usize,
    stop: StopFlag,
}

impl Nesting {
    /// Of work that this thread begins.
    ///
    /// # Errors
    /// `RuntimeError` if there is too much around it: then there would be no end.
    pub fn begun(stop: &StopFlag) -> PyResult<Self> {
        let around = AROUND.with_borrow(|around| around.as_ref().map_or(0, |around| around.depth));
        if around >= NESTED {
            let message = format!(
                "{NESTED} searches are under way inside each other: a method of a game searches a position whose search calls \
                 that method"
            );
            return Err(PyRuntimeError::new_err(message));
        }
        Ok(Self { depth: around + 1, stop: stop.clone() })
    }

    /// The thread does this work from now on.
    pub fn enter(self) {
        AROUND.set(Some(self));
    }

    /// Whether the work that this thread does was stopped: then what it has begun itself and waits for must end too.
    pub fn is_stopped() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.stop.is_raised()))
    }
}

/// Runs `work` without the GIL while the calling thread waits for it and lets signal handlers run. If one raises
/// (Ctrl-C: `KeyboardInterrupt`), the flag goes up, the work ends as it would by any other stop, and the exception
/// is returned in its place. Python runs handlers on its main thread only, so only calls from there are interrupted.
///
/// # Errors
/// What a signal handler raised; what a game in Python raised; a thread that cannot be started; that of [`Nesting::begun`].
pub fn interruptible<T: Send>(py: Python<'_>, stop: &StopFlag, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    attended(py, stop, work, interrupted)
}

/// The same, with something else done each time while the calling thread waits: what it raises ends the work.
///
/// # Errors
/// What `poll` raised; a thread that cannot be started; that of [`Nesting::begun`].
pub fn attended<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
    mut poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let nesting = Nesting::begun(stop)?;
    let _work = background::working(stop);
    // Attached again only to poll: the worker may want the GIL for a log record, also while it is being stopped.
    py.detach(|| {
        std::thread::scope(|scope| {
            // Nothing is ever sent; the channel closes when the work has ended, however it did.
            let (working, ended) = mpsc::channel::<()>();
            let worker = Builder::new().name("secateur".into()).stack_size(STACK).spawn_scoped(scope, move || {
                let _working = working;
                nesting.enter();
                work()
            })?;
            let mut raised = None;
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if Nesting::is_stopped() {
                    stop.raise();
                }
                if raised.is_none() {
                    raised = poll();
                    if raised.is_some() {
                        stop.raise();
                    }
                }
            }
            let done = worker.join().or_else(game::raised);
            raised.map_or(done, Err)
        })
    })
}

/// Lets Python's signal handlers run; what one raised. Python cannot be attached to while it shuts down; then there is
/// nobody left to interrupt.
pub fn interrupted() -> Option<PyErr> {
    Python::try_attach(|py| py.check_signals()).and_then(Result::err)
}
