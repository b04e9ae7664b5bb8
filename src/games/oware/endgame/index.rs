//! The rank of a board among those with the same number of seeds: the houses of the side to move, then those of the
//! opponent.

use crate::games::oware::rules::HOUSES;
use crate::games::sowing::index::{self, ways};
use crate::games::sowing::words::ONES;

/// The maximum number of seeds of a database: its ranks fit 32 bits.
pub(crate) const MOST_SEEDS: usize = 28;

const ALL: usize = 2 * HOUSES;

/// The number of seed counts in the table of binomials: a power of two.
const SPAN: usize = 32;

/// `WAYS[i][t]` is C(t + i, i + 1): the number of multisets of i + 1 out of t.
static WAYS: [[u32; SPAN]; ALL] = ways();

/// Returns the number of boards with this number of seeds.
#[must_use]
pub const fn count(seeds: usize) -> usize {
    // C(n + 11, 11), the multisets of 11 out of n + 1.
    WAYS[ALL - 2][seeds + 1] as usize
}

/// Returns the rank of a board of at most [`MOST_SEEDS`] seeds. Words have a byte per house.
#[inline]
pub(crate) fn rank([own, opposing]: [u64; 2]) -> usize {
    // Byte i of the products is the sum of the bytes up to i.
    let sums = own.wrapping_mul(ONES);
    let mine = sums >> (8 * (HOUSES - 1)) & 0xff;
    let across = opposing.wrapping_mul(ONES).wrapping_add(mine.wrapping_mul(ONES));
    index::rank(&WAYS[..HOUSES], sums) + index::rank(&WAYS[HOUSES..ALL - 1], across)
}

/// Returns the board with this rank and number of seeds.
#[must_use]
pub fn words(seeds: usize, rank: usize) -> [u64; 2] {
    let mut words = [0; 2];
    index::unrank(&WAYS[..ALL - 1], seeds, rank, |house, seeds| {
        words[house / HOUSES] |= seeds << (8 * (house % HOUSES))
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        for seeds in 0..=7 {
            for number in 0..count(seeds) {
                let words = words(seeds, number);
                assert_eq!(rank(words), number, "{seeds} seeds: {words:x?}");
                let sum = words.map(|word| word.wrapping_mul(ONES) >> 56);
                assert_eq!(sum[0] + sum[1], seeds as u64);
                assert!(words.iter().all(|word| word >> (8 * HOUSES) == 0), "{words:x?}");
            }
        }
        assert_eq!((count(0), count(1), count(20), count(24)), (1, 12, 84_672_315, 417_225_900));
        assert_eq!(count(MOST_SEEDS), 1_676_056_044);
    }
}
