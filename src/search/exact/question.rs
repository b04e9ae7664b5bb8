//! A question, "is the value above `alpha`?", and the choice of the next one.

use crate::core::score::{self, Score};
use crate::core::{Bounds, Heuristics, Position};

/// A win is late if it takes at least this percentage of the plies of the longest game.
const LATE: Score = 60;

/// From this total number of nodes on, questions about the distance of a late win begin with the latest, and a search
/// that may end at a repetition no longer deepens.
const EXPENSIVE: u64 = 1 << 16;

/// A question: is a position worth more than `alpha` to the side to move at an earlier one?
pub(super) struct Question<P> {
    pub(super) pos: P,
    /// Its key in the shared table.
    pub(super) key: u64,
    /// Its bounds by the rules and the table, for the side to move there; they do not decide the question.
    pub(super) facts: Bounds,
    /// Whether the side to move there is also to move at the earlier position.
    pub(super) same: bool,
    /// The bound, for the side to move at the earlier position.
    pub(super) alpha: Score,
    /// The distance from the root, plies.
    pub(super) ply: usize,
}

/// The plan of the questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Questions {
    pub(super) guess: Score,
    /// The least value above a draw: that of the latest win.
    pub(super) latest: Score,
    /// Whether a position can repeat on a line of play, which ends the search.
    pub(super) cyclic: bool,
    /// The only question: whether the value is at least this.
    pub(super) at_least: Option<Score>,
}

impl Questions {
    /// Plans the questions about a position of this expected value.
    pub(super) fn new<P: Position>(heuristics: &impl Heuristics<P>, pos: &P, guess: Score) -> Self {
        Self { guess, latest: heuristics.least_possible(pos, 1), cyclic: P::CYCLIC, at_least: None }
    }

    /// Returns whether bounds answer all questions.
    pub(super) fn are_answered(&self, known: Bounds) -> bool {
        let is_decided = |at_least| known.lower >= at_least || known.upper < at_least;
        known.is_exact() || self.at_least.is_some_and(is_decided)
    }

    /// Returns the next `alpha`, with `lower <= alpha < upper`, after answers that took `spent` nodes.
    pub(super) fn next(&self, known: Bounds, spent: u64) -> Score {
        let Bounds { lower, upper } = known;
        let alpha = if let Some(at_least) = self.at_least {
            at_least - 1
        } else if score::is_decisive(lower) || score::is_decisive(upper) {
            self.deepening(known, spent)
        } else {
            around(self.guess, known)
        };
        alpha.clamp(lower, upper - 1)
    }

    /// For win distances: iterative deepening in the distance. Does a side win within 3 plies, within 5, 7, and so on?
    /// Each answer costs a multiple of the one before, and leaves moves to try first in the table, so the cost of an
    /// early win depends on its distance alone. The search for a late win is hardly cheaper than that for any win: the
    /// question is then which side has one. In a cyclic game this question also comes early: it soon meets a
    /// repetition, if there is one, whereas deepening would take hours.
    fn deepening(&self, known: Bounds, spent: u64) -> Score {
        let Bounds { lower, upper } = known;
        let late = (score::WIN - self.latest) * LATE / 100;
        if lower > 0 || upper < 0 {
            let found = score::WIN - lower.max(-upper);
            let halved = lower + (upper - lower) / 2;
            return if found < late || spent < EXPENSIVE { halved } else { self.outwards(known) };
        }
        // The soonest win of each side that is not excluded, plies.
        let (own, opposing) = (score::WIN - upper, score::WIN + lower);
        let later = |plies: Score| plies + (plies / 8).max(2);
        // Where sides alternate, a side wins after an odd number of plies from its move. The line to the next ply might
        // repeat a position.
        let own_last = |plies: Score| if self.cyclic { plies - 1 + plies % 2 } else { plies };
        let opposing_last = |plies: Score| if self.cyclic { plies - plies % 2 } else { plies };
        if own.min(opposing) >= late || (self.cyclic && spent >= EXPENSIVE) {
            self.outwards(known)
        } else if own < opposing {
            let plies = own_last(later(own));
            if plies < late { score::WIN - plies - 1 } else { 0 }
        } else {
            let plies = opposing_last(later(opposing));
            if plies < late { plies - score::WIN } else { -1 }
        }
    }

    /// For values near a draw: from the draw outwards.
    fn outwards(&self, Bounds { lower, upper }: Bounds) -> Score {
        // No value lies between a draw and the latest win; the other side's latest win may be a ply later.
        let gap = self.latest - 2;
        let place = |score: Score| score.signum() * (score.abs() - gap).max(score.signum().abs());
        // First: does the side that the guess favours win?
        let place = around(Score::from(self.guess >= 0), Bounds { lower: place(lower), upper: place(upper) });
        place + place.signum() * gap
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

    /// Returns the questions until a value is known.
    fn alphas(questions: Questions, mut known: Bounds, value: Score, spent: u64) -> Vec<Score> {
        let mut alphas = Vec::new();
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
            alphas.push(alpha);
        }
        assert_eq!(known.lower, value);
        alphas
    }

    const ANY: Bounds = Bounds { lower: 1 - score::WIN, upper: score::WIN - 1 };

    #[test]
    fn every_value_is_found() {
        let margins = Questions { guess: 7, latest: 1, cyclic: false, at_least: None };
        for value in -100..=100 {
            assert!(alphas(margins, Bounds { lower: -100, upper: 100 }, value, 0).len() < 20, "{value}");
        }
        assert_eq!(alphas(margins, Bounds { lower: -100, upper: 100 }, 7, 0).len(), 2);
        for longest in [41, 3_199] {
            for plies in 1..=longest {
                for value in [win_in(plies), -win_in(plies), 0] {
                    for spent in [0, EXPENSIVE] {
                        for (guess, cyclic) in [(0, false), (-1, false), (0, true)] {
                            let questions = Questions { guess, latest: win_in(longest), cyclic, at_least: None };
                            let count = alphas(questions, ANY, value, spent).len();
                            assert!(count < 120, "{value} {spent}: {count}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn an_early_win_needs_no_question_with_a_later_horizon() {
        for plies in 1..60 {
            for value in [win_in(plies), -win_in(plies)] {
                for alpha in alphas(
                    Questions { guess: 0, latest: win_in(120), cyclic: false, at_least: None },
                    ANY,
                    value,
                    EXPENSIVE,
                ) {
                    let horizon = score::WIN - alpha.abs();
                    assert!(horizon <= plies + plies / 8 + 3, "{value}: {alpha}");
                }
            }
        }
    }

    #[test]
    fn after_early_wins_a_long_game_is_searched_from_the_draw_outwards() {
        let questions = Questions { guess: 0, latest: win_in(41), cyclic: false, at_least: None };
        let known = Bounds { lower: -win_in(24), upper: win_in(25) };
        assert_eq!(alphas(questions, known, 0, 0), [0, -win_in(42)]);
        assert_eq!(alphas(questions, known, win_in(41), EXPENSIVE), [0, win_in(41)]);
        assert_eq!(
            alphas(Questions { guess: -1, ..questions }, known, -win_in(42), EXPENSIVE),
            [-win_in(42), -win_in(42) - 1]
        );
    }

    #[test]
    fn an_expensive_search_that_may_end_at_a_repetition_deepens_no_further() {
        let questions = Questions { guess: 0, latest: win_in(3_199), cyclic: true, at_least: None };
        let known = Bounds { lower: -win_in(6), upper: win_in(7) };
        assert_eq!([0, EXPENSIVE].map(|spent| questions.next(known, spent)), [-win_in(8), 0]);
    }
}
