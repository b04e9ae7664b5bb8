//! All positions with the same number of seeds in play, in a mapped file.
//!
//! ```text
//! blocks, by the seeds of the poorer side: 0, 1, ..., k / 2. A block has a row for each distribution of the poorer
//! side's seeds and a column for each of the richer side's; a cell is a byte:
//!
//!     low four bits     the poorer side is to move      a code of its share: the seeds that the side to move
//!     high four bits    the richer side is to move      gets, of those in play
//!
//! k <= 15: the code is the share, and the file has cells only.
//! k > 15:  the code is the share less the row's base, 0 to 14; or 15: see the row's overflow. After the cells:
//!     8 bytes per row, and 8 at the end: the start of its overflow (4), the base of either side to move (2), 0 (2)
//!     4 bytes for each share outside a row's codes, sorted: column << 8 | side << 7 | share
//! ```
//!
//! Blocks of sides with the same number of seeds contain every position twice.

use super::Rules;
use super::block_line::BlockLine;
use super::index;
use crate::core::Error;
use crate::endgame::Database;
use crate::store::mapped::Mapped;
use std::path::Path;

/// The maximum number of seeds for which every share is a code.
pub(crate) const EXACT: usize = 15;

/// The code of a share in the overflow.
pub(crate) const OVERFLOW: u8 = 15;

/// The size in bytes of a row's entry after the cells.
pub(crate) const ROW: usize = 8;

pub(crate) const SHARE: usize = 4;

/// An upper bound of the number of blocks: a power of two.
const BLOCKS: usize = 32;

/// The location of a block in a layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// The offset of its cells.
    pub cells: usize,
    /// The number of cells per row.
    pub columns: usize,
    /// The index of its first row in the layer.
    pub first: usize,
}

/// The dimensions of a layer.
#[derive(Clone, Debug)]
pub struct LayerShape {
    /// The blocks by the number of seeds of the poorer side; those beyond `seeds / 2` are empty.
    pub blocks: [Block; BLOCKS],
    /// The number of seeds in play.
    pub seeds: usize,
    /// The number of cells of all blocks.
    pub cells: usize,
    /// The number of rows of all blocks.
    pub rows: usize,
}

impl LayerShape {
    pub(crate) fn new(houses: usize, seeds: usize) -> Self {
        let mut plan = Self { blocks: [Block::default(); BLOCKS], seeds, cells: 0, rows: 0 };
        for poorer in 0..=seeds / 2 {
            let (rows, columns) = (index::count(houses, poorer), index::count(houses, seeds - poorer));
            plan.blocks[poorer] = Block { cells: plan.cells, columns, first: plan.rows };
            plan.cells += rows * columns;
            plan.rows += rows;
        }
        plan
    }

    /// Returns whether some shares may have no code.
    pub(crate) const fn is_coded(&self) -> bool {
        self.seeds > EXACT
    }

    /// Returns the size of the payload in bytes, without the overflow.
    pub(crate) const fn payload(&self) -> usize {
        self.cells + if self.is_coded() { ROW * (self.rows + 1) } else { 0 }
    }
}

/// Returns the number of distinct positions of a layer.
#[must_use]
pub fn positions(houses: usize, seeds: usize) -> u64 {
    (0..=seeds).map(|own| (index::count(houses, own) * index::count(houses, seeds - own)) as u64).sum()
}

/// A layer in its mapped file.
#[derive(Debug)]
pub struct Layer {
    plan: LayerShape,
    file: Mapped,
    houses: usize,
    /// The offsets of the cells, the rows and the overflow in the file.
    cells: usize,
    rows: usize,
    overflow: usize,
}

impl Layer {
    /// Maps the file of a layer and verifies it.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::BadFile`].
    pub(crate) fn open(folder: &Path, rules: Rules, seeds: usize) -> Result<Self, Error> {
        let plan = LayerShape::new(rules.houses, seeds);
        let file = rules.file(seeds).open_with(folder, |payload| {
            let overflow = if plan.is_coded() { number(payload, plan.cells + ROW * plan.rows) as usize } else { 0 };
            plan.payload() + SHARE * overflow
        })?;
        let cells = file.start();
        Ok(Self { cells, rows: cells + plan.cells, overflow: cells + plan.payload(), plan, file, houses: rules.houses })
    }

    /// Returns whether some shares may have no code.
    #[inline]
    pub(super) const fn is_coded(&self) -> bool {
        self.plan.is_coded()
    }

    /// Returns the number of shares in the overflow.
    #[must_use]
    pub fn overflowing(&self) -> usize {
        if self.plan.is_coded() { self.begin(self.plan.rows) } else { 0 }
    }

    /// Returns the share of the side to move in seeds.
    #[inline]
    pub(crate) fn share(&self, own: u64, opposing: u64) -> u8 {
        let (block, row, column, side) = self.place(own, opposing);
        let cell = self.byte(self.cells + block.cells + row * block.columns + column);
        let code = cell >> (4 * side) & 15;
        if self.plan.is_coded() { self.decode(block.first + row, column, side, code) } else { code }
    }

    /// Returns the block, the row, the column, and the side to move: 0 for that of the rows.
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

    /// Returns the share that code 0 of a row stands for, by side to move.
    #[inline]
    pub(super) fn base(&self, row: usize, side: usize) -> u8 {
        self.byte(self.rows + ROW * row + 4 + side)
    }

    /// Returns the index of a row's first share in the overflow.
    fn begin(&self, row: usize) -> usize {
        self.number(self.rows + ROW * row) as usize
    }

    /// Iterates over the overflow of a row for one side to move: column and share.
    pub(super) fn listed(&self, row: usize, side: usize) -> impl Iterator<Item = (usize, u8)> {
        let found = (self.begin(row)..self.begin(row + 1)).map(|at| self.number(self.overflow + SHARE * at));
        let found = found.filter(move |found| (found >> 7 & 1) as usize == side);
        found.map(|found| ((found >> 8) as usize, found as u8 & 0x7f))
    }

    /// Looks up a share in the overflow.
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
        // Unreachable in a valid file.
        0
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.file.bytes().get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn number(&self, at: usize) -> u32 {
        number(self.file.bytes(), at)
    }

    /// Returns the positions in which one side's seeds are `fixed` and the other's run through all distributions.
    pub(crate) fn line(&self, fixed: u64, fixed_moves: bool) -> BlockLine<'_> {
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

#[inline]
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
