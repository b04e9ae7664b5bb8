//! Endgame databases: the value of every position with few seeds in play.
//!
//! Seeds in a store stay there, so a position is the seeds in the houses and the side to move, and its value is what
//! the rest of the game adds. A layer has all positions with the same number of seeds in play. Every move that puts a
//! seed into a store leads to a smaller layer. Any other move passes the turn, stays on its own side, and brings its
//! seeds nearer to the store. So layers are built in order, each in one sweep, an idea of Irving, Donkers and Uiterwijk
//! ("Solving Kalah", ICGA Journal 23(3), 2000). `docs/endgames.md` has pictures and figures.
//!
//! - [`index`]: the seeds of a side as a number;
//! - [`layer`]: the positions with a number of seeds, in a mapped file;
//! - `block_line`: a row or a column of a layer; `stored_row`: rows in their stored form, and their file;
//! - `moves`: the moves of a side, as lists of ranks; `row`: a row of positions moved at once;
//! - `build`: rows built by threads; `database`: layer after layer, and samples checked against search and their
//!   successors.

mod block_line;
mod build;
mod database;
pub mod index;
pub mod layer;
mod moves;
mod row;
mod stored_row;

use super::Capture;
use crate::core::Error;
use crate::endgame::databases::present;
use crate::endgame::{DatabasesOf, Tables};
use index::MOST_HOUSES;
use layer::Layer;
use std::path::Path;
use std::sync::Arc;

/// The databases for the command line.
pub type KalahDatabases = DatabasesOf<Rules>;

/// The rules of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of houses per side, 1 to 8.
    pub houses: usize,
    /// The capture rule.
    pub capture: Capture,
}

/// The databases of a folder for one capture rule, by the number of houses per side.
#[derive(Debug)]
pub struct Endgames([Option<Arc<Tables<Layer>>>; MOST_HOUSES]);

impl Endgames {
    /// Returns the databases of a folder, shared by all users in this process.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without any database. A folder that
    /// has databases of other rules only is not an error, since options are set one by one; its databases are not used.
    pub(crate) fn open(folder: &Path, capture: Capture) -> Result<Self, Error> {
        let mut endgames = [const { None }; MOST_HOUSES];
        for rules in present::<Rules>(folder)?.iter().filter(|rules| rules.capture == capture) {
            endgames[rules.houses - 1] = Some(Tables::shared(rules, folder)?);
        }
        if endgames.iter().all(Option::is_none) {
            log::debug!("{}: its endgame databases are of the other capture rule: not used", folder.display());
        }
        Ok(Self(endgames))
    }

    /// Returns the database of boards with this number of houses per side.
    #[inline]
    pub(crate) fn for_houses(&self, houses: usize) -> Option<&Tables<Layer>> {
        self.0.get(houses.wrapping_sub(1))?.as_deref()
    }
}

impl Tables<Layer> {
    /// Returns the number of seeds that best play adds to the lead of the side to move; `None` with more seeds in play
    /// than the layers have. Words have a byte per house, each side's in its own sowing order, the first house lowest;
    /// `in_play` is the number of seeds in both.
    #[inline]
    #[must_use]
    pub fn probe(&self, own: u64, opposing: u64, in_play: usize) -> Option<i32> {
        let layer = self.get(in_play)?;
        Some(2 * i32::from(layer.share(own, opposing)) - in_play as i32)
    }
}
