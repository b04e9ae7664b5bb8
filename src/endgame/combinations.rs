//! Sets of squares as numbers: the combinatorial number system (Lehmer 1964), in which the set of the squares
//! `p1 < p2 < ... < pk` is `C(p1, 1) + C(p2, 2) + ... + C(pk, k)`.

/// The maximum number of squares of a board.
pub(crate) const SQUARES: usize = 64;

/// The maximum number of squares in a set.
pub(crate) const MEMBERS: usize = 8;

/// The binomial coefficients `C(n, k)`, by `k` and `n`.
const BINOMIALS: [[u64; SQUARES + 1]; MEMBERS + 1] = {
    let mut table = [[0; SQUARES + 1]; MEMBERS + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MEMBERS && k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of sets of `k` of `n` squares; `k` is at most [`MEMBERS`], `n` at most [`SQUARES`].
#[inline]
pub(crate) const fn binomial(n: u32, k: u32) -> u64 {
    BINOMIALS[k as usize][n as usize]
}

/// Returns the number of a set among the sets of as many squares, at most [`MEMBERS`].
#[inline]
pub(crate) const fn rank(mut set: u64) -> u64 {
    let (mut sum, mut k) = (0, 1);
    while set != 0 {
        sum += binomial(set.trailing_zeros(), k);
        set &= set - 1;
        k += 1;
    }
    sum
}

/// Returns the set of `k` squares with a number, the inverse of [`rank`].
#[inline]
pub(crate) const fn unrank(mut rank: u64, k: u32) -> u64 {
    let (mut set, mut k, mut square) = (0, k, SQUARES as u32);
    while k > 0 {
        square -= 1;
        while binomial(square, k) > rank {
            square -= 1;
        }
        rank -= binomial(square, k);
        set |= 1 << square;
        k -= 1;
    }
    set
}

/// Renumbers the squares of a set as if the board did not have those of `others`, none of which are in the set.
#[inline]
pub(crate) const fn without(mut set: u64, mut others: u64) -> u64 {
    // The highest square first: the others keep their numbers.
    while others != 0 {
        let square = 63 - others.leading_zeros();
        let low = (1 << square) - 1;
        set = (set & low) | (set >> 1 & !low);
        others &= low;
    }
    set
}

/// Renumbers the squares of a set as on the whole board: the inverse of [`without`].
#[inline]
pub(crate) const fn among(mut set: u64, mut others: u64) -> u64 {
    while others != 0 {
        let low = (1 << others.trailing_zeros()) - 1;
        set = (set & low) | (set & !low) << 1;
        others &= others - 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    #[test]
    fn numbers_are_dense_and_read_back() {
        for (n, k) in [(1, 1), (6, 0), (6, 3), (10, 2), (12, 6), (9, 8)] {
            let sets = (0_u64..1 << n).filter(|set| set.count_ones() == k);
            let mut found: Vec<_> = sets.inspect(|&set| assert_eq!(unrank(rank(set), k), set)).map(rank).collect();
            found.sort_unstable();
            assert_eq!(found, (0..binomial(n, k)).collect::<Vec<_>>(), "{n} {k}");
        }
        assert_eq!(binomial(50, 5), 2_118_760);
        assert_eq!(unrank(binomial(64, 8) - 1, 8), 0xff << 56);
    }

    #[test]
    fn squares_are_left_out_and_put_back() {
        let mut random = Random(1);
        for _ in 0..10_000 {
            let others = random.draw() & random.draw() & random.draw();
            let set = random.draw() & random.draw() & !others;
            let packed = without(set, others);
            assert_eq!((packed.count_ones(), among(packed, others)), (set.count_ones(), set));
            let free = 64 - others.count_ones();
            assert!(free == 64 || packed >> free == 0);
        }
    }
}
