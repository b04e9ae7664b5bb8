//! A game with its options: it sets up boards from text.

use super::{GAMES, GameRow, STARTPOS, find, hint};
use crate::core::error::Quoted;
use crate::core::{Databases, Error, OptionKind, OptionRow, OptionValue, Options, notation};
use crate::engine::Board;
use std::fmt;
use std::sync::Arc;

/// The options that are neither weights, files nor folders, and with which the game is the same: how it is searched,
/// and how moves are written.
const NON_RULE_OPTIONS: [&str; 2] = ["Theory", "UCI_Chess960"];

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
