//! The command line from Python: the program `secateurs` on the PATH if only the wheel is installed.

use crate::arguments::Items;
use crate::position::Position;
use crate::threads::unwinding::caught;
use pyo3::prelude::*;
use pyo3::types::PyString;
use secateurs_tools::cli::{self, interrupt, output, setup};
use std::ffi::OsString;

/// Runs a command line, whose first word is the name of the program, and returns the exit code. `own` is a game in
/// Python with its name on the command line.
///
/// # Errors
/// The exception of the game.
#[pyfunction]
#[pyo3(name = "_main", signature = (words, own = None))]
pub fn main(py: Python<'_>, words: Items<OsString>, own: Option<(String, Bound<'_, Position>)>) -> PyResult<u8> {
    if let Some((name, position)) = own {
        let library = py.import("secateurs._native")?.filename()?.to_string_lossy().into_owned();
        setup::register(name, position.get().setup()?.0, library.into());
    }
    interrupt::begin();
    py.detach(|| caught(|| cli::run(Vec::from(words))))
}

/// Returns a message as the command line writes it: without the control characters of foreign text.
#[pyfunction]
#[pyo3(name = "_safe")]
pub fn safe(message: &Bound<'_, PyString>) -> String {
    output::safe(message.to_string_lossy())
}
