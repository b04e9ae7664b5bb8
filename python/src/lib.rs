//! The extension module `secateurs._native`, which the package `secateurs` re-exports.
//!
//! The module contains no game or search code of its own: boards and engines are those that the line protocol uses.
//!
//! - [`position`], [`held`], [`board_view`], [`outcome`]: a board as an immutable value; [`game`], [`state`], [`key`]:
//!   a game written in Python; [`calls`]: calls of its methods;
//! - [`query`], [`limit`]: queries and limits, and the methods that all engines share; [`play_result`]: the move
//!   played;
//! - [`engine`], [`engine_search`], [`exact_search`], [`analysis`], [`background`], [`background_search`]: a search in
//!   the foreground or in the background;
//! - [`uci_engine`], [`described`], [`pipe`], [`uci_session`], [`uci_report`]: an external engine, with the same
//!   interface;
//! - [`matches`], [`player`], [`standings`]: matches, with players written in Python, and their statistics;
//! - [`compare`]: comparisons of the procedures of the literature;
//! - [`score`], [`result`], [`solution`]: results; [`progress_log`]: reports during a search; [`tree`]: recorded trees;
//! - [`display`]: displays in notebooks; `command`: the command line;
//! - [`batch`]: many positions at once, as columns;
//! - [`options`]: keyword arguments from the rows of the registry;
//! - [`arguments`]: checked arguments; [`fields`](mod@fields): the attributes of an argument object;
//! - [`interruptible`](mod@interruptible): long work with the GIL released, under Ctrl-C; [`running`]: searches that
//!   another thread can stop;
//! - [`lock`](mod@lock): locks of mutexes that ignore poisoning;
//! - [`error`]: exceptions; `logs`: log records, except those of batches.

mod analysis;
mod arguments;
mod background;
mod background_search;
mod batch;
mod board_view;
mod calls;
mod command;
mod compare;
mod described;
mod digest;
mod display;
mod engine;
mod engine_search;
mod error;
mod exact_search;
mod fields;
mod game;
mod held;
mod inspection;
mod interruptible;
mod key;
mod limit;
mod lock;
mod logs;
mod matches;
mod move_codes;
mod openings;
mod options;
mod outcome;
mod pipe;
mod play_result;
mod player;
mod position;
mod progress_log;
mod query;
mod recorded;
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

use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::registry;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    logs::install(py)?;
    arguments::import_classes(module)?;
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
    // Not in `__all__`.
    module.setattr("_main", wrap_pyfunction!(command::main, module)?)?;
    module.setattr("_annotate", wrap_pyfunction!(batch::annotate_games, module)?)?;
    module.setattr("_readable", wrap_pyfunction!(display::readable, module)?)?;
    module.setattr("_game_of", wrap_pyfunction!(batch::game_of, module)?)?;
    module.setattr("_play_match", wrap_pyfunction!(matches::play, module)?)?;
    module.setattr("_compare", wrap_pyfunction!(compare::compare, module)?)?;
    module.setattr("_procedures", wrap_pyfunction!(compare::procedures, module)?)?;
    module.setattr("_load_match", wrap_pyfunction!(standings::load, module)?)?;
    module.setattr("_standings", wrap_pyfunction!(standings::standings, module)?)?;
    module.setattr("_export", wrap_pyfunction!(standings::export, module)?)?;
    module.setattr("_panic", wrap_pyfunction!(error::panic, module)?)?;
    lock::install(module)?;
    let end = wrap_pyfunction!(background::end, module)?;
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
