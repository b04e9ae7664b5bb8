//! The root of a search: iterative deepening with aspiration windows.

use super::budget::Budget;
use super::history::History;
use super::order::MoveStack;
use super::table::Table;
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, MAX_PLY, Score};
use crate::core::{Heuristics, Limits, Position, Progress, Proof, Report, Request, StopFlag, Tuning};
use std::cmp::Reverse;
use std::sync::Arc;

/// A search for one game. It owns its ordering memory and shares its table.
pub struct Searcher<P: Position, H: Heuristics<P>> {
    pub(super) heuristics: H,
    pub(super) tuning: Tuning,
    pub(super) table: Arc<Table>,
    pub(super) salt: u64,
    pub(super) history: History,
    pub(super) stack: MoveStack<P::Move>,
    /// The principal variation below each ply.
    pub(super) pv: Vec<Vec<P::Move>>,
    pub(super) tally: Tally,
    pub(super) budget: Budget,
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Positions made by a move and entered.
    pub nodes: u64,
    /// Values that rest on judgement: evaluations at the horizon, and table entries that rest on such.
    /// A subtree during whose search this did not grow has been searched to its ends.
    pub judged: u64,
    fails_low: u32,
    fails_high: u32,
}

/// The search has to end at once; the value that was to be is lost.
pub(super) struct Aborted;

/// A move at the root, with the position that it makes.
struct RootMove<P: Position> {
    mv: P::Move,
    after: P,
}

