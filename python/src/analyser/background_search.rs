//! A search on a thread of its own. Any thread may wait for it.

use super::Search;
use crate::results::ProgressLog;
use crate::threads::interruptible::{GRACE, PATIENCE, POLL, interrupted, unstarted};
use crate::threads::lock::{attach, has_ended};
use crate::threads::nesting::Nesting;
use crate::threads::running::Run;
use crate::threads::unwinding::{caught, with_thread_state};
use crate::threads::{background, logs};
use pyo3::exceptions::{PyBaseException, PyRuntimeError};
use pyo3::prelude::*;
use secateurs::core::forks::tracked;
use secateurs::core::{Progress, Report, StopFlag};
use secateurs::search::thread::builder;
use std::mem;
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, ThreadId};
use std::time::Instant;

/// The search. Clones share it.
#[derive(Clone)]
pub struct BackgroundSearch {
    shared: Arc<Shared>,
    nesting: Nesting,
    thread: ThreadId,
    /// Whether it calls a game in Python.
    python: bool,
    /// The process that runs it. A forked process does not.
    process: u32,
}

/// The state shared by the search and the threads that wait for it. No thread waits for the GIL while it holds the
/// lock.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The state of a search.
pub struct State {
    /// The reports.
    pub log: ProgressLog,
    /// The result, or the exception that ended the search.
    pub found: Option<Result<Vec<Report>, Py<PyBaseException>>>,
    /// Whether the search has ended.
    pub ended: bool,
    listeners: Vec<Py<PyAny>>,
}

impl BackgroundSearch {
    /// Starts a search, which ends before Python does. It reports its progress to `log`. `python`: the search calls a
    /// game in Python.
    ///
    /// # Errors
    /// A thread that cannot be started; those of [`Nesting::begin`].
    pub fn begin(python: bool, log: ProgressLog, run: Run, search: Search) -> PyResult<Self> {
        let nesting = Nesting::begin(run.stop())?;
        let state = State { log, found: None, ended: false, listeners: Vec::new() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (stop, own, end) = (run.stop().clone(), nesting.clone(), End(Arc::clone(&shared)));
        let work = move || {
            let records = own.records().clone();
            own.enter();
            let mut progress = |progress: Progress<'_>| {
                let finished = end.0.state().log.add(progress);
                if finished {
                    end.0.notify();
                }
            };
            let found = match caught(|| search(run.stop(), &mut progress)).flatten() {
                Ok(found) => Some(Ok(found.lines)),
                // While Python shuts down, no thread reads the error.
                Err(error) => attach(|py| Err(error.into_value(py))),
            };
            // The engine unregisters the search before the waiting threads are notified.
            drop(run);
            end.0.state().found = found;
            drop(end);
            Nesting::leave();
            logs::later(logs::emit(&records));
        };
        let handle = builder("secateurs").and_then(|thread| thread.spawn(tracked(with_thread_state(python, work))));
        let handle = handle.map_err(unstarted)?;
        let thread = handle.thread().id();
        background::register(stop, handle);
        Ok(Self { shared, nesting, thread, python, process: process::id() })
    }

    /// Returns whether the search runs in this process, or had ended before the process was forked. In any other forked
    /// process a thread that does not exist there may hold the lock forever.
    pub fn is_here(&self) -> bool {
        self.process == process::id() || self.shared.state.try_lock().is_ok_and(|state| state.ended)
    }

    /// Refuses a search of another process.
    ///
    /// # Errors
    /// `RuntimeError`.
    pub fn here(&self) -> PyResult<()> {
        if self.is_here() {
            return Ok(());
        }
        let (own, other) = (process::id(), self.process);
        let message = format!("the search runs in process {other}, of which process {own} was forked: search anew");
        Err(PyRuntimeError::new_err(message))
    }

