//! Endgame databases: the value of every position with few seeds in play.
//!
//! Seeds in a store stay there, so a position is the seeds in the houses and the side to move, and its value is what
//! the rest of the game adds. A layer has all positions with the same number of seeds in play. Every move that puts a
//! seed into a store leads to a smaller layer. Any other move passes the turn, stays on its own side, and brings its
//! seeds nearer to the store. So layers are built in order, each in one sweep (Irving, Donkers and Uiterwijk, "Solving
//! Kalah", ICGA Journal 23(3), 2000, have the idea; `docs/endgames.md` has the pictures and the figures).
//!
//! - [`index`]: the seeds of a side as a number;
//! - [`layer`]: the positions with a number of seeds, in a mapped file;
//! - [`block_line`]: a row or a column of a layer; [`packed`]: rows in their stored form, and their file;
//! - [`moves`]: the moves of a side, as lists of ranks; [`row`]: a row of positions moved at once;
//! - [`build`]: rows built by threads, layer after layer; [`verify`]: samples checked against search and their
//!   successors;
//! - [`folder`]: the layers of a folder, opened once and shared; [`databases`]: the interface of the command line.

pub mod block_line;
pub mod build;
pub mod databases;
pub mod folder;
pub mod index;
pub mod layer;
pub mod moves;
mod needs;
pub mod packed;
pub mod row;
pub mod verify;

use super::Capture;
use crate::core::Error;
use crate::endgame::folder::each;
use layer::Layer;
use std::path::Path;

pub use folder::Endgames;

/// The rules of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of houses per side, 1 to 8.
    pub houses: usize,
    /// The capture rule.
    pub capture: Capture,
}

impl Rules {
    /// Returns the rules as options: `Houses=6 Capture=standard`.
    #[must_use]
    pub fn options(self) -> String {
        format!("Houses={} Capture={}", self.houses, self.capture_name())
    }

    /// Returns the option value of the capture rule.
    #[must_use]
    pub const fn capture_name(self) -> &'static str {
        match self.capture {
            Capture::Standard => "standard",
            Capture::Empty => "empty",
        }
    }
}

/// The values of all positions up to a number of seeds, under one set of rules.
#[derive(Debug)]
pub struct Endgame {
    rules: Rules,
    /// The layers by the number of seeds in play.
    layers: Vec<Layer>,
}

impl Endgame {
    /// Opens the layers of a folder, from 0 up to the first that is missing, and verifies each.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for a file that is truncated, damaged, foreign or of another version, and
    /// for a folder without a layer.
    pub fn open(folder: &Path, rules: Rules) -> Result<Self, Error> {
        let count =
            (0..=index::MOST_SEEDS).take_while(|&seeds| folder.join(layer::name(rules, seeds)).exists()).count();
        if count == 0 {
            let capture = rules.capture_name();
            let reason = format!("holds no endgame database of Houses {} and Capture {capture}", rules.houses);
            return Err(Error::bad_file(folder, reason));
        }
        let layers = each(count, |seeds| Layer::open(folder, rules, seeds))?;
        Ok(Self { rules, layers })
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the layers, by the number of seeds in play.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the maximum number of seeds in play.
    #[must_use]
    pub const fn max_seeds(&self) -> usize {
        self.layers.len().saturating_sub(1)
    }

    /// Returns what best play adds to the lead of the side to move, seeds; `None` with more seeds in play than
    /// [`max_seeds`](Self::max_seeds). Words have a byte per house, each side's in its own sowing order, the first
    /// house lowest; `in_play` is the number of seeds in both.
    #[inline]
    #[must_use]
    pub fn probe(&self, own: u64, opposing: u64, in_play: usize) -> Option<i32> {
        let layer = self.layers.get(in_play)?;
        Some(2 * i32::from(layer.share(own, opposing)) - in_play as i32)
    }

    /// Prefetches the cache line that [`probe`](Self::probe) will read.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, own: u64, opposing: u64, in_play: usize) {
        let address = self.layers.get(in_play).and_then(|layer| layer.address(own, opposing));
        #[cfg(target_arch = "x86_64")]
        if let Some(address) = address {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint without observable effects on memory; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }
}
