//! The board as bits, and the two basic operations: the legal moves of a side, and the discs that a move flips.
//!
//! ```text
//!      a  b  c  d  e  f  g  h        bit of a square on the board of eight; smaller boards lie in its middle:
//!  1   0  1  2  3  4  5  6  7        6 x 6 is b2 to g7, 4 x 4 is c3 to f6. The symmetries are those of 8 x 8.
//!  2   8  9 10 11 12 13 14 15
//!  ...
//!  8  56 57 58 59 60 61 62 63
//! ```

/// The squares of the columns b to g: a line along a row cannot leave them and come back on the other side.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The steps to the right, down left, down and down right; the other four directions are the opposite ones.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// The discs along which each step runs: an inner disc of a line along a column may be in any column.
const INNER_OF: [u64; 4] = [INNER, INNER, u64::MAX, INNER];

/// The quarters of the board.
const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The squares in each direction of [`STEPS`] from a square: in these the numbers of the squares rise.
static RISING: [[u64; 4]; 64] = rising();

/// The squares in the opposite directions, a table for each: the compiler then takes them one by one, for which
/// processors have an instruction, and those above four at a time.
static LEFT: [u64; 64] = rays(0, -1);
static UP_RIGHT: [u64; 64] = rays(-1, 1);
static UP: [u64; 64] = rays(-1, 0);
static UP_LEFT: [u64; 64] = rays(-1, -1);

const fn rays(down: i32, right: i32) -> [u64; 64] {
    let mut rays = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (mut row, mut column) = (square as i32 / 8 + down, square as i32 % 8 + right);
        while row >= 0 && row < 8 && column >= 0 && column < 8 {
            rays[square] |= 1 << (row * 8 + column);
            (row, column) = (row + down, column + right);
        }
        square += 1;
    }
    rays
}

const fn rising() -> [[u64; 4]; 64] {
    let all = [rays(0, 1), rays(1, -1), rays(1, 0), rays(1, 1)];
    let mut rising = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        rising[square] = [all[0][square], all[1][square], all[2][square], all[3][square]];
        square += 1;
    }
    rising
}

/// Returns the squares at which a line of the opponent's discs that begins next to a disc of the side ends: the side's
/// moves, if they are vacant (parallel prefix).
#[inline(always)]
pub(crate) fn reached(own: u64, opposing: u64) -> u64 {
    let mut found = [0; 4];
    for (axis, found) in found.iter_mut().enumerate() {
        let (step, inner) = (STEPS[axis], opposing & INNER_OF[axis]);
        let mut up = inner & own << step;
        let mut down = inner & own >> step;
        up |= inner & up << step;
        down |= inner & down >> step;
        let (pairs_up, pairs_down) = (inner & inner << step, inner & inner >> step);
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
        up |= pairs_up & up << (2 * step);
        down |= pairs_down & down >> (2 * step);
        *found = up << step | down >> step;
    }
    found[0] | found[1] | found[2] | found[3]
}

/// Returns the discs of the opponent that a disc on a vacant square flips.
///
/// Along a ray of rising squares, adding 1 to the opponent's discs carries through them to the first other square.
/// Along a ray of falling squares, that square is the highest one that is not the opponent's.
#[inline(always)]
pub(crate) fn flips(own: u64, opposing: u64, square: u32) -> u64 {
    let square = square as usize % 64;
    let mut rising = [0; 4];
    for (axis, flips) in rising.iter_mut().enumerate() {
        let ray = RISING[square][axis];
        let end = (opposing | !ray).wrapping_add(1) & ray & own;
        *flips = end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    let falling = |ray: u64| {
        let others = ray & !opposing;
        let end = (1 << 63 >> (others.leading_zeros() & 63)) & others & own;
        (end << 1).wrapping_neg() & ray
    };
    let falling = falling(LEFT[square]) | falling(UP_RIGHT[square]) | falling(UP[square]) | falling(UP_LEFT[square]);
    rising[0] | rising[1] | rising[2] | rising[3] | falling
}

/// Returns the vacant squares in quarters with an odd number of them.
#[inline(always)]
pub(crate) fn odd(vacant: u64) -> u64 {
    let odd = |quarter: u64| (vacant & quarter) * u64::from((vacant & quarter).count_ones() & 1);
    odd(QUARTERS[0]) | odd(QUARTERS[1]) | odd(QUARTERS[2]) | odd(QUARTERS[3])
}

/// Iterates over the squares of a set, the lowest first.
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    /// The discs that a move flips, square by square.
    fn plain(own: u64, opposing: u64, square: u32) -> u64 {
        let mut all = 0;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let (mut row, mut column, mut line) = (square as i32 / 8 + down, square as i32 % 8 + right, 0);
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let bit = 1 << (row * 8 + column);
                if own & bit != 0 {
                    all |= line;
                }
                if opposing & bit == 0 {
                    break;
                }
                line |= bit;
                (row, column) = (row + down, column + right);
            }
        }
        all
    }

    #[test]
    fn moves_and_turned_discs_are_those_found_square_by_square() {
        let mut random = Random(22);
        for _ in 0..5_000 {
            let (discs, colours) = (random.draw() | random.draw(), random.draw());
            let (own, opposing) = (discs & colours, discs & !colours);
            let mut moves = 0;
            for square in squares(!discs) {
                let expected = plain(own, opposing, square);
                assert_eq!(flips(own, opposing, square), expected, "{own:x} {opposing:x} {square}");
                moves |= u64::from(expected != 0) << square;
            }
            assert_eq!(reached(own, opposing) & !discs, moves, "{own:x} {opposing:x}");
        }
    }
}
