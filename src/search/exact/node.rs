//! The node of exact search: is the value above `alpha`? Alpha-beta with a null window, fail-soft, without a horizon.
//!
//! Scores are for the side to move, with win distances from the root. Every returned score is a bound of the game's
//! value: a lower bound if above `alpha`, otherwise an upper bound. No line is longer than [`MAX_LINE`] plies, for
//! which [`STACK`](crate::search::STACK) is large enough.

use super::prover::{Child, Prover, SmallSolverTable, settled};
use crate::core::score::{INFINITE, Score};
use crate::core::solution::{MAX_LINE, Unsolvable};
use crate::core::{Bounds, Clock, Heuristics, Position};
use crate::search::picker::{DEFERRED, HASH_RANK};
use crate::search::worker::Aborted;
use std::sync::atomic::Ordering;

/// The first ply at which threads no longer avoid positions that other threads are searching.
const ABDADA_PLY: usize = 24;

impl<P: Position, H: Heuristics<P>> Prover<'_, P, H> {
    /// Returns a bound of the value of `pos`, `ply` plies below the root, that decides whether it is above `alpha`.
    /// `known` are the bounds by the rules, which do not decide it.
    fn node(&mut self, pos: &P, key: u64, known: Bounds, alpha: Score, ply: usize) -> Result<Score, Aborted> {
        // Step 1. Limits, and whether another thread has answered the question.
        if self.budget.exhausted(self.nodes) || self.is_over.load(Ordering::Relaxed) {
            return Err(Aborted);
        }
        if ply >= MAX_LINE {
            self.shared.refuse(Unsolvable::TooLong);
            return Err(Aborted);
        }
        let before = self.nodes;
        self.nodes += 1;
        let mut table = SmallSolverTable { table: self.table, salt: self.salt, nodes: &mut self.nodes };
        if let Some(bound) = self.heuristics.solve_small(pos, alpha, &mut table) {
            return Ok(known.hold(bound));
        }

        // Step 2. The transposition table. If the children are not looked up, it is probed after their generation: the
        // prefetch runs meanwhile, and often the children decide the question.
        let (first, lookups) = (self.children.len(), self.heuristics.looks_up_children(pos));
        let (mut known, mut hash) = (known, None);
        if lookups {
            (known, hash) = self.probe(pos, key, known, ply);
            if let Some(bound) = settled(known, alpha) {
                return Ok(bound);
            }
        }

        // Step 3. The children and their bounds by the rules: one may cause a cut-off, others be ruled out.
        self.scratch.clear();
        self.heuristics.candidates(pos, &mut self.scratch);
        if self.scratch.is_empty() {
            return Ok(known.lower);
        }
        if !lookups && self.scratch.len() > 1 && self.heuristics.use_table(pos) {
            self.table.prefetch(key);
        }
        let mut best = -INFINITE;
        for index in 0..self.scratch.len() {
            if self.budget.exhausted_between_moves() {
                return Err(Aborted);
            }
            let mv = self.scratch[index];
            let mut child = self.forced_child(pos, mv, alpha, ply);
            let ours = child.ours();
            if ours.lower > alpha {
                self.children.truncate(first);
                return Ok(ours.lower.min(known.upper));
            }
            if ours.upper <= alpha {
                best = best.max(ours.upper);
                continue;
            }
            // If the children are looked up, all their entries are prefetched before the first is read.
            if lookups {
                child.key = self.key(&child.pos);
                self.table.prefetch(child.key);
            }
            if hash == Some(child.code) {
                child.rank = HASH_RANK;
            }
            self.children.push(child);
        }

        // Positions decided by the rules, or with an only move, need no table entry. An only move is searched here.
        if !lookups {
            if self.children.len() == first {
                return Ok(best.max(known.lower));
            }
            if self.children.len() == first + 1
                && let Some(child) = self.children.pop()
            {
                let bound = self.child(&Child { key: self.key(&child.pos), ..child }, alpha)?;
                return Ok(if bound > alpha { bound.min(known.upper) } else { best.max(bound).max(known.lower) });
            }
            (known, hash) = self.probe(pos, key, known, ply);
            if let Some(bound) = settled(known, alpha) {
                self.children.truncate(first);
                return Ok(bound);
            }
            if let Some(child) = self.children[first..].iter_mut().find(|child| hash == Some(child.code)) {
                child.rank = HASH_RANK;
            }
        }

        // Step 4. The children's table entries (enhanced transposition cut-offs: Plaat et al. 1996).
        if lookups {
            let mut index = first;
            while index < self.children.len() {
                let child = &self.children[index];
                let Some(entry) = self.entry(&child.pos, child.key) else {
                    index += 1;
                    continue;
                };
                let known_child = child.known.and(self.absolute(&child.pos, &entry, child.ply));
                let ours = child.limits.hold_both(known_child.seen(child.same));
                if ours.lower > alpha {
                    let code = child.code;
                    self.children.truncate(first);
                    let bound = ours.lower.min(known.upper);
                    self.keep(pos, key, Bounds { lower: bound, ..known }, Some(code), before, ply);
                    return Ok(bound);
                }
                if ours.upper <= alpha {
                    best = best.max(ours.upper);
                    self.children.remove(index);
                } else {
                    self.children[index].known = known_child;
                    index += 1;
                }
            }
        }

        // Step 5. The remaining children in turn. A thread defers a child that another thread is searching (simplified
        // ABDADA: Kerrigan 2017).
        let apart = ply < ABDADA_PLY && self.shared.search.has_helpers();
        let (mut next, mut ranked) = (first, false);
        while next < self.children.len() {
            // Children are ranked only if needed: not an only child, nor while the hash move may suffice.
            if next == first && self.children[first..].iter().any(|child| child.rank == HASH_RANK) {
                self.bring_best(next);
            } else if next + 1 < self.children.len() {
                if !ranked {
                    self.rank(pos, next, ply);
                    ranked = true;
                }
                self.bring_best(next);
            }
            let mut child = self.children[next].clone();
            if !lookups {
                child.key = self.key(&child.pos);
            }
            if apart && next > first && self.shared.search.is_busy(child.key) && self.defer(next) {
                continue;
            }
            next += 1;
            let busy = if apart { self.shared.search.begin(child.key) } else { None };
            let found = self.child(&child, alpha);
            self.shared.search.end(busy);
            let (bound, code) = (found?, child.code);
            if bound > alpha {
                self.children.truncate(first);
                let bound = bound.min(known.upper);
                self.keep(pos, key, Bounds { lower: bound, ..known }, Some(code), before, ply);
                return Ok(bound);
            }
            best = best.max(bound);
        }
        self.children.truncate(first);
        let bound = best.max(known.lower);
        self.keep(pos, key, Bounds { upper: bound, ..known }, hash, before, ply);
        Ok(bound)
    }

    /// Searches a position for the side to move at an earlier one; `same` if it is that side's turn.
    #[inline]
    pub(super) fn for_side(
        &mut self,
        pos: &P,
        key: u64,
        facts: Bounds,
        same: bool,
        alpha: Score,
        ply: usize,
    ) -> Result<Score, Aborted> {
        if same {
            self.node_on_path(pos, key, facts, alpha, ply)
        } else {
            self.node_on_path(pos, key, facts, -alpha - 1, ply).map(|bound| -bound)
        }
    }

    /// Searches a child for the side to move at its parent.
    #[inline]
    fn child(&mut self, child: &Child<P>, alpha: Score) -> Result<Score, Aborted> {
        let &Child { ref pos, key, known, same, ply, limits, .. } = child;
        self.for_side(pos, key, known, same, alpha, ply).map(|bound| limits.hold(bound))
    }

    /// Searches a [node](Self::node). The [clock](Position::clock) must not have run out, and in a
    /// [cyclic](Position::CYCLIC) game the position must not be on the path already, so that all stored bounds come
    /// from lines that neither ends.
    #[inline]
    pub(super) fn node_on_path(
        &mut self,
        pos: &P,
        key: u64,
        known: Bounds,
        alpha: Score,
        ply: usize,
    ) -> Result<Score, Aborted> {
        if pos.clock().is_some_and(Clock::is_out) {
            self.shared.refuse(Unsolvable::Clock);
            return Err(Aborted);
        }
        if !P::CYCLIC {
            return self.node(pos, key, known, alpha, ply);
        }
        let plain = pos.key();
        if self.path.contains(&plain) {
            self.shared.refuse(Unsolvable::Repetition);
            return Err(Aborted);
        }
        self.path.push(plain);
        let found = self.node(pos, key, known, alpha, ply);
        self.path.pop();
        found
    }

    /// Makes a move and the moves that it forces, while their bounds leave the question open.
    #[inline]
    fn forced_child(&self, pos: &P, mv: P::Move, alpha: Score, ply: usize) -> Child<P> {
        let after = pos.after(mv);
        let same = after.turn() == pos.turn();
        let (known, limits) = (self.facts_for(&after, same, !same, alpha, ply + 1), Bounds::NONE);
        let mut child =
            Child { pos: after, key: 0, known, rank: 0, mv, code: pos.code(mv), same, ply: ply + 1, limits };
        while settled(child.ours(), alpha).is_none()
            && let Some(forced) = self.heuristics.forced_move(&child.pos)
        {
            let next = child.pos.after(forced);
            child.limits = child.ours();
            child.same = next.turn() == pos.turn();
            child.ply += 1;
            child.known = self.facts_for(&next, child.same, true, alpha, child.ply);
            child.pos = next;
        }
        child
    }

    /// Ranks the children from `next` on by the game's order alone. The history heuristic would rank the moves of a
    /// position differently at different times, and fewer lines would transpose.
    #[inline]
    fn rank(&mut self, pos: &P, next: usize, ply: usize) {
        for child in &mut self.children[next..] {
            let before = (child.ply > ply + 1).then(|| pos.after(child.mv));
            child.rank = self.heuristics.child_score(pos, child.mv, before.as_ref().unwrap_or(&child.pos));
        }
    }

    /// Brings the child of the highest rank from `next` on to that place.
    #[inline]
    fn bring_best(&mut self, next: usize) {
        let rest = &self.children[next..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].rank > rest[best].rank {
                best = index;
            }
        }
        self.children.swap(next, next + best);
    }

    /// Puts a child after all others. Returns false if it was deferred before or is the last.
    fn defer(&mut self, index: usize) -> bool {
        let last = index + 1 == self.children.len();
        let child = &mut self.children[index];
        let deferred = child.rank != DEFERRED && !last;
        child.rank = DEFERRED;
        deferred
    }
}
