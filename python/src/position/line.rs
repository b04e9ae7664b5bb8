//! Lines of play: read from moves or from a game in Portable Game Notation (PGN), and written in standard algebraic
//! notation (SAN).

use super::Position;
use super::board::AnyBoard;
use crate::arguments::{self, Argument, Value};
use crate::display::called;
use crate::error::OrRaise;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use secateurs::core::Error;
use secateurs::pgn::PgnGame;
use secateurs::pgn::write::numbered_line;
use secateurs::pgn::{PgnError, decode, games};
use secateurs::registry::Setup;

impl Position {
    /// Returns the position after a line: an iterable of moves, or a text as in a game in PGN.
    ///
    /// # Errors
    /// Those of Python's `Position.play_line`.
    pub(super) fn after(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<Self> {
        let mut board = self.board.copy(py);
        if let Ok(text) = moves.cast::<PyString>() {
            for mv in words(&self.board, &text.to_string_lossy())? {
                caught(|| board.play(&mv))?.or_raise()?;
            }
            return Ok(board.into());
        }
        for given in arguments::sequence("moves", moves, "a list of str or int")? {
            let (name, given) = given?;
            let mv = board.mv(&name, &given)?;
            caught(|| board.play(&mv))?.or_raise()?;
        }
        Ok(board.into())
    }

    /// Returns a legal move, an argument called `name`, as the game writes it.
    ///
    /// # Errors
    /// `IllegalMove`; those of [`Self::mv`].
    pub(super) fn legal(&self, py: Python<'_>, name: &str, given: &Value<'_>) -> PyResult<String> {
        let (mv, mut board) = (self.board.mv(name, given)?, self.board.copy(py));
        caught(|| board.play(&mv))?.or_raise()?;
        Ok(board.history().pop().unwrap_or(mv))
    }

    /// Writes a line as PGN does, on one line of text.
    ///
    /// # Errors
    /// Those of [`Self::after`].
    pub(super) fn variation(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<String> {
        let line = self.after(py, moves)?.board.history().split_off(self.board.history().len());
        let AnyBoard::Registered(board) = &self.board else { return Ok(line.join(" ")) };
        let setup = Setup::from_board(&**board).or_raise()?;
        // A number stands at its move, as python-chess has it.
        Ok(numbered_line(&setup, &**board, &line).replace("... ", "..."))
    }

    /// Returns the board before the first move.
    ///
    /// # Errors
    /// The exceptions of a game in Python.
    pub(super) fn first(&self, py: Python<'_>) -> PyResult<AnyBoard> {
        match &self.board {
            AnyBoard::Registered(board) => {
                let set_up = Setup::from_board(&**board).and_then(|setup| setup.board(&board.start()));
                set_up.map(AnyBoard::Registered).or_raise()
            }
            AnyBoard::Python(_) => AnyBoard::set_up(&self.board.origin(py), None, None),
        }
    }

    /// Returns all positions of the line, from the start to this one.
    ///
    /// # Errors
    /// The exceptions of a game in Python.
    pub(super) fn line(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let (moves, mut board) = (self.board.history(), self.first(py)?);
        let mut all = vec![board.copy(py).into()];
        for mv in &moves {
            caught(|| board.play(mv))?.or_raise()?;
            all.push(board.copy(py).into());
        }
        Ok(all)
    }
}

/// Returns the moves of a text: words, or the moves of PGN with their numbers, comments and glyphs.
fn words(board: &AnyBoard, text: &str) -> PyResult<Vec<String>> {
    let AnyBoard::Registered(board) = board else {
        // A word with a number and periods alone counts the moves.
        let counts =
            |word: &&str| word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit());
        return Ok(text.split_whitespace().filter(|word| !counts(word)).map(Into::into).collect());
    };
    let here = Setup::from_board(&**board).or_raise()?;
    let read: Vec<_> = games(text, &here).collect::<Result<_, _>>().map_err(|error| unreadable("moves", &error))?;
    match read.as_slice() {
        [] => Ok(Vec::new()),
        [game] if game.tags.is_empty() => Ok(game.moves.iter().map(|played| played.mv.clone()).collect()),
        _ => Err(PyValueError::new_err("moves is a line, not a game with tags, which Position.from_pgn reads")),
    }
}

/// Returns the end of the first game in PGN, given as `secateurs.annotate` takes games.
///
/// # Errors
/// Those of Python's `Position.from_pgn`.
pub(super) fn of_pgn(pgn: &Value<'_>, game: Option<Value<'_>>) -> PyResult<AnyBoard> {
    let bytes: Vec<u8> = called(pgn.py(), ("secateurs._annotation", "text_of"), (pgn,))?.extract()?;
    let here = Setup::named(&String::read_or("game", game, "chess".into())?).or_raise()?;
    let end = |game: &PgnGame| -> Result<_, Error> { game.board(&game.setup(&here)?, usize::MAX) };
    match games(&decode(bytes), &here).next() {
        None => Err(PyValueError::new_err("pgn has no game")),
        Some(Err(error)) => Err(unreadable("pgn", &error)),
        Some(Ok(game)) => end(&game).map(AnyBoard::Registered).or_raise(),
    }
}

fn unreadable(name: &str, error: &PgnError) -> PyErr {
    PyValueError::new_err(format!("{name}: {error}"))
}
