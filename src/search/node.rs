//! The alpha-beta node: principal-variation search (Marsland and Campbell 1982), fail-soft (Fishburn 1983).
//!
//! Values are for the side to move at the node. A child with the same side to move is searched with the same window,
//! any other child with the window negated and swapped: turns need not alternate.
//!
//! Every value carries its [proof](crate::core::Proof). Ends of the game, the bounds of the rules and proven table
//! entries set its bits. A node takes its lower bit from its best move, and its upper bit from all its moves.

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::{Entry, NO_EVALUATION};
use super::picker::{Picker, Ranked, Source, source};
use super::pruning::Skipped;
use super::trace::{Entered, StaticValue};
use super::value::{Value, from_table, to_table};
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, MAX_PLY, Score, WIN};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Heuristics, MoveOrdering, Position, Proof};

/// The least remaining depth, in plies, at which threads avoid positions that other threads are searching.
const ABDADA_DEPTH: i32 = 3;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns the value of the position after a move, for the side that moved.
    #[inline(always)]
    pub(super) fn child(
        &mut self,
        child: &Frame<'_, P, H>,
        alpha: Score,
        beta: Score,
        depth: i32,
    ) -> Result<Value, Aborted> {
        if child.same_turn {
            self.node(child, alpha, beta, depth)
        } else {
            self.node(child, -beta, -alpha, depth).map(Value::reversed)
        }
    }

    /// Searches the position of a frame `depth` plies deep. The value is exact within the window `alpha..beta`, and a
    /// bound outside it.
    fn node(&mut self, frame: &Frame<'_, P, H>, alpha: Score, beta: Score, depth: i32) -> Result<Value, Aborted> {
        let (pos, ply) = (&frame.pos, frame.ply);
        let pv_node = beta - alpha > 1;

        // Step 1. Limits.
        if self.worker.budget.exhausted(self.worker.tally.nodes) {
            return Err(Aborted);
        }
        self.worker.tally.nodes += 1;
        self.worker.pv[ply].clear();
        self.trace_node(frame, alpha, beta, depth);

        // Step 2. Ends of the game by the line that led here: repetition, the clock, or a position that neither side
        // can win.
        let before = || frame.positions().skip(1).chain(self.before.iter().rev());
        if let Some(value) = self.path.end_by_rule(pos, ply, before) {
            return self.trace_value(ply, value, End::Over);
        }

        // Step 3. Bounds by the rules alone: settled points, points still to be won, the earliest possible win.
        let mut known = self.known_of(pos, ply);
        if let Some(value) = Value::settled(known, alpha, beta) {
            return self.trace_value(ply, value, End::Rules);
        }

        // Step 4. The transposition table (Greenblatt et al. 1967; bounds: Slate and Atkin 1977).
        // Proven bounds hold at any depth, like the bounds of the rules. Other entries cut off null windows only: a PV
        // node needs its line.
        let tabled = self.is_tabled(depth);
        let entry = if tabled { self.worker.table.probe(frame.key) } else { None };
        if let Some(entry) = entry {
            let value = self.absolute(pos, &entry, ply);
            known = known.and(value.bounds());
            if let Some(value) = Value::settled(known, alpha, beta) {
                return self.trace_value(ply, value, End::Table);
            }
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value.score >= beta,
                Bound::Upper => value.score <= alpha,
            };
            let is_deep = i32::from(entry.depth) >= depth && is_far_from_clock(pos, depth);
            // An entry made without this path does not know that the next repetition ends the game.
            let returns = || P::CYCLIC && self.path.returns(pos.reach());
            if settles && !pv_node && is_deep && !returns() {
                return self.trace_value(ply, value.within(known), End::Table);
            }
        }

        // Step 5. The horizon.
        if depth <= 0 || ply >= usize::from(MAX_PLY) {
            return self.horizon(frame, [alpha, beta], depth.min(0), known, entry);
        }

        // Step 6. The static evaluation, and guards by it: cut-offs before any move is generated.
        let estimate = self.estimate(frame, entry, known, pv_node);
        if let (Some(value), false) = (estimate.evaluation, pv_node) {
            let mut pruned = self.reverse_futility(estimate, beta, depth);
            if pruned.is_none() {
                pruned = self.null_move(frame, value, beta, depth)?;
            }
            if let Some(value) = pruned {
                return self.trace_value(ply, value.within(known), End::Pruned);
            }
        }

        // Step 7. The moves, ranked, the guard that needs them, and whether the hash move is singular.
        let hash = entry.and_then(|entry| self.heuristics.table_code(pos, entry.code));
        let depth = depth - self.hashless_reduction(hash, depth);
        let mut moves = self.stack.pick(&source!(self, frame), hash);
        let depth = depth + self.single_extension(&moves);
        if !pv_node && let Some((value, code)) = self.enhanced_cutoff(frame, &moves, beta, depth) {
            self.stack.pop(&moves);
            return self.trace_value(ply, value.within(known), End::Enhanced(code));
        }
        let singular = self.singular_extension(frame, (entry, hash), estimate, depth)?;

        // Step 8. The moves in turn: the first with the full window, the others with a null window, and again with the
        // full window if they raise alpha. No value above the upper bound is possible: reaching it ends the node. A
        // thread defers a move whose position another thread is searching (simplified ABDADA: Kerrigan 2017), unless
        // late moves are reduced or skipped: a good move must not become a late one.
        let enough = beta.min(known.upper);
        let (mut best, mut best_code, mut window) = (Value::guess(-INFINITE), None, alpha);
        let (mut upper, mut end) = (Proof::UPPER, End::Moves);
        while let Some(ranked) = self.stack.next(&mut moves, &source!(self, frame)) {
            if !pv_node {
                let skipped = self.skipped(frame, (&ranked, &moves), estimate, (best.score, window), depth);
                if skipped == Skipped::QuietMoves {
                    self.drop_quiet_moves(frame, &mut moves);
                }
                if skipped != Skipped::Nothing {
                    upper = Proof::NONE;
                    continue;
                }
            }
            let child = self.enter(frame, ranked.mv, depth - 1);
            let singular = if hash == Some(ranked.code) { singular } else { 0 };
            let depth = self.extended(child.check, depth - 1).max(depth - 1 + singular) + 1;
            let apart = depth >= ABDADA_DEPTH
                && self.is_tabled(depth - 1)
                && best.score > -INFINITE
                && self.worker.shared.has_helpers()
                && !self.worker.tuning.depends_on_order();
            if apart && self.worker.shared.is_busy(child.key) && self.stack.defer(&mut moves) {
                self.leave();
                continue;
            }
            let mut value = Value::guess(window + 1);
            if best.score > -INFINITE {
                let busy = if apart { self.worker.shared.begin(child.key) } else { None };
                let reduction = self.late_reduction(frame, entry, (&ranked, &moves), estimate, depth);
                child.cut.set(reduction > 0 || pv_node || !frame.cut.get());
                self.worker.trace_move(ranked.code, if reduction > 0 { SearchKind::Reduced } else { SearchKind::Null });
                let mut found = self.child(&child, window, window + 1, depth - 1 - reduction);
                if reduction > 0 && found.as_ref().is_ok_and(|value| value.score > window) {
                    self.worker.trace_move(ranked.code, SearchKind::Null);
                    child.cut.set(pv_node || !frame.cut.get());
                    found = self.child(&child, window, window + 1, depth - 1);
                }
                self.worker.shared.end(busy);
                value = found?;
            }
            if best.score == -INFINITE || (value.score > window && value.score < enough) {
                self.worker.trace_move(ranked.code, SearchKind::Full);
                child.cut.set(!pv_node && !frame.cut.get());
                value = self.child(&child, window, enough, depth - 1)?;
            }
            self.leave();
            upper = upper.and(value.proof);
            if value.score > best.score {
                best = value;
                if value.score > window {
                    window = value.score;
                    best_code = Some(ranked.code);
                    if pv_node {
                        self.worker.update_pv(ply, ranked.code);
                    }
                    if value.score >= enough {
                        // Step 9. Updates killers and history. The moves not searched might be better.
                        (upper, end) = (Proof::NONE, End::Cutoff(ranked.code));
                        self.credit(frame, &ranked, &moves, depth);
                        break;
                    }
                }
            } else if value.score == best.score && !pv_node {
                // In a PV node the proof is that of the move on the principal variation.
                best.proof = best.proof.or(value.proof.and(Proof::LOWER));
            }
        }
        self.stack.pop(&moves);
        if best.score == -INFINITE {
            // No legal move: the game is over.
            self.worker.tally.seldepth = self.worker.tally.seldepth.max(ply);
            let value = Value::exact(score::from_node(pos.outcome().score(), ply as Score));
            return self.trace_value(ply, value, End::Over);
        }

        // Step 10. The proof of the value and of its line.
        if best.score < enough && self.worker.is_shortest(best.score, ply as Score + depth) {
            upper = Proof::UPPER;
        }
        let of_move = best.proof;
        best.proof = best.proof.and(Proof::LOWER).or(upper);
        let shown = best;
        let best = best.within(known);
        if best.score != shown.score || (best.proof.lower() && !shown.proof.lower()) {
            // The value is known from bounds, not from the moves searched: their line does not lead to it.
            self.worker.pv[ply].clear();
        } else if best.proof.exact() && !of_move.exact() {
            // The move is proven to keep the value, but the rest of the line may not be.
            self.worker.pv[ply].truncate(1);
        }

        // Step 11. Stores the entry in the table.
        if tabled {
            self.store(frame, best, [alpha, beta], best_code.or(hash), depth);
        }
        self.trace_value(ply, best, end)
    }

    /// Updates killers and history after a cut-off.
    #[inline]
    fn credit(&mut self, frame: &Frame<'_, P, H>, ranked: &Ranked<P::Move>, moves: &Picker, depth: i32) {
        let (pos, heuristics) = (&frame.pos, self.heuristics);
        let Some(history) = &mut self.worker.history else { return };
        let tried = self.stack.tried(moves).iter();
        if <H as MoveOrdering<P>>::KINDS == 0 {
            return history.cutoff(pos.turn(), frame.ply, depth, ranked.code, tried.map(|ranked| ranked.code));
        }
        if heuristics.is_noisy(pos, ranked.mv) {
            return;
        }
        let tried = tried.filter(|ranked| !heuristics.is_noisy(pos, ranked.mv));
        history.cutoff(pos.turn(), frame.ply, depth, ranked.code, tried.clone().map(|ranked| ranked.code));
        let tried = tried.map(|ranked| heuristics.kind(pos, ranked.mv));
        history.continuation.cutoff(frame.kinds, depth, heuristics.kind(pos, ranked.mv), tried);
    }

    #[inline(always)]
    fn trace_node(&mut self, frame: &Frame<'_, P, H>, alpha: Score, beta: Score, depth: i32) {
        if self.worker.trace.is_some() {
            self.record_node(frame, alpha, beta, depth);
        }
    }

    #[cold]
    fn record_node(&mut self, frame: &Frame<'_, P, H>, alpha: Score, beta: Score, depth: i32) {
        let &Frame { ref pos, ply, .. } = frame;
        if let Some(trace) = &mut self.worker.trace {
            let node = Entered { turn: pos.turn(), ply, depth, window: [alpha, beta] };
            trace.enter(&node, &|| StaticValue::new(self.heuristics, pos, ply));
        }
    }

    /// Returns the final value of a node, and records it if the search is traced.
    #[inline(always)]
    pub(super) fn trace_value(&mut self, ply: usize, value: Value, end: End<u16>) -> Result<Value, Aborted> {
        if self.worker.trace.is_some() {
            self.worker.record_value(ply, value, end);
        }
        Ok(value)
    }

    /// Stores the result of a search of the window `alpha..beta`, `depth` plies deep. If the clock might have run out
    /// in it, only a proven value is stored.
    #[inline(never)]
    pub(super) fn store(
        &self,
        frame: &Frame<'_, P, H>,
        value: Value,
        [alpha, beta]: [Score; 2],
        code: Option<u16>,
        depth: i32,
    ) {
        if value.proof == Proof::NONE && !is_far_from_clock(&frame.pos, depth) {
            return;
        }
        let bound = if value.proof.exact() {
            Bound::Exact
        } else if value.score >= beta {
            Bound::Lower
        } else if value.score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let settled = self.heuristics.settled(&frame.pos);
        let mut evaluation = frame.evaluation.get();
        if evaluation != NO_EVALUATION {
            evaluation -= settled;
        }
        let entry = Entry {
            value: to_table(value.score, settled, frame.ply),
            evaluation,
            proof: value.proof,
            code: self.heuristics.table_code(&frame.pos, code),
            depth: depth.clamp(0, MAX_PLY.into()) as u8,
            bound,
            pv: beta - alpha > 1,
        };
        self.worker.table.store(frame.key, &entry);
    }

    /// Returns the bounds by the rules alone, with win distances from the root.
    #[inline(always)]
    pub(super) fn known_of(&self, pos: &P, ply: usize) -> Bounds {
        let mut known = self.heuristics.static_bounds(pos);
        // Like the proofs of the table, databases do not know that a repetition is near.
        let holds = self.proofs_hold_at(pos, ply);
        if let Some(plies) = pos.clock_free_plies() {
            known = known.within_clock(if holds { plies } else { 0 });
        } else if !holds {
            known = self.heuristics.bounds(pos);
        }
        let ply = ply as Score;
        // No win or loss can come before this ply.
        let soonest = WIN - ply;
        known.from_node(ply).and(Bounds { lower: -soonest, upper: soonest })
    }

    /// Whether proofs made without the path hold at a position `ply` plies below the root: always after an irreversible
    /// move, since no position of the game can come back then.
    #[inline(always)]
    fn proofs_hold_at(&self, pos: &P, ply: usize) -> bool {
        !P::CYCLIC || self.proofs_hold || pos.reach() <= ply
    }

    #[inline]
    pub(super) fn key_of(&self, pos: &P) -> u64 {
        self.heuristics.table_key(pos) ^ self.salt
    }

    /// Returns the value of an entry as the search uses it: with the settled score, win distances from the root. A
    /// proof stored for the game without a clock holds here as far as the clock allows, and only if no position of the
    /// game so far is near its last repetition.
    #[inline]
    pub(super) fn absolute(&self, pos: &P, entry: &Entry, ply: usize) -> Value {
        let score = from_table(entry.value, self.heuristics.settled(pos), ply);
        let holds = self.proofs_hold_at(pos, ply);
        let mut value = Value { score, proof: if holds { entry.proof } else { Proof::NONE } };
        if let Some(clock) = pos.clock() {
            value = value.within_clock(ply, clock.left());
        }
        value
    }
}

/// Whether the clock cannot run out within `depth` plies. If so, the value of a search of that depth does not depend on
/// it.
#[inline(always)]
pub(super) fn is_far_from_clock<P: Position>(pos: &P, depth: i32) -> bool {
    pos.clock().is_none_or(|clock| clock.left() > depth)
}
