//! A question, "is the value above `alpha`?", and the choice of the next one.

use crate::core::Bounds;
use crate::core::score::{self, Score};

/// The total number of nodes from which answers count as expensive: the game is then a long one.
const DEAR: u64 = 1 << 16;

/// A question: is a position worth more than `alpha` to the side to move at an earlier one?
pub struct Question<P> {
    /// The position.
    pub pos: P,
    /// Its key in the shared table.
    pub key: u64,
    /// Its bounds by the rules and the table, for the side to move there; they do not decide the question.
    pub facts: Bounds,
    /// Whether the side to move there is to move at the earlier position too.
    pub same: bool,
    /// The bound, for the side to move at the earlier position.
    pub alpha: Score,
    /// The distance from the root, plies.
    pub ply: usize,
}

/// The plan of the questions.
#[derive(Clone, Copy, Debug)]
pub struct Questions {
    /// The expected value.
    pub guess: Score,
    /// The least value above a draw: that of the latest win.
    pub latest: Score,
}

impl Questions {
    /// Returns the next `alpha`, with `lower <= alpha < upper`, after answers that took `spent` nodes.
    #[must_use]
    pub fn next(&self, known: Bounds, spent: u64) -> Score {
        let Bounds { lower, upper } = known;
        let alpha = if score::is_distance(lower) || score::is_distance(upper) {
            self.around_the_draw(known, spent)
        } else {
            around(self.guess, known)
        };
        alpha.clamp(lower, upper - 1)
    }

    /// For win distances: from both ends towards the draw. Questions far from the draw are cheap if there is an early
    /// win, and fill the table for the expensive ones (Pons 2015). In a long game they are expensive too and the value
    /// is near the draw: the questions go outwards from it.
    fn around_the_draw(&self, Bounds { lower, upper }: Bounds, spent: u64) -> Score {
        let is_long = spent >= DEAR;
        // No value lies between a draw and the latest win; the other side's latest win may be a ply later.
        let gap = self.latest - 1 - Score::from(is_long);
        let place = |score: Score| score.signum() * (score.abs() - gap).max(score.signum().abs());
        let [low, high] = [lower, upper].map(place);
        let mut middle = low + (high - low) / 2;
        if is_long {
            // Whether the side wins that the guess favours.
            middle = around(Score::from(self.guess >= 0), Bounds { lower: low, upper: high });
        } else if middle <= 0 && low / 2 < middle {
            middle = low / 2;
        } else if middle >= 0 && high / 2 > middle {
            middle = high / 2;
        }
        middle + middle.signum() * gap
    }
}

/// Returns the `alpha` that tests the guess itself first, then values away from it in growing steps (MTD: Plaat et al.
/// 1996), and the middle if a step would leave the bounds.
fn around(guess: Score, Bounds { lower, upper }: Bounds) -> Score {
    let alpha = if lower >= guess {
        lower + (lower - guess) / 2
    } else if upper < guess {
        upper - 1 - (guess - upper) / 2
    } else {
        guess - 1
    };
    if alpha >= lower && alpha < upper { alpha } else { lower + (upper - lower) / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::score::win_in;

    /// Returns the number of questions until a value is known.
    fn count(questions: Questions, mut known: Bounds, value: Score, spent: u64) -> usize {
        let mut count = 0;
        while !known.is_exact() {
            let alpha = questions.next(known, spent);
            assert!(alpha >= known.lower && alpha < known.upper, "{alpha} of {known:?}");
            // No value lies between a draw and the latest win.
            let above = match alpha + 1 {
                next if next <= -questions.latest => next,
                next if next <= 0 => 0,
                next => next.max(questions.latest),
            };
            if value > alpha {
                known.lower = value.min(above)
            } else {
                known.upper = alpha
            }
            count += 1;
        }
        assert_eq!(known.lower, value);
        count
    }

    #[test]
    fn every_value_is_found() {
        let margins = Questions { guess: 7, latest: 1 };
        for value in -100..=100 {
            assert!(count(margins, Bounds { lower: -100, upper: 100 }, value, 0) < 20, "{value}");
        }
        assert_eq!(count(margins, Bounds { lower: -100, upper: 100 }, 7, 0), 2);
        let wins = Questions { guess: 0, latest: win_in(41) };
        for plies in 1..42 {
            for value in [win_in(plies), -win_in(plies), 0] {
                for spent in [0, DEAR] {
                    let count = count(wins, Bounds { lower: -win_in(1), upper: win_in(1) }, value, spent);
                    assert!(count < 20 && (value != 0 || spent == 0 || count == 2), "{value} {spent}: {count}");
                }
            }
        }
    }
}
