//! The state shared by the threads of an exact search: their tasks, and whether the position is given up.

use super::tasks::Tasks;
use crate::core::Position;
use crate::core::solution::Unsolvable;
use crate::search::shared_search::{self, SharedSearch};
use std::sync::OnceLock;

pub(super) struct SharedProof<P: Position> {
    /// The node counts, and the positions being searched.
    pub(super) search: SharedSearch,
    pub(super) tasks: Tasks<P>,
    refused: OnceLock<Unsolvable>,
}

impl<P: Position> SharedProof<P> {
    pub(super) fn new(threads: usize) -> Self {
        Self { search: SharedSearch::new(threads), tasks: Tasks::new(), refused: OnceLock::new() }
    }

    /// Gives the position up and ends all threads.
    #[cold]
    pub(super) fn refuse(&self, reason: Unsolvable) {
        // The first reason stays.
        let _ = self.refused.set(reason);
        self.search.done().raise();
    }

    pub(super) fn refused(&self) -> Option<Unsolvable> {
        self.refused.get().copied()
    }

    /// Returns a guard that ends all threads when it is dropped: none outlives a leader that panics.
    pub(super) fn leading(&self) -> Leading<'_, P> {
        Leading { tasks: &self.tasks, _search: self.search.leading() }
    }
}

pub(super) struct Leading<'a, P: Position> {
    tasks: &'a Tasks<P>,
    _search: shared_search::Leading<'a>,
}

impl<P: Position> Drop for Leading<'_, P> {
    fn drop(&mut self) {
        self.tasks.end();
    }
}
