//! The rank of seeds in houses among all distributions of the same number of seeds: a multiset, ranked by a sum of
//! binomials.
//!
//! ```text
//! houses                     h1      h2         h3         ...  hm
//! seeds up to and with each  t1 = h1 t2 = t1+h2 t3 = t2+h3 ...  tm = n
//! rank                       C(t1, 1) + C(t2 + 1, 2) + C(t3 + 2, 3) + ... + C(t(m-1) + m - 2, m - 1)
//! ```
//!
//! The partial sums form a non-decreasing sequence of numbers up to `n`; such sequences have consecutive ranks (the
//! combinatorial number system; Lehmer 1964).

/// Returns a table whose entry `[i][t]` is C(t + i, i + 1): the number of multisets of i + 1 out of t. Saturated
/// entries belong to databases that are too large to exist. `SPAN` is a power of two.
pub(crate) const fn ways<const HOUSES: usize, const SPAN: usize>() -> [[u32; SPAN]; HOUSES] {
    let mut table = [[0; SPAN]; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let mut seeds = 1;
        while seeds < SPAN {
            let fewer: u32 = if house == 0 { 1 } else { table[house - 1][seeds] };
            table[house][seeds] = fewer.saturating_add(table[house][seeds - 1]);
            seeds += 1;
        }
        house += 1;
    }
    table
}

/// Returns the part of a rank that belongs to houses with these [ways]. Byte `i` of `sums` is the number of seeds up to
/// and including the `i`th of them.
#[inline]
pub(crate) fn rank<const SPAN: usize>(ways: &[[u32; SPAN]], mut sums: u64) -> usize {
    let mut rank = 0;
    for ways in ways {
        rank += ways[sums as usize & (SPAN - 1)];
        sums >>= 8;
    }
    rank as usize
}

/// Calls `put` with each house and its seeds, for the distribution of some seeds with a rank. There are ways for all
/// houses but the last.
#[inline]
pub(crate) fn unrank<const SPAN: usize>(
    ways: &[[u32; SPAN]],
    seeds: usize,
    rank: usize,
    mut put: impl FnMut(usize, u64),
) {
    let (mut rank, mut after) = (rank as u32, seeds);
    for house in (0..ways.len()).rev() {
        let ways = &ways[house];
        // The largest sum up to this house whose binomial is within the rank.
        let mut sum = after;
        while ways[sum & (SPAN - 1)] > rank {
            sum -= 1;
        }
        rank -= ways[sum & (SPAN - 1)];
        put(house + 1, (after - sum) as u64);
        after = sum;
    }
    put(0, after as u64);
}
