//! Positions for the other modules: arguments that are positions, and the boards of positions.

use super::Position;
use super::board::AnyBoard;
use crate::arguments::{self, Value};
use crate::error::OrRaise;
use crate::python_game::{self, PythonGame, inspection};
use crate::python_modules::call_function;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use secateurs::engine::{Board, GameBoard};
use secateurs::registry::{self, STARTPOS, Setup};

impl Position {
    /// Converts an argument: a position, or what can only mean one.
    ///
    /// # Errors
    /// `TypeError`; those of [`Self::meant`].
    pub fn read<'py>(given: &Value<'py>) -> PyResult<Bound<'py, Self>> {
        if let Some(position) = Self::meant(given)? {
            return Ok(position);
        }
        let wrong = arguments::wrong_type("position", &inspection::expected(given, "a Position")?, given);
        if given.is_instance_of::<PyString>() {
            let wrong = wrong.value(given.py());
            return Err(PyTypeError::new_err(format!("{wrong}: Position.parse(text, game) reads one")));
        }
        Err(wrong)
    }

    /// Returns the position that an object is or can only mean: a board of python-chess, a state of a game in Python, a
    /// FEN of chess or xiangqi; `None` for other objects.
    ///
    /// # Errors
    /// `ValueError` for a board that is no position of chess, `BadPosition` for a FEN.
    pub fn meant<'py>(given: &Value<'py>) -> PyResult<Option<Bound<'py, Self>>> {
        if let Ok(position) = given.cast::<Self>() {
            return Ok(Some(position.clone()));
        }
        let py = given.py();
        let board = if let Ok(text) = given.cast::<PyString>() {
            match registry::of_fen(&text.to_string_lossy()) {
                Some(_) => AnyBoard::parse(py, given, None, None)?,
                None => return Ok(None),
            }
        } else if given.is_instance(inspection::class(py)?)? {
            AnyBoard::set_up(given, None, None)?
        } else {
            match Self::of_python_chess(given)? {
                Some(board) => return Bound::new(py, Self { board, python_chess: true }).map(Some),
                None => return Ok(None),
            }
        };
        Bound::new(py, Self::from(board)).map(Some)
    }

    /// Returns the game of records that do not name theirs, and its start if it is written in Python: given by its
    /// name, by its start with options, or by a position or state of a game in Python.
    ///
    /// # Errors
    /// `BadOption` for an unknown game; `ValueError` for another position; `TypeError`; those of [`Self::meant`].
    pub fn game_of_records(given: &Value<'_>) -> PyResult<(Setup, Option<GameBoard<PythonGame>>)> {
        if let Some(position) = Self::meant(given)? {
            let (setup, own) = position.get().setup()?;
            let board = position.get().board();
            if own.is_none() && board.text() != setup.board(STARTPOS).or_raise()?.text() {
                let game = board.game();
                let wrong = format!("game is a position of {game} after its start: a game has its own in the tag FEN");
                return Err(PyValueError::new_err(wrong));
            }
            return Ok((setup, own));
        }
        match given.cast::<PyString>() {
            Ok(name) => Ok((Setup::named(&name.to_string_lossy()).or_raise()?, None)),
            Err(_) => {
                let expected = inspection::expected(given, "a Position or the name of a game")?;
                Err(arguments::wrong_type("game", &expected, given))
            }
        }
    }

    /// Returns the board of a board of python-chess, with its moves; `None` for other objects.
    ///
    /// # Errors
    /// `ValueError` for a variant and for a board that is no position.
    pub fn of_python_chess(given: &Value<'_>) -> PyResult<Option<AnyBoard>> {
        let position = call_function(given.py(), ("secateurs._python_chess", "position"), (given,))?;
        let position = position.extract::<Option<Bound<'_, Self>>>()?;
        Ok(position.map(|position| position.get().board.copy(given.py())))
    }

    /// Converts a move of a result: to a move of python-chess if the search was given a board of python-chess,
    /// otherwise to text.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn result_move<'py>(&self, py: Python<'py>, mv: &str) -> PyResult<Bound<'py, PyAny>> {
        static MOVE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        if self.python_chess {
            return MOVE.import(py, "chess", "Move")?.call_method1("from_uci", (mv,));
        }
        Ok(PyString::new(py, mv).into_any())
    }

    /// Converts the moves of a result, as [`Self::result_move`].
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn result_moves<'py>(&self, py: Python<'py>, moves: &[String]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        moves.iter().map(|mv| self.result_move(py, mv)).collect()
    }

    /// Returns the board.
    pub fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// Returns the board, for output to files and other programs.
    ///
    /// # Errors
    /// `ValueError` for a game in Python, which other processes do not know.
    pub fn registered(&self) -> PyResult<&dyn Board> {
        match &self.board {
            AnyBoard::Registered(board) => Ok(&**board),
            AnyBoard::Python(_) => Err(PyValueError::new_err("a game in Python is known to this process alone")),
        }
    }

    /// Returns the setup of a match from here, and its start if the game is written in Python: games of the registry
    /// start from their openings.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn setup(&self) -> PyResult<(Setup, Option<GameBoard<PythonGame>>)> {
        match &self.board {
            AnyBoard::Registered(board) => Ok((Setup::from_board(&**board).or_raise()?, None)),
            AnyBoard::Python(board) => {
                let (setup, start) = python_game::setup(board, self.game());
                Ok((setup, Some(start)))
            }
        }
    }

    /// Returns a copy of the board; in a game in Python without its history, and with moves numbered as those of another
    /// position: each start of such a game numbers them itself.
    ///
    /// # Errors
    /// The exceptions of the game.
    pub fn numbered_as(&self, py: Python<'_>, other: &Self) -> PyResult<AnyBoard> {
        match (&self.board, &other.board) {
            (AnyBoard::Python(board), AnyBoard::Python(other)) => {
                python_game::numbered_as(board, other, py).map(AnyBoard::Python)
            }
            (board, _) => Ok(board.copy(py)),
        }
    }

    /// Returns whether the game is written in Python.
    pub fn is_python(&self) -> bool {
        matches!(self.board, AnyBoard::Python(_))
    }

    /// Returns the number of threads for a search. In a game in Python this is 1: only one thread at a time can run
    /// Python code.
    pub fn threads(&self, threads: usize) -> usize {
        if self.is_python() { 1 } else { threads }
    }

    /// Converts a move, an argument called `name`, to text.
    ///
    /// # Errors
    /// Those of [`AnyBoard::mv`].
    pub fn mv(&self, name: &str, given: &Value<'_>) -> PyResult<String> {
        self.board.mv(name, given)
    }

    /// Returns the legal move of a game in Python that is equal to an object.
    ///
    /// # Errors
    /// Those of [`AnyBoard::equal`].
    pub fn equal(&self, given: &Value<'_>) -> PyResult<Option<String>> {
        self.board.equal(given)
    }
}

impl From<Box<dyn Board>> for Position {
    fn from(board: Box<dyn Board>) -> Self {
        AnyBoard::Registered(board).into()
    }
}

impl From<AnyBoard> for Position {
    fn from(board: AnyBoard) -> Self {
        Self { board, python_chess: false }
    }
}

impl From<GameBoard<PythonGame>> for Position {
    fn from(board: GameBoard<PythonGame>) -> Self {
        AnyBoard::Python(board).into()
    }
}

/// Returns the moves of a line of play from a position as people read them: in standard algebraic notation, where the
/// game has it.
#[pyfunction(name = "_readable")]
pub fn readable(position: &Position, line: &Value<'_>) -> PyResult<Vec<String>> {
    let moves = arguments::sequence("line", line, "a list of str")?.map(|given| {
        let (name, given) = given?;
        position.mv(&name, &given)
    });
    Ok(position.board.readable_line(&moves.collect::<PyResult<Vec<_>>>()?))
}
