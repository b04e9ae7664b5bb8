//! The features of Othello: the discs of either colour on their squares.

use super::heuristics::{OthelloHeuristics, representative};
use super::rules::Discs;
use crate::core::features::planes;
use crate::core::{Features, NetworkShape, Position, Side};

/// The squares of the largest board.
const SQUARES: usize = 64;

/// The number of buckets, and the discs of each.
const BUCKETS: usize = 8;
const DISCS: usize = SQUARES / BUCKETS;

impl Features<Discs> for OthelloHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { features: 2 * SQUARES, hidden, buckets: BUCKETS }
    }

    /// Those of the image that represents the position in tables.
    fn active(&self, pos: &Discs, side: Side, found: impl FnMut(usize)) {
        let [own, opposing] = representative(pos);
        planes(if side == pos.turn() { [own, opposing] } else { [opposing, own] }, SQUARES, found);
    }

    fn bucket(&self, pos: &Discs) -> usize {
        ((pos.own() | pos.opposing()).count_ones() as usize / DISCS).min(BUCKETS - 1)
    }
}
