//! The threads of an exact search: what is known so far, which question is being answered, and whether it is given up.

use crate::core::Bounds;
use crate::core::solution::Unsolvable;
use crate::search::shared_search::SharedSearch;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What the threads of one exact search share beside the table.
pub struct SharedProof {
    /// Their counts, and the positions they are at.
    pub search: SharedSearch,
    round: AtomicU64,
    known: Mutex<Bounds>,
    refused: OnceLock<Unsolvable>,
}

impl SharedProof {
    /// A team of so many threads, this much being known.
    #[must_use]
    pub fn new(threads: usize, known: Bounds) -> Self {
        Self {
            search: SharedSearch::new(threads),
            round: AtomicU64::new(0),
            known: Mutex::new(known),
            refused: OnceLock::new(),
        }
    }

    /// The number of the question to be answered now, and what is known.
    pub fn now(&self) -> (u64, Bounds) {
        let known = self.lock();
        (self.round.load(Ordering::Relaxed), *known)
    }

    /// Adds what has been found; the next question is another one.
    pub fn add(&self, found: Bounds) {
        let mut known = self.lock();
        *known = known.and(found);
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives the position up: all threads end.
    #[cold]
    pub fn refuse(&self, reason: Unsolvable) {
        // The first reason stands.
        let _ = self.refused.set(reason);
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Why the position was given up; `None` where it was not.
    pub fn refused(&self) -> Option<Unsolvable> {
        self.refused.get().copied()
    }

    /// Whether a question has been answered.
    #[inline]
    #[must_use]
    pub fn is_past(&self, round: u64) -> bool {
        self.round.load(Ordering::Relaxed) != round
    }

    fn lock(&self) -> MutexGuard<'_, Bounds> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
