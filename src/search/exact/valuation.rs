//! The moves of a solved position as they are valued, one thread a move.

use crate::core::score::Score;
use crate::core::solution::Valued;
use crate::core::{Bounds, Position};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The moves to be valued, which the threads share.
pub(super) struct Valuation<'a, P: Position> {
    /// The position.
    pub(super) root: &'a P,
    /// Its value.
    pub(super) value: Score,
    /// The moves whose values are requested.
    pub(super) which: Valued,
    /// All moves, in the game's order.
    moves: Vec<P::Move>,
    /// The index of the first move that no thread has taken.
    next: AtomicUsize,
    /// What has been found, with the index of the move.
    found: Mutex<Vec<(usize, P::Move, Bounds)>>,
}

impl<'a, P: Position> Valuation<'a, P> {
    pub(super) fn new(root: &'a P, value: Score, which: Valued) -> Self {
        let mut moves = Vec::new();
        root.moves(&mut moves);
        Self { root, value, which, moves, next: AtomicUsize::new(0), found: Mutex::default() }
    }

    /// Returns the next move, with its index, for the thread that calls.
    pub(super) fn take(&self) -> Option<(usize, P::Move)> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        self.moves.get(index).map(|&mv| (index, mv))
    }

    /// Adds the bounds of the value of a move.
    pub(super) fn add(&self, index: usize, mv: P::Move, known: Bounds) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push((index, mv, known));
    }

    /// Returns the requested moves with their bounds, in the game's order, and whether all moves have been valued.
    pub(super) fn end(self) -> (Vec<(P::Move, Bounds)>, bool) {
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let whole = found.len() == self.moves.len();
        found.sort_unstable_by_key(|&(index, ..)| index);
        found.retain(|(_, _, known)| self.which == Valued::All || known.lower == self.value);
        (found.into_iter().map(|(_, mv, known)| (mv, known)).collect(), whole)
    }
}
