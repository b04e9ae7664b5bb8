//! [`Game`]: a set of rules as a value. The cold half of a game: names, options, text.

use super::databases::Databases;
use super::error::Error;
use super::heuristics::Heuristics;
use super::options::{OptionRow, Options};
use super::position::{Position, legal_moves};
use super::score::{self, Score};
use super::style::Style;

/// The moves of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game with its rules settled: reads and writes its positions and moves, and lends its judgement.
///
/// Position and move text are opaque to everything above; a move has no white space in it, a position
/// has no word `moves` in it.
pub trait Game: Clone + Send + Sync + 'static {
    /// What the search plays on.
    type Position: Position;
    /// What it judges by.
    type Heuristics: Heuristics<Self::Position>;

    /// The name, as `UCI_Variant` and `--game` take it.
    const NAME: &'static str;
    /// One line for people.
    const ABOUT: &'static str;
    /// The options that shape `startpos`, the rules and the judgement; names unique over all games.
    const OPTIONS: &'static [OptionRow];
    /// What `bench` searches.
    const BENCH: &'static [BenchRow];
    /// Its endgame databases, if it has any.
    const DATABASES: Option<&'static dyn Databases> = None;
    /// Its opening books, files of `secateur book build`.
    const BOOKS: &'static [&'static [u8]] = &[];

    /// The rules that the options ask for.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a value that the game does not take, [`Error::BadOptions`] where rules exclude each other,
    /// [`Error::File`] or [`Error::BadFile`] for files that cannot be used.
    fn new(options: &Options) -> Result<Self, Error>;

    /// The starting position, as `parse` reads it.
    ///
    /// # Errors
    /// [`Error::BadOptions`] where the options make none together.
    fn start(&self) -> Result<String, Error>;

    /// Reads a position.
    ///
    /// # Errors
    /// [`Error::BadPosition`], which names the text and what is wrong with it.
    fn parse(&self, text: &str) -> Result<Self::Position, Error>;

    /// Writes a position; `parse` reads it back.
    fn write(&self, pos: &Self::Position) -> String;

    /// Writes a legal move; unique among the position's legal moves.
    fn write_move(&self, pos: &Self::Position, mv: MoveOf<Self>) -> String;

    /// The legal move that a text names: as it is written, or in another notation that the game reads. The default writes one
    /// legal move after the other; games with thousands of them read the text.
    fn read_move(&self, pos: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        legal_moves(pos).into_iter().find(|&mv| self.write_move(pos, mv) == text)
    }

    /// What an opening book knows a position by: equal ones imply equal legal codes, equal keys after equal codes, with
    /// the same changes of turns, and equal values less what is banked. A game with a book names in it the rules that the
    /// position leaves open.
    fn book_key(&self, pos: &Self::Position) -> String {
        self.write(pos)
    }

    /// A board that a person can read on a terminal: several lines, each ended.
    fn draw(&self, pos: &Self::Position) -> String;

    /// The board as a terminal shows it to its players, several lines, each ended, without a word about whose turn it is.
    /// `last` is the position before and the move that led here: what it has changed is marked.
    fn show(&self, pos: &Self::Position, _last: Option<(&Self::Position, MoveOf<Self>)>, _style: Style) -> String {
        self.draw(pos)
    }

    /// What the two players are called.
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    /// One unit of a margin and several of them; `None` where games are won and lost, not counted.
    fn units(&self) -> Option<[&'static str; 2]> {
        None
    }

    /// What a move has done beside what every move does, in a few words that follow a comma: `captures 5 seeds`.
    fn remark(&self, _before: &Self::Position, _mv: MoveOf<Self>) -> Option<String> {
        None
    }

    /// A value of the position as people count it: units for a margin, plies for a win or, negative, a loss.
    fn count(&self, _pos: &Self::Position, score: Score) -> i64 {
        i64::from(score::distance(score).unwrap_or(score / score::UNIT))
    }

    /// The judgement for these rules.
    fn heuristics(&self) -> Self::Heuristics;
}

/// One row of the benchmark: a position searched to a depth with a cleared table.
#[derive(Clone, Copy, Debug)]
pub struct BenchRow {
    /// Options that differ from their defaults: name and value.
    pub options: &'static [(&'static str, &'static str)],
    /// The position, or `startpos`.
    pub position: &'static str,
    /// Plies.
    pub depth: u8,
}
