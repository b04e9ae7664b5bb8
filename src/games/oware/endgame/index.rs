//! The rank of a board among those with the same number of seeds: a multiset, ranked by a sum of binomials.
//!
//! ```text
//! houses of the side to move, then of the opponent   h1      h2         h3         ...  h12
//! seeds up to and with each                          t1 = h1 t2 = t1+h2 t3 = t2+h3 ...  t12 = n
//! rank                                               C(t1, 1) + C(t2 + 1, 2) + C(t3 + 2, 3) + ... + C(t11 + 10, 11)
//! ```
//!
//! The partial sums form a non-decreasing sequence of numbers up to `n`; such sequences have consecutive ranks (the
//! combinatorial number system; Lehmer 1964).

use crate::games::oware::rules::{HOUSES, ONES};
use crate::games::sowing::ways;

/// The maximum number of seeds of a database: its ranks fit 32 bits.
pub const MOST_SEEDS: usize = 28;

/// The number of houses.
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
#[must_use]
pub fn rank([own, opposing]: [u64; 2]) -> usize {
    // Byte i of the products are the sums of the bytes up to i.
    let sums = own.wrapping_mul(ONES);
    let mine = sums >> (8 * (HOUSES - 1)) & 0xff;
    let sums = [sums, opposing.wrapping_mul(ONES).wrapping_add(mine.wrapping_mul(ONES))];
    let mut rank = 0;
    for (half, mut sums) in sums.into_iter().enumerate() {
        for ways in &WAYS[HOUSES * half..ALL - 1 - (HOUSES - 1) * (1 - half)] {
            rank += ways[sums as usize & (SPAN - 1)];
            sums >>= 8;
        }
    }
    rank as usize
}

/// Returns the board with this rank and number of seeds.
#[must_use]
pub fn words(seeds: usize, rank: usize) -> [u64; 2] {
    let (mut words, mut rank, mut after) = ([0; 2], rank as u32, seeds);
    for house in (0..ALL - 1).rev() {
        let ways = &WAYS[house];
        // The largest sum up to this house whose binomial is within the rank.
        let mut sum = after;
        while ways[sum & (SPAN - 1)] > rank {
            sum -= 1;
        }
        rank -= ways[sum & (SPAN - 1)];
        words[(house + 1) / HOUSES] |= ((after - sum) as u64) << (8 * ((house + 1) % HOUSES));
        after = sum;
    }
    words[0] |= after as u64;
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
