//! Continuation history: how often a kind of move has caused a cut-off after the last move, and after the one before it
//! (the countermove heuristic of Uiterwijk 1992, generalised to values of all pairs).

use crate::core::heuristics::HISTORY_SCORE;

/// The divisor of the values at the start of a new search.
const AGEING: i16 = 2;

/// The values of the kinds of moves after the kinds of the last two moves.
pub(super) struct Continuation {
    /// For the last move and for the one before it: a row for each kind, and one for no move, which stays 0.
    pairs: [Vec<i16>; 2],
    /// For each row, whether it may have another value than 0: most rows stay empty in a short search, and ageing all
    /// of them would take longer than the search.
    used: [Vec<bool>; 2],
    kinds: usize,
}

impl Continuation {
    pub(super) fn new(kinds: usize) -> Self {
        let (pairs, used) = (|| vec![0; (kinds + 1) * kinds], || vec![false; kinds]);
        Self { pairs: [pairs(), pairs()], used: [used(), used()], kinds }
    }

    pub(super) fn kinds(&self) -> usize {
        self.kinds
    }

    /// Divides all values by [`AGEING`].
    pub(super) fn age(&mut self) {
        for pair in 0..2 {
            for row in 0..self.kinds {
                if self.used[pair][row] {
                    let values = &mut self.pairs[pair][row * self.kinds..][..self.kinds];
                    self.used[pair][row] = aged(values);
                }
            }
        }
    }

    /// Returns the value of a kind after the kinds of the last move and of the one before it; the number of kinds
    /// stands for no move.
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
            self.used[pair][before[pair]] = true;
            let row = &mut self.pairs[pair][before[pair] * kinds..][..kinds];
            shift(&mut row[kind], bonus);
            for kind in tried.clone() {
                shift(&mut row[kind], -bonus);
            }
        }
    }
}

/// Divides values by [`AGEING`] and returns whether any is still not 0. The compiler vectorises this loop.
#[inline]
pub(super) fn aged(values: &mut [i16]) -> bool {
    let mut any = 0;
    for value in values {
        *value /= AGEING;
        any |= *value;
    }
    any != 0
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
        history.age();
        assert_eq!(history.value([0, 1], 2), whole / 2);
    }

    #[test]
    fn only_rows_that_are_used_age() {
        let mut history = Continuation::new(3);
        history.cutoff([0, 3], 4, 2, [].into_iter());
        assert_eq!(history.used, [vec![true, false, false], vec![false; 3]]);
        let mut value = history.value([0, 3], 2);
        while value != 0 {
            history.age();
            value /= i32::from(AGEING);
            assert_eq!(history.value([0, 3], 2), value);
        }
        assert_eq!(history.used, [vec![false; 3], vec![false; 3]]);
    }
}
