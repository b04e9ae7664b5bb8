//! The node of exact search: is the value above `alpha`? Alpha-beta with a null window, fail-soft, without a horizon.
//!
//! Scores are for the side to move, with win distances from the root. Every returned score is a bound of the game's
//! value: a lower bound if above `alpha`, otherwise an upper bound. No line is longer than [`MAX_LINE`] plies, for
//! which [`STACK`](crate::search::STACK) is large enough.

use super::child::Child;
use super::lent::Lent;
use super::shared_proof::SharedProof;
use crate::core::score::{INFINITE, Score, to_node, win_in};
use crate::core::solution::{MAX_LINE, Unsolvable};
use crate::core::{Bounds, Clock, Heuristics, Position};
use crate::search::budget::Budget;
use crate::search::entry::{Exact, effort};
use crate::search::picker::{DEFERRED, HASH_RANK};
use crate::search::table::Table;
use crate::search::value::{from_table, to_table};
use crate::search::worker::Aborted;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first ply at which threads no longer avoid positions that other threads are searching.
const ABDADA_PLY: usize = 24;

/// One thread of an exact search.
pub struct Prover<'a, P: Position, H: Heuristics<P>> {
    pub(super) heuristics: &'a H,
    pub(super) table: &'a Table,
    pub(super) salt: u64,
    /// The children of every position on the path, in one buffer.
    pub(super) children: Vec<Child<P>>,
    pub(super) scratch: Vec<P::Move>,
    /// The keys of the positions on the path, where the game is [cyclic](Position::CYCLIC).
    pub(super) path: Vec<u64>,
    pub(super) nodes: u64,
    pub(super) budget: Budget<'a>,
    pub(super) shared: &'a SharedProof<P>,
    /// Whether the current question is over.
    pub(super) is_over: Arc<AtomicBool>,
}

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
        let mut lent = Lent { table: self.table, salt: self.salt, nodes: &mut self.nodes };
        if let Some(bound) = self.heuristics.solve_small(pos, alpha, &mut lent) {
            return Ok(known.hold(bound));
        }

        // Step 2. The transposition table. If the children are not looked up, it is probed after their generation: the
        // prefetch runs meanwhile, and often the children decide the question.
        let (first, lookups) = (self.children.len(), self.heuristics.looks_up_children(pos));
        let (mut known, mut hash) = (known, None);
        if lookups {
            (known, hash) = self.remembered(pos, key, known, ply);
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
            let mut child = self.followed(pos, mv, alpha, ply);
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
            (known, hash) = self.remembered(pos, key, known, ply);
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
        let apart = ply < ABDADA_PLY && self.shared.search.is_several();
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
            self.watched(pos, key, facts, alpha, ply)
        } else {
            self.watched(pos, key, facts, -alpha - 1, ply).map(|bound| -bound)
        }
    }

    /// Searches a child for the side to move at its parent.
    #[inline]
    fn child(&mut self, child: &Child<P>, alpha: Score) -> Result<Score, Aborted> {
        let &Child { ref pos, key, known, same, ply, limits, .. } = child;
        self.for_side(pos, key, known, same, alpha, ply).map(|bound| limits.hold(bound))
    }

    /// Searches a [node](Self::node). The [clock](Position::clock) must not have run out, and in a
    /// [cyclic](Position::CYCLIC) game the position must not be on the path already, so that all stored bounds come from
    /// lines that neither ends.
    #[inline]
    pub(super) fn watched(
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

    /// Ranks the children from `next` on by the game's order alone. The history heuristic would tell positions apart by
    /// when they are searched: in each it may choose another move, and fewer of them transpose.
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

    /// Returns the bounds of a position without any search, with win distances from the root.
    #[inline]
    pub(super) fn facts(&self, pos: &P, ply: usize) -> Bounds {
        match recorded(self.heuristics, pos) {
            Some(bounds) if !pos.is_over() => bounds.from_node(ply as Score),
            _ => self.rules(pos, ply),
        }
    }

    /// Returns the bounds of a position without any search, but only as far as needed to decide whether it is worth
    /// more than `alpha` to the side to move at an earlier one; `same` if it is that side's turn.
    #[inline]
    pub(super) fn facts_for(&self, pos: &P, same: bool, expensive: bool, alpha: Score, ply: usize) -> Bounds {
        let facts = self.rules(pos, ply);
        if settled(facts.seen(same), alpha).is_some() {
            return facts;
        }
        // A database read may be slow: it is skipped if the rules decide.
        if let Some(bounds) = recorded(self.heuristics, pos) {
            return bounds.from_node(ply as Score);
        }
        if !expensive {
            return facts;
        }
        let bound = to_node(if same { alpha } else { -alpha - 1 }, ply as Score);
        facts.and(self.heuristics.expensive_bounds(pos, bound).from_node(ply as Score))
    }

    /// Returns the bounds by the rules alone, with win distances from the root.
    #[inline]
    fn rules(&self, pos: &P, ply: usize) -> Bounds {
        let bounds = if pos.is_over() {
            Bounds::exactly(pos.outcome().score())
        } else if pos.is_drawn() {
            Bounds::exactly(0)
        } else {
            // No win is nearer than the next move. So where positions repeat, a search for early wins seldom meets a
            // repetition.
            let nearest = if P::CYCLIC { win_in(1) } else { INFINITE };
            self.heuristics.bounds(pos).and(Bounds { lower: -nearest, upper: nearest })
        };
        bounds.from_node(ply as Score)
    }

    /// Returns the known bounds narrowed by the table entry, and its move.
    #[inline]
    fn remembered(&self, pos: &P, key: u64, known: Bounds, ply: usize) -> (Bounds, Option<u16>) {
        let Some(entry) = self.entry(pos, key) else { return (known, None) };
        let hash = self.heuristics.table_code(pos, entry.code);
        (known.and(self.absolute(pos, &entry, ply)), hash)
    }

    /// Returns the table entry of a position.
    #[inline]
    pub(super) fn entry(&self, pos: &P, key: u64) -> Option<Exact> {
        if self.heuristics.use_table(pos) { self.table.probe_exact(key) } else { None }
    }

    /// Returns the key of a position in the shared table; 0 if the table is not used for it.
    #[inline]
    pub(super) fn key(&self, pos: &P) -> u64 {
        if self.heuristics.use_table(pos) { self.heuristics.exact_key(pos) ^ self.salt } else { 0 }
    }

    /// Stores the bounds of a position; `before` is the node count when its search began.
    #[inline]
    fn keep(&self, pos: &P, key: u64, known: Bounds, code: Option<u16>, before: u64, ply: usize) {
        if !self.heuristics.use_table(pos) {
            return;
        }
        let settled = self.heuristics.settled(pos);
        let (lower, upper) = (to_table(known.lower, settled, ply), to_table(known.upper, settled, ply));
        let code = self.heuristics.table_code(pos, code);
        self.table.store_exact(key, &Exact { lower, upper, code, effort: effort(self.nodes - before) });
    }

    /// Returns the bounds of an entry as the search uses them: as far as the clock of the position allows, with the
    /// settled score, win distances from the root.
    #[inline]
    pub(super) fn absolute(&self, pos: &P, entry: &Exact, ply: usize) -> Bounds {
        let settled = self.heuristics.settled(pos);
        let Bounds { lower, upper } = in_time(pos, Bounds { lower: entry.lower, upper: entry.upper });
        Bounds { lower: from_table(lower, settled, ply), upper: from_table(upper, settled, ply) }
    }
}

/// Returns the bound that decides whether the value is above `alpha`, if one does.
#[inline]
pub(super) fn settled(known: Bounds, alpha: Score) -> Option<Score> {
    if known.lower > alpha {
        Some(known.lower)
    } else if known.upper <= alpha {
        Some(known.upper)
    } else {
        None
    }
}

/// Returns the bounds of a position that leave its clock out of account, as far as the clock allows.
#[inline]
fn in_time<P: Position>(pos: &P, bounds: Bounds) -> Bounds {
    pos.clock_free_plies().map_or(bounds, |plies| bounds.within_clock(plies))
}

/// Returns what the databases say of a position, as far as its clock allows.
#[inline]
pub(super) fn recorded<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P) -> Option<Bounds> {
    heuristics.database_bounds(pos).map(|bounds| in_time(pos, bounds))
}
