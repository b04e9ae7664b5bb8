//! Lines of play: read from moves or from a game in Portable Game Notation (PGN), and written in standard algebraic
//! notation (SAN).

use super::Position;
use super::board::AnyBoard;
use crate::arguments::{self, Value, wrong_type};
use crate::error::OrRaise;
use crate::python_modules::call_function;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use secateurs::core::Error;
use secateurs::engine::Play;
use secateurs::pgn::write::numbered_line;
use secateurs::pgn::{LineReader, PgnError, PgnGame, decode, games};
use secateurs::registry::Setup;
use secateurs::store::bounded;
use std::task::Poll;

impl Position {
    /// Returns the position after a line: an iterable of moves, or a text as in a game in PGN.
    ///
    /// # Errors
    /// Those of Python's `Position.play_line`.
    pub(super) fn after(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<Self> {
        let mut board = self.board.copy(py);
        if let Ok(text) = moves.cast::<PyString>() {
            for mv in self.words(&text.to_string_lossy())? {
                board.play_move(&mv)?;
            }
            return Ok(board.into());
        }
        for given in arguments::sequence("moves", moves, "a list of str or int")? {
            let (name, given) = given?;
            let mv = board.mv(&name, &given)?;
            board.play_move(&mv)?;
        }
        Ok(board.into())
    }

    /// Returns a legal move, an argument called `name`, as the game writes it.
    ///
    /// # Errors
    /// `IllegalMove`; those of [`Self::mv`].
    pub(super) fn legal(&self, py: Python<'_>, name: &str, given: &Value<'_>) -> PyResult<String> {
        let (mv, mut board) = (self.board.mv(name, given)?, self.board.copy(py));
        board.play_move(&mv)?;
        Ok(board.history().pop().unwrap_or(mv))
    }

    /// Writes a line as PGN does, on one line of text.
    ///
    /// # Errors
    /// Those of [`Self::after`].
    pub(super) fn variation(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<String> {
        let line = self.after(py, moves)?.board.history().split_off(self.board.history().len());
        Ok(numbered_line(&self.setup()?.0, &*self.board, &line))
    }

    /// Returns the moves of a text: words, or the moves of PGN with their numbers, comments and glyphs.
    fn words(&self, text: &str) -> PyResult<Vec<String>> {
        if self.is_python() && self.board.moves().iter().any(|mv| mv == text) {
            return Ok(vec![text.to_owned()]);
        }
        let here = self.setup()?.0;
        let read: Result<Vec<_>, _> = caught(|| games(text, &here).collect())?;
        match read.map_err(|error| unreadable("moves", &error))?.as_slice() {
            // Moves of a game in Python may look like numbers, glyphs or variations.
            [] if self.is_python() && !text.trim().is_empty() => Err(PyValueError::new_err(
                "moves has no move: those with blanks or signs of PGN in them are written in quotation marks",
            )),
            [] => Ok(Vec::new()),
            [first, others @ ..]
                if first.tags.is_empty() && first.is_ended && (!others.is_empty() || first.text_behind.is_some()) =>
            {
                Err(PyValueError::new_err(format!("moves goes on after the result {}", first.result)))
            }
            [game] if game.tags.is_empty() => match game.doubts().first().filter(|_| game.moves.is_empty()) {
                Some(doubt) => Err(PyValueError::new_err(format!("moves {doubt}"))),
                None => Ok(game.moves.iter().map(|played| played.mv.clone()).collect()),
            },
            [first, ..] if first.tags.is_empty() => Err(PyValueError::new_err("moves has several games")),
            _ => Err(PyValueError::new_err("moves is a line, not a game with tags, which Position.from_pgn reads")),
        }
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
            board.play_move(mv)?;
            all.push(board.copy(py).into());
        }
        Ok(all)
    }
}

/// Returns the final position of the first game in PGN, given as `secateurs.annotate` takes games, or of the next game
/// of an open file; `None` at its end.
///
/// # Errors
/// Those of Python's `Position.from_pgn`.
pub(super) fn of_pgn(pgn: &Value<'_>, game: Option<Value<'_>>) -> PyResult<Option<AnyBoard>> {
    let game = game.unwrap_or_else(|| PyString::new(pgn.py(), "chess").into_any());
    let (here, own) = Position::game_of_records(&game)?;
    let is_file = pgn.hasattr(intern!(pgn.py(), "readline"))?;
    let read = if is_file {
        caught(|| next_of(pgn, &here))??
    } else {
        let text: Vec<u8> = call_function(pgn.py(), ("secateurs._annotation", "text_of"), (pgn,))?.extract()?;
        let text = decoded(text)?;
        caught(|| games(&text, &here).next())?
    };
    let end = |game: &PgnGame| -> Result<_, Error> {
        let setup = game.setup(&here)?;
        let board = game.board(&setup, usize::MAX)?;
        match own.clone().filter(|_| setup.own_start().is_some()) {
            Some(mut start) => {
                board.history().iter().try_for_each(|mv| start.play(mv))?;
                Ok(AnyBoard::Python(start))
            }
            None => Ok(AnyBoard::Registered(board)),
        }
    };
    let read = match read {
        None if is_file => return Ok(None),
        None => Err(PyValueError::new_err("pgn has no game")),
        Some(Err(error)) => Err(unreadable("pgn", &error)),
        Some(Ok(game)) => caught(|| end(&game))?.map(Some).or_raise(),
    };
    read.or_else(|error| call_function(pgn.py(), ("secateurs._annotation", "check_path"), (pgn,)).and(Err(error)))
}

/// Reads the next game from an open file. The next call begins with the lines read behind the game: the file goes back
/// to them, or, if it cannot, as a pipe, they are kept.
fn next_of(file: &Value<'_>, here: &Setup) -> PyResult<Option<Result<PgnGame, PgnError>>> {
    let py = file.py();
    let readline = || file.call_method0(intern!(py, "readline"));
    let place = file.call_method0(intern!(py, "tell")).ok();
    let (kept, is_begun): (Option<Bound<'_, PyList>>, bool) = match &place {
        Some(place) => (None, place.is_truthy()?),
        None => call_function(py, ("secateurs._annotation", "lines_behind"), (file,))?.extract()?,
    };
    let (mut reader, mut given) = (LineReader::new(here, is_begun), Vec::new());
    let game = loop {
        py.check_signals()?;
        let line = match kept.as_ref().filter(|kept| !kept.is_empty()) {
            Some(kept) => kept.call_method0(intern!(py, "pop"))?,
            None => readline()?,
        };
        let text = match line.cast::<PyBytes>() {
            Ok(line) if matches!(line.as_bytes(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) => {
                return Err(PyValueError::new_err("pgn is in UTF-16: open the file with encoding=\"utf-16\""));
            }
            Ok(line) => decoded(line.as_bytes().to_vec())?,
            Err(_) => match line.cast::<PyString>() {
                Ok(line) => line.to_string_lossy().into_owned(),
                Err(_) => return Err(wrong_type("pgn", "a file with lines of str or bytes", &line)),
            },
        };
        given.extend((!text.is_empty()).then_some(line));
        if let Poll::Ready(game) = reader.add(&text) {
            break game;
        }
    };
    let no_way = |reason: &str| Err(PyValueError::new_err(format!("pgn: an open file is read by lines, and {reason}")));
    match (reader.used(), place, kept) {
        (Some(used), ..) if used == given.len() => {}
        (None, ..) => return no_way("another game begins in a line in which one ends: give its text"),
        (Some(used), Some(place), _) => {
            file.call_method1(intern!(py, "seek"), (place,))?;
            (0..used).try_for_each(|_| readline().map(drop))?;
        }
        (Some(used), None, Some(kept)) => given[used..].iter().rev().try_for_each(|line| kept.append(line))?,
        _ => return no_way("this one cannot go back to the beginning of the next game: give its text"),
    }
    Ok(game)
}

/// Decodes games.
///
/// # Errors
/// `ValueError` for a compressed file.
pub(crate) fn decoded(pgn: Vec<u8>) -> PyResult<String> {
    bounded::check_unpacked(&pgn).map_err(|error| PyValueError::new_err(format!("pgn cannot be read: {error}")))?;
    Ok(decode(pgn))
}

fn unreadable(name: &str, error: &PgnError) -> PyErr {
    PyValueError::new_err(format!("{name}: {error}"))
}
