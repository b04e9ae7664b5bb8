//! Continuation history: how often a kind of move has caused a cut-off after the last move, and after the one before it
//! (the countermove heuristic of Uiterwijk 1992, generalised to values of all pairs).

use crate::core::heuristics::HISTORY_SCORE;

/// The values of the kinds of moves after the kinds of the last two moves.
pub(super) struct Continuation {
    /// For the last move and for the one before it: a row for each kind, and one for no move, which stays 0.
    pairs: [Vec<i16>; 2],
    kinds: usize,
}

impl Continuation {
    pub(super) fn new(kinds: usize) -> Self {
        let pairs = || vec![0; (kinds + 1) * kinds];
        Self { pairs: [pairs(), pairs()], kinds }
    }

    pub(super) fn kinds(&self) -> usize {
        self.kinds
    }

    pub(super) fn age(&mut self, divisor: i16) {
        self.pairs.iter_mut().flatten().for_each(|value| *value /= divisor);
    }

    /// Returns the value of a kind after the kinds of the last move and of the one before it; the number of kinds stands
    /// for no move.
    #[inline]
    pub(super) fn value(&self, before: [usize; 2], kind: usize) -> i32 {
        let value = |pair: usize| i32::from(self.pairs[pair][before[pair] * self.kinds + kind]);
        value(0) + value(1)
    }

    /// Records that a kind caused a cut-off with `depth` remaining plies, after `tried` had not.
    pub(super) fn cutoff(
        &mut self,
        before: [usize; 2],
        depth: i32,
        kind: usize,
        tried: impl Iterator<Item = usize> + Clone,
    ) {
        let (bonus, kinds) = (bonus(depth), self.kinds);
        for pair in 0..2 {
            if before[pair] == kinds {
                continue;
            }
            let row = &mut self.pairs[pair][before[pair] * kinds..][..kinds];
            shift(&mut row[kind], bonus);
            for kind in tried.clone() {
                shift(&mut row[kind], -bonus);
            }
        }
    }
}

/// The change of a value by a cut-off.
#[inline]
pub(super) fn bonus(depth: i32) -> i32 {
    (depth * depth).min(HISTORY_SCORE / 4)
}

/// Moves a value towards ±[`HISTORY_SCORE`], by less the nearer it is, so that the value never reaches it.
#[inline]
pub(super) fn shift(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    #[expect(clippy::cast_possible_truncation, reason = "within ±HISTORY_SCORE, by gravity")]
    {
        *value = (old + bonus - old * bonus.abs() / HISTORY_SCORE) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_belong_to_both_moves_before() {
        let mut history = Continuation::new(3);
        history.cutoff([0, 1], 4, 2, [1].into_iter());
        let whole = history.value([0, 1], 2);
        assert!(whole > 0);
        assert_eq!(history.value([0, 1], 1), -whole);
        assert_eq!((history.value([0, 2], 2), history.value([2, 1], 2)), (whole / 2, whole / 2));
        assert_eq!((history.value([1, 0], 2), history.value([0, 1], 0)), (0, 0));
        // If there was no move before, nothing is recorded.
        history.cutoff([3, 3], 4, 2, [].into_iter());
        assert_eq!(history.value([3, 3], 2), 0);
        history.age(2);
        assert_eq!(history.value([0, 1], 2), whole / 2);
    }
}
