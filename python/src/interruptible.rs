//! Long work on a thread of its own, with the GIL released and under Ctrl-C.

use super::lock::{attach, lock};
use super::logs::{self, Records};
use super::{background, game};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use secateurs::core::forks::tracked;
use secateurs::search::thread::builder;
use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The interval at which Python's signal handlers run: the latency of Ctrl-C, in addition to the poll of the search.
pub const POLL: Duration = Duration::from_millis(10);

/// The maximum depth of nested searches: a method of a game in Python may search itself.
const NESTED: usize = 16;

thread_local! { static AROUND: RefCell<Option<Nesting>> = const { RefCell::new(None) } }

/// The time that Python code may continue after an exception before it is interrupted.
pub const GRACE: Duration = Duration::from_millis(20);

/// The time after which the exception is raised without waiting; the work then ends in the background.
pub const PATIENCE: Duration = Duration::from_millis(150);

/// Work nested in other work, with its stop flag.
#[derive(Clone)]
pub struct Nesting {
    /// The ID of the work.
    number: u64,
    /// The depth of nesting, including this work.
    depth: usize,
    stop: StopFlag,
    /// Whether an exception has ended the work.
    abandoned: Arc<AtomicBool>,
    /// Whether a handler of our own log records started it.
    silent: bool,
    /// Its log records, which a thread that waits for the work emits.
    records: Records,
}

/// Pairs of the IDs of waiting and awaited work, one for each waiting thread. The players of a match do the work of the
/// match, and several of them may wait at the same time.
static WAITS: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// The registration of a wait, until it is dropped.
pub struct Waiting(Option<(u64, u64)>);

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut waits = lock(&WAITS);
        if let Some(index) = self.0.and_then(|own| waits.iter().position(|wait| *wait == own)) {
            waits.swap_remove(index);
        }
    }
}

impl Nesting {
    /// Registers work that this thread starts.
    ///
    /// # Errors
    /// `RuntimeError` if the nesting is too deep, as in an endless recursion, or if Python is shutting down.
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
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Ok(Self {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            depth: around + 1,
            stop: stop.clone(),
            abandoned: Arc::default(),
            silent: logs::is_silent(),
            records: Records::default(),
        })
    }

    /// Returns the ID of the work.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Stops the work.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Stops the work after an exception, and interrupts work that it has started and waits for.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Returns its log records, to be emitted by a thread that waits for it.
    pub fn its_records(&self) -> &Records {
        &self.records
    }

    /// Registers that this thread waits for some work.
    ///
    /// # Errors
    /// `RuntimeError` if that work waits for the work of this thread: a deadlock.
    pub fn wait_for(number: u64) -> PyResult<Waiting> {
        let Some(own) = AROUND.with_borrow(|around| around.as_ref().map(|around| around.number)) else {
            return Ok(Waiting(None));
        };
        let mut waits = lock(&WAITS);
        // All work that it waits for, directly or indirectly, each once.
        let (mut awaited, mut at) = (vec![number], 0);
        while let Some(&work) = awaited.get(at) {
            for &(waiting, other) in waits.iter() {
                if waiting == work && !awaited.contains(&other) {
                    awaited.push(other);
                }
            }
            at += 1;
        }
        if awaited.contains(&own) {
            let message = "a search cannot be waited for inside itself: a method of its game, or what calls it, waits for its end";
            return Err(PyRuntimeError::new_err(message));
        }
        waits.push((own, number));
        Ok(Waiting(Some((own, number))))
    }

    /// Returns the queue for the log records of this thread; `None` if they are emitted at once.
    pub fn records() -> Option<Records> {
        AROUND.with_borrow(|around| around.as_ref().map(|around| around.records.clone()))
    }

    /// Returns a function that makes its thread a part of this work.
    pub fn start_handler(&self) -> impl Fn() + Send + Sync + use<> {
        let nesting = self.clone();
        move || nesting.clone().enter()
    }

    /// Returns the work of this thread.
    pub fn around() -> Option<Self> {
        AROUND.with_borrow(Clone::clone)
    }

    /// Makes this thread do the work from now on.
    pub fn enter(self) {
        AROUND.set(Some(self));
    }

    /// Ends the work of this thread.
    pub fn leave() {
        AROUND.set(None);
    }

    /// Returns whether a handler of our own log records started the work of this thread.
    pub fn is_silent() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.silent))
    }

    /// Returns whether an exception has ended the work of this thread.
    fn is_abandoned() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.abandoned.load(Ordering::Relaxed)))
    }

    /// Returns whether the work of this thread was stopped: work that it has started and waits for must then stop too.
    pub fn is_stopped() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.stop.is_raised()))
    }
}

/// Runs `work` without the GIL. The calling thread waits for it and runs signal handlers. If a handler raises an
/// exception (Ctrl-C: `KeyboardInterrupt`), the flag is raised, the work ends as after any stop, and the exception is
/// returned instead of its result. A method of a game in Python that does not return is interrupted by a
/// `KeyboardInterrupt`; if it still does not return, it is abandoned. Python runs handlers only on its main thread, so
/// other calls are not interrupted.
///
/// # Errors
/// The exception of a signal handler, of a handler of log records or of a game in Python; a thread that cannot be
/// started; those of [`Nesting::begun`].
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
/// [`Nesting::begun`].
pub fn attended<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
    mut poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let nesting = Nesting::begun(stop)?;
    let (working, own) = (background::working(stop), nesting.clone());
    let _waiting = Nesting::wait_for(nesting.number)?;
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
            let emitted = nesting.records.emit();
            if Nesting::is_stopped() {
                stop.raise();
            }
            if let Some((error, since)) = raised.take() {
                logs::later(emitted);
                if since.elapsed() > GRACE && background::interrupt(worker.thread().id()) && since.elapsed() > PATIENCE
                {
                    background::keep(stop.clone(), worker);
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
        let joined = worker.join().or_else(game::raised);
        let emitted = nesting.records.emit();
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
