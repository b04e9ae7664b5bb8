//! Positions for the other modules: arguments that are positions, and the boards of positions.

use super::Position;
use super::board::AnyBoard;
use crate::arguments::{self, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use secateurs::engine::Board;

impl Position {
    /// Casts an argument.
    ///
    /// # Errors
    /// `TypeError`.
    pub fn cast<'a, 'py>(given: &'a Value<'py>) -> PyResult<&'a Bound<'py, Self>> {
        given.cast().map_err(|_| {
            let wrong = arguments::wrong_type("position", "a Position", given);
            if given.is_instance_of::<PyString>() {
                let wrong = wrong.value(given.py());
                return PyTypeError::new_err(format!("{wrong}: Position.parse(text, game) reads one"));
            }
            wrong
        })
    }

    /// Returns the board, for the setup of a search.
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
}

impl From<Box<dyn Board>> for Position {
    fn from(board: Box<dyn Board>) -> Self {
        Self { board: AnyBoard::Registered(board) }
    }
}

/// Returns the moves of a line of play from a position as people read them: in standard algebraic notation, where the game
/// has it.
#[pyfunction(name = "_readable")]
#[expect(clippy::needless_pass_by_value, reason = "Python passes a list")]
pub fn readable(position: &Position, line: Vec<String>) -> Vec<String> {
    position.board.readable_line(&line)
}
