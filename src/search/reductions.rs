//! Reductions: moves or nodes searched with less depth. A search with any of them is not
//! [full-width](crate::core::Tuning::is_full_width), and a reduced value counts only where it does not raise alpha.

use super::alpha_beta::AlphaBeta;
use super::entry::Entry;
use super::picker::{Picker, Ranked};
use crate::core::{Heuristics, MoveOrdering, Position};

/// The number of first moves that are never reduced.
const EARLY: usize = 3;

/// The natural logarithms of small numbers; that of 0 is taken as 0.
const LOGARITHMS: [f32; 64] = {
    let mut table = [0.0; 64];
    let mut number = 1;
    while number < table.len() {
        table[number] = logarithm(number as f32);
        number += 1;
    }
    table
};

/// Returns the natural logarithm of a number from 1: halvings, then the series of the inverse hyperbolic tangent.
const fn logarithm(mut number: f32) -> f32 {
    let mut sum = 0.0;
    while number > 1.5 {
        number /= 2.0;
        sum += std::f32::consts::LN_2;
    }
    let ratio = (number - 1.0) / (number + 1.0);
    let square = ratio * ratio;
    sum + 2.0 * ratio * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square / 7.0)))
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Internal iterative reduction (Schröder 2020): without a hash move, one ply less is searched, which leaves a hash
    /// move for the next visit.
    #[inline(always)]
    pub(super) fn hashless_reduction(&self, hash: Option<u16>, depth: i32) -> i32 {
        i32::from(hash.is_none() && depth >= i32::from(self.worker.tuning.hashless_reduction))
    }

    /// Late-move reductions (Heinz 1999): late moves that force nothing are first searched with less depth, except in
    /// positions that have been PV nodes. The reduction grows with depth and number of the move (Fruit 2005), and shrinks
    /// with its history.
    #[inline(always)]
    pub(super) fn late_reduction(
        &self,
        pos: &P,
        entry: Option<Entry>,
        ranked: &Ranked<P::Move>,
        moves: &Picker,
        depth: i32,
    ) -> i32 {
        let tried = self.stack.tried(moves).len();
        let tuning = &self.worker.tuning;
        let was_pv = || entry.is_some_and(|entry| entry.pv);
        if depth < tuning.late_reduction.into() || tried < EARLY || self.heuristics.is_exempt(pos, ranked.mv) {
            return 0;
        }
        let mut less = i32::from(tuning.late_reduction_base);
        if tuning.late_reduction_growth > 0 {
            let [depth, tried] = [depth as usize, tried].map(|number| LOGARITHMS[number.min(LOGARITHMS.len() - 1)]);
            less += (f32::from(tuning.late_reduction_growth) * depth * tried) as i32;
        }
        if was_pv() {
            less -= i32::from(tuning.late_reduction_pv);
        }
        less /= 100;
        if <H as MoveOrdering<P>>::STAGED && tuning.late_reduction_history > 0 {
            less -= (ranked.rank / i32::from(tuning.late_reduction_history)).clamp(-2, 2);
        }
        less.clamp(0, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_standard_library() {
        for (number, &found) in LOGARITHMS.iter().enumerate().skip(1) {
            assert!((found - (number as f32).ln()).abs() < 1e-4, "{number}: {found}");
        }
    }
}
