//! Lines of positions: one side's seeds are fixed, the other's run through all distributions.

use super::layer::{Layer, OVERFLOW};

/// A row or a column of a block, one side to move. The rank of the running side is the index of a position.
pub struct BlockLine<'a> {
    layer: &'a Layer,
    /// The cells from the first one of the line.
    cells: &'a [u8],
    /// The distance between cells: 1 for a row.
    stride: usize,
    /// The row in the layer; for a column, the first row of its block.
    row: usize,
    /// The column; 0 for a row.
    column: usize,
    side: usize,
}

/// The source positions, in a line, of the positions of a row that is being built.
#[derive(Clone, Copy)]
pub enum Map<'a> {
    /// Each position has the source with the same rank.
    Same,
    /// Each position has the source listed at its rank.
    All(&'a [u32]),
    /// Some positions have a source: target and source.
    Pairs(&'a [[u32; 2]]),
}

impl Map<'_> {
    /// Raises each target share to at least the value that `follows` from its source.
    #[inline]
    pub(crate) fn raise(self, shares: &mut [u8], follows: impl Fn(usize) -> u8) {
        match self {
            Self::Same => shares.iter_mut().enumerate().for_each(|(from, share)| *share = (*share).max(follows(from))),
            Self::All(map) => {
                shares.iter_mut().zip(map).for_each(|(share, &from)| *share = (*share).max(follows(from as usize)));
            }
            Self::Pairs(pairs) => {
                for &[to, from] in pairs {
                    let share = &mut shares[to as usize];
                    *share = (*share).max(follows(from as usize));
                }
            }
        }
    }
}

impl<'a> BlockLine<'a> {
    /// Creates a line with the given distance between its cells: 1 for a row. `[row, column]` is its first cell.
    pub(super) const fn new(
        layer: &'a Layer,
        cells: &'a [u8],
        stride: usize,
        [row, column]: [usize; 2],
        side: usize,
    ) -> Self {
        Self { layer, cells, stride, row, column, side }
    }

    /// Raises shares by a move that leads into this line, to what `follows` from the share found there.
    #[inline]
    pub(crate) fn raise(&self, map: Map<'_>, shares: &mut [u8], follows: impl Fn(u8) -> u8 + Copy) {
        if self.side == 0 {
            self.raise_by(map, shares, follows, |cell| cell & 15);
        } else {
            self.raise_by(map, shares, follows, |cell| cell >> 4);
        }
    }

    #[inline]
    fn raise_by(&self, map: Map<'_>, shares: &mut [u8], follows: impl Fn(u8) -> u8 + Copy, code: impl Fn(u8) -> u8) {
        let (cells, stride) = (self.cells, self.stride);
        match (self.layer.is_coded(), stride == 1) {
            (false, true) => map.raise(shares, |from| follows(code(cells[from]))),
            (false, false) => map.raise(shares, |from| follows(code(cells[from * stride]))),
            (true, true) => self.raise_coded(map, shares, follows, code),
            (true, false) => map.raise(shares, |from| {
                follows(self.layer.decode(self.row + from, self.column, self.side, code(cells[from * stride])))
            }),
        }
    }

    fn raise_coded(&self, map: Map<'_>, shares: &mut [u8], follows: impl Fn(u8) -> u8 + Copy, code: impl Fn(u8) -> u8) {
        let (layer, base) = (self.layer, self.layer.base(self.row, self.side));
        if !matches!(map, Map::Same) {
            return map.raise(shares, |from| {
                let code = code(self.cells[from]);
                follows(if code == OVERFLOW { layer.look(self.row, from, self.side) } else { base.wrapping_add(code) })
            });
        }
        // First the cells with a code, in one sweep, then the others. No share is less than 0.
        for (share, &cell) in shares.iter_mut().zip(self.cells) {
            let code = code(cell);
            *share = (*share).max(if code == OVERFLOW { 0 } else { follows(base.wrapping_add(code)) });
        }
        for (column, found) in layer.listed(self.row, self.side) {
            if let Some(share) = shares.get_mut(column) {
                *share = (*share).max(follows(found));
            }
        }
    }
}
