//! The command line from Python: the program `secateurs` on the PATH if only the wheel is installed.

use crate::arguments::Items;
use pyo3::prelude::*;
use secateurs_tools::cli::{self, interrupt};
use std::ffi::OsString;

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
#[pyfunction]
#[pyo3(name = "_main")]
pub fn main(py: Python<'_>, words: Items<OsString>) -> u8 {
    interrupt::begin();
    py.detach(|| cli::run(Vec::from(words)))
}
