//! A search in the background.

use super::Search;
use crate::position::Position;
use crate::python_modules::{missing, shown};
use crate::results::{ProgressLog, RootMoves, SearchResult, lines};
use crate::threads::lock::attach;
use crate::threads::searches::CurrentSearch;
use crate::threads::unwinding::{caught, with_thread_state};
use crate::threads::work::{Work, interrupted};
use pyo3::exceptions::{PyBaseException, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core::{self, Report};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A search in the background, started by :meth:`Engine.analysis`.
///
/// It is an iterator that waits for the iterations of the search and yields the result of each; no iteration is lost,
/// however late the caller requests it. As a context manager it stops the search on exit. The search also stops when
/// the object is deleted, and by Ctrl-C while the main thread waits for it. In a process forked meanwhile there is no
/// search, and its results raise ``RuntimeError``.
///
/// >>> engine = secateurs.Engine(hash=1)
/// >>> with engine.analysis(secateurs.Position("kalah")) as analysis:
/// ...     for result in analysis:
/// ...         if result.depth == 5:
/// ...             analysis.stop()
/// >>> analysis.done, analysis.wait().depth >= 5
/// (True, True)
#[pyclass(frozen, generic, weakref, module = "secateurs")]
pub struct Analysis {
    /// The position searched.
    #[pyo3(get)]
    position: Py<Position>,
    moves: RootMoves,
    search: Work<Progress>,
    /// The index of the next iteration to yield.
    next: AtomicUsize,
}

/// The progress of a search.
struct Progress {
    log: ProgressLog,
    /// The lines, or the exception that ended the search.
    found: Option<Result<Vec<Report>, Py<PyBaseException>>>,
}

impl Analysis {
    /// Starts a search, which ends before Python does. It reports its progress to `log`.
    ///
    /// # Errors
    /// Those of [`Work::begin`].
    pub fn begin(
        position: Py<Position>,
        moves: RootMoves,
        log: ProgressLog,
        run: CurrentSearch,
        search: Search,
    ) -> PyResult<Self> {
        let (python, stop) = (position.get().is_python(), run.stop.clone());
        let search = Work::begin(&stop, false, Progress { log, found: None }, move |shared| {
            let mut progress = |progress: core::Progress<'_>| {
                let finished = shared.state().value.log.add(progress);
                if finished {
                    shared.notify();
                }
            };
            let found = match caught(with_thread_state(python, || search(&run.stop, &mut progress))).flatten() {
                Ok(found) => Some(Ok(found.lines)),
                // While Python shuts down, no thread reads the error.
                Err(error) => attach(|py| Err(error.into_value(py))),
            };
            // The engine unregisters the search before the waiting threads are notified.
            drop(run);
            shared.state().value.found = found;
        })?;
        Ok(Self { position, moves, search, next: AtomicUsize::new(0) })
    }

    /// Refuses a search of another process.
    fn check_process(&self) -> PyResult<()> {
        if self.search.is_here() {
            return Ok(());
        }
        let (own, other) = (process::id(), self.search.process);
        let message = format!("the search runs in process {other}, of which process {own} was forked: search anew");
        Err(PyRuntimeError::new_err(message))
    }

    /// Waits until the search has ended, or `is_ready`. Signal handlers run meanwhile.
    fn wait_until(&self, py: Python<'_>, is_ready: impl Fn(&Progress) -> bool + Send + Sync) -> PyResult<()> {
        self.check_process()?;
        self.search.wait(py, interrupted, |state| (state.ended || is_ready(&state.value)).then_some(()))
    }

    fn result(&self, py: Python<'_>, index: usize) -> PyResult<Option<SearchResult>> {
        self.check_process()?;
        let state = self.search.state();
        let log = &state.value.log;
        let found = log.depths.get(index).map(|depth| {
            let reports = log.reports[..depth.reports.min(log.reports.len())].to_vec();
            (depth.lines.clone(), reports)
        });
        drop(state);
        found.map(|(lines, reports)| SearchResult::new(py, &self.position, lines, reports, &self.moves)).transpose()
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.search.forsake(self.position.get().is_python());
    }
}

#[pymethods]
impl Analysis {
    /// Whether the search has ended; ``True`` in a process forked while it ran.
    #[getter]
    fn done(&self) -> PyResult<bool> {
        if !self.search.is_here() {
            return Ok(true);
        }
        self.search.emit()?;
        Ok(self.search.state().ended)
    }

