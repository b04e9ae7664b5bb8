//! The root of a search: every move of it has its value and its line; aspiration windows.

use super::trace::Trace;
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, Score};
use crate::core::{Heuristics, Position, Proof};
use std::cmp::Reverse;

/// The position to be searched, and its moves.
#[derive(Clone)]
pub(super) struct Root<P: Position> {
    pub(super) pos: P,
    /// The best first, as far as is known.
    pub(super) moves: Vec<RootMove<P>>,
    /// Not all legal moves are searched.
    restricted: bool,
    /// Moves exactly as good as the best are looked for.
    ties: bool,
}

/// A move at the root.
#[derive(Clone)]
pub(super) struct RootMove<P: Position> {
    pub(super) mv: P::Move,
    pub(super) code: u16,
    pub(super) after: P,
    /// The score of the last iteration in which it was best, and the line to it.
    score: Score,
    pub(super) pv: Vec<P::Move>,
}

/// What is found of a line of the root: its value, how that relates to the window, the moves.
#[derive(Clone)]
pub(super) struct Found<M> {
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The window that was asked about.
    pub(super) window: [Score; 2],
    pub(super) pv: Vec<M>,
    /// The moves with this value, the first one's included; empty where they were not looked for.
    pub(super) ties: Vec<(M, Proof)>,
    /// A deeper search cannot change it.
    pub(super) settled: bool,
}

/// Which line of which iteration.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Plies.
    pub(super) depth: u8,
    /// Lines before this one: their moves are left out.
    pub(super) line: usize,
}

impl<P: Position> Root<P> {
    /// Brings these moves to the front, in this order.
    pub(super) fn bring_to_front(&mut self, moves: impl DoubleEndedIterator<Item = P::Move>) {
        for mv in moves.rev() {
            if let Some(index) = self.moves.iter().position(|root| root.mv == mv) {
                self.moves[..=index].rotate_right(1);
            }
        }
    }

    /// Whether the value found for a line is that of the position itself.
    pub(super) fn is_whole(&self, line: usize) -> bool {
        line == 0 && !self.restricted
    }

    /// Whether moves exactly as good as the best are looked for.
    pub(super) fn wants_ties(&self) -> bool {
        self.ties
    }

    /// What can be said of a line before anything is searched: a legal move.
    pub(super) fn first_guess(&self, line: usize) -> Found<P::Move> {
        let RootMove { score, mv, .. } = self.moves[line];
        let window = [-INFINITE, INFINITE];
        Found {
            value: Value::guess(score),
            bound: Bound::Exact,
            window,
            pv: vec![mv],
            ties: Vec::new(),
            settled: false,
        }
    }
}

impl<M> Found<M> {
    /// The value of a finished game.
    pub(super) fn at_end<P: Position<Move = M>>(pos: &P) -> Self {
        let value = Value::exact(pos.outcome().score());
        let window = [-INFINITE, INFINITE];
        Self { value, bound: Bound::Exact, window, pv: Vec::new(), ties: Vec::new(), settled: true }
    }
}

impl<P: Position, H: Heuristics<P>, T: Trace<P::Move>> Worker<'_, P, H, T> {
    /// The root with its legal moves, or those of them that have these codes, the most promising first.
    pub(super) fn root(&mut self, pos: &P, codes: &[u16], ties: bool) -> Root<P> {
        let hash = self.table.probe(self.key(pos)).and_then(|entry| self.heuristics.table_code(pos, entry.code));
        let list = self.stack.push(pos, self.heuristics, self.history.as_ref(), hash, 0);
        let mut ranked = self.stack.all(&list).to_vec();
        self.stack.pop(&list);
        let all = ranked.len();
        if ranked.iter().any(|ranked| codes.contains(&ranked.code)) {
            ranked.retain(|ranked| codes.contains(&ranked.code));
        }
        let restricted = ranked.len() < all;
        // All of them are wanted: a sort, for thousands of moves, beats as many selections.
        ranked.sort_by_key(|ranked| Reverse(ranked.rank));
        let score = self.heuristics.static_bounds(pos).hold(self.heuristics.evaluate(pos));
        let moves = ranked.into_iter().map(|ranked| RootMove {
            mv: ranked.mv,
            code: ranked.code,
            after: pos.after(ranked.mv),
            score,
            pv: vec![ranked.mv],
        });
        Root { moves: moves.collect(), pos: pos.clone(), restricted, ties }
    }

    /// A line of an iteration: aspiration windows around its last value, the failed side widened, until one holds.
    /// Each window is told.
    pub(super) fn aspire(
        &mut self,
        root: &mut Root<P>,
        task: Task,
        tell: &mut dyn FnMut(&mut Self, Told<P::Move>),
    ) -> Result<(), Aborted> {
        let guess = root.moves[task.line].score;
        let (mut below, mut above) = (self.tuning.aspiration, self.tuning.aspiration);
        loop {
            let aspire = task.depth > 1 && !score::is_distance(guess);
            let alpha = if aspire && guess - below > -score::MAX_GAME { guess - below } else { -INFINITE };
            let beta = if aspire && guess + above < score::MAX_GAME { guess + above } else { INFINITE };
            let (found, end) = self.window(root, task, alpha, beta, tell);
            if let Some(mut found) = found {
                match (found.bound, end.is_ok()) {
                    (Bound::Upper, true) => self.tally.fails_low += 1,
                    (Bound::Lower, true) => self.tally.fails_high += 1,
                    _ => {}
                }
                if found.bound == Bound::Exact {
                    self.lengthen(&root.pos, found.value, task.depth, &mut found.pv);
                    root.moves[task.line].pv.clone_from(&found.pv);
                    root.moves[task.line].score = found.value.score;
                }
                log::trace!("depth {}: {:?} {} of {alpha}..{beta}", task.depth, found.bound, found.value.score);
                match found.bound {
                    Bound::Upper => below = widened(below, guess - found.value.score),
                    Bound::Lower => above = widened(above, found.value.score - guess),
                    Bound::Exact => {}
                }
                let exact = found.bound == Bound::Exact;
                tell(self, Told::Found(task, found));
                if exact {
                    return end;
                }
            }
            end?;
        }
    }
}

/// What is told while the root is searched.
pub(super) enum Told<M> {
    /// A window's result.
    Found(Task, Found<M>),
    /// A move is next: plies, the move, its number from 1.
    Next { depth: u8, mv: M, number: usize },
}

/// The next half-width after a fail: twice as wide, and past the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}
