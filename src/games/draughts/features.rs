//! The features of draughts: the men and kings of either side on their squares, as each side sees them from its end.

use super::geometry::Geometry;
use super::heuristics::DraughtsHeuristics;
use super::rules::Draughtsboard;
use super::variant::Variant;
use crate::core::features::planes;
use crate::core::{Features, NetworkShape, Side};

/// The number of hidden neurons for each perspective.
pub(super) const HIDDEN: usize = 64;

/// The bits of the largest board.
const SQUARES: usize = u64::BITS as usize;

/// The number of buckets, and the pieces of each.
const BUCKETS: usize = 8;
const PIECES: usize = 5;

/// The shape of the networks of all rule sets.
pub(super) const SHAPE: NetworkShape = NetworkShape { features: 4 * SQUARES, hidden: HIDDEN, buckets: BUCKETS };

impl<V: Variant> Features<Draughtsboard<V>> for DraughtsHeuristics<V> {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { hidden, ..SHAPE }
    }

    fn active(&self, pos: &Draughtsboard<V>, side: Side, found: impl FnMut(usize)) {
        let sets = [pos.men(side), pos.kings(side), pos.men(side.other()), pos.kings(side.other())];
        planes(sets.map(|set| if side == Side::First { set } else { Geometry::<V>::turned(set) }), SQUARES, found);
    }

    #[inline]
    fn bucket(&self, pos: &Draughtsboard<V>) -> usize {
        let pieces = pos.pieces(Side::First) | pos.pieces(Side::Second);
        (pieces.count_ones() as usize / PIECES).min(BUCKETS - 1)
    }
}
