//! The command line from Python: what `secateur` on the PATH is where only the wheel is installed.

use crate::cli::{self, interrupt, read::read};
use pyo3::prelude::*;

/// Does what the words say, the first of them the name of the program, and returns the exit code.
#[pyfunction]
#[pyo3(name = "_main")]
pub fn main(py: Python<'_>, words: Vec<String>) -> u8 {
    interrupt::begin();
    py.detach(|| match read(words) {
        Ok(cli) => cli::run(cli),
        Err(error) => {
            // Help and version too; where they cannot be written there is nobody left to tell.
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(2)
        }
    })
}
