//! What an exact search is asked for, and what it says.

use super::limits::Limits;
use super::position::Bounds;
#[cfg(doc)]
use super::score;
use std::time::Duration;

/// Which moves an exact search values beside the position itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Valued {
    /// None, and no line either.
    None,
    /// All moves that are as good as the best.
    #[default]
    Best,
    /// Every move, each with its value.
    All,
}

/// One exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// When it must end, solved or not: nodes and time count, a depth does not.
    pub limits: Limits,
    /// Threads, at least 1.
    pub threads: usize,
    /// Which moves are valued.
    pub moves: Valued,
}

impl Default for Task {
    fn default() -> Self {
        Self { limits: Limits::default(), threads: 1, moves: Valued::default() }
    }
}

/// What is known of the value of a position. `M` is the type of a move: a game's own inside the search, text outside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M = String> {
    /// Of the value for the side to move, centi-units or win distances; equal once it is solved.
    pub bounds: Bounds,
    /// What the rules tell without any search.
    pub rules: Bounds,
    /// The moves valued, with the bounds of their values, in the order of the game's moves: those as good as the best, or
    /// all.
    pub moves: Vec<(M, Bounds)>,
    /// A line of best play to the end of the game; empty where no moves are valued or the search was cut short.
    pub pv: Vec<M>,
    /// Positions made by a move and entered.
    pub nodes: u64,
    /// Time of all threads on the processor.
    pub cpu: Duration,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the table by this search, per mille.
    pub hashfull: u16,
}

/// A line of a certificate: what is claimed of the value of a position, and the moves that the claim rests on. `P` is a
/// position and `M` a move: a game's own inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<P = String, M = String> {
    /// The position.
    pub position: P,
    /// Of its value for the side to move there, win distances counted from it. What is as far as ±[`score::WIN`] claims
    /// nothing.
    pub bounds: Bounds,
    /// All legal moves where an upper bound is claimed; the first shows the lower bound, and is alone where there is no
    /// upper one. None where the game is over.
    pub moves: Vec<M>,
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncertified {
    /// The search was stopped, or reached a limit.
    #[error("stopped before the value was proven")]
    Stopped,
    /// What the search holds for true is not: an entry of the table, or of a database.
    #[error("the value does not follow from the rules: the table or a database is wrong")]
    Refuted,
    /// Positions repeat, and a claim would rest on itself.
    #[error("positions repeat, and their values do not rest on positions alone")]
    Circular,
}

impl<M> Solution<M> {
    /// Whether the value is known, and whatever else was asked for.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.bounds.is_exact()
    }

    /// The same with its moves renamed, in order.
    #[must_use]
    pub fn with_moves<N>(&self, pv: Vec<N>, moves: Vec<(N, Bounds)>) -> Solution<N> {
        let Self { bounds, rules, nodes, cpu, time, hashfull, .. } = *self;
        Solution { bounds, rules, moves, pv, nodes, cpu, time, hashfull }
    }
}
