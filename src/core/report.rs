//! What a search says: one report for each line of a finished (or failed) iteration, and for each line at its end.

use super::proof::Proof;
use super::score::Score;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a score says about the value: of a search window, not of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score (a fail low).
    Upper = 1,
    /// The value is at least the score (a fail high).
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

impl Bound {
    /// `exact`, `lower` or `upper`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

/// The state of a search. `M` is the type of a move: a game's own inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report<M = String> {
    /// The iteration, plies.
    pub depth: u8,
    /// The farthest that any line was followed in this iteration, plies.
    pub seldepth: u8,
    /// Which line: 1 is the best.
    pub line: usize,
    /// The value for the side to move at the root.
    pub score: Score,
    /// The window that was asked about: the score is exact between the two, and a bound elsewhere.
    pub window: [Score; 2],
    /// How the score relates to the value of this iteration.
    pub bound: Bound,
    /// What is proven of the game's value: of the root's for the first line where no move is excluded, else of this
    /// move's.
    pub proof: Proof,
    /// The chances of a win, a draw and a loss, per mille, where the game can say them.
    pub wdl: Option<[u16; 3]>,
    /// Positions made by a move and entered, since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Fill of the table by this search, per mille.
    pub hashfull: u16,
    /// Aspiration windows that failed low so far.
    pub fails_low: u32,
    /// Aspiration windows that failed high so far.
    pub fails_high: u32,
    /// The principal variation; its first move is the move to play. Empty only where there is no legal move.
    pub pv: Vec<M>,
    /// Every move that is exactly as good as the best one, itself included, in the order of the game's moves; empty
    /// where they were not asked for or the iteration has not settled them.
    pub ties: Vec<M>,
    /// What is proven of the value of each of these, in the same order.
    pub tie_proofs: Vec<Proof>,
}

/// What a search tells on its way.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a, M = String> {
    /// A line of an iteration.
    Line(&'a Report<M>),
    /// A move of the root is next: told only once a search has lasted some seconds.
    Move {
        /// The iteration, plies.
        depth: u8,
        /// The move.
        mv: &'a M,
        /// Its number in the order of the search, from 1.
        number: usize,
    },
}

impl<M> Report<M> {
    /// Nodes per second, or the nodes themselves where no time has passed.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }

    /// The move to play.
    #[must_use]
    pub fn best(&self) -> Option<&M> {
        self.pv.first()
    }

    /// The same report with its moves renamed, in order.
    #[must_use]
    pub fn with_moves<N>(&self, pv: Vec<N>, ties: Vec<N>) -> Report<N> {
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
