//! The table of games, one row per game. The conformance suite, the oracle, the benchmark, the protocol handshake and
//! the documentation iterate over these rows, so a registered game is a tested game.

use crate::core::error::Quoted;
use crate::core::notation;
use crate::core::{
    BenchRow, Databases, Error, LoadNetwork, OptionKind, OptionRow, OptionValue, Options, Pictures, Position, Records,
};
use crate::engine::{Board, GameBoard};
#[cfg(feature = "chess")]
use crate::games::chess::Chess;
#[cfg(feature = "cfour")]
use crate::games::connect4::Drops;
#[cfg(feature = "connect4")]
use crate::games::connect4::{Columns, Connect4, Free, Large, Standard};
#[cfg(feature = "draughts")]
use crate::games::draughts::{Brazilian, Draughts, English, International};
#[cfg(feature = "kalah")]
use crate::games::kalah::{Kalah, Packed, Wide};
#[cfg(feature = "nim")]
use crate::games::nim::Nim;
#[cfg(feature = "othello")]
use crate::games::othello::Othello;
#[cfg(feature = "oware")]
use crate::games::oware::Oware;
#[cfg(feature = "xiangqi")]
use crate::games::xiangqi::Xiangqi;
use crate::util::suggestion::did_you_mean;
use std::fmt;
use std::sync::Arc;

/// Every game, the default first. A static: a constant would compile the searches of all games again in each crate that
/// names it.
#[cfg(not(test))]
pub static GAMES: &[GameRow] = TABLE;

/// The smallest game alone, for the unit tests: the searches of all games are compiled once, for the conformance suite.
#[cfg(test)]
pub(crate) const GAMES: &[GameRow] = &[
    #[cfg(feature = "nim")]
    GameRow::new::<Nim>(),
];

const TABLE: &[GameRow] = &[
    #[cfg(feature = "kalah")]
    GameRow { open: open_kalah, ..GameRow::new::<Kalah<Wide>>() },
    #[cfg(feature = "nim")]
    GameRow::new::<Nim>(),
    #[cfg(feature = "connect4")]
    GameRow { open: open_connect4, ..GameRow::new::<Connect4<Free, Columns>>() },
    #[cfg(feature = "cfour")]
    GameRow::new::<Connect4<Standard, Drops>>(),
    #[cfg(feature = "chess")]
    GameRow::new::<Chess>(),
    #[cfg(feature = "draughts")]
    GameRow::new::<Draughts<English>>(),
    #[cfg(feature = "draughts")]
    GameRow::new::<Draughts<International>>(),
    #[cfg(feature = "draughts")]
    GameRow::new::<Draughts<Brazilian>>(),
    #[cfg(feature = "xiangqi")]
    GameRow::new::<Xiangqi>(),
    #[cfg(feature = "oware")]
    GameRow::new::<Oware>(),
    #[cfg(feature = "othello")]
    GameRow::new::<Othello>(),
];

/// The options that are neither weights, files nor folders, and with which the game is the same: how it is searched,
/// and how moves are written.
const NON_RULE_OPTIONS: [&str; 2] = ["Theory", "UCI_Chess960"];

/// The word for a game's starting position.
pub const STARTPOS: &str = "startpos";

/// The names of the games, in the order of [`GAMES`].
pub const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

/// Sets up a board from text, or at the starting position.
type Open = fn(&Options, Option<&str>) -> Result<Box<dyn Board>, Error>;

/// A game of the registry.
#[derive(Clone, Copy, Debug)]
pub struct GameRow {
    /// The name, for `UCI_Variant` and `--game`.
    pub name: &'static str,
    /// A description of one line.
    pub about: &'static str,
    /// The options of the game.
    pub options: &'static [OptionRow],
    /// The positions that `bench` searches.
    pub bench: &'static [BenchRow],
    /// The endgame databases, if the game has any.
    pub databases: Option<&'static dyn Databases>,
    /// Loads the network, if the game has no other evaluation.
    pub load_network: Option<LoadNetwork>,
    /// Whether the sides take turns at every move.
    pub alternates: bool,
    /// The opening books, as files.
    pub books: &'static [&'static [u8]],
    /// Whether positions can repeat: exact search refuses positions from which they do.
    pub is_cyclic: bool,
    open: Open,
}

