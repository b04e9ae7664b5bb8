//! Endgame databases: the value of every position with few seeds in play.
//!
//! What a store holds stays there, so a position is the seeds in the houses and the side to move, and its value is
//! what the rest of the game adds. A layer has all positions of a number of seeds. Every move that banks a seed leads
//! to a smaller layer; any other passes the turn, stays on its own side, and brings its seeds nearer to the store.
//! So layers are made one after the other, and each of them in one sweep (Irving, Donkers and Uiterwijk, "Solving
//! Kalah", ICGA Journal 23(3), 2000, have the idea; `docs/endgames.md` the pictures and the figures).
//!
//! - [`index`]: the seeds of a side as a number;
//! - [`layer`]: the positions of a number of seeds, in a mapped file;
//! - [`block_line`]: a row or a column of it, read at once; [`packed`]: its rows in the making, and the file of them;
//! - [`moves`]: what a side can do, as lists of such numbers; [`row`]: a row of positions moved at once;
//! - [`build`]: rows by threads, layer after layer; [`verify`]: samples against search and against their successors;
//! - [`folder`]: the layers of a folder, opened once for all who use them; [`databases`]: what the command line queries.

pub mod block_line;
pub mod build;
pub mod databases;
pub mod folder;
pub mod index;
pub mod layer;
pub mod moves;
pub mod packed;
pub mod row;
pub mod verify;

use super::Capture;
use crate::core::Error;
use layer::Layer;
use std::path::Path;

pub use folder::Endgames;

/// The rules that a database is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Houses a side, 1 to 8.
    pub houses: usize,
    /// The capture rule.
    pub capture: Capture,
}

impl Rules {
    /// As options: `Houses=6 Capture=standard`.
    #[must_use]
    pub fn options(self) -> String {
        format!("Houses={} Capture={}", self.houses, self.capture_name())
    }

    /// The capture rule as the option has it.
    #[must_use]
    pub const fn capture_name(self) -> &'static str {
        match self.capture {
            Capture::Standard => "standard",
            Capture::Empty => "empty",
        }
    }
}

/// The values of all positions with up to so many seeds, by one set of rules.
#[derive(Debug)]
pub struct Endgame {
    rules: Rules,
    /// By seeds in play.
    layers: Vec<Layer>,
}

impl Endgame {
    /// Opens the layers of a folder, from 0 on up to the first that is missing, each verified.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for a file that is truncated, damaged, foreign, of another version; and
    /// for a folder without a layer.
    pub fn open(folder: &Path, rules: Rules) -> Result<Self, Error> {
        let count =
            (0..=index::MOST_SEEDS).take_while(|&seeds| folder.join(layer::name(rules, seeds)).exists()).count();
        if count == 0 {
            let capture = rules.capture_name();
            let reason = format!("holds no endgame database of Houses {} and Capture {capture}", rules.houses);
            return Err(Error::bad_file(folder, reason));
        }
        let layers = folder::each(count, |seeds| Layer::open(folder, rules, seeds))?;
        Ok(Self { rules, layers })
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The layers, by seeds in play.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The most seeds in play of a position that is known.
    #[must_use]
    pub const fn max_seeds(&self) -> usize {
        self.layers.len().saturating_sub(1)
    }

    /// What best play adds for the side to move to the lead of its store, seeds; `None` with more seeds in play than
    /// [`max_seeds`](Self::max_seeds). Words have a byte a house, each side's in its own sowing order, the first
    /// house lowest; `in_play` is the number of seeds in both.
    #[inline]
    #[must_use]
    pub fn probe(&self, own: u64, opposing: u64, in_play: usize) -> Option<i32> {
        let layer = self.layers.get(in_play)?;
        Some(2 * i32::from(layer.share(own, opposing)) - in_play as i32)
    }

    /// Has the cache line fetched that [`probe`](Self::probe) will read.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, own: u64, opposing: u64, in_play: usize) {
        let address = self.layers.get(in_play).and_then(|layer| layer.address(own, opposing));
        #[cfg(target_arch = "x86_64")]
        if let Some(address) = address {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint and touches no memory that a program can observe; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = address;
    }
}
