//! All positions with the same number of seeds, in a mapped file, by rank:
//!
//! ```text
//! bits   15 ... 10                              9 ... 5        4 ... 0
//!        the margin with repetitions that       the shares of the side to move:
//!        divide evenly, plus the seeds          upper bound    lower bound
//! ```
//!
//! A share is the number of seeds that the side to move gets of those on the board; with `n` seeds, a share of `s` is a
//! margin of `2 s - n`.

use super::OwareDatabase;
use super::index;
use crate::core::Error;
use crate::endgame::Database;
use crate::store::mapped::Mapped;
use std::path::Path;

/// The size of a position in bytes.
pub(crate) const CELL: usize = 2;

/// The values of a position in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(u16);

impl Cell {
    /// Creates a cell with bounds of the share.
    pub(crate) const fn of_shares(lower: u8, upper: u8) -> Self {
        Self(lower as u16 & 31 | (upper as u16 & 31) << 5)
    }

    /// Sets the margin with repetitions that divide evenly, plus the number of seeds.
    pub(crate) const fn with_even(self, even: u8) -> Self {
        Self(self.0 & 0x3ff | (even as u16) << 10)
    }

    #[inline]
    pub(crate) const fn shares(self) -> [u8; 2] {
        [(self.0 & 31) as u8, (self.0 >> 5 & 31) as u8]
    }

    /// Returns the margin with repetitions that divide evenly, plus the number of seeds.
    #[inline]
    pub(crate) const fn even(self) -> usize {
        (self.0 >> 10) as usize
    }
}

/// Writes the cells of a layer, by rank.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn save(folder: &Path, seeds: usize, cells: &[Cell]) -> Result<(), Error> {
    OwareDatabase.file(seeds).save(folder, |out| {
        let mut bytes = Vec::with_capacity(1 << 16);
        for cells in cells.chunks(1 << 15) {
            bytes.clear();
            bytes.extend(cells.iter().flat_map(|cell| cell.0.to_le_bytes()));
            out.write_all(&bytes)?;
        }
        Ok(())
    })
}

/// A layer in its mapped file.
#[derive(Debug)]
pub struct Layer {
    seeds: usize,
    file: Mapped,
}

impl Layer {
    /// Maps the file of a layer and verifies it.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::BadFile`].
    pub(crate) fn open(folder: &Path, seeds: usize) -> Result<Self, Error> {
        Ok(Self { seeds, file: OwareDatabase.file(seeds).open(folder)? })
    }

    #[inline]
    pub(crate) fn cell(&self, rank: usize) -> Cell {
        let cell = self.file.bytes().get(self.file.start() + CELL * rank..);
        Cell(cell.and_then(<[u8]>::first_chunk).map_or(0, |bytes| u16::from_le_bytes(*bytes)))
    }

    /// Returns the number of seeds that best play adds to the lead of the side to move if repetitions divide the seeds
    /// evenly.
    #[inline]
    pub(crate) fn even(&self, rank: usize) -> i32 {
        self.cell(rank).even() as i32 - self.seeds as i32
    }

    /// Returns the bounds of the number of seeds that best play adds to the lead of the side to move.
    #[inline]
    pub(crate) fn bounds(&self, rank: usize) -> [i32; 2] {
        self.cell(rank).shares().map(|share| 2 * i32::from(share) - self.seeds as i32)
    }

    /// Returns the number of positions whose bounds differ: their value depends on repetitions.
    pub(crate) fn open_positions(&self) -> u64 {
        let is_open = |&rank: &usize| self.cell(rank).shares()[0] != self.cell(rank).shares()[1];
        (0..index::count(self.seeds)).filter(is_open).count() as u64
    }
}
