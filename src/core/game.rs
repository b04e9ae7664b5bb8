//! [`Game`]: a set of rules as a value, with its name and options.
//!
//! A new game provides a [`Position`] and its [`Heuristics`], which the search calls, and four traits that the search
//! does not call: `Game`, [`Notation`](super::Notation), [`Pictures`](super::Pictures) and [`Records`](super::Records).

use super::databases::Databases;
use super::error::Error;
use super::heuristics::Heuristics;
use super::options::{OptionRow, Options};
use super::position::Position;

/// The moves of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game with fixed rules.
pub trait Game: Clone + Send + Sync + 'static {
    /// The positions that the search works on.
    type Position: Position;
    /// The evaluation, move ordering, pruning and bounds.
    type Heuristics: Heuristics<Self::Position>;

    /// The name, for `UCI_Variant` and `--game`.
    const NAME: &'static str;
    /// A description of one line.
    const ABOUT: &'static str;
    /// The options that determine `startpos`, the rules and the evaluation; names are unique across all games.
    const OPTIONS: &'static [OptionRow];
    /// The positions that `bench` searches.
    const BENCH: &'static [BenchRow];
    /// The endgame databases, if the game has any.
    const DATABASES: Option<&'static dyn Databases> = None;
    /// Loads the network from the bytes of its file, if the game has no other evaluation: for programs without the
    /// feature `networks`.
    const LOAD_NETWORK: Option<LoadNetwork> = None;
    /// Whether the sides take turns at every move; a side that cannot move passes. Records then number pairs of moves.
    const ALTERNATES: bool = true;
    /// Builds the game from its options.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a value that the game does not accept, [`Error::BadOptions`] for rules that exclude each
    /// other, [`Error::File`] or [`Error::BadFile`] for files that cannot be used.
    fn new(options: &Options) -> Result<Self, Error>;

    /// Returns the heuristics for these rules.
    fn heuristics(&self) -> Self::Heuristics;
}

/// Loads a network from the bytes of its file; [`Error::BadFile`] for bytes of something else.
pub type LoadNetwork = fn(&[u8]) -> Result<(), Error>;

/// One row of the benchmark: a position searched to a fixed depth with a cleared table.
#[derive(Clone, Copy, Debug)]
pub struct BenchRow {
    /// The options that differ from their defaults: name and value.
    pub options: &'static [(&'static str, &'static str)],
    /// The position, or `startpos`.
    pub position: &'static str,
    /// The depth, plies.
    pub depth: u8,
}
