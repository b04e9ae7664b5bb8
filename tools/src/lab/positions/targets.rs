//! The target of each position: a share of the result, and the rest by the scores of the searches.

use secateurs::core::Side;
use secateurs::network::model::sigmoid;

/// A position of a recorded game.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// The number of the game.
    pub game: u32,
    /// The side to move.
    pub turn: Side,
    /// The result for it: 0 a loss, 1 a draw, 2 a win.
    pub result: u8,
    /// The score of the search for it, centi-units.
    pub score: i16,
}

impl Recorded {
    /// Returns the points of the side to move: 0, 0.5 or 1.
    pub(crate) fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }
}

/// The shares in a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The share of the result in the target; the rest is the expected result by the scores of the searches.
    pub result: f64,
    /// The share of the next position's expected result in that of each position (Sutton's lambda); the last position
    /// uses the result of the game.
    pub lambda: f64,
}

/// Returns the targets of the positions of games in order, each for its side to move, from 0 to 1. A score of `scale`
/// centi-units makes the odds of a win e to 1.
pub(crate) fn targets(
    positions: impl DoubleEndedIterator<Item = Recorded> + ExactSizeIterator,
    blend: Blend,
    scale: f32,
) -> Vec<f32> {
    let [share, lambda] = [blend.result, blend.lambda].map(|share| share as f32);
    let mut targets = vec![0.0; positions.len()];
    let mut next: Option<(Recorded, f32)> = None;
    for (target, position) in targets.iter_mut().zip(positions).rev() {
        let later = match next {
            Some((after, value)) if after.game == position.game => {
                if after.turn == position.turn {
                    value
                } else {
                    1.0 - value
                }
            }
            _ => position.points(),
        };
        let value = (1.0 - lambda) * sigmoid(f32::from(position.score) / scale) + lambda * later;
        next = Some((position, value));
        *target = share * position.points() + (1.0 - share) * value;
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each expected result includes a share of the next one in the same game, as seen by the other side.
    #[test]
    fn targets_reach_to_the_end_of_the_game() {
        let rows = [(1, Side::First, 2), (1, Side::Second, 0), (1, Side::Second, 0), (2, Side::Second, 1)]
            .map(|(game, turn, result)| Recorded { game, turn, result, score: 0 });
        let of = |result, lambda| targets(rows.into_iter(), Blend { result, lambda }, 100.0);
        assert_eq!(of(0.0, 0.0), [0.5; 4], "the scores alone");
        assert_eq!(of(0.5, 0.0), [0.75, 0.25, 0.25, 0.5]);
        assert_eq!(of(0.0, 0.5), [0.5625, 0.375, 0.25, 0.5]);
        assert_eq!(of(0.0, 1.0), [1.0, 0.0, 0.0, 0.5], "the results alone");
    }
}
