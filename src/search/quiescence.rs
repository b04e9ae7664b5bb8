//! The horizon: static evaluation and quiescence search (Shannon 1950; Greenblatt et al. 1967).

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::Entry;
use super::picker::{Source, source};
use super::value::Value;
use super::worker::Aborted;
use crate::core::score::{self, INFINITE, MAX_PLY, Score};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Heuristics, Position, Proof};

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns the value of a position at the horizon, given its known bounds and its table entry: the static
    /// evaluation or the result of quiescence search.
    #[inline(always)]
    pub(super) fn horizon(
        &mut self,
        frame: &Frame<'_, P, H>,
        [alpha, beta]: [Score; 2],
        depth: i32,
        known: Bounds,
        entry: Option<Entry>,
    ) -> Result<Value, Aborted> {
        let (pos, ply) = (&frame.pos, frame.ply);
        self.worker.tally.seldepth = self.worker.tally.seldepth.max(ply);
        if pos.is_over() {
            let value = Value::exact(score::from_node(pos.outcome().score(), ply as Score));
            return self.trace_value(ply, value, End::Over);
        }
        let is_quiet = i32::from(self.worker.tuning.quiescence) + depth <= 0 || ply >= usize::from(MAX_PLY);
        let window = [alpha, beta.min(known.upper)];
        if frame.check && !is_quiet {
            return self.evasions(frame, window, depth, known, entry);
        }
        let stand_pat = Value::guess(self.evaluation(frame, entry)).within(known);
        if is_quiet || stand_pat.score >= beta {
            if entry.is_none() && self.is_tabled(depth) {
                self.store(frame, stand_pat, [alpha, beta], None, depth);
            }
            return self.trace_value(ply, stand_pat, End::Horizon);
        }
        let hash = entry.and_then(|entry| self.heuristics.table_code(pos, entry.code));
        self.quiescence::<false>(frame, stand_pat, window, depth, known, hash)
    }

    /// Searches all moves of a side in check, which cannot stand pat.
    #[inline(never)]
    fn evasions(
        &mut self,
        frame: &Frame<'_, P, H>,
        window: [Score; 2],
        depth: i32,
        known: Bounds,
        entry: Option<Entry>,
    ) -> Result<Value, Aborted> {
        let hash = entry.and_then(|entry| self.heuristics.table_code(&frame.pos, entry.code));
        self.quiescence::<true>(frame, Value::guess(-INFINITE), window, depth, known, hash)
    }

    /// Returns the least gain in the exchange for which a move is searched: 0, since a capture that loses material is
    /// no better than none, or the distance to alpha less a margin (delta pruning).
    #[inline(always)]
    fn needed(&self, stand_pat: Score, alpha: Score) -> Score {
        match self.worker.tuning.delta_margin {
            0 => 0,
            margin => (alpha - stand_pat - margin).clamp(0, score::MAX_EVALUATION),
        }
    }

    /// Searches noisy moves only, with `stand_pat` as the value of making none of them; or, in check, all moves. The
    /// upper bit of the proof is dropped because other moves are omitted, here or after the evasions.
    #[inline(always)]
    fn quiescence<const IN_CHECK: bool>(
        &mut self,
        frame: &Frame<'_, P, H>,
        stand_pat: Value,
        [alpha, beta]: [Score; 2],
        depth: i32,
        known: Bounds,
        hash: Option<u16>,
    ) -> Result<Value, Aborted> {
        let ply = frame.ply;
        let (mut best, mut best_code) = (stand_pat, None);
        let mut end = if IN_CHECK { End::Moves } else { End::Horizon };
        let mut moves = if IN_CHECK {
            self.stack.pick_scored(&source!(self, frame), hash)
        } else {
            self.stack.pick_noisy(&frame.pos, self.heuristics, hash)
        };
        while let Some(ranked) = self.stack.best(&mut moves) {
            if !IN_CHECK {
                let needed = self.needed(stand_pat.score, alpha.max(best.score));
                if !self.heuristics.exchange(&frame.pos, ranked.mv, needed) {
                    continue;
                }
            }
            let child = self.enter(frame, ranked.mv, depth - 1);
            self.worker.trace_move(ranked.code, SearchKind::Quiescence);
            let value = self.child(&child, alpha.max(best.score), beta, depth - 1)?;
            self.leave();
            if value.score > best.score {
                (best, end) = (Value { proof: value.proof.and(Proof::LOWER), ..value }, End::Moves);
                best_code = Some(ranked.code);
                if beta - alpha > 1 && (!IN_CHECK || value.score > alpha) {
                    self.worker.update_pv(ply, ranked.code);
                }
                if value.score >= beta {
                    end = End::Cutoff(ranked.code);
                    break;
                }
            }
        }
        self.stack.pop(&moves);
        if IN_CHECK {
            best = best.within(known);
        }
        if self.is_tabled(depth) {
            self.store(frame, best, [alpha, beta], best_code.or(hash), depth);
        }
        self.trace_value(ply, best, end)
    }
}
