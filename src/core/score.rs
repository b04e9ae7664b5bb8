//! Scores: one scale for margins, evaluations and win distances.
//!
//! ```text
//! -32,000        -28,800                 0                 28,800        32,000
//!    |  lost in n   |   margins and evaluations (centi-units)  |   won in n   |
//! ```
//!
//! A value of [`UNIT`] is one unit of the game: a seed, a pawn, a man. A win `n` plies away is [`WIN`]` - n`. In the
//! search `n` counts from the root; in a table, from the stored position ([`from_node`], `to_node`). Scores fit an
//! `i16`, so tables store them in two bytes.

/// A value for the side to move. See the [module](self) for the scale.
pub type Score = i32;

/// One unit of the game (a seed, a pawn) in centi-units.
pub const UNIT: Score = 100;

/// The largest margin or evaluation: 288 units.
pub const MAX_EVALUATION: Score = 28_800;

/// A win at distance 0.
pub const WIN: Score = 32_000;

/// A value beyond every score: the end of a full window.
pub const INFINITE: Score = 32_001;

/// The longest win distance on the scale, plies.
pub const MAX_DISTANCE: Score = WIN - MAX_EVALUATION - 1;

/// The deepest search, plies.
pub const MAX_PLY: u8 = 255;

/// Returns the score of a win `plies` away; distances beyond [`MAX_DISTANCE`] are capped.
#[inline]
#[must_use]
pub fn win_in(plies: Score) -> Score {
    WIN - plies.min(MAX_DISTANCE)
}

/// Returns the number of plies to the forced end, positive for a win of the side to move and negative for a loss;
/// `None` for a score that is not a win distance.
#[inline]
#[must_use]
pub const fn distance(score: Score) -> Option<Score> {
    if score > MAX_EVALUATION {
        Some(WIN - score)
    } else if score < -MAX_EVALUATION {
        Some(-WIN - score)
    } else {
        None
    }
}

/// Returns whether the score is decisive: a win distance, for either side.
#[inline]
#[must_use]
pub const fn is_decisive(score: Score) -> bool {
    score > MAX_EVALUATION || score < -MAX_EVALUATION
}

/// Converts a score counted from a node to one counted from the root, `ply` plies above it.
#[inline]
#[must_use]
pub fn from_node(score: Score, ply: Score) -> Score {
    if score > MAX_EVALUATION {
        (score - ply).max(MAX_EVALUATION + 1)
    } else if score < -MAX_EVALUATION {
        (score + ply).min(-MAX_EVALUATION - 1)
    } else {
        score
    }
}

/// Converts a score counted from the root to one counted from the node: the inverse of [`from_node`].
#[inline]
pub(crate) fn to_node(score: Score, ply: Score) -> Score {
    if score > MAX_EVALUATION {
        (score + ply).min(WIN)
    } else if score < -MAX_EVALUATION {
        (score - ply).max(-WIN)
    } else {
        score
    }
}

/// Returns the number of full moves to the forced end as protocols count them (`score mate N`): half the plies, rounded
/// up, negative if the side to move loses. `None` for any other score.
///
/// ```
/// use secateurs::core::score::{mate, win_in};
/// assert_eq!(mate(win_in(1)), Some(1));
/// assert_eq!(mate(win_in(3)), Some(2));
/// assert_eq!(mate(-win_in(2)), Some(-1));
/// assert_eq!(mate(150), None);
/// ```
#[must_use]
pub fn mate(score: Score) -> Option<Score> {
    distance(score).map(|plies| if score > 0 { (plies + 1) / 2 } else { -((1 - plies) / 2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_trip_through_a_table() {
        for plies in [0, 1, 17, 254] {
            for ply in [0, 1, 100] {
                let at_root = win_in(plies + ply);
                assert_eq!(from_node(to_node(at_root, ply), ply), at_root);
                assert_eq!(to_node(at_root, ply), win_in(plies));
                assert_eq!(to_node(-at_root, ply), -win_in(plies));
            }
        }
        assert_eq!(from_node(MAX_EVALUATION, 30), MAX_EVALUATION);
    }

    #[test]
    fn far_wins_never_become_margins() {
        assert_eq!(win_in(9_999), MAX_EVALUATION + 1);
        assert_eq!(from_node(MAX_EVALUATION + 1, 200), MAX_EVALUATION + 1);
        assert_eq!(from_node(-MAX_EVALUATION - 1, 200), -MAX_EVALUATION - 1);
    }

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(mate(WIN), Some(0));
        assert_eq!(mate(-WIN), Some(0));
        assert_eq!(mate(-win_in(1)), Some(-1));
        assert_eq!(mate(-win_in(4)), Some(-2));
        assert_eq!(mate(-MAX_EVALUATION), None);
    }
}
