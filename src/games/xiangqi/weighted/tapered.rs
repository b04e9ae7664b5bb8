//! [`Tapered`]: a score of the middlegame and one of the endgame, in one number.

use crate::core::Score;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// The denominator of a scale.
pub const WHOLE: Score = 64;

/// A score of the middlegame and one of the endgame in centi-units, in the lower and the upper half of a number: both
/// are added, or multiplied by a count, at once. Each is within ±32,767.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

/// The score of the two, as written in [the files of weights](super::source).
pub(crate) const fn t(middlegame: i16, endgame: i16) -> Tapered {
    Tapered::new(middlegame, endgame)
}

impl Tapered {
    pub(crate) const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16) + middlegame as i32)
    }

    #[inline]
    pub(crate) const fn middlegame(self) -> Score {
        self.0 as i16 as Score
    }

    #[inline]
    pub(crate) const fn endgame(self) -> Score {
        // The lower half borrows from the upper one if it is negative.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as Score
    }

    /// The sum, for constants too.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The score interpolated linearly between the two, from the middlegame, with the phase `FULL` of all pieces on the
    /// board, to the endgame, with none. Of the endgame's score only `scale` parts in [`WHOLE`] count.
    #[inline]
    pub(crate) const fn at<const FULL: Score>(self, phase: Score, scale: Score) -> Score {
        (self.middlegame() * phase * WHOLE + self.endgame() * scale * (FULL - phase)) / (FULL * WHOLE)
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline(always)]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_computed_at_once() {
        let pair = |score: Tapered| (score.middlegame(), score.endgame());
        for (a, b) in [(1, 2), (-1, 2), (1, -2), (-1, -2), (-300, 700), (0, -1)] {
            for (c, d) in [(5, 6), (-5, 6), (-5, -6), (900, -900)] {
                let (left, right) = (Tapered::new(a, b), Tapered::new(c, d));
                let (a, b, c, d) = (a.into(), b.into(), Score::from(c), Score::from(d));
                assert_eq!(pair(left), (a, b));
                assert_eq!(pair(left + right), (a + c, b + d));
                assert_eq!(pair(left - right), (a - c, b - d));
                assert_eq!(pair(-left), (-a, -b));
                assert_eq!(pair(right * -7), (-7 * c, -7 * d));
            }
        }
    }

    #[test]
    fn the_endgame_counts_more_with_every_piece_less() {
        let score = Tapered::new(100, -48);
        assert_eq!([0, 12, 24].map(|phase| score.at::<24>(phase, WHOLE)), [-48, 26, 100]);
        assert_eq!(score.at::<24>(0, WHOLE / 2), -24);
    }
}
