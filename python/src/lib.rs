//! The extension module `secateurs._native`, which the package `secateurs` re-exports.
//!
//! The module contains no game or search code of its own: boards and engines are those that the line protocol uses.
//!
//! - [`error`]: exceptions; [`python_modules`]: calls of modules in Python;
//! - [`threads`]: threads beside the interpreter, Ctrl-C, log records; [`progress`]: reports of long work;
//! - [`arguments`]: checked arguments, among them limits and options of games; [`score`], [`outcome`]: values;
//! - [`python_game`]: games written in Python; [`position`]: a board as an immutable value; [`results`]: results of
//!   searches; [`book`]: opening books;
//! - [`analyser`]: what engines share, with searches in the background; [`engine`]: the built-in engine; [`uci`]: an
//!   external one;
//! - [`batch`]: many positions at once, as columns; [`compare`]: the procedures of the literature;
//! - [`matches`]: matches, with players written in Python, and their statistics;
//! - [`network`]: networks in files, and the positions that they learn from;
//! - [`widget`]: the board of notebooks; [`exit`]: the end of Python; `command`: the command line.
//!
//! A module names only modules above it in this list, which `tests/layers.rs` checks.

mod analyser;
mod arguments;
mod batch;
mod book;
mod command;
mod compare;
mod engine;
mod error;
mod exit;
mod matches;
mod network;
mod outcome;
mod position;
mod progress;
mod python_game;
mod python_modules;
mod results;
mod score;
mod selfplay;
mod threads;
mod uci;
mod widget;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::registry;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        analyser::analysis::Analysis,
        arguments::limit::Limit,
        arguments::unexpected,
        batch::{
            Batch, analyse_many, annotate_games, annotation_graph, annotation_page, game_of, meant, moves_in, moves_of,
            read_positions, solve_many,
        },
        book::Book,
        command::main,
        command::safe,
        compare::{compare, procedures},
        engine::Engine,
        engine::opponent::Opponent,
        engine::proof::{prove, proven, rules, solve_arguments, write_certificate},
        error::panic,
        games,
        matches::ledger::Ledger,
        matches::play,
        matches::standings::{crosstable, export, load, standings},
        network::{TrainingData, read, write},
        outcome::Outcome,
        position::drawing::{colours, style},
        position::{Position, readable},
        results::SearchResult,
        results::tree::{Node, Tree},
        score::Score,
        selfplay::{PyGamesFile, selfplay},
        uci::UciEngine,
        widget::component,
    };
    use super::{arguments, error, exit, threads};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        threads::logs::install(py)?;
        threads::lock::install(module)?;
        let end = wrap_pyfunction!(exit::end, module)?;
        py.import("atexit")?.call_method1("register", (end,))?;
        arguments::import_classes(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("InternalError", error::internal(py)?)?;
        let is_private =
            |name: &Bound<'_, PyAny>| name.to_string().starts_with('_') && name.to_string() != "__version__";
        let all: Vec<_> = module.index()?.iter().filter(|name| !is_private(name)).collect();
        module.setattr("__all__", all)
    }
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
