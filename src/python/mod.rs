//! The extension module `secateur._native`, which the package `secateur` re-exports.
//!
//! It is thin: the boards and engines are those that the line protocol drives, so the two can never disagree.
//!
//! - [`position`], [`held`], [`board_view`], [`outcome`]: a board as an immutable value; [`game`], [`state`], [`key`]: one that is written in Python; [`calls`]: of
//!   its code;
//! - [`query`], [`limit`]: queries and limits, and the methods of all engines; [`play_result`]: the move that one plays;
//! - [`engine`], [`engine_search`], [`analysis`], [`background`]: a search, waited for or in the background;
//! - [`uci_engine`], [`described`], [`pipe`], [`talk`], [`heard`]: another's search, at the end of a pipe, in the same words;
//! - [`matches`], [`player`], [`standings`]: matches, with players written in Python, and what they come to;
//! - [`compare`]: the procedures of the literature side by side;
//! - [`score`], [`result`], [`solution`]: what it found, exactly or not; [`trail`]: what it said on its way; [`tree`]: what it
//!   saw;
//! - [`display`]: what notebooks show of them; `command`: the command line;
//! - [`batch`]: many positions at once, as columns;
//! - [`options`]: keyword arguments from the rows of the registry;
//! - [`arguments`]: limits and sizes, read and checked; [`fields`](mod@fields): many of them at once;
//! - [`interruptible`](mod@interruptible): long work with the GIL released, under Ctrl-C; [`running`]: ended by others;
//! - [`lock`](mod@lock): a mutex after a panic;
//! - [`error`]: the exceptions; `logs`: log records, but for those of batches.

mod analysis;
mod arguments;
mod background;
mod background_search;
mod batch;
mod board_view;
mod calls;
#[cfg(feature = "cli")]
mod command;
mod compare;
mod described;
mod display;
mod engine;
mod engine_search;
mod error;
mod fields;
mod game;
mod held;
mod interruptible;
mod key;
mod limit;
mod lock;
mod logs;
mod matches;
mod options;
mod outcome;
mod pipe;
mod play_result;
mod player;
mod position;
mod progress_log;
mod query;
mod result;
mod running;
mod score;
mod solution;
mod standings;
mod state;
mod tree;
mod uci_engine;
mod uci_report;
mod uci_session;

use crate::registry;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PySequence};

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    logs::install(py)?;
    // Their classes are imported at the first cast, which panics where imports fail: while Python shuts down.
    let _ = (module.cast::<PySequence>(), module.cast::<PyMapping>());
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BadFile", py.get_type::<error::BadFile>())?;
    module.add("BadOption", py.get_type::<error::BadOption>())?;
    module.add("BadPosition", py.get_type::<error::BadPosition>())?;
    module.add("EngineError", py.get_type::<error::EngineError>())?;
    module.add("InternalError", error::internal(py)?)?;
    module.add("IllegalMove", py.get_type::<error::IllegalMove>())?;
    module.add_class::<analysis::Analysis>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<limit::Limit>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<play_result::PlayResult>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<result::SearchResult>()?;
    module.add_class::<score::Score>()?;
    module.add_class::<solution::Solution>()?;
    module.add_class::<tree::Node>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<uci_engine::UciEngine>()?;
    // No part of `__all__`.
    #[cfg(feature = "cli")]
    module.setattr("_main", wrap_pyfunction!(command::main, module)?)?;
    module.setattr("_play_match", wrap_pyfunction!(matches::play, module)?)?;
    module.setattr("_compare", wrap_pyfunction!(compare::compare, module)?)?;
    module.setattr("_procedures", wrap_pyfunction!(compare::procedures, module)?)?;
    module.setattr("_load_match", wrap_pyfunction!(standings::load, module)?)?;
    module.setattr("_standings", wrap_pyfunction!(standings::standings, module)?)?;
    module.setattr("_export", wrap_pyfunction!(standings::export, module)?)?;
    module.setattr("_panic", wrap_pyfunction!(error::panic, module)?)?;
    let end = wrap_pyfunction!(background::end, module)?;
    py.import("atexit")?.call_method1("register", (end,))?;
    module.add_function(wrap_pyfunction!(batch::analyse_many, module)?)?;
    module.add_function(wrap_pyfunction!(batch::solve_many, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)
}

/// The games there are: each name with a line about it, the default game first.
///
/// >>> list(secateur.games())[0]
/// 'kalah'
#[pyfunction]
fn games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let games = PyDict::new(py);
    for row in registry::GAMES {
        games.set_item(row.name, row.about)?;
    }
    Ok(games)
}
