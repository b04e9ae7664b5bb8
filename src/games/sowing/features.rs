//! The features of games of sowing: the seeds in each house, as each side sees them.

use crate::core::NetworkShape;

/// The houses of a side that have features of their own.
const HOUSES: usize = 12;

/// The largest number of seeds in a house that has a feature of its own; more have the same.
const SEEDS: u16 = 24;

/// The number of buckets, and the seeds in play of each.
const BUCKETS: usize = 8;
const IN_PLAY: usize = 8;

/// Returns the shape of a network.
pub(crate) const fn shape(hidden: usize) -> NetworkShape {
    NetworkShape { features: 2 * HOUSES * SEEDS as usize, hidden, buckets: BUCKETS }
}

/// Returns the bucket by the number of seeds in all houses.
pub(crate) fn bucket(in_play: usize) -> usize {
    (in_play / IN_PLAY).min(BUCKETS - 1)
}

/// Calls `found` with the feature of each house that has seeds, by its place in its owner's sowing order; `rows` are
/// the owners, the side that looks first, each with its seeds by house.
#[inline]
pub(crate) fn active(rows: [impl Fn(usize) -> u16; 2], houses: usize, mut found: impl FnMut(usize)) {
    for (side, row) in rows.iter().enumerate() {
        for house in 0..houses.min(HOUSES) {
            let seeds = row(house).min(SEEDS);
            if seeds > 0 {
                found((side * HOUSES + house) * usize::from(SEEDS) + usize::from(seeds) - 1);
            }
        }
    }
}
