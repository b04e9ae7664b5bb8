//! The current searches of an engine, which any thread can stop.

use super::lock::lock;
use super::work::{attended, interrupted};
use pyo3::exceptions::asyncio::CancelledError;
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The current searches. Clones share them.
#[derive(Clone, Default)]
pub struct CurrentSearches(Arc<Mutex<Searches>>);

#[derive(Default)]
struct Searches {
    flags: BTreeMap<u64, StopFlag>,
    /// Whether a stop also applies to searches that start later.
    lasting: bool,
    stopped: bool,
    abandoned: bool,
}

/// A search in progress, until it is dropped.
pub struct CurrentSearch {
    searches: CurrentSearches,
    number: u64,
    /// The flag that stops the search.
    pub stop: StopFlag,
}

impl CurrentSearches {
    /// Creates a set for searches that may start after the stop meant for them: they then end at once.
    pub fn with_lasting_stop() -> Self {
        Self(Arc::new(Mutex::new(Searches { lasting: true, ..Searches::default() })))
    }

    /// Registers a search.
    pub fn enter(&self) -> CurrentSearch {
        let stop = StopFlag::new();
        let mut searches = lock(&self.0);
        if searches.stopped {
            stop.raise();
        }
        let number = searches.flags.last_key_value().map_or(0, |(last, _)| last + 1);
        searches.flags.insert(number, stop.clone());
        CurrentSearch { searches: self.clone(), number, stop }
    }

    /// Stops all current searches; with [`Self::with_lasting_stop`] also those that start later.
    pub fn stop(&self) {
        let mut searches = lock(&self.0);
        searches.stopped = searches.lasting;
        searches.flags.values().for_each(StopFlag::raise);
    }

    /// Stops all searches without results: they raise `CancelledError` and interrupt methods of a game in Python.
    pub fn abandon(&self) {
        lock(&self.0).abandoned = true;
        self.stop();
    }
}

impl CurrentSearch {
    /// Runs the search `work` as [`interruptible`](crate::threads::work::interruptible) does.
    ///
    /// # Errors
    /// The same; `CancelledError` after [`CurrentSearches::abandon`].
    pub fn interruptible<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        self.attended(py, work, || None)
    }

    /// Like [`Self::interruptible`]; also calls `poll` repeatedly, whose exception ends the search.
    ///
    /// # Errors
    /// The same; the exception of `poll`.
    pub fn attended<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> T + Send + 'static,
        mut poll: impl FnMut() -> Option<PyErr> + Send,
    ) -> PyResult<T> {
        let cancelled = || lock(&self.searches.0).abandoned.then(|| CancelledError::new_err(()));
        attended(py, &self.stop, work, || interrupted().or_else(cancelled).or_else(&mut poll))
    }
}

impl Drop for CurrentSearch {
    fn drop(&mut self) {
        lock(&self.searches.0).flags.remove(&self.number);
    }
}
