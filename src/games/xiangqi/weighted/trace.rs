//! [`Trace`]: the counts of a position.

use super::Sink;
use super::layout::{Group, terms};
use super::tapered::{Tapered, WHOLE};
use crate::core::{Linear, Score, Side};
use std::ops::Range;

/// The counts of each weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<const COUNT: usize>(pub [i32; COUNT]);

impl<const COUNT: usize> Default for Counts<COUNT> {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

impl<const COUNT: usize> Sink for Counts<COUNT> {
    fn add(&mut self, index: usize, count: i32) {
        self.0[index] += count;
    }
}

impl<const COUNT: usize> Counts<COUNT> {
    /// Adds other counts, each times `sign`.
    pub(crate) fn merge(&mut self, other: &Self, sign: i32) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, count)| *own += sign * count);
    }
}

/// The counts of a position, the first side's less the second's, in an evaluation with a table of `COUNT` weights and a
/// phase of `FULL` with all pieces on the board.
#[derive(Clone, Debug)]
pub struct Trace<const COUNT: usize, const FULL: Score> {
    /// One for each weight.
    pub counts: Counts<COUNT>,
    /// The phase: 0 without pieces, `FULL` with all.
    pub phase: Score,
    /// The parts in [`WHOLE`] of the endgame's score that count.
    pub scale: Score,
}

impl<const COUNT: usize, const FULL: Score> Trace<COUNT, FULL> {
    /// Returns the counts for the side to move.
    pub(crate) fn linear(&self, turn: Side) -> Linear {
        let counts = self.counts.0.iter().zip(0..).filter(|&(&count, _)| count != 0);
        #[expect(clippy::cast_possible_truncation, reason = "no position has as many as that")]
        let counts = counts.map(|(&count, index)| (index, (sign(turn) * count) as i16)).collect();
        let share = |part: Score, whole: Score| part as f32 / whole as f32;
        let endgame = share(FULL - self.phase, FULL) * share(self.scale, WHOLE);
        Linear { counts, stages: vec![share(self.phase, FULL), endgame], constant: 0.0 }
    }

    /// Returns the sum of some weights times their counts.
    pub(crate) fn total(&self, weights: &[Tapered; COUNT], indices: Range<usize>) -> Tapered {
        let weighted = indices.map(|index| weights[index] * self.counts.0[index]);
        weighted.fold(Tapered::default(), |sum, part| sum + part)
    }

    /// Returns the terms for the side to move in centi-units, regardless of the scale. The last one, `rest`, is the
    /// difference between the evaluation and their sum.
    pub(crate) fn explain(
        &self,
        groups: &'static [Group],
        weights: &[Tapered; COUNT],
        (turn, evaluation): (Side, Score),
        rest: &'static str,
    ) -> Vec<(&'static str, Score)> {
        let value = |indices| sign(turn) * self.total(weights, indices).at::<FULL>(self.phase, WHOLE);
        let mut terms: Vec<_> = terms(groups).map(|(name, indices)| (name, value(indices))).collect();
        terms.push((rest, evaluation - terms.iter().map(|(_, score)| score).sum::<Score>()));
        terms
    }
}

/// The sign of the first side's counts for the side to move.
const fn sign(turn: Side) -> i32 {
    match turn {
        Side::First => 1,
        Side::Second => -1,
    }
}
