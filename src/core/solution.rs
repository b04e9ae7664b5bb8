//! Exact search: its parameters, results and claims.

use super::bounds::Bounds;
use super::limits::Limits;
use super::proof::Proof;
#[cfg(doc)]
use super::score;
use super::score::{MAX_DISTANCE, Score};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The moves that an exact search values in addition to the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Valued {
    /// No move; the solution then has no principal variation either.
    None,
    /// All moves as good as the best.
    #[default]
    Best,
    /// Every move.
    All,
}

impl Valued {
    /// Returns the choice with this name: `none`, `best`, `all`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "best" => Some(Self::Best),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

/// The parameters of one exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveRequest {
    /// The limits: nodes and time apply, a depth does not.
    pub limits: Limits,
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The moves to value.
    pub moves: Valued,
    /// Whether to search for a line of best play once the moves are valued.
    pub pv: bool,
    /// The score at which the search for the value begins, in games of margins; `None` for the result of a short
    /// search. Null windows far from the value are cheap, and they prove the bounds on that side of it first.
    pub guess: Option<Score>,
    /// The search ends as soon as it knows whether the value is at least this score; `None`: once it knows the value.
    pub at_least: Option<Score>,
}

impl Default for SolveRequest {
    fn default() -> Self {
        Self { limits: Limits::default(), threads: 1, moves: Valued::default(), pv: true, guess: None, at_least: None }
    }
}

/// The result of an exact search. `M` is the type of a move: a game's own type inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution<M = String> {
    /// The bounds of the value for the side to move, centi-units or win distances; equal once the position is solved.
    pub bounds: Bounds,
    /// The bounds that follow from the rules without any search.
    pub rules: Bounds,
    /// The moves valued, as requested, with the bounds of their values, in the order of the game's moves.
    pub moves: Vec<(M, Bounds)>,
    /// A line of best play to the end of the game. It is empty if it was not requested, if no moves are valued, or if
    /// the search ended before it; a limit may also cut it short.
    pub pv: Vec<M>,
    /// Whether everything requested was found: the value, the moves and the line. A limit or a stop may end the search
    /// earlier.
    #[serde(default)]
    pub complete: bool,
    /// The number of nodes (positions made by a move and entered).
    pub nodes: u64,
    /// The processor time of all threads.
    pub cpu: Duration,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the table by this search, per mille.
    pub hashfull: u16,
    /// Why the search abandoned the position before any limit; `None` if it did not.
    #[serde(default)]
    pub refused: Option<Unsolvable>,
}

/// The longest line of play that exact search follows, plies: the scale of scores cannot express a later win.
pub const MAX_LINE: usize = MAX_DISTANCE as usize;

/// Why exact search cannot solve a position, whatever its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unsolvable {
    /// A position occurred again on a line of play.
    #[error(
        "a position repeats on a line of play; exact search solves games in which no position can come back, a search to a depth proves what it can of others"
    )]
    Repetition,
    /// A position of the game so far may come back, and has occurred so often that once more ends the game.
    #[error(
        "a position of the game so far would end the game if it came back; exact search does not know the positions before, set up the position without them"
    )]
    NearRepetition,
    /// The [clock](crate::core::Position::clock) runs out on a line of play.
    #[error(
        "the clock of moves without progress runs out on a line of play; exact search does not tell positions apart by their clocks, a search to a depth does"
    )]
    Clock,
    /// A line of play is longer than [`MAX_LINE`].
    #[error("a line of play is longer than {MAX_LINE} plies, the most that exact search follows")]
    TooLong,
}

/// A line of a certificate: bounds claimed for the value of a position, and the moves that the claim rests on. `P` is a
/// position and `M` a move: a game's own types inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<P = String, M = String> {
    /// The position.
    pub position: P,
    /// The bounds of its value for the side to move there, win distances counted from it. A bound of ±[`score::WIN`] or
    /// beyond claims nothing.
    pub bounds: Bounds,
    /// The first move proves the lower bound. If an upper bound is claimed, these are all legal moves; otherwise the
    /// first alone. Empty if the game is over.
    pub moves: Vec<M>,
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncertified {
    /// The search was stopped, or reached a limit.
    #[error("stopped before the value was proven")]
    Stopped,
    /// A value that the search relied on is wrong: an entry of the table or of a database.
    #[error("the value does not follow from the rules: the table or a database is wrong")]
    Refuted,
    /// Positions repeat, so a claim would rest on itself.
    #[error("positions repeat, and their values do not rest on positions alone")]
    Circular,
    /// Exact search cannot solve the position.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
}

