//! Guards of the node: cut-offs before any of its moves is searched.

use super::alpha_beta::AlphaBeta;
use super::entry::Entry;
use super::frame::Frame;
use super::node::is_far_from_clock;
use super::picker::{Picker, Ranked};
use super::value::Value;
use crate::core::report::Bound;
use crate::core::{Heuristics, MoveOrdering, Position, Proof, Score};
use std::{iter, mem};

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
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
        if <H as MoveOrdering<P>>::STAGED || depth < i32::from(self.worker.tuning.enhanced_cutoffs) {
            return None;
        }
        let moves = self.stack.all(moves);
        // All entries are prefetched before the first is read.
        let mut keys = mem::take(&mut self.keys);
        keys.clear();
        keys.extend(moves.iter().map(|ranked| {
            let key = self.key_of(&frame.pos.after(ranked.mv));
            self.worker.table.prefetch(key);
            key
        }));
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
        // A table entry does not hold where the line of play ends the game by repetition.
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
