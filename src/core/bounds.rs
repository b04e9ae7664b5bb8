//! [`Bounds`] of a value.

use super::score::{self, Score};
use serde::{Deserialize, Serialize};

/// What the rules alone guarantee about a position's value: `lower <= value <= upper`.
///
/// Win distances are counted from the position itself, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The value for the side to move is at least this.
    pub lower: Score,
    /// The value for the side to move is at most this.
    pub upper: Score,
}

impl Bounds {
    /// No information.
    pub const NONE: Self = Self { lower: -score::INFINITE, upper: score::INFINITE };

    /// Returns bounds that admit one value only.
    #[inline]
    #[must_use]
    pub const fn exactly(value: Score) -> Self {
        Self { lower: value, upper: value }
    }

    /// Returns whether the bounds admit one value only.
    #[inline]
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Returns the lower and the upper bound; `None` for one that excludes no score, unless the bounds are exact.
    #[must_use]
    pub fn ends(self) -> [Option<Score>; 2] {
        let Self { lower, upper } = self;
        let exact = self.is_exact();
        [(exact || lower > -score::WIN).then_some(lower), (exact || upper < score::WIN).then_some(upper)]
    }

    /// Returns the result of the game for the side to move: `win`, `draw` or `loss`; `None` if the bounds leave that
    /// open.
    #[must_use]
    pub const fn outcome(self) -> Option<&'static str> {
        if self.lower > 0 {
            Some("win")
        } else if self.upper < 0 {
            Some("loss")
        } else if self.is_exact() {
            Some("draw")
        } else {
            None
        }
    }

    #[inline]
    pub(crate) const fn reversed(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// Returns the bounds from the point of view of the side that moved into the position; `same` if that side moves
    /// again.
    #[inline]
    #[must_use]
    pub const fn seen(self, same: bool) -> Self {
        if same { self } else { self.reversed() }
    }

    /// Returns the bounds with win distances counted from the root, `ply` plies above the position.
    #[inline]
    #[must_use]
    pub fn from_node(self, ply: Score) -> Self {
        Self { lower: score::from_node(self.lower, ply), upper: score::from_node(self.upper, ply) }
    }

    /// Weakens the bounds for a game that is a draw after `left` more plies without progress: a win or loss farther
    /// away than that is not certain. Win distances are counted from the position.
    #[inline]
    pub(crate) fn within_clock(self, left: Score) -> Self {
        let sure = |score| score::distance(score).is_some_and(|plies| plies.abs() <= left);
        Self {
            lower: if self.lower > 0 && !sure(self.lower) { 0 } else { self.lower },
            upper: if self.upper < 0 && !sure(self.upper) { 0 } else { self.upper },
        }
    }

    /// Returns the intersection of two bounds.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Clamps a value to the bounds.
    #[inline]
    #[must_use]
    pub fn hold(self, value: Score) -> Score {
        value.min(self.upper).max(self.lower)
    }

    #[inline]
    pub(crate) fn hold_both(self, Self { lower, upper }: Self) -> Self {
        Self { lower: self.hold(lower), upper: self.hold(upper) }
    }
}
