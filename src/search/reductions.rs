//! Reductions: moves or nodes searched with less depth. A search with any of them is not
//! [full-width](crate::core::Tuning::is_full_width), and a reduced value counts only where it does not raise alpha.

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::Entry;
use super::picker::{Picker, Ranked};
use super::static_evaluation::Estimate;
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

/// Returns the natural logarithm of a number of at least 1, by halvings and the series of the inverse hyperbolic
/// tangent.
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
        let is_deep = self.worker.tuning.hashless_reduction.is_some_and(|least| depth >= least.into());
        i32::from(hash.is_none() && is_deep)
    }

    /// Late-move reductions (Heinz 1999): late moves that force nothing are first searched with less depth. The
    /// reduction grows with depth and number of the move (Fruit 2005). It shrinks with the history of the move and in
    /// positions that have been PV nodes, and grows in nodes that are expected to fail high or whose static evaluation
    /// does not improve.
    #[inline(always)]
    pub(super) fn late_reduction(
        &self,
        frame: &Frame<'_, P, H>,
        entry: Option<Entry>,
        (ranked, moves): (&Ranked<P::Move>, &Picker),
        estimate: Estimate,
        depth: i32,
    ) -> i32 {
        let tried = self.stack.tried(moves).len();
        let tuning = &self.worker.tuning;
        if !self.is_late(&frame.pos, ranked.mv, tried, depth) {
            return 0;
        }
        let mut reduction = self.usual_reduction(tried, depth);
        if entry.is_some_and(|entry| entry.pv) {
            reduction -= i32::from(tuning.late_reduction_pv);
        }
        if frame.cut.get() {
            reduction += i32::from(tuning.late_reduction_cut);
        }
        if !estimate.improving {
            reduction += i32::from(tuning.improving);
        }
        reduction /= 100;
        if <H as MoveOrdering<P>>::STAGED && tuning.late_reduction_history > 0 {
            reduction -= (ranked.rank / i32::from(tuning.late_reduction_history)).clamp(-2, 2);
        }
        reduction.clamp(0, depth - 1)
    }

    /// The late-move reduction at the root, which is a PV node.
    pub(super) fn root_reduction(&self, mv: P::Move, tried: usize, depth: i32) -> i32 {
        if !self.is_late(&self.root, mv, tried, depth) {
            return 0;
        }
        let reduction = self.usual_reduction(tried, depth) - i32::from(self.worker.tuning.late_reduction_pv);
        (reduction / 100).clamp(0, depth - 1)
    }

    /// Whether a move is reduced.
    #[inline(always)]
    fn is_late(&self, pos: &P, mv: P::Move, tried: usize, depth: i32) -> bool {
        let is_deep = self.worker.tuning.late_reduction.is_some_and(|least| depth >= least.into());
        is_deep && tried >= EARLY && !self.heuristics.is_exempt(pos, mv)
    }

    /// The reduction by the number of the move and the depth, hundredths of a ply.
    #[inline(always)]
    fn usual_reduction(&self, tried: usize, depth: i32) -> i32 {
        let tuning = &self.worker.tuning;
        let mut reduction = i32::from(tuning.late_reduction_base);
        if tuning.late_reduction_growth > 0 {
            let logarithm = |number: usize| LOGARITHMS[number.min(LOGARITHMS.len() - 1)];
            let (depth, tried) = (logarithm(depth as usize), logarithm(tried));
            reduction += (f32::from(tuning.late_reduction_growth) * depth * tried) as i32;
        }
        reduction
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
