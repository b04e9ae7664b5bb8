//! Endgame databases: what each side can be sure of in every position with few seeds on the board.
//!
//! Captured seeds stay captured, so a position here is the seeds in the houses, seen by the side to move, and its value is
//! what the rest of the game adds to the lead. A layer has all positions with the same number of seeds. A capture leads
//! to a smaller layer; any other move stays in its layer, in which positions can come back. A repetition ends the game
//! with each side keeping the seeds in its houses, so the value of a position depends on the moves before it, and no table
//! has it. The databases have two bounds instead, which hold whatever a repetition is worth:
//!
//! - `lower`: what the side to move gets if every repetition gives all seeds to the opponent;
//! - `upper`: the same if every repetition gives them to the side to move.
//!
//! Where the bounds are equal, they are the value. Elsewhere a third number is an estimate: `even`, the value if every
//! repetition divides the seeds evenly. That is the rule of Romein and Bal, who solved the game by it. `docs/oware.md`
//! has figures.
//!
//! - [`index`]: the seeds of a board as a number;
//! - [`layer`]: the positions with a number of seeds, in a mapped file;
//! - [`solve`]: a layer by retrograde analysis; [`build`]: layer after layer, resumed after an interruption;
//! - [`verify`]: samples checked against their successors;
//! - [`databases`]: the interface of the command line.

pub mod build;
pub mod databases;
pub mod index;
pub mod layer;
pub mod solve;
pub mod verify;

use crate::core::Error;
use crate::endgame::folder::{Opened, each};
use layer::{Layer, name};
use std::path::Path;
use std::sync::Arc;

/// The layers of a folder, by the number of seeds.
#[derive(Debug)]
pub struct Endgames(Vec<Layer>);

/// The databases that this process has open.
static OPEN: Opened<(), Endgames> = Opened::new();

impl Endgames {
    /// Opens the layers of a folder, from 0 up to the first that is missing, and verifies each.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without a layer.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let count = (0..=index::MOST_SEEDS).take_while(|&seeds| folder.join(name(seeds)).exists()).count();
        if count == 0 {
            return Err(Error::bad_file(folder, "holds no endgame database of oware"));
        }
        each(count, |seeds| Layer::open(folder, seeds)).map(Self)
    }

    /// Returns the layers of a folder, shared by all users in this process. They are verified on the first request and
    /// after a change.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn shared(folder: &Path) -> Result<Arc<Self>, Error> {
        OPEN.get(folder, (), || Self::open(folder))
    }

    /// Returns the layers, by the number of seeds.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.0
    }

    /// Returns the bounds of what best play adds to the lead of the side to move, seeds; `None` with more seeds than the
    /// databases have.
    #[inline]
    #[must_use]
    pub fn probe(&self, words: [u64; 2], in_play: usize) -> Option<[i32; 2]> {
        Some(self.0.get(in_play)?.bounds(index::rank(words)))
    }

    /// Returns what best play adds to the lead of the side to move if a repetition divides the seeds evenly, seeds; `None`
    /// with more seeds than the databases have.
    #[inline]
    #[must_use]
    pub fn even(&self, words: [u64; 2], in_play: usize) -> Option<i32> {
        Some(self.0.get(in_play)?.even(index::rank(words)))
    }
}
