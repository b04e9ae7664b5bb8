//! The state of a dialogue: the game, the options of every game, the board, the transposition table.

mod position;

use super::command::Dialect;
use super::hub::{self, HubWriter};
use super::learning::{self, Learning};
use super::options::{self, BOOK, General, HASH, OPTIONS, PARAMETERS, VARIANT};
use super::reply::{self, UciWriter};
use super::writer::Writer;
use crate::book::Reading;
use crate::core::error::{Error, Quoted};
use crate::core::{OptionKind, OptionRow, Options, Parameters, Report, Request, StopFlag};
use crate::engine::Board;
use crate::registry::{self, GAMES, GameRow, NAMES, STARTPOS, Setup};
use crate::rote_learning::RoteLearning;
use crate::search::Table;
use crate::util::build;
use std::sync::Arc;

/// The button that clears the table.
pub(crate) const CLEAR_HASH: &str = "Clear Hash";

/// The game of a manager that speaks UCI without naming a game.
pub const UCI_GAME: &str = "chess";

/// The state of a dialogue.
pub struct Session {
    row: &'static GameRow,
    /// The games to choose from.
    games: &'static [GameRow],
    /// The only game to choose, if it is outside the registry.
    outside: Option<Setup>,
    /// Whether the user chose the game, by its name or by a position.
    is_chosen: bool,
    /// The options of each game, in the order of `games`.
    game_options: Vec<Options>,
    options: Options,
    /// The parsed values of `options`.
    general: General,
    /// The seed if `RandomSeed` is 0.
    seed: u64,
    dialect: Dialect,
    board: Box<dyn Board>,
    /// Whether the last position was rejected: the board is still that of the one before.
    is_refused: bool,
    /// The text and the moves that the board was set up from; `None` after an option has changed.
    set_up: Option<(String, String)>,
    table: Arc<Table>,
    /// The books of the game, if `OwnBook` is on.
    books: Option<Reading>,
    learning: Learning,
}

impl Session {
    /// Creates a session at the start of a game with default options, then sets `options` in order. If `game` is
    /// `None`, the game is the registry's first until the [handshake](Self::handshake) selects that of its dialect.
    ///
    /// # Errors
    /// An unknown game, an unknown option, an invalid value, incompatible options, or insufficient memory.
    pub fn new(game: Option<&str>, options: &[(String, String)]) -> Result<Self, Error> {
        let row = game.map_or(Ok(&GAMES[0]), registry::find)?;
        Self::begin(row, GAMES, None, game.is_some(), options)
    }

