//! Patterns on 8 x 8: the discs on some neighbouring squares, read as a number with three digits per square.
//!
//! Michael Buro describes the method and most of these patterns ("Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997). A pattern lies on the board in up to eight ways, the images of its squares
//! under the symmetries of the board, which share their weights. Mirror images within a pattern share them too.

use super::bits::squares;
use super::rules::{Disc, Discs};
use crate::core::{Position, Side};

/// The patterns, each by the squares of one of its places: the edge with the two squares diagonal to its corners, the
/// corner of 3 x 3, the corner of 2 x 5, rows 2 to 4, and the diagonals of eight to four squares.
pub(crate) const PATTERNS: [&[u32]; 11] = [
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// The places of all patterns.
pub(crate) const PLACES: usize = 46;

/// The places and two more that are always 0: a whole number of vectors of words.
const WORDS: usize = 48;

const SYMMETRIES: u32 = 8;

/// Returns the square onto which a symmetry maps a square.
const fn image(square: u32, symmetry: u32) -> u32 {
    let (row, column) = (square / 8, square % 8);
    let row = if symmetry & 2 == 0 { row } else { 7 - row };
    let column = if symmetry & 1 == 0 { column } else { 7 - column };
    if symmetry & 4 == 0 { 8 * row + column } else { 8 * column + row }
}

/// Returns the image of a pattern as a set.
const fn set(pattern: &[u32], symmetry: u32) -> u64 {
    let (mut set, mut index) = (0, 0);
    while index < pattern.len() {
        set |= 1 << image(pattern[index], symmetry);
        index += 1;
    }
    set
}

/// Where the patterns are.
struct Layout {
    /// The numbers that a disc of a side on a square adds to its number of each place.
    powers: [[u16; WORDS]; 64],
    /// The pattern of each place.
    pattern: [usize; PLACES],
}

static LAYOUT: Layout = {
    let mut layout = Layout { powers: [[0; WORDS]; 64], pattern: [0; PLACES] };
    let (mut place, mut number) = (0, 0);
    while number < PATTERNS.len() {
        let pattern = PATTERNS[number];
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            let (mut earlier, mut is_new) = (0, true);
            while earlier < symmetry {
                is_new &= set(pattern, earlier) != set(pattern, symmetry);
                earlier += 1;
            }
            if is_new {
                let (mut index, mut power) = (0, 1);
                while index < pattern.len() {
                    layout.powers[image(pattern[index], symmetry) as usize][place] = power;
                    power = power.wrapping_mul(3);
                    index += 1;
                }
                layout.pattern[place] = number;
                place += 1;
            }
            symmetry += 1;
        }
        number += 1;
    }
    assert!(place == PLACES);
    layout
};

/// Returns the pattern of a place, an index of [`PATTERNS`].
#[inline]
pub(crate) fn pattern_of(place: usize) -> usize {
    LAYOUT.pattern[place]
}

/// Returns the number of ways to fill a pattern.
pub(crate) const fn fillings(pattern: &[u32]) -> usize {
    3_usize.pow(pattern.len() as u32)
}

/// Returns, for each way to fill a pattern, the lowest of its mirror images within the pattern.
pub(crate) fn mirrored(pattern: &[u32]) -> Vec<usize> {
    let whole = set(pattern, 0);
    let mirrors = (1..SYMMETRIES).filter(|&symmetry| set(pattern, symmetry) == whole);
    let powers = mirrors.map(|symmetry| {
        let of_image = |&square: &u32| {
            let index = pattern.iter().position(|&other| other == image(square, symmetry));
            3_usize.pow(index.unwrap_or(0) as u32)
        };
        pattern.iter().map(of_image).collect::<Vec<_>>()
    });
    let powers: Vec<_> = powers.collect();
    let least = |filling: usize| {
        let images = powers.iter().map(|powers| {
            let mut rest = filling;
            let digits = powers.iter().map(|power| {
                let digit = rest % 3;
                rest /= 3;
                digit * power
            });
            digits.sum::<usize>()
        });
        images.min().map_or(filling, |image| image.min(filling))
    };
    (0..fillings(pattern)).map(least).collect()
}

