//! The table of games: a row a game. Registering a game *is* testing it: the conformance suite, the oracle,
//! the benchmark, the handshake and the documentation iterate these rows.

use crate::core::error::Quoted;
use crate::core::{BenchRow, Databases, Error, Game, OptionRow, Options};
use crate::engine::{Board, GameBoard};
use crate::games::connect4::{Columns, Connect4, Drops, Free, Standard};
use crate::games::kalah::{Kalah, Packed, Wide};
use crate::games::nim::Nim;

/// Every game, the default first.
pub const GAMES: &[GameRow] = &[
    GameRow { open: open_kalah, ..GameRow::of::<Kalah<Wide>>() },
    GameRow::of::<Nim>(),
    GameRow { open: open_connect4, ..GameRow::of::<Connect4<Free, Columns>>() },
    GameRow::of::<Connect4<Standard, Drops>>(),
];

/// The word for a game's starting position.
pub const STARTPOS: &str = "startpos";

/// The names of the games, in the order of [`GAMES`].
pub const NAMES: [&str; GAMES.len()] = {
    let mut names = [""; GAMES.len()];
    let mut index = 0;
    while index < GAMES.len() {
        names[index] = GAMES[index].name;
        index += 1;
    }
    names
};

/// Sets a board up from text, or the starting position.
type Open = fn(&Options, Option<&str>) -> Result<Box<dyn Board>, Error>;

/// A game of the registry.
#[derive(Clone, Copy, Debug)]
pub struct GameRow {
    /// The name, as `UCI_Variant` and `--game` take it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// The options of the game.
    pub options: &'static [OptionRow],
    /// What `bench` searches.
    pub bench: &'static [BenchRow],
    /// Its endgame databases, if it has any.
    pub databases: Option<&'static dyn Databases>,
    /// Its opening books, as files.
    pub books: &'static [&'static [u8]],
    open: Open,
}

impl GameRow {
    const fn of<G: Game>() -> Self {
        Self {
            name: G::NAME,
            about: G::ABOUT,
            options: G::OPTIONS,
            bench: G::BENCH,
            databases: G::DATABASES,
            books: G::BOOKS,
            open: open::<G>,
        }
    }

    /// A board: the starting position that the options shape.
    ///
    /// # Errors
    /// Options that do not go together.
    pub fn start(&self, options: &Options) -> Result<Box<dyn Board>, Error> {
        (self.open)(options, None)
    }

    /// A board set up from text: `startpos`, or the game's own notation.
    ///
    /// # Errors
    /// Options that do not go together, or a position that cannot be read.
    pub fn parse(&self, options: &Options, text: &str) -> Result<Box<dyn Board>, Error> {
        match text.trim() {
            STARTPOS => self.start(options),
            text => (self.open)(options, Some(text)),
        }
    }

    /// Sets an option among this game's. The value is judged by itself, by the game too; whether it goes with the
    /// others is told when a board is set up.
    ///
    /// # Errors
    /// [`Error::UnknownOption`], [`Error::BadValue`], or [`Error::File`] and [`Error::BadFile`] for what a folder holds;
    /// nothing is changed then.
    pub fn set(&self, options: &mut Options, name: &str, value: &str) -> Result<(), Error> {
        let mut alone = self.defaults();
        alone.set(name, value)?;
        if let Err(error @ (Error::BadValue { .. } | Error::File { .. } | Error::BadFile(..))) = self.start(&alone) {
            return Err(error);
        }
        options.set(name, value)
    }

    /// This game's options at their defaults.
    #[must_use]
    pub fn defaults(&self) -> Options {
        Options::new(self.options)
    }
}

/// The row of a game, found by name without regard to case.
///
/// # Errors
/// [`Error::UnknownGame`], which names the games there are.
pub fn find(name: &str) -> Result<&'static GameRow, Error> {
    GAMES
        .iter()
        .find(|row| row.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| Error::UnknownGame(Quoted::new(name), NAMES.join(", ")))
}

fn open<G: Game>(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    let game = G::new(options)?;
    let pos = text.map_or_else(|| game.parse(&game.start()?), |text| game.parse(text))?;
    Ok(Box::new(GameBoard::new(game, options, pos)))
}

/// Boards that fit are played on packed words, the others on plain arrays.
fn open_kalah(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    open::<Kalah<Packed>>(options, text).or_else(|_| open::<Kalah<Wide>>(options, text))
}

/// The compiler knows the usual size; the others are as good, and slower.
fn open_connect4(options: &Options, text: Option<&str>) -> Result<Box<dyn Board>, Error> {
    open::<Connect4<Standard, Columns>>(options, text).or_else(|_| open::<Connect4<Free, Columns>>(options, text))
}

/// A game with its options settled: sets boards up from text.
#[derive(Clone, Debug)]
pub struct Setup {
    row: &'static GameRow,
    options: Options,
}

impl Setup {
    /// A game with its options at their defaults.
    #[must_use]
    pub fn new(row: &'static GameRow) -> Self {
        Self { row, options: row.defaults() }
    }

    /// A game with these options, which are its own.
    #[must_use]
    pub fn with(row: &'static GameRow, options: Options) -> Self {
        Self { row, options }
    }

    /// The game of a board, with its options.
    ///
    /// # Errors
    /// None of a board that a row has made.
    pub fn of(board: &dyn Board) -> Result<Self, Error> {
        Ok(Self { row: find(board.game())?, options: board.options().clone() })
    }

    /// The game.
    #[must_use]
    pub fn row(&self) -> &'static GameRow {
        self.row
    }

    /// The values of its options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option, as [`GameRow::set`] does.
    ///
    /// # Errors
    /// Those of [`GameRow::set`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        self.row.set(&mut self.options, name, value)
    }

    /// Sets a board up: `startpos` or the game's notation, then perhaps `moves` and moves.
    ///
    /// # Errors
    /// Options that do not go together, [`Error::BadPosition`] or [`Error::IllegalMove`].
    pub fn board(&self, text: &str) -> Result<Box<dyn Board>, Error> {
        let mut words = text.split_whitespace();
        let position: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
        let mut board = self.row.parse(&self.options, &position.join(" "))?;
        words.try_for_each(|mv| board.play(mv))?;
        Ok(board)
    }
}
