//! Singular extensions (Anantharaman, Campbell and Hsu 1990): a hash move that is better than all others by a margin is
//! searched a ply deeper.

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::Entry;
use super::picker::{Source, source};
use super::pruning::Skipped;
use super::static_evaluation::Estimate;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::tree::SearchKind;
use crate::core::{Heuristics, Position, Score, score};

/// How many plies the entry of a singular move may be less deep than the node.
const BEHIND: i32 = 3;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns the extension of the hash move, plies. Its entry has to be deep, and its value a lower bound.
    #[inline(always)]
    pub(super) fn singular_extension(
        &mut self,
        frame: &Frame<'_, P, H>,
        (entry, hash): (Option<Entry>, Option<u16>),
        estimate: Estimate,
        depth: i32,
    ) -> Result<i32, Aborted> {
        let is_deep = self.worker.tuning.singular_extension.is_some_and(|least| depth >= least.into());
        let (true, Some(entry), Some(hash)) = (is_deep, entry, hash) else { return Ok(0) };
        if entry.bound == Bound::Upper || i32::from(entry.depth) < depth - BEHIND {
            return Ok(0);
        }
        let value = self.absolute(&frame.pos, &entry, frame.ply).score;
        if score::is_decisive(value) {
            return Ok(0);
        }
        let margin = Score::from(self.worker.tuning.singular_margin) * depth / 100;
        self.others_fail(frame, (entry, hash), estimate, value - margin, (depth - 1) / 2).map(i32::from)
    }

    /// Returns whether all moves but one are worth less than `beta`, by a search `depth` plies deep. Moves are reduced
    /// and skipped as in other nodes.
    #[inline(never)]
    fn others_fail(
        &mut self,
        frame: &Frame<'_, P, H>,
        (entry, hash): (Entry, u16),
        estimate: Estimate,
        beta: Score,
        depth: i32,
    ) -> Result<bool, Aborted> {
        let alpha = beta - 1;
        let mut moves = self.stack.pick(&source!(self, frame), Some(hash));
        while let Some(ranked) = self.stack.next(&mut moves, &source!(self, frame)) {
            if ranked.code == hash {
                continue;
            }
            let skipped = self.skipped(frame, (&ranked, &moves), estimate, (alpha, alpha), depth);
            if skipped == Skipped::QuietMoves {
                self.drop_quiet_moves(frame, &mut moves);
            }
            if skipped != Skipped::Nothing {
                continue;
            }
            let child = self.enter(frame, ranked.mv, depth - 1);
            let reduction = self.late_reduction(frame, Some(entry), (&ranked, &moves), estimate, depth);
            child.cut.set(true);
            self.worker.trace_move(ranked.code, SearchKind::Singular);
            let mut value = self.child(&child, alpha, beta, depth - 1 - reduction)?;
            if reduction > 0 && value.score >= beta {
                self.worker.trace_move(ranked.code, SearchKind::Singular);
                value = self.child(&child, alpha, beta, depth - 1)?;
            }
            self.leave();
            if value.score >= beta {
                self.stack.pop(&moves);
                return Ok(false);
            }
        }
        self.stack.pop(&moves);
        Ok(true)
    }
}
