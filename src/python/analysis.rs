//! A search in the background.

use super::background;
use super::display::shown;
use super::game;
use super::interruptible::{GRACE, Nesting, PATIENCE, POLL, interrupted};
use super::lock::lock;
use super::logs::Records;
use super::position::Position;
use super::result::SearchResult;
use super::running::Run;
use super::talk::Trouble;
use super::trail::Trail;
use crate::core::{Progress, Report, StopFlag};
use crate::search::STACK;
use pyo3::exceptions::{PyBaseException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};
use std::mem;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, ThreadId};
use std::time::Instant;

/// A search in the background. :meth:`Engine.analysis` begins it.
///
/// It is an iterator, which waits for each finished iteration of the search in turn and yields its result; what it has
/// found already is not lost, however late it is asked. As a context manager it ends the search on leaving. It also ends
/// when nothing refers to it any more, and by Ctrl-C while it is waited for in the main thread. A process that is forked
/// meanwhile does not have the search: there its results raise ``RuntimeError``.
///
/// >>> engine = secateur.Engine(hash=1)
/// >>> with engine.analysis(secateur.Position("kalah")) as analysis:
/// ...     for result in analysis:
/// ...         if result.depth == 5:
/// ...             analysis.stop()
/// >>> analysis.done, analysis.wait().depth >= 5
/// (True, True)
#[pyclass(frozen, weakref, module = "secateur")]
pub struct Analysis {
    position: Py<Position>,
    shared: Arc<Shared>,
    stop: StopFlag,
    /// The next iteration to be yielded.
    next: AtomicUsize,
    thread: ThreadId,
    /// The number of its work.
    number: u64,
    records: Records,
    /// Where the search runs: in a process that was forked it does not.
    process: u32,
}

/// What the search and those who wait for it share. Nobody waits for the GIL while holding the state.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    trail: Trail,
    /// What was found, or why nothing was.
    found: Option<Result<Vec<Report>, Py<PyBaseException>>>,
    ended: bool,
    listeners: Vec<Py<PyAny>>,
}

