//! [`Bounds`] of a value.

use super::score::{self, Score};
use serde::{Deserialize, Serialize};

/// What the rules alone guarantee about a position's value: `lower <= value <= upper`.
///
/// Win distances in it are counted from the position itself, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The side to move gets at least this.
    pub lower: Score,
    /// The side to move gets at most this.
    pub upper: Score,
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Self = Self { lower: -score::INFINITE, upper: score::INFINITE };

    /// One value only.
    #[inline]
    #[must_use]
    pub const fn exactly(value: Score) -> Self {
        Self { lower: value, upper: value }
    }

    /// Whether only one value is left.
    #[inline]
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The lower and the upper one, as far as they say anything: no value is beyond a win or a loss on the spot.
    #[must_use]
    pub fn ends(self) -> [Option<Score>; 2] {
        let Self { lower, upper } = self;
        let exact = self.is_exact();
        [(exact || lower > -score::WIN).then_some(lower), (exact || upper < score::WIN).then_some(upper)]
    }

    /// The bounds as the opponent sees them.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// Bounds of a position as the side sees them that moved there; `same` if it is still that side's turn.
    #[inline]
    #[must_use]
    pub const fn seen(self, same: bool) -> Self {
        if same { self } else { self.reversed() }
    }

    /// The same with win distances counted from the root, `ply` plies above the position.
    #[inline]
    #[must_use]
    pub fn from_node(self, ply: Score) -> Self {
        Self { lower: score::from_node(self.lower, ply), upper: score::from_node(self.upper, ply) }
    }

    /// What is left of them in a game that is a draw after so many plies without progress: a win farther away than that may
    /// not come about. Win distances are counted from the position.
    #[inline]
    #[must_use]
    pub fn within_clock(self, left: Score) -> Self {
        let sure = |score| score::distance(score).is_some_and(|plies| plies.abs() <= left);
        Self {
            lower: if self.lower > 0 && !sure(self.lower) { 0 } else { self.lower },
            upper: if self.upper < 0 && !sure(self.upper) { 0 } else { self.upper },
        }
    }

    /// What both know together.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The value, or the bound that it would overstep.
    #[inline]
    #[must_use]
    pub fn hold(self, value: Score) -> Score {
        value.min(self.upper).max(self.lower)
    }
}
