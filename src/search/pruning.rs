//! Pruning of moves: late, futile or losing moves are skipped near the horizon. A node that skips a move loses the upper
//! bit of its proof, and its search is not [full-width](crate::core::Tuning::is_full_width).

use super::alpha_beta::AlphaBeta;
use super::frame::Frame;
use super::picker::{Picker, Ranked};
use super::static_evaluation::Estimate;
use crate::core::{Heuristics, Position, Score, Tuning, score};

/// The number of moves that late-move pruning leaves beside the square of the depth; half of both where the static
/// evaluation does not improve.
const EARLY: i32 = 3;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns whether a move is skipped, in a node whose best value so far does not lose by force. Moves that give check
    /// are not: they begin short mates.
    #[inline(always)]
    pub(super) fn skips(
        &self,
        frame: &Frame<'_, P, H>,
        (ranked, moves): (&Ranked<P::Move>, &Picker),
        estimate: Estimate,
        scores: (Score, Score),
        depth: i32,
    ) -> bool {
        self.is_weak(frame, (ranked, moves), estimate, scores, depth)
            && !self.heuristics.gives_check(&frame.pos, ranked.mv)
    }

    /// Returns whether a move is late, futile, or loses material, for the remaining depth.
    #[inline(always)]
    fn is_weak(
        &self,
        frame: &Frame<'_, P, H>,
        (ranked, moves): (&Ranked<P::Move>, &Picker),
        estimate: Estimate,
        (best, alpha): (Score, Score),
        depth: i32,
    ) -> bool {
        let Tuning { improving, late_pruning, futility, futility_margin, exchange_pruning, exchange_margin, .. } =
            self.worker.tuning;
        let deepest = late_pruning.max(futility).max(exchange_pruning);
        if depth > deepest.into() || best <= -score::MAX_GAME || frame.check {
            return false;
        }
        if !self.heuristics.is_exempt(&frame.pos, ranked.mv) {
            // Late-move pruning: the moves are ordered, and enough of them have failed.
            let tried = self.stack.tried(moves).len() as i32;
            let enough = EARLY + depth * depth;
            let is_worse = improving > 0 && !estimate.improving;
            if depth <= late_pruning.into() && tried >= if is_worse { enough / 2 } else { enough } {
                return true;
            }
            // Futility pruning (Schaeffer 1986; Heinz 1998): no quiet move makes up for the distance to alpha.
            if depth <= futility.into()
                && !score::is_distance(alpha)
                && estimate.evaluation.is_some_and(|value| value + futility_margin * (depth + 1) <= alpha)
            {
                return true;
            }
        }
        // Pruning by static exchange evaluation.
        depth <= exchange_pruning.into() && !self.heuristics.exchange(&frame.pos, ranked.mv, -exchange_margin * depth)
    }
}