/// What an iteration knows of the root: score, its relation to the window, the line.
struct Found<M> {
    score: Score,
    bound: Bound,
    pv: Vec<M>,
}

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// A search by this judgement, over a table that others may share.
    #[must_use]
    pub fn new(heuristics: H, table: Arc<Table>) -> Self {
        Self {
            tuning: heuristics.tuning(),
            heuristics,
            table,
            salt: 0,
            history: History::new(P::CODES),
            stack: MoveStack::new(),
            pv: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            tally: Tally::default(),
            budget: Budget::new(&Limits::default(), &StopFlag::new()),
        }
    }

    /// Tells this search's entries in a shared table from those of other rules and other evaluations.
    #[must_use]
    pub fn salted(mut self, salt: u64) -> Self {
        self.salt = salt;
        self
    }

    /// Searches until a limit is reached, the flag is raised, or deeper iterations cannot change anything.
    ///
    /// Each iteration is reported, failed aspiration windows too. The last report is returned; its
    /// line begins with a legal move however early the search ended, and is empty only where there is none.
    /// From a cleared table a search to a depth or a number of nodes is deterministic.
    pub fn search(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Vec<Report<P::Move>> {
        let limits = &request.limits;
        self.budget = Budget::new(limits, stop);
        self.tally = Tally::default();
        self.history = History::new(P::CODES);
        self.stack.clear();
        self.table.age();

        let mut moves = self.root_moves(root);
        let Some(first) = moves.first() else {
            let last = self.report(0, Found { score: root.outcome().score(), bound: Bound::Exact, pv: Vec::new() });
            progress(Progress::Line(&last));
            return vec![last];
        };
        // Something legal to play and to say, should the search be stopped before its first iteration ends.
        let fallback = Found { score: self.guess(root), bound: Bound::Exact, pv: vec![first.mv] };
        let mut best = self.report(0, fallback);
        let most = limits.depth.unwrap_or(MAX_PLY);
        for depth in 1..=most {
            if depth > 1 && !self.budget.allows_iteration() {
                break;
            }
            let judged = self.tally.judged;
            let finished = self.iterate(&mut moves, root, depth, &mut best, progress);
            if finished.is_err() {
                break;
            }
            let complete = self.tally.judged == judged;
            let forced = score::distance(best.score).is_some_and(|plies| plies.abs() <= Score::from(depth));
            if complete || forced || (self.budget.is_clocked() && moves.len() == 1) {
                break;
            }
        }
        // The totals at the very end; an iteration that was cut off is in them.
        let Report { depth, score, bound, pv, .. } = best;
        let unheard = depth == 0;
        let last = self.report(depth, Found { score, bound, pv });
        if unheard {
            progress(Progress::Line(&last));
        }
        log::debug!(
            "depth {} score {} nodes {} fails low {} high {}",
            last.depth,
            last.score,
            last.nodes,
            last.fails_low,
            last.fails_high
        );
        vec![last]
    }

    /// One iteration: aspiration windows around the last value, the failed side widened, until one holds.
    fn iterate(
        &mut self,
        moves: &mut [RootMove<P>],
        root: &P,
        depth: u8,
        best: &mut Report<P::Move>,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Result<(), Aborted> {
        let (guess, mut below, mut above) = (best.score, self.tuning.aspiration, self.tuning.aspiration);
        loop {
            let aspire = depth > 1 && !score::is_distance(guess);
            let alpha = if aspire && guess - below > -score::MAX_GAME { guess - below } else { -INFINITE };
            let beta = if aspire && guess + above < score::MAX_GAME { guess + above } else { INFINITE };
            let (found, end) = self.root(moves, root, depth, alpha, beta);
            if let Some(found) = found {
                // A fail low proves no move better than another: the move of the last iteration stands.
                let mut pv = if found.pv.is_empty() { best.pv.clone() } else { found.pv };
                if found.bound == Bound::Exact && pv.len() < usize::from(depth) {
                    self.extend(root, found.score, &mut pv);
                }
                match (found.bound, end.is_ok()) {
                    (Bound::Upper, true) => self.tally.fails_low += 1,
                    (Bound::Lower, true) => self.tally.fails_high += 1,
                    _ => {}
                }
                *best = self.report(depth, Found { score: found.score, bound: found.bound, pv });
                progress(Progress::Line(best));
                match found.bound {
                    Bound::Exact => return end,
                    Bound::Upper => below = widened(below, guess - found.score),
                    Bound::Lower => above = widened(above, found.score - guess),
                }
                log::trace!("depth {depth}: {:?} {} outside {alpha}..{beta}", found.bound, found.score);
            }
            end?;
        }
    }

    /// The root node: every move within the window, the best one brought to the front; no line if none is above it.
    /// Cut off early, it still tells what is sure by then.
    fn root(
        &mut self,
        moves: &mut [RootMove<P>],
        root: &P,
        depth: u8,
        mut alpha: Score,
        beta: Score,
    ) -> (Option<Found<P::Move>>, Result<(), Aborted>) {
        let bounds = self.bounds(root, 0);
        let (floor, mut best) = (alpha, -INFINITE);
        let mut line: Option<Vec<P::Move>> = None;
        for index in 0..moves.len() {
            let child = &moves[index].after;
            let same = child.turn() == root.turn();
            let remaining = i32::from(depth) - 1;
            let key = self.key(child);
            let mut value = Ok(alpha + 1);
            if index > 0 {
                value = self.child(child, key, same, alpha, alpha + 1, remaining, 1);
            }
            if matches!(value, Ok(value) if value > alpha && (index == 0 || value < beta)) {
                value = self.child(child, key, same, alpha, beta, remaining, 1);
            }
            let Ok(value) = value else {
                let score = bounds.hold(best);
                let found = line.map(|pv| Found { score, bound: bound(score, floor, beta, false), pv });
                return (found, Err(Aborted));
            };
            best = best.max(value);
            if value > alpha {
                alpha = value;
                line = Some(self.line(moves[index].mv, 1));
                moves[..=index].rotate_right(1);
                if value >= beta.min(bounds.upper) {
                    break;
                }
            }
        }
        let score = bounds.hold(best);
        (Some(Found { score, bound: bound(score, floor, beta, true), pv: line.unwrap_or_default() }), Ok(()))
    }

    /// The legal moves of the root, the most promising first.
    fn root_moves(&mut self, root: &P) -> Vec<RootMove<P>> {
        let hash = self.table.probe(self.key(root)).and_then(|entry| entry.code);
        let list = self.stack.push(root, &self.heuristics, &self.history, hash, 0);
        let mut ranked = self.stack.all(&list).to_vec();
        self.stack.pop(&list);
        // All of them are wanted: a sort, for thousands of moves, beats as many selections.
        ranked.sort_by_key(|ranked| Reverse(ranked.rank));
        ranked.into_iter().map(|ranked| RootMove { mv: ranked.mv, after: root.after(ranked.mv) }).collect()
    }

    fn report(&self, depth: u8, found: Found<P::Move>) -> Report<P::Move> {
        Report {
            depth,
            seldepth: depth,
            line: 1,
            score: found.score,
            bound: found.bound,
            proof: Proof::NONE,
            wdl: None,
            nodes: self.tally.nodes,
            time: self.budget.elapsed(),
            hashfull: self.table.hashfull(),
            fails_low: self.tally.fails_low,
            fails_high: self.tally.fails_high,
            pv: found.pv,
            ties: Vec::new(),
        }
    }
}

/// How a fail-soft score relates to its window; an iteration cut off knows no more than a lower bound.
fn bound(score: Score, alpha: Score, beta: Score, whole: bool) -> Bound {
    if score >= beta || !whole {
        Bound::Lower
    } else if score <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

/// The next half-width after a fail: twice as wide, and past the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}
