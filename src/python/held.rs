//! The board of a position and where it is from: the registry, or a game in Python.

use super::game::{self, PythonGame};
use super::options;
use super::position::Position;
use crate::core::Error;
use crate::engine::{Board, GameBoard};
use crate::registry::{self, GameRow, STARTPOS, Setup};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ops::{Deref, DerefMut};

/// A board. One over states of Python is known as such: it shows Python's garbage collection what it refers to.
pub enum Held {
    /// Of a game of the registry.
    Registry(Box<dyn Board>),
    /// Of a game in Python.
    Python(GameBoard<PythonGame>),
}

impl Held {
    /// A copy. Only who is attached to Python makes one: the garbage collection counts on it.
    pub fn copy(&self, _: Python<'_>) -> Self {
        match self {
            Self::Registry(board) => Self::Registry(board.boxed()),
            Self::Python(board) => Self::Python(board.clone()),
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

/// Where a position is from.
pub enum Origin {
    /// A game of the registry.
    Registry(&'static GameRow),
    /// A state of a game in Python: the one that the line begins with.
    Python(Py<PyAny>),
}

impl Position {
    /// A position of a board.
    ///
    /// # Errors
    /// None of a board that a game has made.
    pub fn of(board: Box<dyn Board>) -> Result<Self, Error> {
        Ok(Self { game: Origin::Registry(registry::find(board.game())?), board: Held::Registry(board) })
    }

    /// The board, to set up a search over.
    pub fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// So many threads, as far as the game can do with them: only one at a time can be in Python.
    pub fn threads(&self, threads: usize) -> usize {
        if self.is_python() { 1 } else { threads }
    }

    /// The board, for what goes to files and to other programs.
    ///
    /// # Errors
    /// `ValueError` for a game in Python, which no other process knows.
    pub fn registered(&self) -> PyResult<&dyn Board> {
        match self.game {
            Origin::Registry(_) => Ok(&*self.board),
            Origin::Python(_) => Err(PyValueError::new_err("a game in Python is known to this process alone")),
        }
    }

    /// Whether the game is written in Python.
    pub fn is_python(&self) -> bool {
        matches!(self.game, Origin::Python(_))
    }

    /// The position of a board further on.
    pub(super) fn with(&self, py: Python<'_>, board: Held) -> Self {
        let game = match &self.game {
            Origin::Registry(row) => Origin::Registry(row),
            Origin::Python(start) => Origin::Python(start.clone_ref(py)),
        };
        Self { game, board }
    }

    /// What the position was set up from.
    pub(super) fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.game {
            Origin::Registry(row) => PyString::new(py, row.name).into_any(),
            Origin::Python(start) => start.bind(py).clone(),
        }
    }

    /// A position of a game: the name of one, or a state of one in Python; at its start, or as a text says.
    ///
    /// # Errors
    /// Those of Python's `Position` and `Position.parse`.
    pub(super) fn set_up(
        origin: &Bound<'_, PyAny>,
        given: Option<&Bound<'_, PyDict>>,
        text: Option<&str>,
    ) -> PyResult<Self> {
        if let Ok(name) = origin.cast::<PyString>() {
            let row = registry::find(&name.to_string_lossy())?;
            let setup = Setup::with(row, options::read(row, given)?);
            let board = setup.board(text.unwrap_or(STARTPOS))?;
            return Ok(Self { game: Origin::Registry(row), board: Held::Registry(board) });
        }
        if !origin.is_instance(game::class(origin.py())?)? {
            let kind = origin.get_type().name()?;
            return Err(PyTypeError::new_err(format!("game is the name of a game or a Game, not {kind}")));
        }
        if given.is_some_and(|given| !given.is_empty()) {
            return Err(PyTypeError::new_err("a game in Python takes no options"));
        }
        Ok(Self { game: Origin::Python(origin.clone().unbind()), board: Held::Python(game::board(origin)?) })
    }
}
