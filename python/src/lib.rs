//! The extension module `secateurs._native`, which the package `secateurs` re-exports.
//!
//! The module contains no game or search code of its own: boards and engines are those that the line protocol uses.
//!
//! - [`threads`]: threads beside the interpreter, Ctrl-C, log records; [`exit`]: the end of Python;
//! - [`error`]: exceptions; [`display`]: displays and other forms in Python;
//! - [`arguments`]: checked arguments, among them limits and options of games;
//! - [`score`], [`outcome`]: values; [`python_game`]: games written in Python; [`position`]: a board as an immutable
//!   value; [`results`]: results of searches;
//! - [`analyser`]: what engines share, with searches in the background; [`engine`]: the built-in engine; [`uci`]: an
//!   external one;
//! - [`progress`], [`batch`]: many positions at once, as columns; [`compare`]: the procedures of the literature;
//! - [`matches`]: matches, with players written in Python, and their statistics; `command`: the command line.
//!
//! A module names only modules above it in this list, which `tests/layers.rs` checks.

mod analyser;
mod arguments;
mod batch;
mod command;
mod compare;
mod display;
mod engine;
mod error;
mod exit;
mod matches;
mod outcome;
mod position;
mod progress;
mod python_game;
mod results;
mod score;
mod threads;
mod uci;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::registry;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    threads::logs::install(py)?;
    arguments::import_classes(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BadFile", py.get_type::<error::BadFile>())?;
    module.add("BadOption", py.get_type::<error::BadOption>())?;
    module.add("BadPosition", py.get_type::<error::BadPosition>())?;
    module.add("EngineError", py.get_type::<error::EngineError>())?;
    module.add("InternalError", error::internal(py)?)?;
    module.add("IllegalMove", py.get_type::<error::IllegalMove>())?;
    module.add_class::<analyser::analysis::Analysis>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<arguments::limit::Limit>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<results::SearchResult>()?;
    module.add_class::<score::Score>()?;
    module.add_class::<results::tree::Node>()?;
    module.add_class::<results::tree::Tree>()?;
    module.add_class::<uci::UciEngine>()?;
    // Not in `__all__`.
    module.setattr("_main", wrap_pyfunction!(command::main, module)?)?;
    module.setattr("_annotate", wrap_pyfunction!(batch::annotate_games, module)?)?;
    module.setattr("_readable", wrap_pyfunction!(position::readable, module)?)?;
    module.setattr("_game_of", wrap_pyfunction!(batch::game_of, module)?)?;
    module.setattr("_play_match", wrap_pyfunction!(matches::play, module)?)?;
    module.setattr("_compare", wrap_pyfunction!(compare::compare, module)?)?;
    module.setattr("_procedures", wrap_pyfunction!(compare::procedures, module)?)?;
    module.setattr("_load_match", wrap_pyfunction!(matches::standings::load, module)?)?;
    module.setattr("_standings", wrap_pyfunction!(matches::standings::standings, module)?)?;
    module.setattr("_export", wrap_pyfunction!(matches::standings::export, module)?)?;
    module.setattr("_panic", wrap_pyfunction!(error::panic, module)?)?;
    threads::lock::install(module)?;
    let end = wrap_pyfunction!(exit::end, module)?;
    py.import("atexit")?.call_method1("register", (end,))?;
    module.add_function(wrap_pyfunction!(batch::analyse_many, module)?)?;
    module.add_function(wrap_pyfunction!(batch::solve_many, module)?)?;
    module.add_function(wrap_pyfunction!(games, module)?)
}

/// The games: each name with a description of one line, the default game first.
///
/// >>> list(secateurs.games())[0]
/// 'kalah'
#[pyfunction]
fn games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let games = PyDict::new(py);
    for row in registry::GAMES {
        games.set_item(row.name, row.about)?;
    }
    Ok(games)
}
