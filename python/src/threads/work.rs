//! Work on a thread of its own. Other threads wait for it with the GIL released and under Ctrl-C.

use super::lock::{attach, has_ended};
use super::nesting::Nesting;
use super::workers::AWAKE;
use super::{background, logs, unwinding, workers};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use secateurs::util::forks::tracked;
use secateurs::util::lock::{lock, wait_timeout};
use std::io;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, Builder, ThreadId};
use std::time::{Duration, Instant};

/// The interval at which Python's signal handlers run: the latency of Ctrl-C, in addition to the poll of the search.
pub const POLL: Duration = Duration::from_millis(10);

/// The time that Python code may continue after an exception before it is interrupted.
const GRACE: Duration = Duration::from_millis(20);

/// The time after which Python code that is interrupted is left: it then ends in the background.
const PATIENCE: Duration = Duration::from_millis(150);

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
    poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let work = Work::begin(stop, true, None, move |shared| {
        let found = panic::catch_unwind(AssertUnwindSafe(work));
        shared.state().value = Some(found);
    })?;
    let found = work.wait(py, poll, |state| state.value.take());
    // A result that is not returned is dropped here: it may hold Python objects.
    let unused = work.state().value.take();
    drop(unused);
    found?.or_else(unwinding::raised)
}

/// Runs Python's signal handlers and returns the exception of one. Python cannot be attached while it shuts down; then
/// no caller is left to interrupt.
pub fn interrupted() -> Option<PyErr> {
    attach(|py| py.check_signals()).and_then(Result::err)
}

/// Work in progress, with a value that it changes. Clones share it.
pub struct Work<T> {
    shared: Arc<Shared<T>>,
    nesting: Nesting,
    thread: ThreadId,
    /// The process that runs it. A forked process does not.
    pub process: u32,
}

/// The part of the work that its thread shares with those that wait for it.
pub struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

/// The state of work. No thread waits for the GIL while it holds its lock.
pub struct State<T> {
    /// The value that the work changes.
    pub value: T,
    /// Whether the work has ended.
    pub ended: bool,
    listeners: Vec<Py<PyAny>>,
}

impl<T> Clone for Work<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), nesting: self.nesting.clone(), ..*self }
    }
}

