//! What a search is asked for.

use super::limits::Limits;

/// One search: its limits, which moves, how many lines, how many threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// When it must end.
    pub limits: Limits,
    /// Only these moves of the root are searched, by their [codes](super::Position::code); empty: all of them. A code
    /// that no legal move has is passed over, and where none is left all moves are searched.
    pub moves: Vec<u16>,
    /// How many of the best moves get a line of their own (`MultiPV`), at least 1; never more than there are moves.
    pub lines: usize,
    /// Threads, at least 1. With one, a search to a depth or a number of nodes from a cleared table is deterministic.
    pub threads: usize,
    /// What is done about moves that are as good as the best.
    pub ties: Ties,
}

/// What a search does about moves of the root that are exactly as good as the best, as deep as it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Nothing: the first one found is played, no other is looked for.
    #[default]
    First,
    /// All are found, each confirmed by a window that contains its value. The first one is played.
    All,
    /// All are found, and one of them is played: which one depends on this seed and the position alone.
    Random(u64),
}

impl Request {
    /// A search within limits, by one thread, for one line.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, moves: Vec::new(), lines: 1, threads: 1, ties: Ties::First }
    }

    /// A search to a depth, plies.
    #[must_use]
    pub fn depth(depth: u8) -> Self {
        Self::new(Limits::depth(depth))
    }
}
