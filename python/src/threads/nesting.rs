//! Work inside other work: a method of a game in Python may search itself.

use super::lock::{has_ended, lock};
use super::records::{self, Records};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The maximum depth of nested searches.
const NESTED: usize = 16;

thread_local! { static AROUND: RefCell<Option<Nesting>> = const { RefCell::new(None) } }

/// Work nested in other work, with its stop flag.
#[derive(Clone)]
pub struct Nesting {
    /// The ID of the work.
    pub number: u64,
    /// The depth of nesting, including this work.
    depth: usize,
    stop: StopFlag,
    /// Whether an exception has ended the work.
    abandoned: Arc<AtomicBool>,
    /// Whether a handler of our own log records started it.
    silent: bool,
    /// Its log records, which a thread that waits for the work emits.
    pub records: Records,
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
    pub fn begin(stop: &StopFlag) -> PyResult<Self> {
        if has_ended() {
            return Err(PyRuntimeError::new_err("Python is shutting down"));
        }
        let depth = 1 + Self::around().map_or(0, |work| work.depth);
        if depth > NESTED {
            let message = format!(
                "{NESTED} searches are under way inside each other: a method of a game searches a position whose search calls \
                 that method"
            );
            return Err(PyRuntimeError::new_err(message));
        }
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Ok(Self {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            depth,
            stop: stop.clone(),
            abandoned: Arc::default(),
            silent: Self::is_silent(),
            records: Records::default(),
        })
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

    /// Registers that this thread waits for some work.
    ///
    /// # Errors
    /// `RuntimeError` if that work waits for the work of this thread: a deadlock.
    pub fn wait_for(number: u64) -> PyResult<Waiting> {
        let Some(Self { number: own, .. }) = Self::around() else { return Ok(Waiting(None)) };
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

    /// Returns whether this thread is in a handler of our own log records, or does work started there: its records
    /// would reach the same handler in an endless recursion.
    pub fn is_silent() -> bool {
        records::is_emitting() || Self::is_around(|work| work.silent)
    }

    /// Returns whether an exception has ended the work of this thread.
    pub fn is_abandoned() -> bool {
        Self::is_around(|work| work.abandoned.load(Ordering::Relaxed))
    }

    /// Returns whether the work of this thread was stopped: work that it has started and waits for must then stop too.
    pub fn is_stopped() -> bool {
        Self::is_around(|work| work.stop.is_raised())
    }

    fn is_around(test: impl FnOnce(&Self) -> bool) -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(test))
    }
}
