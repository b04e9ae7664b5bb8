//! Guards of the node: cut-offs before any of its moves is searched.

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::Entry;
use super::node::is_far_from_clock;
use super::picker::{Picker, Ranked};
use super::static_evaluation::Estimate;
use super::value::Value;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::tree::{NULL_MOVE, SearchKind};
use crate::core::{Heuristics, MoveOrdering, Position, Proof, Score, Tuning, score};
use std::{iter, mem};

/// The least reduction of the search after a null move, plies.
const NULL_REDUCTION: i32 = 3;

/// The lead of the static evaluation over beta, centi-units, that reduces the search after a null move by a further
/// ply.
const NULL_STEP: Score = 200;

/// The maximum of this further reduction, plies.
const NULL_MOST: i32 = 3;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Reverse futility pruning (static null move): returns the static evaluation, if it is above `beta` by a margin
    /// that grows with the depth. An improving evaluation needs the margin of a ply less.
    #[inline(always)]
    pub(super) fn reverse_futility(&self, estimate: Estimate, beta: Score, depth: i32) -> Option<Value> {
        let Tuning { reverse_futility, reverse_futility_margin, .. } = self.worker.tuning;
        let evaluation = estimate.evaluation?;
        let depth = depth - i32::from(estimate.improving);
        let prunes = depth <= reverse_futility.into()
            && !score::is_decisive(beta)
            && evaluation - reverse_futility_margin * depth >= beta;
        prunes.then_some(Value::guess(evaluation))
    }

    /// Null-move pruning (Beal 1989; Donninger 1993): returns a value of at least `beta`, if the position is that good
    /// even when the opponent moves next. The search is shallower the better the static evaluation.
    #[inline(always)]
    pub(super) fn null_move(
        &mut self,
        frame: &Frame<'_, P, H>,
        evaluation: Score,
        beta: Score,
        depth: i32,
    ) -> Result<Option<Value>, Aborted> {
        let Some(least) = self.worker.tuning.null_move else { return Ok(None) };
        if depth < least.into() || frame.null || evaluation < beta || score::is_decisive(beta) {
            return Ok(None);
        }
        let Some(pos) = self.heuristics.null_move(&frame.pos) else { return Ok(None) };
        let reduction = NULL_REDUCTION + depth / 4 + ((evaluation - beta) / NULL_STEP).min(NULL_MOST);
        let child = self.enter_null(frame, pos);
        self.worker.trace_move(NULL_MOVE, SearchKind::Null);
        let value = self.child(&child, beta - 1, beta, depth - 1 - reduction)?;
        self.leave();
        // A win found after a null move does not prove a win.
        let score = if score::is_decisive(value.score) { beta } else { value.score };
        Ok((value.score >= beta).then_some(Value::guess(score)))
    }

    /// Enhanced transposition cut-offs (Plaat et al. 1996): returns a value of at least `beta` by a move to a position
    /// with a sufficient table entry, and the code of that move.
    #[inline(always)]
    pub(super) fn enhanced_cutoff(
        &mut self,
        frame: &Frame<'_, P, H>,
        moves: &Picker,
        beta: Score,
        depth: i32,
    ) -> Option<(Value, u16)> {
        // With staged generation the moves do not exist yet.
        if <H as MoveOrdering<P>>::STAGED || depth < self.worker.tuning.enhanced_cutoffs?.into() {
            return None;
        }
        let moves = self.stack.all(moves);
        // All entries are prefetched before the first is read.
        let mut keys = mem::take(&mut self.keys);
        keys.clear();
        for ranked in moves {
            let key = self.key_of(&frame.pos.after(ranked.mv));
            self.worker.table.prefetch(key);
            keys.push(key);
        }
        let found = iter::zip(moves, &keys).find_map(|(&Ranked { mv, code, .. }, &key)| {
            let entry = self.worker.table.probe(key)?;
            let value = self.refutation(frame, &frame.pos.after(mv), &entry, beta, depth - 1)?;
            Some((value, code))
        });
        self.keys = keys;
        found
    }

    /// Returns the value of a move if the entry of the position after it suffices for a cut-off at `beta`.
    #[inline]
    fn refutation(&self, frame: &Frame<'_, P, H>, child: &P, entry: &Entry, beta: Score, depth: i32) -> Option<Value> {
        // A table entry does not hold if the line of play ends the game by repetition.
        if P::CYCLIC && self.path.contains(child.key()) {
            return None;
        }
        let mut value = self.absolute(child, entry, frame.ply + 1);
        let mut at_least = entry.bound != Bound::Upper;
        if child.turn() != frame.pos.turn() {
            value = value.reversed();
            at_least = entry.bound != Bound::Lower;
        }
        let is_deep = i32::from(entry.depth) >= depth && is_far_from_clock(child, depth);
        let refutes = value.score >= beta && (value.proof.lower() || (at_least && is_deep));
        refutes.then_some(Value { proof: value.proof.and(Proof::LOWER), ..value })
    }
}
