//! Reductions: moves or nodes searched with less depth. A search with any of them is not
//! [full-width](crate::core::Tuning::is_full_width), and a reduced value counts only where it does not raise alpha.

use super::alpha_beta::AlphaBeta;
use super::entry::Entry;
use super::picker::{Picker, Ranked};
use crate::core::{Heuristics, Position};

/// The number of first moves that are never reduced.
const EARLY: usize = 3;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Internal iterative reduction (Schröder 2020): without a hash move, one ply less is searched, which leaves a hash
    /// move for the next visit.
    #[inline(always)]
    pub(super) fn hashless_reduction(&self, hash: Option<u16>, depth: i32) -> i32 {
        i32::from(hash.is_none() && depth >= i32::from(self.worker.tuning.hashless_reduction))
    }

    /// Late-move reductions (Heinz 1999): late moves that force nothing are first searched with less depth, except in
    /// positions that have been PV nodes.
    #[inline(always)]
    pub(super) fn late_reduction(
        &self,
        pos: &P,
        entry: Option<Entry>,
        ranked: &Ranked<P::Move>,
        moves: &Picker,
        depth: i32,
    ) -> i32 {
        let is_late = depth >= i32::from(self.worker.tuning.late_reduction) && self.stack.tried(moves).len() >= EARLY;
        let was_pv = || entry.is_some_and(|entry| entry.pv);
        i32::from(is_late && !was_pv() && !self.heuristics.is_exempt(pos, ranked.mv))
    }
}
