//! [`Game`]: a set of rules as a value, with names, options and text. The search does not call it.

use super::databases::Databases;
use super::error::Error;
use super::heuristics::Heuristics;
use super::options::{OptionRow, Options};
use super::position::{Position, legal_moves};
use super::score::{self, Score};

/// The moves of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game with fixed rules: reads and writes positions and moves, and provides the heuristics.
///
/// Other layers do not interpret the text of positions and moves. A move contains no white space; a position does not
/// contain the word `moves`.
pub trait Game: Clone + Send + Sync + 'static {
    /// The positions that the search works on.
    type Position: Position;
    /// The evaluation, move ordering, pruning and bounds.
    type Heuristics: Heuristics<Self::Position>;

    /// The name, for `UCI_Variant` and `--game`.
    const NAME: &'static str;
    /// A description of one line.
    const ABOUT: &'static str;
    /// The options that determine `startpos`, the rules and the evaluation; names are unique over all games.
    const OPTIONS: &'static [OptionRow];
    /// The positions that `bench` searches.
    const BENCH: &'static [BenchRow];
    /// The endgame databases, if the game has any.
    const DATABASES: Option<&'static dyn Databases> = None;
    /// Whether the sides take turns at every move; a side that cannot move passes. Records then number pairs of moves.
    const ALTERNATES: bool = true;
    /// The built-in opening books, files of `secateurs book build`.
    const BOOKS: &'static [&'static [u8]] = &[];

    /// Builds the game from its options.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a value that the game does not accept, [`Error::BadOptions`] for rules that exclude each
    /// other, [`Error::File`] or [`Error::BadFile`] for files that cannot be used.
    fn new(options: &Options) -> Result<Self, Error>;

    /// Returns the starting position, in the notation of [`parse`](Self::parse).
    ///
    /// # Errors
    /// [`Error::BadOptions`] where the options allow none.
    fn start(&self) -> Result<String, Error>;

    /// Reads a position.
    ///
    /// # Errors
    /// [`Error::BadPosition`], which names the text and the reason.
    fn parse(&self, text: &str) -> Result<Self::Position, Error>;

    /// Returns what [`parse`](Self::parse) passes over in a text that it reads, as other programs do: `the square is
    /// ignored`; `None` if it reads the text as it stands.
    fn passed_over(&self, _text: &str) -> Option<String> {
        None
    }

    /// Writes a position; `parse` reads it back.
    fn write(&self, pos: &Self::Position) -> String;

    /// Writes a legal move. The text is unique among the position's legal moves.
    fn write_move(&self, pos: &Self::Position, mv: MoveOf<Self>) -> String;

    /// Returns the legal move that a text names, in the notation of [`write_move`](Self::write_move) or another that
    /// the game reads. The default writes the legal moves one by one; games with thousands of moves parse the text.
    fn read_move(&self, pos: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        legal_moves(pos).into_iter().find(|&mv| self.write_move(pos, mv) == text)
    }

    /// Returns the legal moves that a short form fits. If there are several, [`read_move`](Self::read_move) returns none
    /// of them.
    fn candidates(&self, _pos: &Self::Position, _text: &str) -> Vec<MoveOf<Self>> {
        Vec::new()
    }

    /// Returns the rule that forbids the move a text names: `a capture is compulsory`; `None` if the game names none.
    fn forbidden(&self, _pos: &Self::Position, _text: &str) -> Option<String> {
        None
    }

    /// Writes a legal move in standard algebraic notation (SAN), as PGN files have it; `None` in games without it.
    /// [`read_move`](Self::read_move) reads it.
    fn write_san(&self, _pos: &Self::Position, _mv: MoveOf<Self>) -> Option<String> {
        None
    }

    /// Returns the option with its value that other programs need to play from this position although it is not set;
    /// `None` if they need no more than is set.
    fn missing_option(&self, _pos: &Self::Position) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Packs a position for records of self-play: always the same number of bytes in a game.
    /// Empty in games whose positions are not packed.
    fn pack(&self, _pos: &Self::Position) -> Vec<u8> {
        Vec::new()
    }

    /// Reads a [packed](Self::pack) position back; `None` for bytes that are none.
    fn unpack(&self, _bytes: &[u8]) -> Option<Self::Position> {
        None
    }

    /// Returns the key of the position in an opening book. Positions with equal keys must have equal legal codes, equal
    /// keys after equal codes with the same changes of turn, and equal values less the settled score. A game with a
    /// book includes in the key the rules that the position leaves open.
    fn book_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.write(pos).into_bytes()
    }

    /// Returns a key that positions share with their mirror images and the like. Positions with equal keys must have
    /// equal values less the settled score, equal [exact keys](crate::core::Solver::exact_key), and moves to
    /// positions with equal keys, in any order.
    fn symmetric_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.book_key(pos)
    }

    /// Returns the names of the two players.
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    /// Returns the unit of a margin, singular and plural; `None` for games that are only won, drawn or lost.
    fn units(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// Returns a remark on a move's special effect, to follow a comma: `captures 5 seeds`.
    fn remark(&self, _before: &Self::Position, _mv: MoveOf<Self>) -> Option<String> {
        None
    }

    /// Returns a value as players count it: units for a margin, plies for a win or, negative, a loss.
    fn count(&self, _pos: &Self::Position, score: Score) -> i64 {
        i64::from(score::distance(score).unwrap_or(score / score::UNIT))
    }

    /// Returns the heuristics for these rules.
    fn heuristics(&self) -> Self::Heuristics;
}

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
