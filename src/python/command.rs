//! The command line from Python: what `secateur` on the PATH is where only the wheel is installed.

use crate::cli::{self, interrupt};
use pyo3::prelude::*;

/// Does what the words say, the first of them the name of the program, and returns the exit code.
#[pyfunction]
#[pyo3(name = "_main")]
pub fn main(py: Python<'_>, words: Vec<String>) -> u8 {
    interrupt::begin();
    py.detach(|| cli::run(words))
}