/// The number of each place, as either side sees the board: a digit is 1 for a disc of its own, 2 for the opponent's.
/// On boards of other sizes it is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternNumbers([[u16; WORDS]; 2]);

impl Default for PatternNumbers {
    fn default() -> Self {
        Self([[0; WORDS]; 2])
    }
}

impl PatternNumbers {
    /// Computes the numbers of a position on 8 x 8.
    pub(crate) fn new(pos: &Discs) -> Self {
        let mut numbers = Self::default();
        for side in [Side::First, Side::Second] {
            squares(pos.discs(side)).for_each(|square| numbers.put(square, side));
        }
        numbers
    }

    /// Returns the numbers after a move on 8 x 8.
    #[inline]
    pub(crate) fn after(&self, pos: &Discs, mv: Disc, after: &Discs) -> Self {
        let (mut numbers, side) = (self.clone(), pos.turn());
        for square in squares(mv.bit()) {
            numbers.put(square, side);
        }
        for square in squares(pos.opposing() & after.opposing()) {
            numbers.turn_over(square, side);
        }
        numbers
    }

    /// Puts a disc of a side on a vacant square.
    #[inline(always)]
    fn put(&mut self, square: u32, side: Side) {
        let powers = &LAYOUT.powers[square as usize % 64];
        let [own, other] = self.views(side);
        for place in 0..WORDS {
            own[place] = own[place].wrapping_add(powers[place]);
            other[place] = other[place].wrapping_add(powers[place].wrapping_mul(2));
        }
    }

    /// Flips a disc, which then belongs to the side.
    #[inline(always)]
    fn turn_over(&mut self, square: u32, side: Side) {
        let powers = &LAYOUT.powers[square as usize % 64];
        let [own, other] = self.views(side);
        for place in 0..WORDS {
            own[place] = own[place].wrapping_sub(powers[place]);
            other[place] = other[place].wrapping_add(powers[place]);
        }
    }

    /// The numbers as a side sees them, and as the opponent does.
    #[inline(always)]
    fn views(&mut self, side: Side) -> [&mut [u16; WORDS]; 2] {
        let [first, second] = &mut self.0;
        match side {
            Side::First => [first, second],
            Side::Second => [second, first],
        }
    }

    /// Returns the numbers of the [`PLACES`] as a side sees them.
    #[inline]
    pub(crate) fn seen_by(&self, side: Side) -> &[u16] {
        &self.0[side.index()][..PLACES]
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Size;
    use super::*;
    use crate::core::position::legal_moves;
    use crate::util::random::Random;

    #[test]
    fn numbers_are_kept_along_random_games() {
        let mut random = Random(5);
        for _ in 0..50 {
            let mut pos = Discs::start(Size::Eight);
            let mut numbers = PatternNumbers::new(&pos);
            while !pos.is_over() {
                let moves = legal_moves(&pos);
                let mv = moves[random.below(moves.len())];
                let after = pos.after(mv);
                numbers = numbers.after(&pos, mv, &after);
                pos = after;
                assert_eq!(numbers, PatternNumbers::new(&pos));
                for side in [Side::First, Side::Second] {
                    for (place, &number) in numbers.seen_by(side).iter().enumerate() {
                        assert!(usize::from(number) < fillings(PATTERNS[pattern_of(place)]));
                    }
                }
            }
        }
    }

    /// Every square is in at least four places, and mirror images of an edge are the same.
    #[test]
    fn patterns_cover_the_board() {
        for powers in &LAYOUT.powers {
            assert!(powers.iter().filter(|power| **power > 0).count() >= 4);
        }
        let same = mirrored(PATTERNS[0]);
        let corner = |index: u32| 3_usize.pow(index);
        assert_eq!(same[corner(8)], corner(1), "h1 as a1");
        assert_eq!(same[corner(9)], corner(0), "g2 as b2");
        let row = mirrored(PATTERNS[3]);
        let different = (0..row.len()).filter(|&filling| row[filling] == filling).count();
        assert_eq!(different, (6561 + 81) / 2);
    }
}