    /// Returns the process that runs the search.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Locks the state. Only for a search that [`is_here`](Self::is_here).
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// Returns the state if the search has ended.
    pub fn try_ended(&self) -> Option<MutexGuard<'_, State>> {
        self.shared.state.try_lock().ok().filter(|state| state.ended)
    }

    /// Emits the pending log records of the search.
    ///
    /// # Errors
    /// Those of [`logs::emit`].
    pub fn emit(&self) -> PyResult<()> {
        logs::emit(self.nesting.records())
    }

    /// Stops the search. Does not wait for its end.
    pub fn stop(&self) {
        self.nesting.stop();
    }

    /// Refuses to wait if the search waits for this thread.
    ///
    /// # Errors
    /// `RuntimeError`.
    pub fn check_wait(&self) -> PyResult<()> {
        Nesting::wait_for(self.nesting.number()).map(drop)
    }

    /// Registers a function that is called after each iteration and at the end.
    pub fn listen(&self, listener: Py<PyAny>) {
        let mut state = self.state();
        if !state.ended {
            state.listeners.push(listener);
        }
    }

    /// Waits until `answer` returns a value. Signal handlers run meanwhile.
    ///
    /// # Errors
    /// The exception of a signal handler or of a handler of log records; those of [`Nesting::wait_for`].
    pub fn await_for<T: Send>(
        &self,
        py: Python<'_>,
        answer: impl Fn(&State) -> Option<T> + Send + Sync,
    ) -> PyResult<T> {
        self.here()?;
        py.detach(|| {
            let abandoned = |error| {
                self.abandon();
                error
            };
            let mut waiting = None;
            loop {
                self.emit().map_err(abandoned)?;
                let state = self.state();
                if let Some(answer) = answer(&state) {
                    drop(state);
                    return self.emit().map(|()| answer).map_err(abandoned);
                }
                if waiting.is_none() {
                    waiting = Some(Nesting::wait_for(self.nesting.number())?);
                }
                self.shared.wait(state);
                if Nesting::is_stopped() {
                    self.stop();
                }
                if let Some(raised) = interrupted() {
                    return Err(abandoned(raised));
                }
            }
        })
    }

    /// Stops the search after an exception. The caller must not hold the GIL. A method of the game that does not return
    /// is interrupted by a `KeyboardInterrupt`; if it still does not return, the search is abandoned.
    pub fn abandon(&self) {
        self.nesting.abandon();
        let Ok(_waiting) = Nesting::wait_for(self.nesting.number()) else { return };
        let begun = Instant::now();
        let mut state = self.state();
        while !state.ended && begun.elapsed() < PATIENCE {
            self.shared.wait(state);
            if begun.elapsed() > GRACE {
                background::interrupt(self.thread);
            }
            state = self.state();
        }
    }

    /// Stops a search whose result is not needed, without waiting. Another thread interrupts a method of the game that
    /// does not return.
    pub fn forsake(&self) {
        self.stop();
        if !self.python || !self.is_here() || self.state().ended || has_ended() {
            return;
        }
        let search = self.clone();
        // If no thread can be started, the search ends with Python at the latest.
        if let Ok(thread) = Builder::new().name("secateurs".into()).spawn(tracked(move || search.abandon())) {
            background::register(StopFlag::new(), thread);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state changes, at most [`POLL`].
    fn wait(&self, state: MutexGuard<'_, State>) {
        drop(self.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner));
    }

    /// Wakes the waiting threads and calls the listeners.
    fn notify(&self) {
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

    /// Marks the end, wakes the waiting threads, and calls and releases the listeners.
    fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        let listeners = mem::take(&mut state.listeners);
        drop(state);
        self.changed.notify_all();
        if !listeners.is_empty() {
            attach(|py| {
                call(py, &listeners);
                drop(listeners);
            });
        }
    }
}

fn call(py: Python<'_>, listeners: &[Py<PyAny>]) {
    for listener in listeners {
        if let Err(error) = listener.call0(py) {
            error.write_unraisable(py, Some(listener.bind(py)));
        }
    }
}

/// Marks the end of the search when dropped, also after a panic.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.end();
    }
}
