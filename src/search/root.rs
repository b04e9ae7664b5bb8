//! The root of a search: its moves with their scores and lines, and aspiration windows. Moves are codes.

use super::subtrees::{Facts, Subtrees};
use super::value::Value;
use super::worker::Aborted;
use crate::core::Proof;
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, Score};
use std::cmp::Reverse;

/// The root moves to be searched.
#[derive(Clone)]
pub(super) struct Root {
    /// The moves, the best known first.
    pub(super) moves: Vec<RootMove>,
    /// What the game knows of the position without a search.
    pub(super) facts: Facts,
    /// Whether moves equal to the best are searched for.
    ties: bool,
}

/// A move at the root.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) code: u16,
    /// Its index among the searched moves in the game's order.
    pub(super) place: usize,
    /// The nodes entered below it so far.
    pub(super) nodes: u64,
    /// The score of the last iteration in which the move was best, and its line.
    score: Score,
    pub(super) pv: Vec<u16>,
}

/// The result of a line of the root: value, relation to the window, and moves.
#[derive(Clone)]
pub(super) struct RootResult {
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The window that was searched.
    pub(super) window: [Score; 2],
    pub(super) pv: Vec<u16>,
    /// The moves with this value in order of their places, including the first; empty if they were not searched for.
    pub(super) ties: Vec<Tie>,
    /// Whether a deeper search cannot change the result.
    pub(super) settled: bool,
    /// Whether the lower bound by the rules is above what the moves have shown: the best move may give it away.
    pub(super) unshown: bool,
}

/// A move equal to the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) place: usize,
    pub(super) code: u16,
    pub(super) proof: Proof,
}

/// A line of an iteration.
#[derive(Clone, Copy)]
pub(super) struct RootTask {
    /// The depth of the iteration, in plies.
    pub(super) depth: u8,
    /// The index of the line: the best moves of earlier lines are left out.
    pub(super) line: usize,
}

impl Root {
    /// Creates the root with its moves, the most promising first.
    pub(super) fn new(search: &mut dyn Subtrees<'_>, ties: bool) -> Self {
        let facts = search.facts();
        let score = facts.static_value.score;
        let mut ranked: Vec<_> = search.ranked().into_iter().enumerate().collect();
        // All moves are needed: for thousands of moves one sort is faster than repeated selection.
        ranked.sort_by_key(|&(_, (_, rank))| Reverse(rank));
        let moves =
            ranked.into_iter().map(|(place, (code, _))| RootMove { code, place, nodes: 0, score, pv: vec![code] });
        Self { moves: moves.collect(), facts, ties }
    }

    /// Brings these moves to the front, in this order.
    pub(super) fn bring_to_front(&mut self, moves: impl DoubleEndedIterator<Item = u16>) {
        for code in moves.rev() {
            if let Some(index) = self.moves.iter().position(|root| root.code == code) {
                self.moves[..=index].rotate_right(1);
            }
        }
    }

    /// Whether the value of a line is that of the position itself.
    pub(super) fn is_of_position(&self, line: usize) -> bool {
        line == 0 && !self.facts.restricted
    }

    /// Whether moves equal to the best are searched for.
    pub(super) fn wants_ties(&self) -> bool {
        self.ties
    }

    /// Returns the result of a line before any search: a legal move.
    pub(super) fn first_guess(&self, line: usize) -> RootResult {
        let RootMove { score, code, .. } = self.moves[line];
        let window = [-INFINITE, INFINITE];
        RootResult {
            value: Value::guess(score),
            bound: Bound::Exact,
            window,
            pv: vec![code],
            ties: Vec::new(),
            settled: false,
            unshown: self.is_of_position(line),
        }
    }

    /// Returns the result of a game that is over at the root.
    pub(super) fn at_end(&self) -> RootResult {
        let value = Value::exact(self.facts.static_value.score);
        let window = [-INFINITE, INFINITE];
        let (pv, ties) = (Vec::new(), Vec::new());
        RootResult { value, bound: Bound::Exact, window, pv, ties, settled: true, unshown: false }
    }

    /// Searches a line of an iteration with aspiration windows around its last value, widening the side that failed,
    /// until the value is inside. Reports each window.
    pub(super) fn aspire<'a>(
        &mut self,
        search: &mut dyn Subtrees<'a>,
        task: RootTask,
        report: &mut dyn FnMut(&mut dyn Subtrees<'a>, RootEvent),
    ) -> Result<(), Aborted> {
        let guess = self.moves[task.line].score;
        let width = search.worker().tuning.aspiration;
        let (mut below, mut above) = (width, width);
        loop {
            let aspire = task.depth > 1 && !score::is_distance(guess);
            let alpha = if aspire && guess - below > -score::MAX_GAME { guess - below } else { -INFINITE };
            let beta = if aspire && guess + above < score::MAX_GAME { guess + above } else { INFINITE };
            let (found, end) = self.window(search, task, alpha, beta, report);
            if let Some(mut found) = found {
                let tally = &mut search.worker().tally;
                match (found.bound, end.is_ok()) {
                    (Bound::Upper, true) => tally.fails_low += 1,
                    (Bound::Lower, true) => tally.fails_high += 1,
                    _ => {}
                }
                if found.bound == Bound::Exact {
                    search.lengthen(found.value, task.depth, &mut found.pv);
                    self.moves[task.line].pv.clone_from(&found.pv);
                    self.moves[task.line].score = found.value.score;
                }
                log::trace!("depth {}: {:?} {} of {alpha}..{beta}", task.depth, found.bound, found.value.score);
                match found.bound {
                    Bound::Upper => below = widened(below, guess - found.value.score),
                    Bound::Lower => above = widened(above, found.value.score - guess),
                    Bound::Exact => {}
                }
                let exact = found.bound == Bound::Exact;
                report(search, RootEvent::Window(task, found));
                if exact {
                    return end;
                }
            }
            end?;
        }
    }
}

/// An event while the root is searched.
pub(super) enum RootEvent {
    /// The result of a window.
    Window(RootTask, RootResult),
    /// The next move to be searched: depth in plies, code, number from 1.
    Move { depth: u8, code: u16, number: usize },
}

/// Returns the next half-width after a fail: twice as wide, and beyond the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}