impl GameRow {
    const fn new<G: Pictures + Records>() -> Self {
        Self {
            name: G::NAME,
            about: G::ABOUT,
            options: G::OPTIONS,
            bench: G::BENCH,
            // A browser has no folders for them.
            databases: if cfg!(target_family = "wasm") { None } else { G::DATABASES },
            load_network: G::LOAD_NETWORK,
            alternates: G::ALTERNATES,
            books: G::BOOKS,
            is_cyclic: G::Position::CYCLIC,
            open: open::<G>,
        }
    }

    /// Describes a game outside the registry under a name of its own. Its boards come from
    /// [`Setup::from_start`](Setup::from_start): the row itself sets none up.
    #[must_use]
    pub const fn outside<G: Pictures + Records>(name: &'static str) -> Self {
        Self { name, ..Self::new::<G>() }
    }

    /// Sets up a board at the starting position of the options.
    ///
    /// # Errors
    /// Options that exclude each other.
    pub fn start(&self, options: &Options) -> Result<Box<dyn Board>, Error> {
        (self.open)(options, None)
    }

    /// Sets up a board from text: `startpos`, or the game's own notation.
    ///
    /// # Errors
    /// Options that exclude each other, or a position that cannot be read.
    pub fn parse(&self, options: &Options, text: &str) -> Result<Box<dyn Board>, Error> {
        match text.trim() {
            STARTPOS => self.start(options),
            text => (self.open)(options, Some(text)),
        }
    }

    /// Sets one of this game's options. The value is validated on its own, by the game too; conflicts with other
    /// options are reported when a board is set up.
    ///
    /// # Errors
    /// [`Error::UnknownOption`], [`Error::BadValue`], or [`Error::File`] and [`Error::BadFile`] for the files of a
    /// folder; the options are then unchanged.
    pub fn set(&self, options: &mut Options, name: &str, value: &str) -> Result<(), Error> {
        let mut alone = self.defaults();
        alone.set(name, value)?;
        if let Err(error @ (Error::BadValue { .. } | Error::File { .. } | Error::BadFile(..))) = self.start(&alone) {
            return Err(error);
        }
        options.set(name, value)
    }

    /// Returns this game's options at their defaults.
    #[must_use]
    pub fn defaults(&self) -> Options {
        Options::new(self.options)
    }
}

/// Returns the row of a game by its case-insensitive name.
///
/// # Errors
/// [`Error::UnknownGame`], which lists the games.
pub fn find(name: &str) -> Result<&'static GameRow, Error> {
    GAMES.iter().find(|row| row.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let hint = did_you_mean(name, NAMES);
        Error::UnknownGame(Quoted::new(name), format!("{hint}; the games are {}", NAMES.join(", ")))
    })
}

/// Returns the game of text that has the form of a position in Forsyth-Edwards Notation: chess has 8 ranks, xiangqi 10;
/// with a side to move, one more or less is a mistake. `None` for any other text. Whether the position is possible is
/// not checked.
///
/// ```
/// let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
/// assert_eq!(secateurs::registry::of_fen(fen).unwrap().name, "chess");
/// assert!(secateurs::registry::of_fen("3,4,5 1").is_none());
/// ```
#[must_use]
pub fn of_fen(text: &str) -> Option<&'static GameRow> {
    let mut fields = text.split_whitespace();
    let (board, has_side) = (fields.next()?, fields.next().is_some_and(|side| ["w", "b"].contains(&side)));
    let least = usize::from(!has_side);
    let is_rank =
        |rank: &str| (least..=10).contains(&rank.len()) && rank.bytes().all(|piece| piece.is_ascii_alphanumeric());
    let name = match board.split('/').count() {
        8 => "chess",
        10 => "xiangqi",
        7 | 9 if has_side => "chess",
        11 if has_side => "xiangqi",
        _ => return None,
    };
    board.split('/').all(is_rank).then(|| find(name).ok())?
}

fn open<G: Pictures + Records>(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    let game = G::new(options)?;
    let pos = text.map_or_else(|| game.parse(&game.start()?), |text| game.parse(text))?;
    Ok(Box::new(GameBoard::new(game, options, pos)))
}

