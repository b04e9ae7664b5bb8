//! The features of Connect Four: the stones of either side on their squares.

use super::heuristics::{Connect4Heuristics, is_turned};
use super::rules::Grid;
use super::size::Size;
use super::squares::{Squares, Wide};
use crate::core::{Features, NetworkShape, Side};

/// The bits of the largest board.
const SQUARES: usize = Wide::BITS as usize;

/// The number of buckets, and the stones of each.
const BUCKETS: usize = 7;
const STONES: usize = 6;

impl<S: Size> Features<Grid<S>> for Connect4Heuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { features: 2 * SQUARES, hidden, buckets: BUCKETS }
    }

    /// Those of the mirror image, where it represents the position in tables.
    fn active(&self, pos: &Grid<S>, side: Side, mut found: impl FnMut(usize)) {
        for (first, side) in [(0, side), (SQUARES, side.other())] {
            let stones = pos.stones_of(side);
            let mut rest = if is_turned(pos) { pos.size().mirrored(stones) } else { stones };
            while rest != S::Set::NONE {
                found(first + rest.trailing_zeros() as usize);
                rest = rest ^ rest.lowest();
            }
        }
    }

    fn bucket(&self, pos: &Grid<S>) -> usize {
        (pos.stones() as usize / STONES).min(BUCKETS - 1)
    }
}
