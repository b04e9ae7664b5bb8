//! Pruning of moves: late, futile or losing moves are skipped near the horizon. A node that skips a move loses the
//! upper bit of its proof, and its search is not [full-width](crate::core::Tuning::is_full_width).

use super::alpha_beta::{AlphaBeta, Frame};
use super::picker::{Picker, Ranked};
use super::static_evaluation::Estimate;
use crate::core::{Heuristics, Position, Score, Tuning, score};

/// The number of moves that late-move pruning leaves in addition to the square of the depth; half of both if the static
/// evaluation does not improve.
const EARLY: i32 = 3;

/// What pruning skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    /// Nothing: the move is searched.
    Nothing,
    /// The move.
    Move,
    /// The move, and all moves after it that force nothing.
    QuietMoves,
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns what is skipped at a move, in a node whose best value so far does not lose by force. Moves that give
    /// check never are: they begin short mates.
    #[inline(always)]
    pub(super) fn skipped(
        &self,
        frame: &Frame<'_, P, H>,
        (ranked, moves): (&Ranked<P::Move>, &Picker),
        estimate: Estimate,
        (best, alpha): (Score, Score),
        depth: i32,
    ) -> Skipped {
        let Tuning { late_pruning, futility, exchange_pruning, exchange_margin, .. } = self.worker.tuning;
        let deepest = late_pruning.max(futility).max(exchange_pruning);
        if depth > deepest.into() || best <= -score::MAX_EVALUATION || frame.check {
            return Skipped::Nothing;
        }
        let (pos, mv) = (&frame.pos, ranked.mv);
        let skipped = if !self.heuristics.is_exempt(pos, mv) && self.is_hopeless(moves, estimate, alpha, depth) {
            Skipped::QuietMoves
        } else if depth <= exchange_pruning.into() && !self.heuristics.exchange(pos, mv, -exchange_margin * depth) {
            // Pruning by static exchange evaluation.
            Skipped::Move
        } else {
            return Skipped::Nothing;
        };
        if self.heuristics.gives_check(pos, mv) { Skipped::Nothing } else { skipped }
    }

    /// Returns whether the next move that forces nothing is late or futile for the remaining depth. If it is, so are
    /// all such moves after it.
    #[inline(always)]
    fn is_hopeless(&self, moves: &Picker, estimate: Estimate, alpha: Score, depth: i32) -> bool {
        let Tuning { improving, late_pruning, futility, futility_margin, .. } = self.worker.tuning;
        // Late-move pruning: the moves are ordered, and enough of them have failed.
        let tried = self.stack.tried(moves).len() as i32;
        let enough = EARLY + depth * depth;
        let is_worse = improving > 0 && !estimate.improving;
        if depth <= late_pruning.into() && tried >= if is_worse { enough / 2 } else { enough } {
            return true;
        }
        // Futility pruning (Schaeffer 1986; Heinz 1998): no quiet move makes up for the distance to alpha.
        depth <= futility.into()
            && !score::is_decisive(alpha)
            && estimate.evaluation.is_some_and(|value| value + futility_margin * (depth + 1) <= alpha)
    }

    /// Removes the last move taken, and all moves after it that force nothing and do not give check.
    #[inline]
    pub(super) fn drop_quiet_moves(&mut self, frame: &Frame<'_, P, H>, moves: &mut Picker) {
        let (heuristics, pos) = (self.heuristics, &frame.pos);
        self.stack.drop_moves(moves, |mv| heuristics.is_exempt(pos, mv) || heuristics.gives_check(pos, mv));
    }
}