    /// Creates a session of a game outside the registry, which knows no other game.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn outside(setup: &Setup, options: &[(String, String)]) -> Result<Self, Error> {
        Self::begin(setup.row(), std::slice::from_ref(setup.row()), Some(setup.clone()), true, options)
    }

    /// Checks that the first moves of a game are words: commands and replies separate moves by blanks.
    ///
    /// # Errors
    /// [`Error::BadOptions`] with the move.
    pub(super) fn check_words(&self) -> Result<(), Error> {
        let moves = self.board.moves();
        moves.iter().find(|mv| mv.contains(char::is_whitespace)).map_or(Ok(()), |mv| {
            let (game, mv) = (self.row.name, Quoted::new(mv));
            Err(Error::BadOptions(format!("the protocol separates moves by blanks, and {game} has the move {mv}")))
        })
    }

    fn begin(
        row: &'static GameRow,
        games: &'static [GameRow],
        outside: Option<Setup>,
        is_given: bool,
        options: &[(String, String)],
    ) -> Result<Self, Error> {
        let (general, seed) = (Options::new(OPTIONS), options::fresh_seed());
        let board = outside.as_ref().map_or_else(|| row.start(&row.defaults()), |setup| setup.board(STARTPOS))?;
        let mut session = Self {
            row,
            games,
            outside,
            is_chosen: false,
            game_options: games.iter().map(GameRow::defaults).collect(),
            general: General::new(&general, seed),
            options: general,
            seed,
            dialect: Dialect::Uci,
            board,
            is_refused: false,
            set_up: None,
            table: Arc::new(Table::none()),
            books: None,
            learning: Learning::default(),
        };
        for (name, value) in options {
            session.set_option(name, Some(value))?;
        }
        let is_chosen = is_given || session.is_chosen;
        session.set_position(STARTPOS, "")?;
        session.is_chosen = is_chosen;
        // Allocate the default only after the options: one of them may have set a smaller size.
        if session.table.mib() == 0 {
            session.set_option("Hash", Some(&HASH.to_string()))?;
        }
        Ok(session)
    }

    /// Returns the board.
    ///
    /// # Errors
    /// [`Error::NoPosition`] if the last position was rejected: a manager means that position, and not the one before.
    pub fn board(&self) -> Result<&dyn Board, Error> {
        if self.is_refused { Err(Error::NoPosition) } else { Ok(&*self.board) }
    }

    /// Returns the table, for a search to share. The manager need not have sent `isready`: the search begins with the
    /// memory that is ready, and gets more.
    #[must_use]
    pub fn table(&self) -> Arc<Table> {
        self.table.touch();
        Arc::clone(&self.table)
    }

    /// Returns the values of the general options.
    #[must_use]
    pub fn general(&self) -> &General {
        &self.general
    }

    /// Returns the protocol of the manager.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn writer(&self) -> Arc<dyn Writer> {
        let uci = |names_reply| Arc::new(UciWriter { options: self.general, names_reply });
        match self.dialect {
            Dialect::Uci => uci(self.general.ponder),
            Dialect::Ugi => uci(false),
            Dialect::Hub => Arc::new(HubWriter),
        }
    }

    /// Selects the dialect, and its game unless the user chose one. Returns the handshake: names, options, final word.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for Hub and a game outside the registry, which it cannot name.
    pub fn handshake(&mut self, dialect: Dialect) -> Result<Vec<String>, Error> {
        if dialect == Dialect::Hub && self.outside.is_some() {
            return Err(Error::BadOptions(format!("the Hub protocol, of draughts, does not have {}", self.row.name)));
        }
        self.dialect = dialect;
        // In Hub, a game that it cannot name does not count as chosen.
        self.is_chosen &= dialect != Dialect::Hub || hub::name(self.row.name).is_some();
        self.follow(match dialect {
            Dialect::Uci => UCI_GAME,
            Dialect::Ugi => NAMES[0],
            Dialect::Hub => hub::DEFAULT_GAME,
        });
        if dialect == Dialect::Hub {
            let games = self.games.iter().zip(&self.game_options).filter(|(row, _)| hub::name(row.name).is_some());
            let options = games.map(|(_, options)| options);
            return Ok(hub::handshake(self.row.name, std::iter::once(&self.options).chain(options)));
        }
        let mut lines = vec![
            format!("id name {}", build::name()),
            "id author the Secateurs developers".to_owned(),
            format!("option name {CLEAR_HASH} type button"),
        ];
        let mut general = OPTIONS.to_vec();
        for row in &mut general {
            // A manager that sends every default back must not change the game.
            if let (VARIANT, OptionKind::Combo { choices, .. }) = (row.name, row.kind) {
                let choices = if self.outside.is_some() { std::slice::from_ref(&self.row.name) } else { choices };
                row.kind = OptionKind::Combo { default: self.row.name, choices };
            }
        }
        let rows = general.iter().chain(self.games.iter().flat_map(|row| row.options));
        lines.extend(rows.map(reply::option));
        lines.push(if dialect == Dialect::Ugi { "ugiok" } else { "uciok" }.to_owned());
        Ok(lines)
    }

    /// Sets an option. A game's options take effect at the next `position`.
    ///
    /// # Errors
    /// [`Error::UnknownOption`], [`Error::BadValue`], [`Error::TableTooLarge`], or an error of the learning file;
    /// nothing changes then.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        if name.eq_ignore_ascii_case(CLEAR_HASH) {
            self.table.clear();
            return Ok(());
        }
        let value = value.unwrap_or_default();
        self.set_up = None;
        if let Some((row, options)) =
            self.games.iter().zip(&mut self.game_options).find(|(_, options)| options.has(name))
        {
            return row.set(options, name, value);
        }
        let chosen = name.eq_ignore_ascii_case(VARIANT);
        if chosen && self.outside.is_some() {
            let only = std::slice::from_ref(&self.row.name);
            return OptionRow::combo(VARIANT, self.row.name, only).parse(value).and_then(|_| self.set_game(self.row));
        }
        let mut options = self.options.clone();
        options.set(name, value)?;
        Parameters::read(options.text(PARAMETERS)).map_err(|expected| Error::BadValue {
            name: PARAMETERS.to_owned(),
            value: Quoted::new(value),
            expected,
        })?;
        let general = General::new(&options, self.seed);
        let row = if chosen { registry::find(options.text(VARIANT))? } else { self.row };
        if [learning::FILE, learning::SIZE].iter().any(|option| name.eq_ignore_ascii_case(option)) {
            self.learning.set(&options)?;
        } else if name.eq_ignore_ascii_case("Hash") {
            if general.hash != self.table.mib() {
                self.table = Arc::new(self.table.resized(general.hash)?);
            }
        } else if chosen {
            self.set_game(row)?;
            self.is_chosen = true;
        }
        self.options = options;
        self.general = general;
        self.open_books();
        Ok(())
    }

    /// Selects the game that a manager expects without naming one, unless the user chose one: chess in UCI, the
    /// registry's first in UGI, international draughts in Hub.
    fn follow(&mut self, game: &str) {
        if self.is_chosen || self.outside.is_some() || self.row.name == game {
            return;
        }
        let mut options = self.options.clone();
        let set = registry::find(game).and_then(|row| self.set_game(row)).and_then(|()| options.set(VARIANT, game));
        if set.is_ok() {
            self.options = options;
            self.set_up = None;
            self.open_books();
        }
    }

    /// Sets up the start of a game. Until the next `position`, which reports incompatible options, it has the defaults.
    fn set_game(&mut self, row: &'static GameRow) -> Result<(), Error> {
        self.board = match &self.outside {
            Some(setup) => setup.board(STARTPOS)?,
            None => row.start(self.options_of(row)).or_else(|_| row.start(&row.defaults()))?,
        };
        self.row = row;
        self.is_refused = false;
        Ok(())
    }

    /// Starts to read the books of the game, if `OwnBook` is on.
    fn open_books(&mut self) {
        let row = self.row;
        self.books = self.options.check(BOOK).then(|| {
            let known = self.books.take().filter(|books| books.game() == row.name);
            known.unwrap_or_else(|| Reading::new(row).begin())
        });
    }

    /// Starts a new game: clears the table. Learned positions remain.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Returns the book's report if the request has a limit and is for one line over all moves. A timed search does not
    /// wait for books that are still being read.
    #[must_use]
    pub fn by_the_book(&self, request: &Request) -> Option<Report> {
        let whole = request.moves.is_empty() && request.lines == 1 && request.limits.is_finite();
        let books = self.books.as_ref().filter(|_| whole)?;
        let book = if request.limits.is_timed() { books.get()? } else { books.wait() };
        book.report(&*self.board, request.ties)
    }

    /// Returns the books of the game, if `OwnBook` is on.
    pub(crate) fn books(&self) -> Option<&Reading> {
        self.books.as_ref()
    }

    /// Waits until the session [is ready](Self::is_ready); once the flag is raised, it waits only for the books.
    pub fn ready(&self, stop: &StopFlag) {
        self.table.ready(stop);
        let _ = self.books.as_ref().map(Reading::wait);
    }

    /// Returns whether a search can start at once: the table's memory is ready and the books have been read.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.table.is_ready() && self.books.as_ref().is_none_or(|books| books.get().is_some())
    }

    /// Opens the file of learned positions, if one exists for the game that the next `position` sets up, and prunes it
    /// if it is full. Returns those positions, which the table lacks after a new game, and remarks on the file.
    pub(crate) fn prepare_learning(&mut self) -> (Option<RoteLearning>, Vec<String>) {
        self.parse(STARTPOS).map_or((None, Vec::new()), |board| self.learning.prepare(&*board))
    }

    /// Returns the learned positions of the board's game, if learning is on, and a remark if this opened their file.
    pub fn learned(&mut self) -> (Option<RoteLearning>, Option<String>) {
        self.learning.for_board(&*self.board)
    }

    fn options_of(&self, row: &GameRow) -> &Options {
        let index = self.games.iter().position(|game| game.name == row.name).unwrap_or(0);
        &self.game_options[index]
    }
}
