//! The alpha-beta node: principal-variation search (Marsland and Campbell 1982), fail-soft (Fishburn 1983).
//!
//! Values are for the side to move at the node. A child with the same side to move is searched with the
//! window as it is, any other with the window negated and flipped: turns need not alternate.
//!
//! Every value carries its [proof](crate::core::Proof): ends, the bounds of the rules and proven table entries set its
//! bits, and the lower bit of a node is that of the move that gives its value, the upper one that of all its moves.

use super::entry::{Entry, effort};
use super::trace::{Asked, Judged, Trace};
use super::value::{Value, from_table, to_table};
use super::worker::{Aborted, Worker};
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, MAX_PLY, Score, WIN};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Heuristics, Position, Proof};

/// So many moves are never late.
const EARLY: usize = 3;

/// From this remaining depth on, plies, threads keep apart.
const APART: i32 = 3;

impl<P: Position, H: Heuristics<P>, T: Trace<P::Move>> Worker<'_, P, H, T> {
    /// The value of a child for the side to move at its parent. `key` is the child's, if the table is
    /// asked at that depth.
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
    ) -> Result<Value, Aborted> {
        if same {
            self.node(child, key, alpha, beta, depth, ply)
        } else {
            self.node(child, key, -beta, -alpha, depth, ply).map(Value::reversed)
        }
    }

    /// The value of `pos`, `ply` plies below the root, searched `depth` plies deep: exact within the window
    /// `alpha..beta`, a bound outside it.
    fn node(&mut self, pos: &P, key: u64, alpha: Score, beta: Score, depth: i32, ply: usize) -> Result<Value, Aborted> {
        // Step 1. Limits.
        if self.budget.exhausted(self.tally.nodes) {
            return Err(Aborted);
        }
        let nodes = self.tally.nodes;
        self.tally.nodes += 1;
        let pv_node = beta - alpha > 1;
        self.pv[ply].clear();
        let asked = Asked { turn: pos.turn(), ply, depth, window: [alpha, beta] };
        self.trace.enter(&asked, &|| judged(self.heuristics, pos, ply));

        // Step 2. Bounds by the rules alone: what a side owns already, what is left to win, how soon a win can come.
        let mut known = self.known(pos, ply);
        if let Some(value) = Value::settled(known, alpha, beta) {
            return self.leave(&asked, value, End::Rules);
        }

        // Step 3. The horizon.
        if depth <= 0 || ply >= usize::from(MAX_PLY) {
            self.tally.seldepth = self.tally.seldepth.max(ply);
            if pos.is_over() {
                let value = Value::exact(score::from_node(pos.outcome().score(), ply as Score));
                return self.leave(&asked, value, End::Over);
            }
            let stand = Value::guess(self.heuristics.evaluate(pos)).within(known);
            let quiet = i32::from(self.tuning.quiescence) + depth <= 0 || ply >= usize::from(MAX_PLY);
            if quiet || stand.score >= beta {
                return self.leave(&asked, stand, End::Horizon);
            }
            return self.quiescence(pos, stand, &asked, beta.min(known.upper));
        }

        // Step 4. The transposition table (Greenblatt et al. 1967; bounds: Slate and Atkin 1977).
        // What is proven counts at any depth, like the bounds of the rules. The rest settles null windows only: of
        // the principal variation the line is wanted, unless it leads to what was learnt (Samuel 1959).
        let shallowest = i32::from(self.tuning.table_depth);
        let tabled = depth >= shallowest;
        let entry = if tabled { self.table.probe(key) } else { None };
        if let Some(entry) = entry {
            let value = self.absolute(pos, &entry, ply);
            known = proven(known, value);
            if let Some(value) = Value::settled(known, alpha, beta) {
                return self.leave(&asked, value, End::Table);
            }
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value.score >= beta,
                Bound::Upper => value.score <= alpha,
            };
            if settles && (!pv_node || entry.learnt) && i32::from(entry.depth) >= depth {
                return self.leave(&asked, value.within(known), End::Table);
            }
        }

        // Step 5. The moves, ranked; without any the game is over. Without a hash move a ply less will do, and leaves one
        // for the next time (internal iterative reduction: Schröder 2020).
        let hash = entry.and_then(|entry| self.heuristics.table_code(pos, entry.code));
        let depth = depth - i32::from(hash.is_none() && depth >= i32::from(self.tuning.hashless_reduction));
        let mut moves = self.stack.push(pos, self.heuristics, self.history.as_ref(), hash, ply);
        if moves.is_empty() {
            self.tally.seldepth = self.tally.seldepth.max(ply);
            let value = Value::exact(score::from_node(pos.outcome().score(), ply as Score));
            return self.leave(&asked, value, End::Over);
        }

        // Step 6. Enhanced transposition cut-offs (Plaat et al. 1996): perhaps a child is known to refute.
        if !pv_node && depth >= i32::from(self.tuning.enhanced_cutoffs) {
            // All lines of the table are on their way before the first is read.
            for index in 0..self.stack.all(&moves).len() {
                let key = self.key(&pos.after(self.stack.all(&moves)[index].mv));
                self.table.prefetch(key);
            }
            for index in 0..self.stack.all(&moves).len() {
                let mv = self.stack.all(&moves)[index].mv;
                let child = pos.after(mv);
                if let Some(value) = self.refutation(pos, &child, beta, depth - 1, ply + 1) {
                    self.stack.pop(&moves);
                    return self.leave(&asked, value.within(known), End::Enhanced(mv));
                }
            }
        }

        // Step 7. The moves in turn: the first with the whole window, the others with a null window and once
        // more if they prove better. No value above the upper bound is possible: reaching it ends the node.
        // Several threads put off what another one is at (simplified ABDADA: Kerrigan 2017).
        let enough = beta.min(known.upper);
        let (mut best, mut best_code, mut window) = (Value::guess(-INFINITE), None, alpha);
        let (mut upper, mut end) = (Proof::UPPER, End::Moves);
        while let Some(ranked) = self.stack.next(&mut moves) {
            let child = pos.after(ranked.mv);
            let child_tabled = depth > shallowest;
            let child_key = if child_tabled { self.key(&child) } else { 0 };
            if child_tabled {
                self.table.prefetch(child_key);
            }
            let apart = child_tabled && depth >= APART && best.score > -INFINITE && self.crew.is_several();
            if apart && self.crew.is_busy(child_key) && self.stack.defer(&mut moves) {
                continue;
            }
            let same = child.turn() == pos.turn();
            let mut value = Value::guess(window + 1);
            if best.score > -INFINITE {
                let busy = if apart { self.crew.begin(child_key) } else { None };
                // Late moves that force nothing are searched less deep at first (Heinz 1999), if the game wants it.
                let late = depth >= i32::from(self.tuning.late_reduction) && self.stack.tried(&moves).len() >= EARLY;
                let less = i32::from(late && !self.heuristics.is_exempt(pos, ranked.mv));
                self.trace.next(ranked.mv, if less > 0 { SearchKind::Reduced } else { SearchKind::Null });
                let mut found = self.child(&child, child_key, same, window, window + 1, depth - 1 - less, ply + 1);
                if less > 0 && found.as_ref().is_ok_and(|value| value.score > window) {
                    self.trace.next(ranked.mv, SearchKind::Null);
                    found = self.child(&child, child_key, same, window, window + 1, depth - 1, ply + 1);
                }
                self.crew.end(busy);
                value = found?;
            }
            if best.score == -INFINITE || (value.score > window && value.score < enough) {
                self.trace.next(ranked.mv, SearchKind::Full);
                value = self.child(&child, child_key, same, window, enough, depth - 1, ply + 1)?;
            }
            upper = upper.and(value.proof);
            if value.score > best.score {
                best = value;
                if value.score > window {
                    window = value.score;
                    best_code = Some(ranked.code);
                    if pv_node {
                        self.pv[ply] = self.line(ranked.mv, ply + 1);
                    }
                    if value.score >= enough {
                        // Step 8. What a cut-off teaches the ordering. The moves not searched might be better.
                        (upper, end) = (Proof::NONE, End::Cutoff(ranked.mv));
                        if let Some(history) = &mut self.history {
                            let tried = self.stack.tried(&moves).iter().map(|ranked| ranked.code);
                            history.cutoff(pos.turn(), ply, depth, ranked.code, tried);
                        }
                        break;
                    }
                }
            } else if value.score == best.score && !pv_node {
                // In the principal variation the proof is that of its own move.
                best.proof = best.proof.or(value.proof.and(Proof::LOWER));
            }
        }
        self.stack.pop(&moves);

        if best.score < enough && self.is_shortest(best.score, ply as Score + depth) {
            upper = Proof::UPPER;
        }
        let of_move = best.proof;
        best.proof = best.proof.and(Proof::LOWER).or(upper);
        let shown = best;
        let best = best.within(known);
        if best.score != shown.score || (best.proof.lower() && !shown.proof.lower()) {
            // Known, but not by the moves searched: their line leads elsewhere.
            self.pv[ply].clear();
        } else if best.proof.exact() && !of_move.exact() {
            // The move keeps the value, but perhaps not the answers to it.
            self.pv[ply].truncate(1);
        }

        // Step 9. Into the table.
        let bound = if best.proof.exact() {
            Bound::Exact
        } else if best.score >= beta {
            Bound::Lower
        } else if best.score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if tabled {
            self.keep(pos, key, best, bound, best_code.or(hash), (depth, ply), nodes);
        }
        self.leave(&asked, best, end)
    }

    /// Quiescence search (Shannon 1950; Greenblatt et al. 1967): forcing moves only, or none at all, which is worth
    /// `stand`. The upper bit is lost: other moves are left out.
    fn quiescence(&mut self, pos: &P, stand: Value, asked: &Asked, beta: Score) -> Result<Value, Aborted> {
        let &Asked { ply, depth, window: [alpha, _], .. } = asked;
        let (mut best, mut end) = (stand, End::Horizon);
        let mut moves = self.stack.push_forcing(pos, self.heuristics);
        while let Some(ranked) = self.stack.next(&mut moves) {
            let child = pos.after(ranked.mv);
            let same = child.turn() == pos.turn();
            self.trace.next(ranked.mv, SearchKind::Quiescence);
            let value = self.child(&child, 0, same, alpha.max(best.score), beta, depth - 1, ply + 1)?;
            if value.score > best.score {
                (best, end) = (Value { proof: value.proof.and(Proof::LOWER), ..value }, End::Moves);
                if beta - alpha > 1 {
                    self.pv[ply] = self.line(ranked.mv, ply + 1);
                }
                if value.score >= beta {
                    end = End::Cutoff(ranked.mv);
                    break;
                }
            }
        }
        self.stack.pop(&moves);
        self.leave(asked, best, end)
    }

    /// The value of a node, told to who watches.
    #[inline(always)]
    fn leave(&mut self, asked: &Asked, value: Value, end: End<P::Move>) -> Result<Value, Aborted> {
        self.trace.leave(asked, value, end);
        Ok(value)
    }

    /// Stores what was found of a position, with so many plies to go from so far below the root, since this many
    /// nodes had been entered.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "an entry is what it is")]
    pub(super) fn keep(
        &self,
        pos: &P,
        key: u64,
        value: Value,
        bound: Bound,
        code: Option<u16>,
        (depth, ply): (i32, usize),
        nodes: u64,
    ) {
        let entry = Entry {
            value: to_table(value.score, self.heuristics.settled(pos), ply),
            proof: value.proof,
            code: self.heuristics.table_code(pos, code),
            depth: depth.min(i32::from(MAX_PLY)) as u8,
            bound,
            effort: effort(self.tally.nodes - nodes),
            learnt: false,
        };
        self.table.store(key, &entry);
    }

    /// A value at least `beta` that the table holds for the parent by this child, if it does.
    #[inline]
    fn refutation(&self, parent: &P, child: &P, beta: Score, depth: i32, ply: usize) -> Option<Value> {
        let entry = self.table.probe(self.key(child))?;
        let mut value = self.absolute(child, &entry, ply);
        let mut at_least = entry.bound != Bound::Upper;
        if child.turn() != parent.turn() {
            value = value.reversed();
            at_least = entry.bound != Bound::Lower;
        }
        let refutes = value.score >= beta && (value.proof.lower() || (at_least && i32::from(entry.depth) >= depth));
        refutes.then_some(Value { proof: value.proof.and(Proof::LOWER), ..value })
    }

    /// What the rules alone say of the value, win distances counted from the root.
    #[inline]
    pub(super) fn known(&self, pos: &P, ply: usize) -> Bounds {
        let ply = ply as Score;
        // No game is won or lost before it has got here.
        let soonest = WIN - ply;
        self.heuristics.static_bounds(pos).from_node(ply).and(Bounds { lower: -soonest, upper: soonest })
    }

    /// Whether this is the score of a win within so many plies from the root, all moves being searched as deep: then it
    /// is the shortest.
    #[inline]
    pub(super) fn is_shortest(&self, score: Score, plies: Score) -> bool {
        self.tuning.is_full_width() && score::distance(score).is_some_and(|win| (1..=plies).contains(&win))
    }

    /// The key under which the shared table knows a position.
    #[inline]
    pub(super) fn key(&self, pos: &P) -> u64 {
        self.heuristics.table_key(pos) ^ self.salt
    }

    /// The value of an entry as the search needs it: with what is banked, win distances from the root.
    #[inline]
    pub(super) fn absolute(&self, pos: &P, entry: &Entry, ply: usize) -> Value {
        let score = from_table(entry.value, self.heuristics.settled(pos), ply);
        Value { score, proof: entry.proof }
    }
}

/// What is known of a position so many plies below the root without any search, for those who watch.
pub(super) fn judged<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P, ply: usize) -> Judged {
    let recorded = heuristics.database_value(pos);
    let value = if pos.is_over() {
        pos.outcome().score()
    } else {
        recorded.unwrap_or_else(|| heuristics.bounds(pos).hold(heuristics.evaluate(pos)))
    };
    Judged { provisional: score::from_node(value, ply as Score), recorded: recorded.is_some() }
}

/// What is known once a value is proven.
#[inline]
pub(super) fn proven(known: Bounds, value: Value) -> Bounds {
    Bounds {
        lower: if value.proof.lower() { known.lower.max(value.score) } else { known.lower },
        upper: if value.proof.upper() { known.upper.min(value.score) } else { known.upper },
    }
}
