//! The state shared by the threads of an exact search: the known bounds, the current question, and whether it is given
//! up.

use crate::core::Bounds;
use crate::core::solution::Unsolvable;
use crate::search::shared_search::SharedSearch;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The state shared by the threads of one exact search, apart from the table.
pub struct SharedProof {
    /// The node counts, and the positions being searched.
    pub search: SharedSearch,
    round: AtomicU64,
    known: Mutex<Bounds>,
    refused: OnceLock<Unsolvable>,
}

impl SharedProof {
    /// Creates the state of `threads` threads with these known bounds.
    #[must_use]
    pub fn new(threads: usize, known: Bounds) -> Self {
        Self {
            search: SharedSearch::new(threads),
            round: AtomicU64::new(0),
            known: Mutex::new(known),
            refused: OnceLock::new(),
        }
    }

    /// Returns the number of the current question and the known bounds.
    pub fn now(&self) -> (u64, Bounds) {
        let known = self.lock();
        (self.round.load(Ordering::Relaxed), *known)
    }

    /// Adds bounds that have been found, and ends the current question.
    pub fn add(&self, found: Bounds) {
        let mut known = self.lock();
        *known = known.and(found);
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives the position up and ends all threads.
    #[cold]
    pub fn refuse(&self, reason: Unsolvable) {
        // The first reason stays.
        let _ = self.refused.set(reason);
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns why the position was given up; `None` if it was not.
    pub fn refused(&self) -> Option<Unsolvable> {
        self.refused.get().copied()
    }

    /// Whether the question of this round has been answered.
    #[inline]
    #[must_use]
    pub fn is_past(&self, round: u64) -> bool {
        self.round.load(Ordering::Relaxed) != round
    }

    fn lock(&self) -> MutexGuard<'_, Bounds> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
