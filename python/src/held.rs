//! The board of a position and its origin: the registry or a game in Python.

use super::arguments::{self, Given};
use super::game::{self, PythonGame};
use super::inspection;
use super::options;
use super::position::Position;
use super::state::text_of;
use crate::error::{BadOption, OrRaise};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::core::Error;
use secateurs::engine::{Board, GameBoard};
use secateurs::registry::{self, GameRow, STARTPOS, Setup};
use std::ops::{Deref, DerefMut};

/// A board. Boards of games in Python show their references to Python's garbage collector.
pub enum Held {
    /// A board of a game of the registry.
    Registry(Box<dyn Board>),
    /// A board of a game in Python.
    Python(GameBoard<PythonGame>),
}

impl Held {
    /// Copies the board. The thread must be attached to Python, on which the garbage collector relies.
    pub fn copy(&self, _: Python<'_>) -> Self {
        match self {
            Self::Registry(board) => Self::Registry(board.boxed()),
            Self::Python(board) => Self::Python(board.clone()),
        }
    }

    /// Converts a move, an argument called `name`, to text. In a game in Python it is the legal move that is equal to the
    /// argument, or else the one with its text.
    ///
    /// # Errors
    /// `TypeError` in other games; the exceptions of the argument.
    pub fn mv(&self, name: &str, given: &Given<'_>) -> PyResult<String> {
        let Self::Python(board) = self else { return arguments::mv(name, given) };
        match board.position().equal(given)? {
            Some(text) => Ok(text),
            None => Ok(text_of(given)?.to_string_lossy().into_owned()),
        }
    }
}

impl Deref for Held {
    type Target = dyn Board;

    fn deref(&self) -> &(dyn Board + 'static) {
        match self {
            Self::Registry(board) => &**board,
            Self::Python(board) => board,
        }
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut (dyn Board + 'static) {
        match self {
            Self::Registry(board) => &mut **board,
            Self::Python(board) => board,
        }
    }
}

/// The error for options of a game in Python.
pub fn no_options() -> PyErr {
    PyTypeError::new_err("a game in Python takes no options")
}

/// The error for another name than that of a game, which may be a position.
fn unknown(error: Error) -> PyErr {
    BadOption::new_err(format!("{error}; Position.parse(text, game) reads a position"))
}

/// The origin of a position.
pub enum Origin {
    /// A game of the registry.
    Registry(&'static GameRow),
    /// A game in Python: the state from which the line starts.
    Python(Py<PyAny>),
}

impl Position {
    /// Creates a position from a board.
    ///
    /// # Errors
    /// None for a board that a game has created.
    pub fn of(board: Box<dyn Board>) -> Result<Self, Error> {
        Ok(Self { game: Origin::Registry(registry::find(board.game())?), board: Held::Registry(board) })
    }

    /// Returns the board, for the setup of a search.
    pub fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// Returns the number of threads for a search. In a game in Python this is 1: only one thread at a time can run
    /// Python code.
    pub fn threads(&self, threads: usize) -> usize {
        if self.is_python() { 1 } else { threads }
    }

    /// Returns the board, for output to files and other programs.
    ///
    /// # Errors
    /// `ValueError` for a game in Python, which other processes do not know.
    pub fn registered(&self) -> PyResult<&dyn Board> {
        match self.game {
            Origin::Registry(_) => Ok(&*self.board),
            Origin::Python(_) => Err(PyValueError::new_err("a game in Python is known to this process alone")),
        }
    }

    /// Returns the game; `None` if it is written in Python.
    pub fn row(&self) -> Option<&'static GameRow> {
        match self.game {
            Origin::Registry(row) => Some(row),
            Origin::Python(_) => None,
        }
    }

    /// Returns whether the game is written in Python.
    pub fn is_python(&self) -> bool {
        self.row().is_none()
    }

    /// Returns the position of a later board of the same game.
    pub(super) fn with(&self, py: Python<'_>, board: Held) -> Self {
        let game = match &self.game {
            Origin::Registry(row) => Origin::Registry(row),
            Origin::Python(start) => Origin::Python(start.clone_ref(py)),
        };
        Self { game, board }
    }

    /// Returns the name of the game or the first state.
    pub(super) fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.game {
            Origin::Registry(row) => PyString::new(py, row.name).into_any(),
            Origin::Python(start) => start.bind(py).clone(),
        }
    }

    /// Makes the position of Python's `Position`: with a text, under one of its two names, that of `Position.parse`.
    ///
    /// # Errors
    /// Those of both.
    pub(super) fn made(
        py: Python<'_>,
        game: Option<Given<'_>>,
        texts: [Option<Given<'_>>; 2],
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        match texts {
            [Some(_), Some(_)] => Err(PyTypeError::new_err("give text or fen, not both")),
            [Some(text), None] | [None, Some(text)] => Self::read(py, &text, game, options),
            [None, None] => {
                let game = game.unwrap_or_else(|| PyString::new(py, registry::GAMES[0].name).into_any());
                let fen = game.cast::<PyString>().map(|text| text.to_string_lossy()).unwrap_or_default();
                match registry::of_fen(&fen) {
                    Some(row) => Self::set_up(&PyString::new(py, row.name), options, Some(&fen)),
                    None => Self::set_up(&game, options, None),
                }
            }
        }
    }

    /// Reads the position of Python's `Position.parse`.
    ///
    /// # Errors
    /// Its errors.
    pub(super) fn read(
        py: Python<'_>,
        text: &Given<'_>,
        game: Option<Given<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let text = arguments::text("text", text)?;
        let default = registry::of_fen(&text).unwrap_or(&registry::GAMES[0]).name;
        let game = game.map_or_else(|| Ok(default.into()), |game| arguments::text("game", &game))?;
        Self::set_up(&PyString::new(py, &game), options, Some(&text))
    }

    /// Sets up a position of a game, given by name or as a state in Python: the start, or the position in `text`.
    ///
    /// # Errors
    /// Those of Python's `Position` and `Position.parse`.
    pub(super) fn set_up(
        origin: &Bound<'_, PyAny>,
        given: Option<&Bound<'_, PyDict>>,
        text: Option<&str>,
    ) -> PyResult<Self> {
        if let Ok(name) = origin.cast::<PyString>() {
            let row = registry::find(&name.to_string_lossy()).map_err(unknown)?;
            let setup = Setup::with(row, options::read(row, given)?);
            let board = setup.board(text.unwrap_or(STARTPOS)).or_raise()?;
            return Ok(Self { game: Origin::Registry(row), board: Held::Registry(board) });
        }
        if !origin.is_instance(inspection::class(origin.py())?)? {
            let kind = inspection::kind(origin);
            return Err(PyTypeError::new_err(format!("game is the name of a game or a Game, not {kind}")));
        }
        if given.is_some_and(|given| !given.is_empty()) {
            return Err(no_options());
        }
        Ok(Self { game: Origin::Python(origin.clone().unbind()), board: Held::Python(game::board(origin)?) })
    }
}
