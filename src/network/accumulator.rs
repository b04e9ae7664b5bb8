//! [`Accumulator`]: the sums of the hidden layer, updated move by move.

use super::Network;
use super::kernels::{self, Row};
use crate::core::features::Changes;
use crate::core::{Features, Position, Side};

/// The sums of the hidden layer: the biases and the weights of all features, from the perspective of each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accumulator<const H: usize>([Row<H>; 2]);

impl<const H: usize> Accumulator<H> {
    #[inline]
    pub(super) const fn of(&self, side: Side) -> &Row<H> {
        &self.0[side.index()]
    }

    /// Returns the sums of a position.
    pub fn new<P: Position>(network: &Network<H>, game: &impl Features<P>, pos: &P) -> Self {
        Self([Side::First, Side::Second].map(|side| sums(network, game, pos, side)))
    }

    /// Returns the sums after a move, which leads to `after`.
    #[inline]
    #[must_use]
    pub fn after<P: Position>(
        &self,
        network: &Network<H>,
        game: &impl Features<P>,
        (pos, mv, after): (&P, P::Move, &P),
    ) -> Self {
        let mut next = Self([Row::ZERO; 2]);
        for side in [Side::First, Side::Second] {
            let sums_after = &mut next.0[side.index()];
            let mut changes = Changes::default();
            if game.changes(pos, mv, after, side, &mut changes) {
                let (removed, added) = (changes.removed.as_slice(), changes.added.as_slice());
                kernels::change(&network.features, self.of(side), removed, added, sums_after);
            } else {
                *sums_after = sums(network, game, after, side);
            }
        }
        next
    }
}

/// The number of features whose weights are added at a time.
const BATCH: usize = 32;

/// Adds the weights of all features from the perspective of a side.
#[inline(never)]
fn sums<const H: usize, P: Position>(network: &Network<H>, game: &impl Features<P>, pos: &P, side: Side) -> Row<H> {
    let mut sums = network.bias;
    let (mut batch, mut len) = ([0; BATCH], 0);
    game.active(pos, side, |feature| {
        if len == BATCH {
            add(network, &batch, &mut sums);
            len = 0;
        }
        batch[len] = feature as u16;
        len += 1;
    });
    add(network, &batch[..len], &mut sums);
    sums
}

/// Adds the weights of some features.
#[inline]
fn add<const H: usize>(network: &Network<H>, features: &[u16], sums: &mut Row<H>) {
    let before = *sums;
    kernels::change(&network.features, &before, &[], features, sums);
}
