//! What an exact search is asked for, and what it says.

use super::bounds::Bounds;
use super::limits::Limits;
use super::proof::Proof;
#[cfg(doc)]
use super::score;
use super::score::{MAX_DISTANCE, Score};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which moves an exact search values beside the position itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Valued {
    /// None, and no line either.
    None,
    /// All moves that are as good as the best.
    #[default]
    Best,
    /// Every move, each with its value.
    All,
}

impl Valued {
    /// The choices by name: `none`, `best`, `all`.
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

/// One exact search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveRequest {
    /// When it must end, solved or not: nodes and time count, a depth does not.
    pub limits: Limits,
    /// Threads, at least 1.
    pub threads: usize,
    /// Which moves are valued.
    pub moves: Valued,
    /// Where the value is looked for first, in games of margins; `None`: where a short search says. Far from the value the
    /// questions are easy, and what is proven first are the bounds on that side of it.
    pub guess: Option<Score>,
}

impl Default for SolveRequest {
    fn default() -> Self {
        Self { limits: Limits::default(), threads: 1, moves: Valued::default(), guess: None }
    }
}

/// What is known of the value of a position. `M` is the type of a move: a game's own inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Why the search gave the position up before any limit; `None` where it did not.
    #[serde(default)]
    pub refused: Option<Unsolvable>,
}

/// The longest line of play that exact search follows, plies: the scale of scores has no place for a later win.
pub const MAX_LINE: usize = MAX_DISTANCE as usize;

/// Why exact search cannot solve a position, whatever its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Unsolvable {
    /// A position came back on a line of play.
    #[error(
        "a position repeats on a line of play; exact search solves games in which no position can come back, a search to a depth proves what it can of others"
    )]
    Repetition,
    /// A line of play is longer than [`MAX_LINE`].
    #[error("a line of play is longer than {MAX_LINE} plies, the most that exact search follows")]
    TooLong,
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
    /// Exact search cannot solve the position.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
}

impl<M> Solution<M> {
    /// Whether the value is known, and whatever else was asked for.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.bounds.is_exact()
    }

    /// What is proven beyond what the rules tell: the value, or what one of its bounds says; the lower one goes first.
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

    /// The score of which the [proof](Self::proof) speaks; `None` where there is none.
    #[must_use]
    pub fn value(&self) -> Option<Score> {
        let proof = self.proof();
        if proof.lower() { Some(self.bounds.lower) } else { proof.upper().then_some(self.bounds.upper) }
    }

    /// The moves that are known to be as good as the best, in the order of the game's moves: all of them, unless no
    /// moves were asked for or the search was cut short.
    pub fn best_moves(&self) -> impl Iterator<Item = &M> {
        let valued = self.moves.iter().filter(|(_, of_move)| self.is_solved() && of_move.lower == self.bounds.lower);
        valued.map(|(mv, _)| mv)
    }

    /// The same with its moves renamed, in order.
    #[must_use]
    pub fn with_moves<N>(&self, pv: Vec<N>, moves: Vec<(N, Bounds)>) -> Solution<N> {
        let Self { bounds, rules, nodes, cpu, time, hashfull, refused, .. } = *self;
        Solution { bounds, rules, moves, pv, nodes, cpu, time, hashfull, refused }
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
            // As far as a table can tell: no value is beyond.
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
