//! All positions with the same number of seeds in play, in a mapped file.
//!
//! ```text
//! blocks, by the seeds of the poorer side: 0, 1, ..., k / 2. A block has a row for each distribution of the poorer
//! side's seeds and a column for each of the richer side's; a cell is a byte:
//!
//!     low four bits     the poorer side is to move      a code of its share: the seeds that the side to move
//!     high four bits    the richer side is to move      gets, of those in play
//!
//! k <= 15: the code is the share, and the cells are all there is.
//! k > 15:  the code is the share less the row's base, 0 to 14; or 15: look into the row's overflow. Behind the cells
//!     8 bytes a row, and once more at the end: where its overflow begins (4), the base of either side to move (2), 0 (2)
//!     4 bytes for each share outside a row's codes, sorted: column << 8 | side << 7 | share
//! ```
//!
//! Blocks of sides with equally many seeds hold every position twice.

use super::Rules;
use super::block_line::BlockLine;
use super::index;
use crate::core::Error;
use crate::store::mapped::Mapped;
use std::path::Path;

/// The most seeds whose shares are all codes.
pub const EXACT: usize = 15;

/// The code that sends to the overflow.
pub const OVERFLOW: u8 = 15;

/// Bytes of a row's entry behind the cells.
pub const ROW: usize = 8;

/// Bytes of a share in the overflow.
pub const SHARE: usize = 4;

/// Blocks of the largest layer, and more: a power of two.
const BLOCKS: usize = 32;

/// Where a block lies in a layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// Where its cells begin,
    pub cells: usize,
    /// cells a row,
    pub columns: usize,
    /// and the number of its first row in the layer.
    pub first: usize,
}

/// The measures of a layer.
#[derive(Clone, Debug)]
pub struct LayerShape {
    /// By the seeds of the poorer side; what lies beyond `seeds / 2` is empty.
    pub blocks: [Block; BLOCKS],
    /// Seeds in play.
    pub seeds: usize,
    /// Cells of all blocks.
    pub cells: usize,
    /// Rows of all blocks.
    pub rows: usize,
}

impl LayerShape {
    /// The measures of the layer of so many seeds.
    #[must_use]
    pub fn new(houses: usize, seeds: usize) -> Self {
        let mut plan = Self { blocks: [Block::default(); BLOCKS], seeds, cells: 0, rows: 0 };
        for poorer in 0..=seeds / 2 {
            let (rows, columns) = (index::count(houses, poorer), index::count(houses, seeds - poorer));
            plan.blocks[poorer] = Block { cells: plan.cells, columns, first: plan.rows };
            plan.cells += rows * columns;
            plan.rows += rows;
        }
        plan
    }

    /// Whether some shares may be no codes.
    #[must_use]
    pub const fn is_coded(&self) -> bool {
        self.seeds > EXACT
    }

    /// Bytes of the payload without the overflow.
    #[must_use]
    pub const fn payload(&self) -> usize {
        self.cells + if self.is_coded() { ROW * (self.rows + 1) } else { 0 }
    }
}

/// Distinct positions of a layer.
#[must_use]
pub fn positions(houses: usize, seeds: usize) -> u64 {
    (0..=seeds).map(|own| (index::count(houses, own) * index::count(houses, seeds - own)) as u64).sum()
}

/// The name of a layer's file.
#[must_use]
pub fn name(rules: Rules, seeds: usize) -> String {
    format!("kalah-{}-{}-{seeds}.sde", rules.houses, rules.capture_name())
}

/// What its file holds.
#[must_use]
pub fn subject(rules: Rules, seeds: usize) -> String {
    format!("kalah {} seeds={seeds}", rules.options())
}

/// A layer in its file.
#[derive(Debug)]
pub struct Layer {
    plan: LayerShape,
    file: Mapped,
    houses: usize,
    /// Where in the file the cells, the rows and the overflow begin.
    cells: usize,
    rows: usize,
    overflow: usize,
}

impl Layer {
    /// Maps the file of a layer and verifies it.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::BadFile`].
    pub fn open(folder: &Path, rules: Rules, seeds: usize) -> Result<Self, Error> {
        let path = folder.join(name(rules, seeds));
        let (file, plan) = (Mapped::open(&path, &subject(rules, seeds))?, LayerShape::new(rules.houses, seeds));
        let cells = file.start();
        let rows = cells + plan.cells;
        let layer = Self { cells, rows, overflow: cells + plan.payload(), plan, file, houses: rules.houses };
        let expected = layer.overflow + if layer.plan.is_coded() { SHARE * layer.overflowing() } else { 0 };
        if layer.file.bytes().len() == expected {
            Ok(layer)
        } else {
            Err(Error::bad_file(&path, "is damaged: its length is wrong"))
        }
    }

