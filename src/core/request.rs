//! [`Request`]: the parameters of a search.

use super::limits::Limits;
use super::parameters::Parameters;
use super::score::Score;

/// The parameters of one search: limits, moves, lines, threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The limits.
    pub limits: Limits,
    /// The [codes](super::Position::code) of the root moves to search; empty for all. Codes without a legal move are
    /// ignored; if none remains, all moves are searched.
    pub moves: Vec<u16>,
    /// The number of best moves that get a line of their own (`MultiPV`), at least 1; capped at the number of moves.
    pub lines: usize,
    /// The number of threads, at least 1. With one thread, a search to a depth or a number of nodes from a cleared
    /// table is deterministic.
    pub threads: usize,
    /// The treatment of moves that are as good as the best.
    pub ties: Ties,
    /// Half the width of the first aspiration window, centi-units, at least 1; `None` for the game's own
    /// ([`Tuning::aspiration`](super::Tuning::aspiration)).
    pub aspiration: Option<Score>,
    /// Search parameters other than the game's.
    pub parameters: Parameters,
}

/// The treatment of root moves that are exactly as good as the best at the search depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first best move is played; the search does not look for others.
    #[default]
    First,
    /// All are found, each confirmed by a window that contains its value. The first one is played.
    All,
    /// All are found, and one of them is played, chosen by this seed and the position alone.
    Random(u64),
}

impl Request {
    /// Requests a search within limits, with one thread, for one line.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            moves: Vec::new(),
            lines: 1,
            threads: 1,
            ties: Ties::First,
            aspiration: None,
            parameters: Parameters::default(),
        }
    }

    /// Requests a search to a depth, plies.
    #[must_use]
    pub fn depth(depth: u8) -> Self {
        Self::new(Limits::depth(depth))
    }
}
