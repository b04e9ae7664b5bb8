//! Endgame databases: what each side can be sure of in every position with few seeds on the board.
//!
//! Captured seeds stay captured, so a position here is the seeds in the houses, seen by the side to move, and its value
//! is what the rest of the game adds to the lead. A layer has all positions with the same number of seeds. A capture
//! leads to a smaller layer; any other move stays in its layer, in which positions can recur. A repetition ends the
//! game with each side keeping the seeds in its houses, so the value of a position depends on the moves before it, and
//! no table can contain it. The databases have two bounds instead, which hold whatever a repetition is worth:
//!
//! - `lower`: what the side to move gets if every repetition gives all seeds to the opponent;
//! - `upper`: the same if every repetition gives them to the side to move.
//!
//! If the bounds are equal, they are the value. Otherwise a third number is an estimate: `even`, the value if every
//! repetition divides the seeds evenly. That is the rule by which Romein and Bal solved the game. `docs/oware.md` has
//! figures.
//!
//! - [`index`]: the seeds of a board as a number;
//! - [`layer`]: the positions with a number of seeds, in a mapped file;
//! - `solve`: a layer by retrograde analysis; `database`: layer after layer, and samples checked against their
//!   successors.

mod database;
pub mod index;
pub mod layer;
mod solve;

pub use database::OwareDatabase;

use crate::endgame::Tables;
use layer::Layer;

impl Tables<Layer> {
    /// Returns the bounds of the number of seeds that best play adds to the lead of the side to move; `None` with more
    /// seeds than the databases have.
    #[inline]
    #[must_use]
    pub fn probe(&self, words: [u64; 2], in_play: usize) -> Option<[i32; 2]> {
        Some(self.get(in_play)?.bounds(index::rank(words)))
    }

    /// Returns the number of seeds that best play adds to the lead of the side to move if repetitions divide the seeds
    /// evenly; `None` with more seeds than the databases have.
    #[inline]
    #[must_use]
    pub fn even(&self, words: [u64; 2], in_play: usize) -> Option<i32> {
        Some(self.get(in_play)?.even(index::rank(words)))
    }
}
