//! Scores: one scale for margins, evaluations and win distances.
//!
//! ```text
//! -32,000        -28,800                 0                 28,800        32,000
//!    |  lost in n   |   margins and evaluations (centi-units)  |   won in n   |
//! ```
//!
//! A value of [`UNIT`] is one unit of the game: a seed, a pawn, a man. A win `n` plies away is
//! [`WIN`]` - n`. In the search `n` counts from the root; in a table, from the stored position
//! ([`from_node`], [`to_node`]). Scores fit an `i16`, so that tables can keep them in two bytes.

/// A value for the side to move. See the [module](self) for the scale.
pub type Score = i32;

/// One unit of the game (a seed, a pawn) in centi-units.
pub const UNIT: Score = 100;

/// The largest margin or evaluation: 288 units.
pub const MAX_GAME: Score = 28_800;

/// A win on the spot.
pub const WIN: Score = 32_000;

/// Beyond every score; the ends of a full window.
pub const INFINITE: Score = 32_001;

/// The farthest win that the scale can tell, plies.
pub const MAX_DISTANCE: Score = WIN - MAX_GAME - 1;

/// The deepest search, plies.
pub const MAX_PLY: u8 = 255;

/// The score of a win `plies` away (of the nearest tellable one if it is farther than [`MAX_DISTANCE`]).
#[inline]
#[must_use]
pub fn win_in(plies: Score) -> Score {
    WIN - plies.min(MAX_DISTANCE)
}

/// Plies to the forced end, positive for a win of the side to move and negative for a loss; `None` for
/// any score that is not a win distance.
#[inline]
#[must_use]
pub const fn distance(score: Score) -> Option<Score> {
    if score > MAX_GAME {
        Some(WIN - score)
    } else if score < -MAX_GAME {
        Some(-WIN - score)
    } else {
        None
    }
}

/// Whether the score is a win distance, for either side.
#[inline]
#[must_use]
pub const fn is_distance(score: Score) -> bool {
    score > MAX_GAME || score < -MAX_GAME
}

/// Turns a score counted from a node into one counted from the root, `ply` plies above it.
#[inline]
#[must_use]
pub fn from_node(score: Score, ply: Score) -> Score {
    if score > MAX_GAME {
        (score - ply).max(MAX_GAME + 1)
    } else if score < -MAX_GAME {
        (score + ply).min(-MAX_GAME - 1)
    } else {
        score
    }
}

/// The inverse of [`from_node`]: a score counted from the root becomes one counted from the node.
#[inline]
#[must_use]
pub fn to_node(score: Score, ply: Score) -> Score {
    if score > MAX_GAME {
        (score + ply).min(WIN)
    } else if score < -MAX_GAME {
        (score - ply).max(-WIN)
    } else {
        score
    }
}

/// Full moves to the forced end as the protocols count them (`score mate N`): half the plies, rounded up,
/// negative when the side to move loses. `None` for any other score.
///
/// ```
/// use secateur::core::score::{mate, win_in};
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
        assert_eq!(from_node(MAX_GAME, 30), MAX_GAME);
    }

    #[test]
    fn far_wins_never_become_margins() {
        assert_eq!(win_in(9_999), MAX_GAME + 1);
        assert_eq!(from_node(MAX_GAME + 1, 200), MAX_GAME + 1);
        assert_eq!(from_node(-MAX_GAME - 1, 200), -MAX_GAME - 1);
    }

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(mate(WIN), Some(0));
        assert_eq!(mate(-WIN), Some(0));
        assert_eq!(mate(-win_in(1)), Some(-1));
        assert_eq!(mate(-win_in(4)), Some(-2));
        assert_eq!(mate(-MAX_GAME), None);
    }
}
