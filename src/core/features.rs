//! [`Features`]: what a [network](crate::network) sees of a position.

use super::position::{Position, Side};
use super::score::Score;

/// The largest number of features that a move may remove, and that it may add, if the sums are to be updated.
pub const MOST_CHANGED: usize = 4;

/// The sparse features of a game: from the perspective of each side, a position has a few of many numbered properties
/// (*this side has a pawn on e4*).
pub trait Features<P: Position> {
    /// Returns the shape of a network with this number of hidden neurons for each perspective: at most 65,535 features.
    fn shape_with(&self, hidden: usize) -> NetworkShape;

    /// Calls `found` with the number of each feature of a position from the perspective of `side`.
    fn active(&self, pos: &P, side: Side, found: impl FnMut(usize));

    /// Returns the output bucket of a position.
    fn bucket(&self, pos: &P) -> usize;

    /// Returns the features of a position from the perspective of `side`.
    fn features_of(&self, pos: &P, side: Side) -> Vec<u16> {
        let mut features = Vec::new();
        self.active(pos, side, |feature| features.push(feature as u16));
        features
    }

    /// Returns the inputs of a network for a position with this settled score.
    fn inputs_of(&self, pos: &P, settled: Score) -> Inputs {
        let features = [pos.turn(), pos.turn().other()].map(|side| self.features_of(pos, side));
        Inputs { features, bucket: self.bucket(pos), settled }
    }

    /// Adds the features that a move, which leads to `after`, changes from the perspective of `side`. Returns `false`
    /// if they are too many: the sums are then computed anew. The list is not returned: a copy would wait for what has
    /// just been written.
    fn changes(&self, _pos: &P, _mv: P::Move, _after: &P, _side: Side, _changes: &mut Changes) -> bool {
        false
    }
}

/// Calls `found` with the features of sets of squares: each has as many as a board has squares.
#[inline]
pub(crate) fn planes<const N: usize>(sets: [u64; N], squares: usize, mut found: impl FnMut(usize)) {
    for (plane, mut set) in sets.into_iter().enumerate() {
        while set != 0 {
            found(plane * squares + set.trailing_zeros() as usize);
            set &= set - 1;
        }
    }
}

/// The features that a move changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// Those that the position after the move no longer has.
    pub removed: Few,
    /// Those that it has in addition.
    pub added: Few,
}

/// A few features.
#[derive(Clone, Copy, Debug, Default)]
pub struct Few {
    features: [u16; MOST_CHANGED],
    len: usize,
}

impl Few {
    /// Appends a feature, at most [`MOST_CHANGED`] in all.
    #[inline]
    pub fn push(&mut self, feature: usize) {
        if let Some(free) = self.features.get_mut(self.len) {
            *free = feature as u16;
            self.len += 1;
        } else {
            debug_assert!(false, "a move that changes too many features has no list of them");
        }
    }

    /// Returns the features.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u16] {
        &self.features[..self.len.min(MOST_CHANGED)]
    }
}

/// The inputs of a network for one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// The features from the perspective of the side to move, then from that of its opponent.
    pub features: [Vec<u16>; 2],
    /// The output bucket.
    pub bucket: usize,
    /// The settled score, to which the network adds the rest, centi-units for the side to move.
    pub settled: Score,
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// The number of features.
    pub features: usize,
    /// The number of hidden neurons for each perspective.
    pub hidden: usize,
    /// The number of output buckets.
    pub buckets: usize,
}
