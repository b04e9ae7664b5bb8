//! The strength of the engine: a level, or a search limit.

use crate::cli::terminal;
use crate::core::Limits;
use crate::protocol::random_moves::RandomMoves;
use std::time::Duration;

/// A level. The first limit reached ends a search; all levels but the last play the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Plies.
    pub depth: Option<u8>,
    /// Positions entered.
    pub nodes: Option<u64>,
    /// Milliseconds.
    pub movetime: Option<u64>,
    /// The number of positions in a thousand in which the move is random.
    pub slips: u64,
    /// Whether it uses the books of the game.
    pub book: bool,
    /// The description.
    pub about: &'static str,
}

/// The levels, weakest first. Each should beat the previous one most of the time: docs/play.md has the matches.
pub const LEVELS: [Level; 10] = [
    Level::slipping(1, 700, "mostly random moves: for a first game"),
    Level::slipping(1, 450, "sees its next move, forgets it half of the time"),
    Level::slipping(2, 250, "sees the answer as well, a slip in four moves"),
    Level::slipping(3, 140, "a slip in seven moves"),
    Level::slipping(4, 70, "a slip in fourteen moves: for who knows the game"),
    Level::slipping(6, 25, "few slips"),
    Level::steady(3_000, false, "no slips, 3,000 positions a move"),
    Level::steady(30_000, true, "30,000 positions a move, and the book"),
    Level::steady(300_000, true, "300,000 positions a move, and the book"),
    Level { movetime: Some(3_000), ..Level::steady(0, true, "three seconds a move, and the book") },
];

/// The default level.
pub const DEFAULT: usize = 5;

impl Level {
    const fn slipping(depth: u8, slips: u64, about: &'static str) -> Self {
        Self { depth: Some(depth), nodes: None, movetime: None, slips, book: false, about }
    }

    const fn steady(nodes: u64, book: bool, about: &'static str) -> Self {
        let nodes = if nodes == 0 { None } else { Some(nodes) };
        Self { depth: None, nodes, movetime: None, slips: 0, book, about }
    }
}

/// The limit of the engine's search for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A level, from 1.
    Level(usize),
    /// Plies.
    Depth(u8),
    /// Positions entered.
    Nodes(u64),
    /// A time.
    Time(Duration),
}

impl Strength {
    /// Returns the limits of a search.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Level(_) => {
                let level = self.level();
                Limits {
                    depth: level.depth,
                    nodes: level.nodes,
                    movetime: level.movetime.map(Duration::from_millis),
                    ..Limits::default()
                }
            }
            Self::Depth(depth) => Limits::depth(depth),
            Self::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            Self::Time(time) => Limits { movetime: Some(time), ..Limits::default() },
        }
    }

    /// Returns the random moves of the level.
    #[must_use]
    pub fn random_moves(self, seed: u64) -> RandomMoves {
        let per_mille = if let Self::Level(_) = self { self.level().slips } else { 0 };
        RandomMoves { per_mille, seed }
    }

    /// Returns whether the engine uses the book.
    #[must_use]
    pub fn knows_book(self) -> bool {
        if let Self::Level(_) = self { self.level().book } else { true }
    }

    /// Returns a description: `at level 5`.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Level(level) => format!("at level {level}"),
            Self::Depth(depth) => format!("{} deep", deep(depth)),
            Self::Nodes(nodes) => format!("with {nodes} positions a move"),
            Self::Time(time) => format!("with {} s a move", time.as_secs_f64()),
        }
    }

    /// Returns the command for the prompt and for files: `level 5`, `depth 6`, `nodes 3000`, `time 0.5`.
    #[must_use]
    pub fn command(self) -> String {
        match self {
            Self::Level(level) => format!("level {level}"),
            Self::Depth(depth) => format!("depth {depth}"),
            Self::Nodes(nodes) => format!("nodes {nodes}"),
            Self::Time(time) => format!("time {}", time.as_secs_f64()),
        }
    }

    /// Returns the level, clamped; for another limit, the strongest one.
    fn level(self) -> &'static Level {
        let index = if let Self::Level(level) = self { level.clamp(1, LEVELS.len()) - 1 } else { LEVELS.len() - 1 };
        &LEVELS[index]
    }
}

/// Returns a depth in words.
#[must_use]
pub fn deep(plies: u8) -> String {
    if plies == 1 { "1 ply".into() } else { format!("{plies} plies") }
}

/// Returns the table of levels, for lines of at most `columns` columns.
#[must_use]
pub fn table(columns: Option<usize>) -> String {
    let row = |(level, number): (&Level, usize)| (format!("{number:>2}"), level.about.to_owned());
    terminal::definitions(&LEVELS.iter().zip(1..).map(row).collect::<Vec<_>>(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        for pair in LEVELS.windows(2) {
            assert!(pair[1].slips <= pair[0].slips && pair[1].depth.unwrap_or(99) >= pair[0].depth.unwrap_or(0));
            assert!(pair[1].nodes.unwrap_or(u64::MAX) >= pair[0].nodes.unwrap_or(0));
        }
        for level in 1..=LEVELS.len() {
            assert!(Strength::Level(level).limits().is_finite());
            assert_eq!(Strength::Level(level).random_moves(1).per_mille, LEVELS[level - 1].slips);
        }
        assert_eq!(table(None).lines().count(), 10);
        assert_eq!(Strength::Level(99).limits(), Strength::Level(10).limits());
    }
}