    /// The results of all finished iterations, including those already yielded.
    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<Vec<SearchResult>> {
        self.check_process()?;
        let count = self.search.state().value.log.depths.len();
        (0..count).filter_map(|index| self.result(py, index).transpose()).collect()
    }

    /// The result of the search if it has ended, otherwise of the last finished iteration; ``None`` before the first.
    #[getter]
    fn latest(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        self.check_process()?;
        if matches!(self.search.state().value.found, Some(Ok(_))) {
            return self.wait(py).map(Some);
        }
        let count = self.search.state().value.log.depths.len();
        if count == 0 { Ok(None) } else { self.result(py, count - 1) }
    }

    /// The lines of :attr:`latest`, the best first; none before the first iteration.
    #[getter]
    fn multipv(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.latest(py)? {
            Some(latest) => Bound::new(py, latest)?.getattr(intern!(py, "multipv")).map(Bound::unbind),
            None => lines(py, Vec::<Py<SearchResult>>::new()).map(Bound::unbind),
        }
    }

    /// Returns whether all iterations that are finished now were yielded.
    fn empty(&self) -> PyResult<bool> {
        self.check_process()?;
        Ok(self.search.state().value.log.depths.len() <= self.next.load(Ordering::Relaxed))
    }

    /// Stops the search, from any thread, without waiting for its end, which takes some milliseconds. The results
    /// remain available.
    fn stop(&self) {
        self.search.stop();
    }

    /// Waits for the end of the search, with the GIL released, and returns its result, as :meth:`Engine.analyse` does.
    ///
    /// :raises EngineError: the engine is another process and has failed.
    /// :raises RuntimeError: the search failed, or a method of its own game calls this method.
    /// :raises Exception: an exception of a game in Python.
    fn wait(&self, py: Python<'_>) -> PyResult<SearchResult> {
        self.wait_until(py, |_| false)?;
        let state = self.search.state();
        let lines = match &state.value.found {
            Some(Ok(lines)) => lines.clone(),
            Some(Err(error)) => return Err(PyErr::from_value(error.bind(py).clone().into_any())),
            None => return Err(PyRuntimeError::new_err("the search failed")),
        };
        let reports = state.value.log.reports.clone();
        drop(state);
        SearchResult::new(py, &self.position, lines, reports, &self.moves)
    }

    /// Returns the next iteration if it is finished.
    fn _poll(&self, py: Python<'_>) -> PyResult<Option<SearchResult>> {
        self.search.emit()?;
        let found = self.result(py, self.next.load(Ordering::Relaxed))?;
        self.next.fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
        Ok(found)
    }

    /// Refuses to wait if the search waits for this thread.
    fn _check_wait(&self) -> PyResult<()> {
        if self.done()? { Ok(()) } else { self.search.check_wait() }
    }

    /// Registers a function that the thread of the search calls, without arguments, after each iteration and at the
    /// end.
    fn _listen(&self, listener: Py<PyAny>) -> PyResult<()> {
        self.check_process()?;
        self.search.listen(listener);
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
        self.wait_until(py, |progress| progress.log.depths.len() > next)?;
        let found = self._poll(py)?;
        match &self.search.state().value.found {
            Some(Err(error)) if found.is_none() => Err(PyErr::from_value(error.bind(py).clone().into_any())),
            _ => Ok(found),
        }
    }

    /// Objects to which the thread of the search also refers are in use and are not visited.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.position)?;
        let state = self.search.try_ended();
        match state.as_ref().and_then(|state| state.value.found.as_ref()) {
            Some(Err(error)) => visit.call(error),
            _ => Ok(()),
        }
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*error))]
    fn __exit__(&self, py: Python<'_>, error: &Bound<'_, PyTuple>) -> PyResult<()> {
        if !self.search.is_here() {
            return Ok(());
        }
        if error.iter().any(|part| !part.is_none()) {
            py.detach(|| self.search.abandon());
            return Ok(());
        }
        self.search.stop();
        self.wait_until(py, |_| false)
    }

    fn __repr__(&self) -> String {
        if !self.search.is_here() {
            return format!("<Analysis, in process {}>", self.search.process);
        }
        let state = self.search.state();
        let depth = state.value.log.depths.last().map_or(0, |last| last.lines[0].depth);
        format!("<Analysis, {}, depth {depth}>", if state.ended { "done" } else { "running" })
    }
}
