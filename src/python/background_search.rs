//! A search on a thread of its own, which any thread may wait for.

use super::background;
use super::game;
use super::interruptible::{GRACE, Nesting, PATIENCE, POLL, interrupted, unstarted};
use super::lock::lock;
use super::logs;
use super::progress_log::ProgressLog;
use super::running::Run;
use super::uci_session::Trouble;
use crate::core::{Progress, Report, StopFlag};
use crate::search::STACK;
use pyo3::exceptions::{PyBaseException, PyRuntimeError};
use pyo3::prelude::*;
use std::mem;
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, ThreadId};
use std::time::Instant;

/// The search; clones share it.
#[derive(Clone)]
pub struct BackgroundSearch {
    shared: Arc<Shared>,
    nesting: Nesting,
    thread: ThreadId,
    /// Whether it calls a game in Python.
    python: bool,
    /// Where it runs: in a process that was forked it does not.
    process: u32,
}

/// What the search and those who wait for it share. Nobody waits for the GIL while holding the state.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// What a search has found so far.
pub struct State {
    /// Its iterations.
    pub log: ProgressLog,
    /// What was found, or why nothing was.
    pub found: Option<Result<Vec<Report>, Py<PyBaseException>>>,
    /// Whether it is over.
    pub ended: bool,
    listeners: Vec<Py<PyAny>>,
}

impl BackgroundSearch {
    /// Begins a search, which ends before Python does. It tells what it finds as `trail` expects it; `python`: it calls a game in
    /// Python.
    ///
    /// # Errors
    /// A thread that cannot be started; that of [`Nesting::begun`].
    pub fn begin(
        python: bool,
        log: ProgressLog,
        run: Run,
        search: impl FnOnce(&StopFlag, &mut dyn FnMut(Progress<'_>)) -> Result<Vec<Report>, Trouble> + Send + 'static,
    ) -> PyResult<Self> {
        let nesting = Nesting::begun(run.stop())?;
        let state = State { log, found: None, ended: false, listeners: Vec::new() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (stop, own, end) = (run.stop().clone(), nesting.clone(), End(Arc::clone(&shared)));
        let search = move || {
            let records = own.its_records().clone();
            own.enter();
            let found = game::caught(|| {
                search(run.stop(), &mut |progress| {
                    let finished = end.0.state().log.add(progress);
                    if finished {
                        end.0.notify();
                    }
                })
            });
            let found = match found.and_then(|found| found.map_err(PyErr::from)) {
                Ok(lines) => Some(Ok(lines)),
                // While Python shuts down nobody reads it.
                Err(error) => Python::try_attach(|py| Err(error.into_value(py))),
            };
            // The search is over for the engine before it is for those who wait for it.
            drop(run);
            end.0.state().found = found;
            drop(end);
            Nesting::leave();
            logs::later(records.emit());
        };
        let handle = Builder::new().name("secateur".into()).stack_size(STACK).spawn(game::held(python, search));
        let handle = handle.map_err(unstarted)?;
        let thread = handle.thread().id();
        background::keep(stop, handle);
        Ok(Self { shared, nesting, thread, python, process: process::id() })
    }

    /// Whether the search runs in this process, or was over before the process was forked. Where it is neither, what it shares
    /// may be locked for ever, by a thread that is not here.
    pub fn is_here(&self) -> bool {
        self.process == process::id() || self.shared.state.try_lock().is_ok_and(|state| state.ended)
    }

    /// Refuses a search that is not here.
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

    /// The process that it runs in.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// What it has found so far. It must be here.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// What it has found, where it is over.
    pub fn try_ended(&self) -> Option<MutexGuard<'_, State>> {
        self.shared.state.try_lock().ok().filter(|state| state.ended)
    }

    /// Emits its log records so far.
    ///
    /// # Errors
    /// Those of [`Records::emit`](logs::Records::emit).
    pub fn emit(&self) -> PyResult<()> {
        self.nesting.its_records().emit()
    }

    /// Ends it, and does not wait for its end.
    pub fn stop(&self) {
        self.nesting.stop();
    }

    /// Refuses to wait where the search waits for this thread.
    ///
    /// # Errors
    /// `RuntimeError`.
    pub fn check_wait(&self) -> PyResult<()> {
        Nesting::wait_for(self.nesting.number()).map(drop)
    }

    /// Has a function called after each iteration and at the end.
    pub fn listen(&self, listener: Py<PyAny>) {
        let mut state = self.state();
        if !state.ended {
            state.listeners.push(listener);
        }
    }

    /// Waits until there is an answer, and lets signal handlers run.
    ///
    /// # Errors
    /// What a signal handler raised, or a handler of log records; that of [`Nesting::wait_for`].
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

    /// Ends the search after an exception, without the GIL: a method of the game that goes on is interrupted by a `KeyboardInterrupt`;
    /// one that does not follow is abandoned.
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

    /// Ends the search of which nobody reads what it finds, and waits for nothing: a method of the game that goes on is interrupted
    /// from another thread.
    pub fn forsake(&self) {
        self.stop();
        if !self.python || !self.is_here() || self.state().ended || background::has_ended() {
            return;
        }
        let search = self.clone();
        // Without a thread it ends with Python, at the latest.
        if let Ok(thread) = Builder::new().name("secateur".into()).spawn(move || search.abandon()) {
            background::keep(StopFlag::new(), thread);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Until something has changed, but not long.
    fn wait(&self, state: MutexGuard<'_, State>) {
        drop(self.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner));
    }

    /// Wakes those who wait, and calls those who listen.
    fn notify(&self) {
        self.changed.notify_all();
        if self.state().listeners.is_empty() {
            return;
        }
        // Nobody listens while Python shuts down.
        Python::try_attach(|py| {
            let listeners: Vec<_> = self.state().listeners.iter().map(|listener| listener.clone_ref(py)).collect();
            call(py, &listeners);
        });
    }

    /// The same at the end, after which no listener is held any more.
    fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        let listeners = mem::take(&mut state.listeners);
        drop(state);
        self.changed.notify_all();
        if !listeners.is_empty() {
            Python::try_attach(|py| {
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

/// Tells the end of a search, however it came.
struct End(Arc<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.end();
    }
}
