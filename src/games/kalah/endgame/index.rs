//! The rank of one side's seeds, the house farthest from the store first.
//!
//! Seeds that move nearer to the store lower some partial sums and raise none: a move that ends on its own side and
//! stores nothing **strictly lowers the rank**.

use crate::games::sowing::index::{self, ways};
use crate::games::sowing::words::{self, ONES};

/// The maximum number of seeds in play of a database.
pub(crate) const MOST_SEEDS: usize = 48;

pub(crate) const MOST_HOUSES: usize = 8;

/// The number of seed counts in the table of binomials: a power of two.
const SPAN: usize = 64;

/// `WAYS[i][t]` is C(t + i, i + 1): the number of multisets of i + 1 out of t.
static WAYS: [[u32; SPAN]; MOST_HOUSES] = ways();

/// Returns the number of distributions of seeds over houses.
#[inline]
pub(crate) const fn count(houses: usize, seeds: usize) -> usize {
    if houses == 1 { 1 } else { WAYS[houses - 2][seeds + 1] as usize }
}

/// Returns the rank of a distribution among those of the same number of seeds. A word has a byte per house, the
/// farthest from the store lowest.
#[inline]
pub(crate) fn rank(houses: usize, word: u64) -> usize {
    // Byte i of the product is the sum of the bytes up to i.
    index::rank(&WAYS[..(houses - 1) & (MOST_HOUSES - 1)], word.wrapping_mul(ONES))
}

#[inline]
pub(crate) const fn seeds(word: u64) -> usize {
    words::seeds(word) as usize
}

/// Returns the number of seeds in a house.
#[inline]
#[must_use]
pub const fn house(word: u64, house: usize) -> usize {
    words::seeds_in(word, house) as usize
}

/// Returns the distribution with this rank and number of seeds.
pub(crate) fn word(houses: usize, seeds: usize, rank: usize) -> u64 {
    let mut word = 0;
    index::unrank(&WAYS[..houses - 1], seeds, rank, |house, seeds| word |= seeds << (8 * house));
    word
}

/// Returns all distributions, by rank.
#[must_use]
pub fn words(houses: usize, seeds: usize) -> Vec<u64> {
    (0..count(houses, seeds)).map(|rank| word(houses, seeds, rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        for houses in 1..=MOST_HOUSES {
            for n in 0..=(if houses < 6 { 12 } else { 7 }) {
                let words = words(houses, n);
                for (number, &word) in words.iter().enumerate() {
                    assert_eq!((rank(houses, word), seeds(word)), (number, n), "{houses} houses: {word:x}");
                    assert!(houses == 8 || word >> (8 * houses) == 0);
                }
            }
        }
        assert_eq!((count(6, 24), count(6, 0), count(1, 40), count(2, 40)), (118_755, 1, 1, 41));
    }

    #[test]
    fn seeds_that_come_nearer_lower_the_rank() {
        for (houses, n) in [(2, 9), (4, 8), (6, 6)] {
            for word in words(houses, n) {
                for from in 0..houses - 1 {
                    let sown = house(word, from);
                    if sown > 0 && from + sown < houses {
                        let row = (ONES >> (64 - 8 * sown)) << (8 * (from + 1));
                        let after = (word & !(0xff << (8 * from))) + row;
                        assert!(rank(houses, after) < rank(houses, word), "{word:x} {from}");
                    }
                }
            }
        }
    }
}