    /// Seeds in play.
    #[must_use]
    pub const fn seeds(&self) -> usize {
        self.plan.seeds
    }

    /// Whether some shares may be no codes.
    #[inline]
    pub(super) const fn is_coded(&self) -> bool {
        self.plan.is_coded()
    }

    /// Bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.bytes().len() as u64 + 4
    }

    /// Shares that are in the overflow.
    #[must_use]
    pub fn overflowing(&self) -> usize {
        if self.plan.is_coded() { self.begin(self.plan.rows) } else { 0 }
    }

    /// The share of the side to move, seeds.
    #[inline]
    #[must_use]
    pub fn share(&self, own: u64, opposing: u64) -> u8 {
        let (block, row, column, side) = self.place(own, opposing);
        let cell = self.byte(self.cells + block.cells + row * block.columns + column);
        let code = cell >> (4 * side) & 15;
        if self.plan.is_coded() { self.decode(block.first + row, column, side, code) } else { code }
    }

    /// Where in the file the share of a position lies.
    #[inline]
    #[must_use]
    pub fn address(&self, own: u64, opposing: u64) -> Option<*const u8> {
        let (block, row, column, _) = self.place(own, opposing);
        self.file.bytes().get(self.cells + block.cells + row * block.columns + column).map(std::ptr::from_ref)
    }

    /// Block, row, column, and the side to move: 0 for that of the rows.
    #[inline]
    fn place(&self, own: u64, opposing: u64) -> (&Block, usize, usize, usize) {
        let mine = index::seeds(own);
        let theirs = self.plan.seeds.wrapping_sub(mine);
        let (own, opposing) = (index::rank(self.houses, own), index::rank(self.houses, opposing));
        if mine <= theirs {
            (&self.plan.blocks[mine & (BLOCKS - 1)], own, opposing, 0)
        } else {
            (&self.plan.blocks[theirs & (BLOCKS - 1)], opposing, own, 1)
        }
    }

    #[inline]
    pub(super) fn decode(&self, row: usize, column: usize, side: usize, code: u8) -> u8 {
        if code == OVERFLOW { self.look(row, column, side) } else { code.wrapping_add(self.base(row, side)) }
    }

    /// What a row's code 0 means for a side to move.
    #[inline]
    pub(super) fn base(&self, row: usize, side: usize) -> u8 {
        self.byte(self.rows + ROW * row + 4 + side)
    }

    /// The number of the first share in the overflow of a row.
    fn begin(&self, row: usize) -> usize {
        self.number(self.rows + ROW * row) as usize
    }

    /// The overflow of a row for one side to move: column and share.
    pub(super) fn listed(&self, row: usize, side: usize) -> impl Iterator<Item = (usize, u8)> {
        let found = (self.begin(row)..self.begin(row + 1)).map(|at| self.number(self.overflow + SHARE * at));
        let found = found.filter(move |found| (found >> 7 & 1) as usize == side);
        found.map(|found| ((found >> 8) as usize, found as u8 & 0x7f))
    }

    /// A share in the overflow.
    #[cold]
    pub(super) fn look(&self, row: usize, column: usize, side: usize) -> u8 {
        let wanted = (column << 1 | side) as u32;
        let (mut low, mut high) = (self.begin(row), self.begin(row + 1));
        while low < high {
            let middle = usize::midpoint(low, high);
            let found = self.number(self.overflow + SHARE * middle);
            match (found >> 7).cmp(&wanted) {
                std::cmp::Ordering::Equal => return found as u8 & 0x7f,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        // Not in a file that we wrote.
        0
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.file.bytes().get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn number(&self, at: usize) -> u32 {
        self.file.bytes().get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// The positions in which one side's seeds lie as in `fixed` and the other's run through all distributions.
    #[must_use]
    pub fn line(&self, fixed: u64, fixed_moves: bool) -> BlockLine<'_> {
        let seeds = index::seeds(fixed);
        let (rank, running) = (index::rank(self.houses, fixed), self.plan.seeds - seeds);
        let cells = &self.file.bytes()[self.cells..self.rows];
        if seeds <= running {
            let block = &self.plan.blocks[seeds & (BLOCKS - 1)];
            let row = block.cells + rank * block.columns;
            let (cells, side) = (&cells[row..row + block.columns], usize::from(!fixed_moves));
            BlockLine::new(self, cells, 1, [block.first + rank, 0], side)
        } else {
            let block = &self.plan.blocks[running & (BLOCKS - 1)];
            let (cells, side) = (&cells[block.cells + rank..], usize::from(fixed_moves));
            BlockLine::new(self, cells, block.columns, [block.first, rank], side)
        }
    }
}
