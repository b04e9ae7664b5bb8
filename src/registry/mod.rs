//! The table of games, one row per game. The conformance suite, the oracle, the benchmark, the protocol handshake and
//! the documentation iterate over these rows, so a registered game is a tested game.

mod setup;

use crate::core::error::Quoted;
use crate::core::{BenchRow, Databases, Error, LoadNetwork, OptionRow, Options, Pictures, Position, Records};
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

pub(crate) use setup::split_moves;
pub use setup::{Setup, passed_over};

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
    let (board, least) = (board.replace('~', ""), usize::from(!has_side));
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

/// Returns the end of an error of a text: a thing of another game, and how to choose that.
pub(crate) fn hint(thing: &str, name: &str) -> String {
    format!("; it is a {thing} of {name} (--game {name}, in Python game=\"{name}\")")
}
