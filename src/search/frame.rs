//! [`Frame`]: one ply of the current line. Only [`AlphaBeta::enter`] and [`AlphaBeta::leave`] make and unmake moves.

use super::alpha_beta::AlphaBeta;
use super::entry::NO_EVALUATION;
use super::picker::Picker;
use crate::core::{Evaluation, Heuristics, MoveOrdering, Position, Score};
use std::cell::Cell;
use std::iter;

/// A position of the current line. Frames lie on the call stack, each with a reference to its parent (as in Letouzey's
/// Scan): leaving the scope unmakes the move.
pub(super) struct Frame<'f, P: Position, H: Evaluation<P>> {
    pub(super) parent: Option<&'f Self>,
    pub(super) pos: P,
    pub(super) state: H::State,
    /// The static evaluation; [`NO_EVALUATION`] until it is computed.
    pub(super) evaluation: Cell<Score>,
    /// The key of the position in the table; 0 if the table is not used.
    pub(super) key: u64,
    pub(super) ply: usize,
    /// Whether the side that moved last is to move again.
    pub(super) same_turn: bool,
    pub(super) check: bool,
    /// The kinds of the last move and of the one before it; after no move or a null move, the number of kinds.
    pub(super) kinds: [usize; 2],
    /// Whether the position was made by a null move.
    pub(super) null: bool,
    /// Whether the node is expected to fail high (*cut node*): one below a null window, if its parent is not.
    pub(super) cut: Cell<bool>,
}

impl<'f, P: Position, H: Evaluation<P>> Frame<'f, P, H> {
    /// Returns this position and its ancestors up to the root.
    pub(super) fn positions(&self) -> impl Iterator<Item = &P> {
        iter::successors(Some(self), |frame| frame.parent).map(|frame| &frame.pos)
    }
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Makes a move below a frame, after which `depth` plies remain. Each move is [unmade](Self::leave), unless the
    /// search is aborted.
    #[inline(always)]
    pub(super) fn enter<'f>(&mut self, frame: &'f Frame<'f, P, H>, mv: P::Move, depth: i32) -> Frame<'f, P, H> {
        if self.is_tabled(depth)
            && let Some(key) = self.heuristics.likely_table_key(&frame.pos, mv)
        {
            self.worker.table.prefetch(key ^ self.salt);
        }
        let mut pos = frame.pos.clone();
        pos.play(mv);
        let state = self.heuristics.update(&frame.state, &frame.pos, mv, &pos);
        debug_assert_eq!(state, self.heuristics.refresh(&pos), "the state of the evaluation after a move");
        let check = self.heuristics.is_check(&pos);
        let mut key = 0;
        if self.is_tabled(self.extended(check, depth)) {
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
            check,
            kinds: [self.heuristics.kind(&frame.pos, mv), frame.kinds[0]],
            null: false,
            cut: Cell::new(false),
        }
    }

    /// Makes a null move, which leads to `pos`. It is [unmade](Self::leave) like any other.
    #[inline]
    pub(super) fn enter_null<'f>(&mut self, frame: &'f Frame<'f, P, H>, pos: P) -> Frame<'f, P, H> {
        let state = frame.state.clone();
        debug_assert_eq!(state, self.heuristics.refresh(&pos), "the state of the evaluation after a null move");
        debug_assert_ne!(pos.turn(), frame.pos.turn(), "a null move changes the side to move");
        let key = self.key_of(&pos);
        self.worker.table.prefetch(key);
        if P::CYCLIC {
            self.path.push(pos.key());
        }
        let evaluation = Cell::new(NO_EVALUATION);
        let ply = frame.ply + 1;
        let kinds = [<H as MoveOrdering<P>>::KINDS, frame.kinds[0]];
        Frame {
            parent: Some(frame),
            pos,
            state,
            evaluation,
            key,
            ply,
            same_turn: false,
            check: false,
            kinds,
            null: true,
            cut: Cell::new(!frame.cut.get()),
        }
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if P::CYCLIC {
            self.path.pop();
        }
    }

    /// Creates the frame of a position without a parent.
    pub(super) fn frame_at<'f>(&self, pos: P, ply: usize) -> Frame<'f, P, H> {
        let (state, key) = (self.heuristics.refresh(&pos), self.key_of(&pos));
        let (check, evaluation) = (self.heuristics.is_check(&pos), Cell::new(NO_EVALUATION));
        let kinds = [<H as MoveOrdering<P>>::KINDS; 2];
        Frame {
            parent: None,
            pos,
            state,
            evaluation,
            key,
            ply,
            same_turn: true,
            check,
            kinds,
            null: false,
            cut: Cell::new(false),
        }
    }

    /// Returns the remaining depth after a move, extended if the move gives check (check extension), except in
    /// quiescence search.
    #[inline(always)]
    pub(super) fn extended(&self, check: bool, depth: i32) -> i32 {
        if check && depth >= 0 { depth + i32::from(self.worker.tuning.check_extension) } else { depth }
    }

    /// Returns the extension of an only move (single-reply extension).
    #[inline(always)]
    pub(super) fn single_extension(&self, moves: &Picker) -> i32 {
        if moves.is_single() { self.worker.tuning.single_extension.into() } else { 0 }
    }

    /// Whether the table is used for positions with this remaining depth; quiescence search counts as depth 0.
    #[inline(always)]
    pub(super) fn is_tabled(&self, depth: i32) -> bool {
        depth.max(0) >= i32::from(self.worker.tuning.table_depth)
    }
}
