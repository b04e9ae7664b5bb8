//! Search reports: one for each line of a completed (or failed) iteration, and one for each line at the end of the
//! search.

use super::proof::Proof;
use super::score::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a score relates to the value of a search window, not of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score (a fail low).
    Upper = 1,
    /// The value is at least the score (a fail high).
    Lower = 2,
    /// The value is the score.
    #[default]
    Exact = 3,
}

impl Bound {
    /// Returns `exact`, `lower` or `upper`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }

    /// Returns the sign before a score: none, `>= ` or `<= `.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => ">= ",
            Self::Upper => "<= ",
        }
    }
}

/// The state of a search. `M` is the type of a move: a game's own type inside the search, text outside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report<M = String> {
    /// The iteration, plies.
    pub depth: u8,
    /// The largest ply reached in this iteration.
    pub seldepth: u8,
    /// The number of the line; 1 is the best.
    pub line: usize,
    /// The value for the side to move at the root.
    pub score: Score,
    /// The search window: the score is exact inside it, a bound elsewhere.
    pub window: [Score; 2],
    /// How the score relates to the value of this iteration.
    pub bound: Bound,
    /// The proven part of the score. On the first line, if no move is excluded, it concerns the root; otherwise this
    /// line's move.
    pub proof: Proof,
    /// The probabilities of a win, a draw and a loss, per mille, if the game has such a model.
    pub wdl: Option<[u16; 3]>,
    /// The number of nodes (positions made by a move and entered) since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the table by this search, per mille.
    pub hashfull: u16,
    /// The number of aspiration windows that have failed low.
    pub fails_low: u32,
    /// The number of aspiration windows that have failed high.
    pub fails_high: u32,
    /// The principal variation; its first move is the move to play. Empty only if there is no legal move.
    pub pv: Vec<M>,
    /// Every move exactly as good as the best one, including it, in the order of the game's moves; empty if ties were
    /// not requested or the iteration has not resolved them.
    pub ties: Vec<M>,
    /// The proven part of the value of each tied move, in the same order.
    pub tie_proofs: Vec<Proof>,
}

/// An event of a running search.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a, M = String> {
    /// A line of an iteration.
    Line(&'a Report<M>),
    /// The search of a root move begins. Reported only after the whole search has lasted some seconds.
    Move {
        /// The iteration, plies.
        depth: u8,
        /// The move.
        mv: &'a M,
        /// Its number in the order of the search, from 1.
        number: usize,
    },
    /// The result, the last event; the search returns it once its other threads have ended.
    Result(&'a [Report<M>]),
}

/// Returns a time in whole microseconds, as stored in records.
#[must_use]
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Returns the nodes per second; a time of 0 counts as one microsecond.
#[must_use]
pub fn nps(nodes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(nodes) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}

impl<M> Report<M> {
    /// Returns the nodes per second; an elapsed time of 0 counts as one microsecond.
    #[must_use]
    pub fn nps(&self) -> u64 {
        nps(self.nodes, self.time)
    }

    /// Returns the move to play.
    #[must_use]
    pub fn best(&self) -> Option<&M> {
        self.pv.first()
    }

    pub(crate) fn with_moves<N>(&self, pv: Vec<N>, ties: Vec<N>) -> Report<N> {
        Report {
            depth: self.depth,
            seldepth: self.seldepth,
            line: self.line,
            score: self.score,
            window: self.window,
            bound: self.bound,
            proof: self.proof,
            wdl: self.wdl,
            nodes: self.nodes,
            time: self.time,
            hashfull: self.hashfull,
            fails_low: self.fails_low,
            fails_high: self.fails_high,
            pv,
            ties,
            tie_proofs: self.tie_proofs.clone(),
        }
    }
}
