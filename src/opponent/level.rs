//! The strength of the engine: a level, or a search limit.

use super::RandomMoves;
use crate::core::{ClockLimits, Limits};
use crate::util::counted::counted;
use std::fmt;
use std::time::Duration;

/// A level.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The search limit; with any but a time, the engine plays the same on every machine.
    limit: Strength,
    /// The number of positions in a thousand in which the move is random.
    slips: u64,
    /// Whether it uses the books of the game.
    book: bool,
}

/// The levels, weakest first. Each should beat the previous one most of the time: docs/play.md has the matches.
pub const LEVELS: [Level; 10] = [
    Level { limit: Strength::Depth(1), slips: 700, book: false },
    Level { limit: Strength::Depth(1), slips: 450, book: false },
    Level { limit: Strength::Depth(2), slips: 250, book: false },
    Level { limit: Strength::Depth(3), slips: 140, book: false },
    Level { limit: Strength::Depth(4), slips: 70, book: false },
    Level { limit: Strength::Depth(6), slips: 25, book: false },
    Level { limit: Strength::Nodes(3_000), slips: 0, book: false },
    Level { limit: Strength::Nodes(30_000), slips: 0, book: true },
    Level { limit: Strength::Nodes(300_000), slips: 0, book: true },
    Level { limit: Strength::Time(Duration::from_secs(3)), slips: 0, book: true },
];

/// The default level.
pub const DEFAULT: usize = 5;

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.limit)?;
        if self.slips > 0 {
            write!(f, ", {} % random moves", self.slips as f64 / 10.0)?;
        }
        if self.book { write!(f, ", opening book") } else { Ok(()) }
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

/// Formats as `level 5`, `depth 3`, `3000 nodes a move`, `0.5 s a move`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{} a move", counted(nodes, "node")),
            Self::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Self::Level(_) | Self::Depth(_) => f.write_str(&self.command()),
        }
    }
}

impl Strength {
    /// Returns the limits of a search.
    pub fn limits(self) -> Limits {
        match self.level().limit {
            Self::Depth(depth) => Limits::depth(depth),
            Self::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            Self::Time(time) => Limits { movetime: Some(time), ..Limits::default() },
            Self::Level(_) => Limits::default(),
        }
    }

    /// Returns the limits of a search by a clock too, which takes the place of a time for the move.
    pub fn limits_by(self, clock: Option<ClockLimits>) -> Limits {
        let limits = self.limits();
        Limits { clock, movetime: limits.movetime.filter(|_| clock.is_none()), ..limits }
    }

    /// Returns the random moves of the level.
    pub fn random_moves(self, seed: u64) -> RandomMoves {
        RandomMoves { per_mille: self.level().slips, seed }
    }

    /// Returns whether the engine uses the book.
    pub fn knows_book(self) -> bool {
        self.level().book
    }

    /// Returns the command for the prompt and for files: `level 5`, `depth 6`, `nodes 3000`, `time 0.5`.
    pub fn command(self) -> String {
        match self {
            Self::Level(level) => format!("level {level}"),
            Self::Depth(depth) => format!("depth {depth}"),
            Self::Nodes(nodes) => format!("nodes {nodes}"),
            Self::Time(time) => format!("time {}", time.as_secs_f64()),
        }
    }

    /// Returns the level, clamped; another limit has no random moves and uses the book.
    fn level(self) -> Level {
        match self {
            Self::Level(level) => LEVELS[level.clamp(1, LEVELS.len()) - 1],
            limit => Level { limit, slips: 0, book: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        for pair in LEVELS.windows(2) {
            let [lower, upper] = [pair[0], pair[1]].map(|level| level.limit.limits());
            assert!(pair[1].slips <= pair[0].slips && upper.depth.unwrap_or(99) >= lower.depth.unwrap_or(0));
            assert!(upper.nodes.unwrap_or(u64::MAX) >= lower.nodes.unwrap_or(0));
        }
        for level in 1..=LEVELS.len() {
            assert!(Strength::Level(level).limits().is_finite());
            assert_eq!(Strength::Level(level).random_moves(1).per_mille, LEVELS[level - 1].slips);
        }
        assert_eq!(Strength::Level(99).limits(), Strength::Level(10).limits());
    }

    #[test]
    fn levels_describe_themselves() {
        for (level, text) in [
            (1, "depth 1, 70 % random moves"),
            (6, "depth 6, 2.5 % random moves"),
            (7, "3000 nodes a move"),
            (10, "3 s a move, opening book"),
        ] {
            assert_eq!(LEVELS[level - 1].to_string(), text);
        }
    }
}
