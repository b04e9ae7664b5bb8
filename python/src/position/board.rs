//! The board of a position: of a game of the registry, or of a game in Python.

use super::Position;
use crate::arguments::{self, Argument, Value, options};
use crate::error::{BadOption, OrRaise};
use crate::python_game::{self, PythonGame, inspection, text_of};
use crate::threads::unwinding::caught;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::core::Error;
use secateurs::core::error::Quoted;
use secateurs::engine::{Board, GameBoard};
use secateurs::registry::{self, STARTPOS, Setup};
use std::ops::{Deref, DerefMut};

/// A board. Boards of games in Python show their references to Python's garbage collector.
pub enum AnyBoard {
    /// A board of a game of the registry.
    Registered(Box<dyn Board>),
    /// A board of a game in Python.
    Python(GameBoard<PythonGame>),
}

impl AnyBoard {
    /// Sets up the position of Python's `Position`: with a text, under one of its two names, that of `Position.parse`.
    ///
    /// # Errors
    /// Those of both.
    pub fn new(
        py: Python<'_>,
        game: Option<Value<'_>>,
        texts: [Option<Value<'_>>; 2],
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        match texts {
            [Some(_), Some(_)] => Err(PyTypeError::new_err("give text or fen, not both")),
            [Some(text), None] | [None, Some(text)] => Self::parse(py, &text, game, options),
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
    pub fn parse(
        py: Python<'_>,
        text: &Value<'_>,
        game: Option<Value<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if let Some(board) = Self::placed(text)? {
            return Self::checked(board, game, options);
        }
        let text = String::read("text", text)?;
        let default = registry::of_fen(&text).unwrap_or(&registry::GAMES[0]).name;
        let game = String::read_or("game", game, default.into())?;
        Self::set_up(&PyString::new(py, &game), options, Some(&text))
    }

    /// Returns the board of a position or of a board of python-chess; `None` for other objects.
    ///
    /// # Errors
    /// Those of [`Position::of_python_chess`].
    fn placed(given: &Value<'_>) -> PyResult<Option<Self>> {
        match given.cast::<Position>() {
            Ok(position) => Ok(Some(position.get().board.copy(given.py()))),
            Err(_) => Position::of_python_chess(given),
        }
    }

    /// Returns a board that was given as a position, which has its game and options.
    ///
    /// # Errors
    /// `ValueError` for another game, `TypeError` for options.
    fn checked(board: Self, game: Option<Value<'_>>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let game = String::read_or("game", game, board.game().into())?;
        if options.is_some_and(|options| !options.is_empty()) {
            return Err(PyTypeError::new_err("a position has its own options"));
        }
        if game != board.game() {
            let wrong = format!("text is a board of {}, and the game is {}", board.game(), Quoted::new(&game));
            return Err(PyValueError::new_err(wrong));
        }
        Ok(board)
    }

    /// Sets up a position of a game, given by name or as a state in Python: the start, or the position in `text`.
    ///
    /// # Errors
    /// Those of Python's `Position` and `Position.parse`.
    pub fn set_up(game: &Bound<'_, PyAny>, given: Option<&Bound<'_, PyDict>>, text: Option<&str>) -> PyResult<Self> {
        if let Ok(name) = game.cast::<PyString>() {
            let row = registry::find(&name.to_string_lossy());
            let row = match text {
                None => row.map_err(|error| unknown(&error, &name.to_string_lossy())),
                Some(_) => row.or_raise(),
            }?;
            let setup = Setup::with(row, options::read(row, given, "Position")?);
            return setup.board(text.unwrap_or(STARTPOS)).map(Self::Registered).or_raise();
        }
        let base = inspection::class(game.py())?;
        let has_options = given.is_some_and(|given| !given.is_empty());
        if !game.is_instance(base)? {
            if let Some(board) = Self::placed(game)? {
                return Self::checked(board, None, given);
            }
            let expected = inspection::expected(game, "the name of a game or a Game")?;
            return Err(arguments::wrong_type("game", &expected, game));
        }
        if has_options {
            return Err(no_options());
        }
        python_game::board(game).map(Self::Python)
    }

    /// Returns the name of the game, or the first state of a game in Python.
    pub fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self {
            Self::Registered(board) => PyString::new(py, board.game()).into_any(),
            Self::Python(board) => board.first().object(py).clone(),
        }
    }

    /// Copies the board. The thread must be attached to Python, on which the garbage collector relies.
    pub fn copy(&self, _: Python<'_>) -> Self {
        match self {
            Self::Registered(board) => Self::Registered(board.boxed()),
            Self::Python(board) => Self::Python(board.clone()),
        }
    }

    /// Plays a move.
    ///
    /// # Errors
    /// `IllegalMove`; the exceptions of a game in Python.
    pub fn play_move(&mut self, mv: &str) -> PyResult<()> {
        caught(|| self.play(mv))?.or_raise()
    }

    /// Converts a move, an argument called `name`, to text. In a game in Python it is the legal move that is equal to
    /// the argument, or else the one with its text.
    ///
    /// # Errors
    /// `TypeError` in other games; the exceptions of the argument.
    pub fn mv(&self, name: &str, given: &Value<'_>) -> PyResult<String> {
        match (self, self.equal(given)?) {
            (_, Some(text)) => Ok(text),
            (Self::Python(_), None) => Ok(text_of(given)?.to_string_lossy().into_owned()),
            (Self::Registered(_), None) => arguments::mv(name, given),
        }
    }

    /// Returns the legal move of a game in Python that is equal to an object.
    ///
    /// # Errors
    /// The exceptions of the object.
    pub fn equal(&self, given: &Value<'_>) -> PyResult<Option<String>> {
        match self {
            Self::Python(board) => board.position().equal(given),
            Self::Registered(_) => Ok(None),
        }
    }
}

impl Deref for AnyBoard {
    type Target = dyn Board;

    fn deref(&self) -> &(dyn Board + 'static) {
        match self {
            Self::Registered(board) => &**board,
            Self::Python(board) => board,
        }
    }
}

impl DerefMut for AnyBoard {
    fn deref_mut(&mut self) -> &mut (dyn Board + 'static) {
        match self {
            Self::Registered(board) => &mut **board,
            Self::Python(board) => board,
        }
    }
}

/// The error for options of a game in Python.
pub fn no_options() -> PyErr {
    PyTypeError::new_err("a game in Python takes no options")
}

/// The error for another name than that of a game, which may be a game that was played, or a position.
fn unknown(error: &Error, text: &str) -> PyErr {
    let way = match text.trim_start().starts_with(['[', '1']) && text.contains("1.") {
        true => "Position.from_pgn(text) reads a game in PGN",
        false => "Position.parse(text, game) reads a position",
    };
    BadOption::new_err(format!("{error}; {way}"))
}