/// Boards that fit use packed words, the others plain arrays.
#[cfg(feature = "kalah")]
fn open_kalah(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    open::<Kalah<Packed>>(options, text).or_else(|_| open::<Kalah<Wide>>(options, text))
}

/// The usual size is a compile-time constant; other sizes are slower, above all those that do not fit into 64 bits.
#[cfg(feature = "connect4")]
fn open_connect4(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    open::<Connect4<Standard, Columns>>(options, text)
        .or_else(|_| open::<Connect4<Free, Columns>>(options, text))
        .or_else(|_| open::<Connect4<Large, Columns>>(options, text))
}

/// A game with fixed options, which sets up boards from text.
#[derive(Clone)]
pub struct Setup {
    row: &'static GameRow,
    options: Options,
    /// The start of a game outside the registry, which has no other text.
    start: Option<Arc<dyn Board>>,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("game", &self.row.name).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Setup {
    /// Creates a setup with the default options.
    #[must_use]
    pub fn new(row: &'static GameRow) -> Self {
        Self::with(row, row.defaults())
    }

    /// Creates a setup with the default options of the game of this name.
    ///
    /// # Errors
    /// [`Error::UnknownGame`].
    pub fn named(game: &str) -> Result<Self, Error> {
        find(game).map(Self::new)
    }

    /// Creates a setup with these options, which must be the game's own.
    #[must_use]
    pub fn with(row: &'static GameRow, options: Options) -> Self {
        Self { row, options, start: None }
    }

    /// Creates the setup of a game [outside the registry](GameRow::outside), all of whose boards begin at this one.
    #[must_use]
    pub fn from_start(row: &'static GameRow, start: Arc<dyn Board>) -> Self {
        Self { start: Some(start), ..Self::new(row) }
    }

    /// Returns the setup of a board.
    ///
    /// # Errors
    /// None for a board that a row has set up.
    pub fn from_board(board: &dyn Board) -> Result<Self, Error> {
        Ok(Self::with(find(board.game())?, board.options().clone()))
    }

    /// Returns the game.
    #[must_use]
    pub fn row(&self) -> &'static GameRow {
        self.row
    }

    /// Returns the start of a game outside the registry; `None` for other games.
    #[must_use]
    pub fn own_start(&self) -> Option<&dyn Board> {
        self.start.as_deref()
    }