impl Analysis {
    /// Begins a search, which ends before Python does. It tells what it finds as `trail` expects it.
    ///
    /// # Errors
    /// A thread that cannot be started; that of [`Nesting::begun`].
    pub fn begin(
        position: Py<Position>,
        trail: Trail,
        run: Run,
        search: impl FnOnce(&StopFlag, &mut dyn FnMut(Progress<'_>)) -> Result<Vec<Report>, Trouble> + Send + 'static,
    ) -> PyResult<Self> {
        let nesting = Nesting::begun(run.stop())?;
        let (number, records) = (nesting.number(), nesting.its_records().clone());
        let of_thread = records.clone();
        let state = State { trail, found: None, ended: false, listeners: Vec::new() };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let (stop, told) = (run.stop().clone(), End(Arc::clone(&shared)));
        let search = move || {
            nesting.enter();
            let found = game::caught(|| {
                search(run.stop(), &mut |progress| {
                    let heard = told.0.state().trail.hear(progress);
                    if heard {
                        told.0.tell();
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
            told.0.state().found = found;
            drop(told);
            Nesting::leave();
            of_thread.emit();
        };
        let search = game::held(position.get().is_python(), search);
        let thread = Builder::new().name("secateur".into()).stack_size(STACK).spawn(search)?;
        let id = thread.thread().id();
        background::keep(stop.clone(), thread);
        let next = AtomicUsize::new(0);
        Ok(Self { position, shared, stop, next, thread: id, number, records, process: process::id() })
    }

    /// Whether the search runs in this process, or was over before the process was forked. Where it is neither, what it shares
    /// may be locked for ever, by a thread that is not here.
    fn is_here(&self) -> bool {
        self.process == process::id() || self.shared.state.try_lock().is_ok_and(|state| state.ended)
    }

    fn here(&self) -> PyResult<()> {
        if self.is_here() {
            return Ok(());
        }
        let (own, other) = (process::id(), self.process);
        let message = format!("the search runs in process {other}, of which process {own} was forked: search anew");
        Err(PyRuntimeError::new_err(message))
    }

    /// Waits until there is an answer, and lets signal handlers run.
    ///
    /// # Errors
    /// What a signal handler raised; that of [`Nesting::wait_for`].
    fn await_for<T: Send>(&self, py: Python<'_>, answer: impl Fn(&State) -> Option<T> + Send + Sync) -> PyResult<T> {
        self.here()?;
        py.detach(|| {
            let mut waiting = None;
            loop {
                self.records.emit();
                let mut state = self.shared.state();
                if let Some(answer) = answer(&state) {
                    drop(state);
                    self.records.emit();
                    return Ok(answer);
                }
                if waiting.is_none() {
                    waiting = Some(Nesting::wait_for(self.number)?);
                }
                state = self.shared.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
                drop(state);
                if Nesting::is_stopped() {
                    self.stop.raise();
                }
                if let Some(raised) = interrupted() {
                    self.abandon();
                    return Err(raised);
                }
            }
        })
    }

    /// Ends the search after an exception, without the GIL: a method of the game that goes on is interrupted by a `KeyboardInterrupt`;
    /// nobody waits for one that does not obey.
    fn abandon(&self) {
        self.stop.raise();
        let Ok(_waiting) = Nesting::wait_for(self.number) else { return };
        let begun = Instant::now();
        let mut state = self.shared.state();
        while !state.ended && begun.elapsed() < PATIENCE {
            drop(self.shared.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0);
            if begun.elapsed() > GRACE {
                background::interrupt(self.thread);
            }
            state = self.shared.state();
        }
    }

    fn result(&self, py: Python<'_>, index: usize) -> PyResult<Option<SearchResult>> {
        self.here()?;
        let state = self.shared.state();
        let found = state.trail.depths.get(index).map(|depth| {
            let told = state.trail.told[..depth.told.min(state.trail.told.len())].to_vec();
            (depth.lines.clone(), told)
        });
        drop(state);
        found.map(|(lines, told)| SearchResult::new(py, &self.position, lines, told)).transpose()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Wakes those who wait, and calls those who listen.
    fn tell(&self) {
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

impl Drop for Analysis {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[pymethods]
impl Analysis {
    /// The position that is searched.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// Whether the search is over; for a process that was forked while it ran it is.
    #[getter]
    fn done(&self) -> bool {
        if !self.is_here() {
            return true;
        }
        self.records.emit();
        self.shared.state().ended
    }

    /// The results of all iterations finished so far; those that were yielded already too.
    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<Vec<SearchResult>> {
        self.here()?;
        let count = self.shared.state().trail.depths.len();
        (0..count).filter_map(|index| self.result(py, index).transpose()).collect()
    }

    /// The result of the last iteration finished so far, or of the search once that is over; ``None`` before the first.
    #[getter]
    fn latest(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        self.here()?;
        if matches!(self.shared.state().found, Some(Ok(_))) {
            return self.wait(py).map(Some);
        }
        let count = self.shared.state().trail.depths.len();
        if count == 0 { Ok(None) } else { self.result(py, count - 1) }
    }

    /// Ends the search, from any thread, and does not wait for its end: some milliseconds. The results stay.
    fn stop(&self) {
        self.stop.raise();
    }

    /// Waits for the end of the search, with the GIL released, and returns what it found, as :meth:`Engine.search` does.
    ///
    /// :raises EngineError: the engine is another process, and has failed.
    /// :raises RuntimeError: the search failed; or a method of the game that it searches waits for it.
    /// :raises Exception: what a game in Python raised.
    fn wait(&self, py: Python<'_>) -> PyResult<SearchResult> {
        self.await_for(py, |state| state.ended.then_some(()))?;
        let state = self.shared.state();
        let lines = match &state.found {
            Some(Ok(lines)) => lines.clone(),
            Some(Err(error)) => return Err(PyErr::from_value(error.bind(py).clone().into_any())),
            None => return Err(PyRuntimeError::new_err("the search failed")),
        };
        let told = state.trail.told.clone();
        drop(state);
        SearchResult::new(py, &self.position, lines, told)
    }

    /// The next iteration if it is there already.
    fn _poll(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        self.records.emit();
        let found = self.result(py, self.next.load(Ordering::Relaxed))?;
        self.next.fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
        Ok(found)
    }

    /// Refuses to wait where the search waits for this thread.
    fn _check_wait(&self) -> PyResult<()> {
        if self.done() { Ok(()) } else { Nesting::wait_for(self.number).map(drop) }
    }

    /// Has a function called, without arguments and by the thread of the search, after each iteration and at the end.
    fn _listen(&self, listener: Py<PyAny>) -> PyResult<()> {
        self.here()?;
        let mut state = self.shared.state();
        if !state.ended {
            state.listeners.push(listener);
        }
        Ok(())
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "analysis_html", (&slf,))?.extract()
    }

    fn _ipython_display_(slf: Bound<'_, Self>) -> PyResult<()> {
        shown(slf.py(), "show_live", (&slf,)).map(drop)
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        let next = self.next.load(Ordering::Relaxed);
        self.await_for(py, |state| (state.ended || state.trail.depths.len() > next).then_some(()))?;
        let found = self._poll(py)?;
        match &self.shared.state().found {
            Some(Err(error)) if found.is_none() => Err(PyErr::from_value(error.bind(py).clone().into_any())),
            _ => Ok(found),
        }
    }

    /// What the thread of a search refers to as well is in use.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.position)?;
        let state = self.shared.state.try_lock().ok().filter(|state| state.ended);
        match state.as_ref().and_then(|state| state.found.as_ref()) {
            Some(Err(error)) => visit.call(error),
            _ => Ok(()),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*error))]
    fn __exit__(&self, py: Python<'_>, error: &Bound<'_, PyTuple>) -> PyResult<()> {
        if !self.is_here() {
            return Ok(());
        }
        if error.iter().any(|part| !part.is_none()) {
            py.detach(|| self.abandon());
            return Ok(());
        }
        self.stop.raise();
        self.await_for(py, |state| state.ended.then_some(()))
    }

    fn __repr__(&self) -> String {
        if !self.is_here() {
            return format!("<Analysis, in process {}>", self.process);
        }
        let state = self.shared.state();
        let depth = state.trail.depths.last().map_or(0, |last| last.lines[0].depth);
        format!("<Analysis, {}, depth {depth}>", if state.ended { "done" } else { "running" })
    }
}
