//! The root of a search: every move of it has its value and its line; aspiration windows. Moves are codes.

use super::subtrees::{Facts, Subtrees};
use super::value::Value;
use super::worker::Aborted;
use crate::core::Proof;
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, Score};
use std::cmp::Reverse;

/// The moves of the position to be searched.
#[derive(Clone)]
pub(super) struct Root {
    /// The best first, as far as is known.
    pub(super) moves: Vec<RootMove>,
    /// What the game says of the position.
    pub(super) facts: Facts,
    /// Moves exactly as good as the best are looked for.
    ties: bool,
}

/// A move at the root.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) code: u16,
    /// Its place in the game's order of the moves that are searched.
    pub(super) place: usize,
    /// The score of the last iteration in which it was best, and the line to it.
    score: Score,
    pub(super) pv: Vec<u16>,
}

/// What is found of a line of the root: its value, how that relates to the window, the moves.
#[derive(Clone)]
pub(super) struct RootResult {
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The window that was asked about.
    pub(super) window: [Score; 2],
    pub(super) pv: Vec<u16>,
    /// The moves with this value, the first one's included, by their places; empty where they were not looked for.
    pub(super) ties: Vec<Tie>,
    /// A deeper search cannot change it.
    pub(super) settled: bool,
    /// The rules promise so much, but the moves searched have not shown it: the best one may give it away.
    pub(super) unshown: bool,
}

/// A move that is exactly as good as the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) place: usize,
    pub(super) code: u16,
    pub(super) proof: Proof,
}

/// Which line of which iteration.
#[derive(Clone, Copy)]
pub(super) struct RootTask {
    /// Plies.
    pub(super) depth: u8,
    /// Lines before this one: their moves are left out.
    pub(super) line: usize,
}

impl Root {
    /// The moves that a search is about, the most promising first.
    pub(super) fn new(search: &mut dyn Subtrees<'_>, ties: bool) -> Self {
        let facts = search.facts();
        let score = facts.static_value.score;
        let mut ranked: Vec<_> = search.ranked().into_iter().enumerate().collect();
        // All of them are wanted: a sort, for thousands of moves, beats as many selections.
        ranked.sort_by_key(|&(_, (_, rank))| Reverse(rank));
        let moves = ranked.into_iter().map(|(place, (code, _))| RootMove { code, place, score, pv: vec![code] });
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

    /// Whether the value found for a line is that of the position itself.
    pub(super) fn is_of_position(&self, line: usize) -> bool {
        line == 0 && !self.facts.restricted
    }

    /// Whether moves exactly as good as the best are looked for.
    pub(super) fn wants_ties(&self) -> bool {
        self.ties
    }

    /// What can be said of a line before anything is searched: a legal move.
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

    /// The value of a game that is over at the root already.
    pub(super) fn at_end(&self) -> RootResult {
        let value = Value::exact(self.facts.static_value.score);
        let window = [-INFINITE, INFINITE];
        let (pv, ties) = (Vec::new(), Vec::new());
        RootResult { value, bound: Bound::Exact, window, pv, ties, settled: true, unshown: false }
    }

    /// A line of an iteration: aspiration windows around its last value, the failed side widened, until one holds.
    /// Each window is an event.
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

/// What happens while the root is searched.
pub(super) enum RootEvent {
    /// A window's result.
    Window(RootTask, RootResult),
    /// A move is next: plies, its code, its number from 1.
    Move { depth: u8, code: u16, number: usize },
}

/// The next half-width after a fail: twice as wide, and past the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}
