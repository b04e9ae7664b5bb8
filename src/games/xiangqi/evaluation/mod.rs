//! The evaluation: a sum of weighted counts, tapered between middlegame and endgame.
//!
//! A term counts what it finds for each side; every count has a weight for the middlegame and one for the endgame, in
//! [one table](weights) that `secateurs tune` fits to games of self-play. A position's phase is the weighted number of
//! the chariots, horses and cannons left. Without a piece that can cross the river, a side is never better than even.
//! For terms, counts and weights see [weighted evaluations](crate::games::xiangqi::weighted).
//!
//! - [`places`]: material and places, updated move by move; [`material`]: its balance, kept from move to move;
//! - [`terms`], [`palace`], [`threats`]: the other counts;
//! - [`layout`], [`weights`]: the weights by name, and their values.

mod attacks;
pub mod layout;
pub mod material;
pub mod palace;
pub mod places;
pub mod terms;
pub mod threats;
pub mod weights;

pub use places::Sums;

use super::rules::Xiangqiboard;
use crate::core::score::MAX_GAME;
use crate::core::{Linear, Position, Score, Side};
use crate::games::xiangqi::weighted::{self, Counts, Sink, Tapered, WHOLE};
use layout::{COUNT, GROUPS, TEMPO};
use weights::WEIGHTS;

/// The phase of the starting position.
pub(crate) const FULL: Score = 32;

/// The number of weights in a line of their file: two ranks of a piece's places.
pub(crate) const IN_A_LINE: usize = 10;

/// The sum of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total(pub Tapered);

impl Sink for Total {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        self.0 += WEIGHTS[index] * count;
    }
}

/// Counts all terms except those that are updated move by move, for the first side and for the second.
#[inline]
fn count<S: Sink>(pos: &Xiangqiboard) -> [S; 2] {
    let mut sides = [S::default(), S::default()];
    terms::count(pos, &mut sides);
    sides[pos.turn().index()].add(TEMPO.at(0), 1);
    sides
}

/// Returns the score for the first side.
#[inline]
fn of_first(pos: &Xiangqiboard, sums: &Sums) -> Score {
    let [first, second] = count::<Total>(pos);
    let total = sums.score + sums.material + first.0 - second.0;
    total.at::<FULL>(sums.phase, WHOLE).clamp(-MAX_GAME, MAX_GAME)
}

/// Returns the evaluation for the side to move in centi-units; `sums` are those of the position.
pub(crate) fn evaluate(pos: &Xiangqiboard, sums: &Sums) -> Score {
    let first = of_first(pos, sums);
    let first = if sums.is_blunt(first) { 0 } else { first };
    if pos.turn() == Side::First { first } else { -first }
}

/// The counts of a position.
pub type Trace = weighted::Trace<COUNT, FULL>;

/// Counts the terms of a position.
pub(crate) fn trace(pos: &Xiangqiboard) -> Trace {
    let [mut first, second] = count::<Counts<COUNT>>(pos);
    first.merge(&second, -1);
    for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
        first.merge(&places::count(pos, side), sign);
    }
    Trace { counts: first, phase: Sums::new(pos).phase, scale: WHOLE }
}

/// Returns the evaluation as a sum of weighted counts for the side to move; `None` if it is not their sum.
pub(crate) fn linear(pos: &Xiangqiboard) -> Option<Linear> {
    let sums = Sums::new(pos);
    (!sums.is_blunt(of_first(pos, &sums))).then(|| trace(pos).linear(pos.turn()))
}

/// Returns the terms of the evaluation for the side to move in centi-units. They add up to [it](evaluate).
pub(crate) fn explain(pos: &Xiangqiboard) -> Vec<(&'static str, Score)> {
    // The rest is what a side that cannot win does not gain, and what rounding loses.
    trace(pos).explain(GROUPS, &WEIGHTS, (pos.turn(), evaluate(pos, &Sums::new(pos))), "rest")
}

#[cfg(test)]
mod tests;
