//! What earlier cut-offs teach: killer moves by ply, and the history of every move code.

use crate::core::Side;
use crate::core::heuristics::{HISTORY_SCORE, KILLER_SCORE};
use crate::core::score::MAX_PLY;

/// No move has this code.
const NONE: u16 = u16::MAX;

/// Killers (Akl and Newborn 1977) and history (Schaeffer 1983) with gravity, by side to move.
pub struct History {
    killers: Vec<[[u16; 2]; 2]>,
    values: Vec<i16>,
    codes: usize,
}

impl History {
    /// An empty memory for move codes `0..codes`.
    #[must_use]
    pub fn new(codes: usize) -> Self {
        Self { killers: vec![[[NONE; 2]; 2]; usize::from(MAX_PLY) + 1], values: vec![0; 2 * codes], codes }
    }

    /// What the memory adds to a move's rank.
    #[inline]
    #[must_use]
    pub fn rank(&self, side: Side, ply: usize, code: u16) -> i32 {
        let killer = if self.killers[ply][side.index()].contains(&code) { KILLER_SCORE } else { 0 };
        killer + self.value(side, code)
    }

    /// What it knows of a move wherever it is played, within ±[`HISTORY_SCORE`].
    #[inline]
    #[must_use]
    pub fn value(&self, side: Side, code: u16) -> i32 {
        i32::from(self.values[side.index() * self.codes + usize::from(code)])
    }

    /// `code` caused a cut-off at `ply` with `depth` plies to go, after `tried` had failed to.
    pub fn cutoff(&mut self, side: Side, ply: usize, depth: i32, code: u16, tried: impl Iterator<Item = u16>) {
        let killers = &mut self.killers[ply][side.index()];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let bonus = (depth * depth).min(HISTORY_SCORE / 4);
        self.shift(side, code, bonus);
        for code in tried {
            self.shift(side, code, -bonus);
        }
    }

    /// Moves a value towards ±[`HISTORY_SCORE`], the slower the nearer it is: it never gets there.
    fn shift(&mut self, side: Side, code: u16, bonus: i32) {
        let value = &mut self.values[side.index() * self.codes + usize::from(code)];
        let old = i32::from(*value);
        #[expect(clippy::cast_possible_truncation, reason = "within ±HISTORY_SCORE, by gravity")]
        {
            *value = (old + bonus - old * bonus.abs() / HISTORY_SCORE) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_in_range() {
        let mut history = History::new(4);
        for _ in 0..10_000 {
            history.cutoff(Side::First, 3, 200, 1, [2].into_iter());
        }
        let best = history.rank(Side::First, 3, 1) - KILLER_SCORE;
        let worst = history.rank(Side::First, 3, 2);
        assert!(best > HISTORY_SCORE / 2 && best <= HISTORY_SCORE, "{best}");
        assert!((-HISTORY_SCORE..-HISTORY_SCORE / 2).contains(&worst), "{worst}");
        assert_eq!(history.rank(Side::Second, 3, 1), 0);
    }
}