    /// Returns the endgame databases of the game.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if it has none; it lists the games that have some.
    pub fn databases(&self) -> Result<&'static dyn Databases, Error> {
        self.row.databases.ok_or_else(|| {
            let games: Vec<_> = GAMES.iter().filter(|row| row.databases.is_some()).map(|row| row.name).collect();
            let (name, games) = (self.row.name, games.join(", "));
            Error::BadOptions(format!("{name} has no endgame databases; there are some for {games}"))
        })
    }

    /// Returns the options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option, as [`GameRow::set`] does.
    ///
    /// # Errors
    /// As [`GameRow::set`]; the options are then unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.row.set(&mut self.options, name, value)
    }

    /// Sets up a board: `startpos` or the game's notation, optionally followed by `moves` and moves.
    ///
    /// # Errors
    /// Options that exclude each other, [`Error::BadPosition`] or [`Error::IllegalMove`].
    pub fn board(&self, text: &str) -> Result<Box<dyn Board>, Error> {
        let (position, moves) = split_moves(text);
        let mut board = match &self.start {
            Some(start) => own_board(&**start, &position)?,
            None => self.row.parse(&self.options, &position).map_err(|error| self.with_hint(error, &position))?,
        };
        notation::moves(moves).try_for_each(|mv| board.play(&mv))?;
        Ok(board)
    }

    /// Returns an option with its value here, if another value given for it makes this another game: one with other
    /// rules or another starting position. `None` for a value that the option does not take.
    #[must_use]
    pub fn other_game(&self, name: &str, value: &str) -> Option<(&'static str, String)> {
        let (row, here) = self.options().iter().find(|(row, _)| row.name.eq_ignore_ascii_case(name))?;
        let mut other = self.clone();
        other.set(name, value).ok()?;
        (self.is_rule(row, &other) && other.options() != self.options()).then(|| (row.name, here.to_string()))
    }

    /// Returns the changed options that make another game of that of the defaults, with their values.
    pub fn rules(&self) -> impl Iterator<Item = (&'static OptionRow, &OptionValue)> {
        self.options().changed().filter(|(row, _)| {
            let mut other = self.clone();
            // If the default is refused beside the other options, it makes another game.
            other.set(row.name, &row.default_value().to_string()).is_err() || self.is_rule(row, &other)
        })
    }

    /// Whether an option, of which `other` has another value, has a part in the rules or the starting position.
    fn is_rule(&self, row: &OptionRow, other: &Self) -> bool {
        let start = |setup: &Self| setup.board(STARTPOS).ok().map(|board| board.text());
        match row.kind {
            OptionKind::File | OptionKind::Folder => false,
            // Texts are weights, or positions such as the heaps of Nim.
            OptionKind::Text { .. } => start(self) != start(other),
            _ => !NON_RULE_OPTIONS.contains(&row.name),
        }
    }

    /// Returns `startpos` for the text of the starting position, and the text of another position as it is.
    #[must_use]
    pub fn short_text(&self, text: String) -> String {
        let is_start = self.board(STARTPOS).is_ok_and(|start| start.text() == text);
        if is_start { STARTPOS.into() } else { text }
    }

    /// Adds a hint to the error of a position: the first other game that can read it.
    fn with_hint(&self, error: Error, text: &str) -> Error {
        let Error::BadPosition(quoted, reason) = error else { return error };
        let begins = |word: &str| self.row.parse(&self.options, text.split(word).next().unwrap_or_default()).is_ok();
        if let Some(word) =
            [" move ", " Moves ", " MOVES "].into_iter().find(|word| text.contains(word) && begins(word))
        {
            return Error::BadPosition(quoted, format!("{reason}; did you mean moves for {}?", word.trim()));
        }
        // A number alone is a heap of Nim.
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let others = GAMES.iter().filter(|row| row.name != self.row.name && !is_number);
        let hint = others.filter(|row| row.parse(&row.defaults(), text).is_ok()).map(|row| hint("position", row.name));
        Error::BadPosition(quoted, reason + &hint.take(1).collect::<String>())
    }
}

/// Returns the end of an error of a text: a thing of another game, and how to choose that.
pub(crate) fn hint(thing: &str, name: &str) -> String {
    format!("; it is a {thing} of {name} (--game {name}, in Python game=\"{name}\")")
}

/// Describes what [`Setup::board`] ignored in the position of the text of this board; `None` if it ignored nothing.
#[must_use]
pub fn passed_over(board: &dyn Board, text: &str) -> Option<String> {
    board.passed_over(&split_moves(text).0)
}

/// Splits a text at the first word `moves` outside quotation marks: a position, with single blanks, and the moves from
/// it, if any.
pub(crate) fn split_moves(text: &str) -> (String, &str) {
    const MOVES: &str = "moves";
    let is_word = |&at: &usize| {
        let (before, behind) = (&text[..at], &text[at + MOVES.len()..]);
        let is_apart =
            !before.ends_with(|c: char| !c.is_whitespace()) && !behind.starts_with(|c: char| !c.is_whitespace());
        is_apart && before.matches('"').count().is_multiple_of(2)
    };
    let found = text.match_indices(MOVES).map(|(at, _)| at).find(is_word);
    let (position, moves) = found.map_or((text, ""), |at| (&text[..at], &text[at + MOVES.len()..]));
    (position.split_whitespace().collect::<Vec<_>>().join(" "), moves)
}

/// Returns the start of a game outside the registry, for `startpos` or its own text.
fn own_board(start: &dyn Board, text: &str) -> Result<Box<dyn Board>, Error> {
    if text == STARTPOS || start.text().split_whitespace().eq(text.split_whitespace()) {
        return Ok(start.boxed());
    }
    let reason = "the positions of a game outside the registry have no notation: its games begin at startpos";
    Err(Error::BadPosition(Quoted::new(text), reason.into()))
}
