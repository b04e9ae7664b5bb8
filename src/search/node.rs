//! The alpha-beta node: principal-variation search (Marsland and Campbell 1982), fail-soft (Fishburn 1983).
//!
//! Values are for the side to move at the node. A child with the same side to move is searched with the
//! window as it is, any other with the window negated and flipped: turns need not alternate.

use super::searcher::{Aborted, Searcher};
use super::table::{COMPLETE, Entry};
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, MAX_PLY, Score};
use crate::core::{Bounds, Heuristics, Position};

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// The value of a child for the side to move at its parent. `key` is the child's, if `depth` is above 0.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the window, the depth and the ply of a node are its coordinates")]
    pub(super) fn child(
        &mut self,
        child: &P,
        key: u64,
        same: bool,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Aborted> {
        if same {
            self.node(child, key, alpha, beta, depth, ply)
        } else {
            self.node(child, key, -beta, -alpha, depth, ply).map(|value| -value)
        }
    }

    /// The value of `pos`, `ply` plies below the root, searched `depth` plies deep: exact within the window
    /// `alpha..beta`, a bound outside it.
    fn node(&mut self, pos: &P, key: u64, alpha: Score, beta: Score, depth: i32, ply: usize) -> Result<Score, Aborted> {
        // Step 1. Limits.
        if self.budget.exhausted(self.tally.nodes) {
            return Err(Aborted);
        }
        self.tally.nodes += 1;
        let pv_node = beta - alpha > 1;
        self.pv[ply].clear();

        // Step 2. Bounds by the rules alone: what a side owns already, what is left to win.
        let mut bounds = self.bounds(pos, ply);
        if bounds.lower >= beta {
            return Ok(bounds.lower);
        }
        if bounds.upper <= alpha {
            return Ok(bounds.upper);
        }

        // Step 3. The horizon.
        if depth <= 0 || ply >= usize::from(MAX_PLY) {
            if !self.stack.any(pos) {
                return Ok(score::from_node(pos.outcome().score(), ply as Score));
            }
            self.tally.judged += 1;
            return Ok(bounds.hold(self.heuristics.evaluate(pos)));
        }

        // Step 4. The transposition table (Greenblatt et al. 1967; bounds: Slate and Atkin 1977).
        // A complete entry is knowledge like the bounds of the rules. Others settle null windows only: of the
        // principal variation the line is wanted.
        let entry = self.table.probe(key);
        if let Some(entry) = entry
            && (entry.depth == COMPLETE || (!pv_node && i32::from(entry.depth) >= depth))
        {
            let value = self.absolute(pos, entry.value, ply);
            let (least, most) = match entry.bound {
                Bound::Exact => (value, value),
                Bound::Lower => (value, INFINITE),
                Bound::Upper => (-INFINITE, value),
            };
            if least >= beta || most <= alpha || entry.bound == Bound::Exact {
                self.tally.judged += u64::from(entry.depth != COMPLETE);
                return Ok(value);
            }
            if entry.depth == COMPLETE {
                bounds = Bounds { lower: bounds.lower.max(least), upper: bounds.upper.min(most) };
            }
        }

        // Step 5. The moves, ranked; without any the game is over.
        let hash = entry.and_then(|entry| entry.code);
        let mut moves = self.stack.push(pos, &self.heuristics, &self.history, hash, ply);
        if moves.is_empty() {
            return Ok(score::from_node(pos.outcome().score(), ply as Score));
        }

        // Step 6. Enhanced transposition cut-offs (Plaat et al. 1996): perhaps a child is known to refute.
        if !pv_node && depth >= i32::from(self.tuning.enhanced_cutoffs) {
            for index in 0..self.stack.all(&moves).len() {
                let mv = self.stack.all(&moves)[index].mv;
                let child = pos.after(mv);
                if let Some(value) = self.refutation(pos, &child, beta, depth - 1, ply + 1) {
                    self.stack.pop(&moves);
                    return Ok(value);
                }
            }
        }

        // Step 7. The moves in turn: the first with the whole window, the others with a null window and once
        // more if they prove better. No value above the upper bound is possible: reaching it ends the node.
        let judged = self.tally.judged;
        let enough = beta.min(bounds.upper);
        let (mut best, mut best_code, mut window) = (-INFINITE, None, alpha);
        while let Some(ranked) = self.stack.next(&mut moves) {
            let child = pos.after(ranked.mv);
            // A child at the horizon asks the table nothing.
            let child_key = if depth > 1 { self.key(&child) } else { 0 };
            if depth > 1 {
                self.table.prefetch(child_key);
            }
            let same = child.turn() == pos.turn();
            let mut value = window + 1;
            if best > -INFINITE {
                value = self.child(&child, child_key, same, window, window + 1, depth - 1, ply + 1)?;
            }
            if best == -INFINITE || (value > window && value < enough) {
                value = self.child(&child, child_key, same, window, enough, depth - 1, ply + 1)?;
            }
            if value > best {
                best = value;
                if value > window {
                    window = value;
                    best_code = Some(ranked.code);
                    if pv_node {
                        self.pv[ply] = self.line(ranked.mv, ply + 1);
                    }
                    if value >= enough {
                        // Step 8. What a cut-off teaches the ordering.
                        let tried = self.stack.tried(&moves).iter().map(|ranked| ranked.code);
                        self.history.cutoff(pos.turn(), ply, depth, ranked.code, tried);
                        break;
                    }
                }
            }
        }
        self.stack.pop(&moves);

        // Step 9. Into the table. A subtree that met no horizon is complete and counts at any depth.
        let best = bounds.hold(best);
        let bound = if best >= beta {
            Bound::Lower
        } else if best <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let depth = if self.tally.judged == judged { COMPLETE } else { depth.clamp(0, i32::from(COMPLETE) - 1) as u8 };
        let value = self.relative(pos, best, ply);
        let code = best_code.or(hash);
        self.table.store(key, &Entry { value, code, depth, bound });
        Ok(best)
    }

    /// A value at least `beta` that the table holds for the parent by this child, if it does.
    #[inline]
    fn refutation(&mut self, parent: &P, child: &P, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        let entry = self.table.probe(self.key(child))?;
        if i32::from(entry.depth) < depth {
            return None;
        }
        let value = self.absolute(child, entry.value, ply);
        let (value, fails) = if child.turn() == parent.turn() {
            (value, entry.bound != Bound::Upper)
        } else {
            (-value, entry.bound != Bound::Lower)
        };
        if !fails || value < beta {
            return None;
        }
        self.tally.judged += u64::from(entry.depth != COMPLETE);
        Some(value)
    }

    /// The value of the root before anything is searched.
    pub(super) fn guess(&self, root: &P) -> Score {
        self.heuristics.bounds(root).hold(self.heuristics.evaluate(root))
    }

    /// The key under which the shared table knows a position.
    #[inline]
    pub(super) fn key(&self, pos: &P) -> u64 {
        pos.key() ^ self.salt
    }

    /// A move with the line that follows it.
    pub(super) fn line(&self, mv: P::Move, next: usize) -> Vec<P::Move> {
        let mut line = vec![mv];
        line.extend_from_slice(&self.pv[next]);
        line
    }

    /// Lengthens a line that knowledge has cut short: as long as a move is known to keep `score`, the line's value at
    /// the root, because it ends the game or because the table holds the whole subtree.
    pub(super) fn extend(&mut self, root: &P, score: Score, line: &mut Vec<P::Move>) {
        let mut pos = line.iter().fold(root.clone(), |pos, &mv| pos.after(mv));
        let mut moves = Vec::new();
        while line.len() < usize::from(MAX_PLY) {
            let value = if pos.turn() == root.turn() { score } else { -score };
            let ply = line.len() + 1;
            moves.clear();
            pos.moves(&mut moves);
            let keeps = |mv: &&P::Move| {
                let child = pos.after(**mv);
                if self.stack.any(&child) {
                    return self.refutation(&pos, &child, value, COMPLETE.into(), ply).is_some();
                }
                let end = score::from_node(child.outcome().score(), ply as Score);
                value == if child.turn() == pos.turn() { end } else { -end }
            };
            let Some(&mv) = moves.iter().find(keeps) else { break };
            line.push(mv);
            pos = pos.after(mv);
        }
    }

    /// The game's bounds, win distances counted from the root.
    #[inline]
    pub(super) fn bounds(&self, pos: &P, ply: usize) -> Bounds {
        let Bounds { lower, upper } = self.heuristics.bounds(pos);
        Bounds { lower: score::from_node(lower, ply as Score), upper: score::from_node(upper, ply as Score) }
    }

    /// A value of the table as the search needs it: with what is banked, win distances from the root.
    #[inline]
    fn absolute(&self, pos: &P, value: Score, ply: usize) -> Score {
        if score::is_distance(value) {
            score::from_node(value, ply as Score)
        } else {
            value + self.heuristics.banked(pos)
        }
    }

    /// The inverse of [`absolute`](Self::absolute).
    #[inline]
    fn relative(&self, pos: &P, value: Score, ply: usize) -> Score {
        if score::is_distance(value) {
            score::to_node(value, ply as Score)
        } else {
            value - self.heuristics.banked(pos)
        }
    }
}
