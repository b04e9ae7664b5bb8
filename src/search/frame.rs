//! [`Frame`]: one ply of the line that is being searched; [`AlphaBeta::enter`] and [`AlphaBeta::leave`] alone make and
//! take back moves.

use super::alpha_beta::AlphaBeta;
use super::entry::NO_EVALUATION;
use crate::core::{Evaluation, Heuristics, Position, Score};
use std::cell::Cell;
use std::iter;

/// A position on the line that is being searched. Frames lie on the call stack, each with a reference to the one before it
/// (as in Letouzey's Scan): a move is taken back by leaving the scope.
pub(super) struct Frame<'f, P: Position, H: Evaluation<P>> {
    pub(super) parent: Option<&'f Self>,
    pub(super) pos: P,
    /// What the evaluation keeps of the position from move to move.
    pub(super) state: H::State,
    /// The static evaluation; [`NO_EVALUATION`] until it is computed.
    pub(super) evaluation: Cell<Score>,
    /// The key under which the table knows the position; 0 where the table is not used.
    pub(super) key: u64,
    /// Plies from the root.
    pub(super) ply: usize,
    /// The side that moved last is to move again.
    pub(super) same_turn: bool,
}

impl<'f, P: Position, H: Evaluation<P>> Frame<'f, P, H> {
    /// This position and those before it, down to the root.
    pub(super) fn positions(&self) -> impl Iterator<Item = &P> {
        iter::successors(Some(self), |frame| frame.parent).map(|frame| &frame.pos)
    }
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Plays a move below a frame, where so many plies will remain to be searched. Each is [left](Self::leave) again, unless
    /// the search is aborted.
    #[inline(always)]
    pub(super) fn enter<'f>(&mut self, frame: &'f Frame<'f, P, H>, mv: P::Move, depth: i32) -> Frame<'f, P, H> {
        let pos = frame.pos.after(mv);
        let state = self.heuristics.update(&frame.state, &frame.pos, mv, &pos);
        debug_assert_eq!(state, self.heuristics.refresh(&pos), "the state of the evaluation after a move");
        let mut key = 0;
        if self.is_tabled(depth) {
            key = self.key_of(&pos);
            self.worker.table.prefetch(key);
        }
        if P::CYCLIC {
            self.path.push(pos.key());
        }
        let same_turn = pos.turn() == frame.pos.turn();
        Frame {
            parent: Some(frame),
            pos,
            state,
            evaluation: Cell::new(NO_EVALUATION),
            key,
            ply: frame.ply + 1,
            same_turn,
        }
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if P::CYCLIC {
            self.path.pop();
        }
    }

    /// The frame of a position without a move that led to it.
    pub(super) fn frame_at<'f>(&self, pos: P, ply: usize) -> Frame<'f, P, H> {
        let (state, key) = (self.heuristics.refresh(&pos), self.key_of(&pos));
        Frame { parent: None, pos, state, evaluation: Cell::new(NO_EVALUATION), key, ply, same_turn: true }
    }

    /// Whether the table is used for positions with so many remaining plies; in quiescence search there are none.
    #[inline(always)]
    pub(super) fn is_tabled(&self, depth: i32) -> bool {
        depth.max(0) >= i32::from(self.worker.tuning.table_depth)
    }
}