impl<M> Solution<M> {
    /// Returns whether the value is known.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.bounds.is_exact()
    }

    /// Returns why the search gave up without the value. [`refused`](Self::refused) may be set even if the value is
    /// known, when only the values of other moves are missing.
    #[must_use]
    pub fn unsolvable(&self) -> Option<Unsolvable> {
        self.refused.filter(|_| !self.is_solved())
    }

    /// Returns what the search proves beyond the rules: the value, or else its lower bound, or else its upper bound.
    #[must_use]
    pub fn proof(&self) -> Proof {
        let [lower, upper] = self.bounds.ends();
        if self.is_solved() {
            Proof::EXACT
        } else if lower.is_some_and(|lower| lower > self.rules.lower) {
            Proof::LOWER
        } else if upper.is_some_and(|upper| upper < self.rules.upper) {
            Proof::UPPER
        } else {
            Proof::NONE
        }
    }

    /// Returns the score that the [proof](Self::proof) refers to; `None` if nothing is proven.
    #[must_use]
    pub fn value(&self) -> Option<Score> {
        self.proof().bound(self.bounds.ends())
    }

    /// Iterates over the moves known to be as good as the best, in the order of the game's moves: all of them, if moves
    /// were requested and the solution is [complete](Self::complete).
    pub fn best_moves(&self) -> impl Iterator<Item = &M> {
        let valued = self.moves.iter().filter(|(_, of_move)| self.is_solved() && of_move.lower == self.bounds.lower);
        valued.map(|(mv, _)| mv)
    }

    pub(crate) fn with_moves<N>(&self, pv: Vec<N>, moves: Vec<(N, Bounds)>) -> Solution<N> {
        let Self { bounds, rules, complete, nodes, cpu, time, hashfull, refused, .. } = *self;
        Solution { bounds, rules, moves, pv, complete, nodes, cpu, time, hashfull, refused }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::score::{INFINITE, WIN, win_in};

    fn solution([lower, upper]: [Score; 2], rules: [Score; 2]) -> Solution<u8> {
        Solution {
            bounds: Bounds { lower, upper },
            rules: Bounds { lower: rules[0], upper: rules[1] },
            moves: vec![(3, Bounds::exactly(lower)), (4, Bounds::exactly(lower - 1)), (5, Bounds::exactly(lower))],
            pv: Vec::new(),
            complete: false,
            nodes: 0,
            cpu: Duration::ZERO,
            time: Duration::ZERO,
            hashfull: 0,
            refused: None,
        }
    }

    #[test]
    fn proven_bounds_go_beyond_those_of_the_rules() {
        let far = [-INFINITE, INFINITE];
        for (bounds, rules, proof, value) in [
            ([600, 600], [-4800, 4800], Proof::EXACT, Some(600)),
            ([600, 600], [600, 600], Proof::EXACT, Some(600)),
            ([600, 4800], [-4800, 4800], Proof::LOWER, Some(600)),
            ([600, 800], [-4800, 4800], Proof::LOWER, Some(600)),
            ([-4800, 800], [-4800, 4800], Proof::UPPER, Some(800)),
            ([-4800, 4800], [-4800, 4800], Proof::NONE, None),
            (far, far, Proof::NONE, None),
            // The widest bounds that a table can store: they exclude no value.
            ([-WIN, WIN], far, Proof::NONE, None),
            ([-WIN, win_in(3)], far, Proof::UPPER, Some(win_in(3))),
            ([-WIN, -WIN], far, Proof::EXACT, Some(-WIN)),
        ] {
            let solution = solution(bounds, rules);
            assert_eq!((solution.proof(), solution.value()), (proof, value), "{bounds:?} {rules:?}");
        }
    }

    #[test]
    fn moves_are_best_once_the_value_is_known() {
        assert!(solution([600, 600], [0, 800]).best_moves().eq(&[3, 5]));
        assert_eq!(solution([600, 700], [0, 800]).best_moves().count(), 0);
    }
}