impl<T: Send + 'static> Work<T> {
    /// Starts work, which ends before Python does. Unless a thread is sure to wait for it (`is_attended`), its own
    /// thread emits the log records that are left at the end.
    ///
    /// # Errors
    /// A thread that cannot be started; those of [`Nesting::begin`].
    pub fn begin(
        stop: &StopFlag,
        is_attended: bool,
        value: T,
        work: impl FnOnce(&Shared<T>) + Send + 'static,
    ) -> PyResult<Self> {
        let nesting = Nesting::begin(stop)?;
        let state = State { value, ended: false, listeners: Vec::new() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (own, end) = (nesting.clone(), End(Arc::clone(&shared)));
        let work = move || {
            let records = own.records.clone();
            own.enter();
            work(&end.0);
            drop(end);
            Nesting::leave();
            if !is_attended {
                logs::later(logs::emit(&records));
            }
        };
        let thread = workers::start(stop, work).map_err(unstarted)?;
        Ok(Self { shared, nesting, thread, process: process::id() })
    }

    /// Returns whether the work runs in this process, or had ended before the process was forked. In any other forked
    /// process a thread that does not exist there may hold the lock forever.
    pub fn is_here(&self) -> bool {
        self.process == process::id() || self.try_ended().is_some()
    }

    /// Locks the state. Only for work that [`is_here`](Self::is_here).
    pub fn state(&self) -> MutexGuard<'_, State<T>> {
        self.shared.state()
    }

    /// Returns the state if the work has ended.
    pub fn try_ended(&self) -> Option<MutexGuard<'_, State<T>>> {
        self.shared.state.try_lock().ok().filter(|state| state.ended)
    }

    /// Emits the pending log records of the work.
    ///
    /// # Errors
    /// Those of [`logs::emit`].
    pub fn emit(&self) -> PyResult<()> {
        logs::emit(&self.nesting.records)
    }

    /// Registers a function that is called after each [notification](Shared::notify) and at the end.
    pub fn listen(&self, listener: Py<PyAny>) {
        let mut state = self.state();
        if !state.ended {
            state.listeners.push(listener);
        }
    }

    /// Stops the work. Does not wait for its end.
    pub fn stop(&self) {
        self.nesting.stop();
    }

    /// Refuses to wait if the work waits for this thread.
    ///
    /// # Errors
    /// `RuntimeError`.
    pub fn check_wait(&self) -> PyResult<()> {
        Nesting::wait_for(self.nesting.number).map(drop)
    }

    /// Waits until `answer` returns a value, which it does at the end at the latest. Calls `poll` meanwhile; an
    /// exception that it returns ends the work.
    ///
    /// # Errors
    /// The exception of `poll` or of a handler of log records; those of [`Nesting::wait_for`].
    pub fn wait<A: Send>(
        &self,
        py: Python<'_>,
        mut poll: impl FnMut() -> Option<PyErr> + Send,
        mut answer: impl FnMut(&mut State<T>) -> Option<A> + Send,
    ) -> PyResult<A> {
        // The thread attaches only to poll: the work may need the GIL for a log record, even while it is being stopped.
        py.detach(|| {
            let mut found = answer(&mut self.state());
            let awake = Instant::now();
            while found.is_none() && awake.elapsed() < AWAKE {
                thread::yield_now();
                found = answer(&mut self.state());
            }
            let _waiting = if found.is_none() { Some(Nesting::wait_for(self.nesting.number)?) } else { None };
            loop {
                if found.is_none() {
                    let mut state = self.state();
                    found = answer(&mut state);
                    if found.is_none() {
                        found = answer(&mut self.shared.wait(state));
                    }
                }
                if Nesting::is_stopped() {
                    self.stop();
                }
                let outer = || Nesting::is_abandoned().then(|| PyKeyboardInterrupt::new_err(()));
                let raised = match (self.emit(), found.take()) {
                    (Ok(()), Some(found)) => return Ok(found),
                    (Ok(()), None) => outer().or_else(&mut poll),
                    (Err(error), _) => Some(error),
                };
                if let Some(error) = raised {
                    self.abandon();
                    return Err(error);
                }
            }
        })
    }

    /// Stops the work after an exception and waits for its end. The caller must not hold the GIL. Python code that does
    /// not return is interrupted by a `KeyboardInterrupt`; if it still does not return, it is left.
    pub fn abandon(&self) {
        self.nesting.abandon();
        let Ok(_waiting) = Nesting::wait_for(self.nesting.number) else { return };
        let begun = Instant::now();
        let is_left = || begun.elapsed() > GRACE && background::interrupt(self.thread) && begun.elapsed() > PATIENCE;
        let mut state = self.state();
        while !state.ended {
            drop(self.shared.wait(state));
            logs::later(self.emit());
            if is_left() {
                return;
            }
            state = self.state();
        }
        drop(state);
        logs::later(self.emit());
    }

    /// Stops work whose result nobody needs, without waiting. Another thread interrupts `python` code.
    pub fn forsake(&self, python: bool) {
        self.stop();
        if !python || !self.is_here() || self.state().ended || has_ended() {
            return;
        }
        let work = self.clone();
        // If no thread can be started, the work ends with Python at the latest.
        if let Ok(thread) = Builder::new().name("secateurs".into()).spawn(tracked(move || work.abandon())) {
            background::register(Arc::default(), thread);
        }
    }
}

impl<T> Shared<T> {
    /// Locks the state.
    pub fn state(&self) -> MutexGuard<'_, State<T>> {
        lock(&self.state)
    }

    /// Waits until the state changes, at most [`POLL`].
    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        wait_timeout(&self.changed, state, POLL)
    }

    /// Wakes the waiting threads and calls the listeners.
    pub fn notify(&self) {
        self.changed.notify_all();
        if self.state().listeners.is_empty() {
            return;
        }
        // While Python shuts down, no listener is called.
        attach(|py| {
            let listeners: Vec<_> = self.state().listeners.iter().map(|listener| listener.clone_ref(py)).collect();
            call(py, &listeners);
        });
    }
}

fn call(py: Python<'_>, listeners: &[Py<PyAny>]) {
    for listener in listeners {
        if let Err(error) = listener.call0(py) {
            error.write_unraisable(py, Some(listener.bind(py)));
        }
    }
}

/// Marks the end of the work when dropped, also after a panic: wakes the waiting threads, and calls and releases the
/// listeners.
struct End<T>(Arc<Shared<T>>);

impl<T> Drop for End<T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.ended = true;
        let listeners = mem::take(&mut state.listeners);
        drop(state);
        self.0.changed.notify_all();
        if !listeners.is_empty() {
            attach(|py| {
                call(py, &listeners);
                drop(listeners);
            });
        }
    }
}

/// Adds the context to the error for a thread that cannot be started.
fn unstarted(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("a thread cannot be started: {error}"))
}
