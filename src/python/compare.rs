//! Comparisons from Python, for `secateur._comparison`.

use super::arguments::{self, within};
use super::interruptible::interruptible;
use super::options;
use super::position::Position;
use crate::core::error::Quoted;
use crate::core::score::WIN;
use crate::core::{Error, StopFlag};
use crate::engine::Board;
use crate::lab::compare::{self as comparison, Contender, Plan, Row};
use crate::lab::plausibility::Learnt;
use crate::lab::synthetic;
use crate::registry::{self, Setup};
use crate::search::reference::horizon::Order;
use crate::search::reference::procedure::{PROCEDURES, Settings};
use crate::search::reference::uniform::Uniform;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;

/// A comparison, as `secateur._comparison` describes it; the names are those of `secateur.compare`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Asked<'py> {
    positions: Vec<Bound<'py, PyAny>>,
    tree: Option<Bound<'py, PyDict>>,
    trees: i64,
    depths: Vec<i64>,
    procedures: Option<Vec<String>>,
    order: String,
    nodes: i64,
    time: Option<f64>,
    table: i64,
    soft: bool,
    guess: Option<i64>,
    window: i64,
    stack: i64,
    at_least: Option<i64>,
    threshold: f64,
    plausibilities: Option<PathBuf>,
    hash: i64,
    game: String,
    options: Bound<'py, PyDict>,
}

/// Compares; the rows, as JSON each.
#[pyfunction]
#[pyo3(name = "_compare")]
pub fn compare(py: Python<'_>, asked: Asked<'_>) -> PyResult<Vec<String>> {
    let tree = asked.tree.as_ref().map(tree).transpose()?;
    let (plan, stop) = (plan(&asked, tree.is_some())?, StopFlag::new());
    let rows: Result<Vec<Row>, Error> = if let Some(tree) = tree {
        let trees = within("trees", asked.trees, 1.., "a whole number, at least 1")?;
        interruptible(py, &stop, || comparison::trees(&plan, &tree, trees, &stop, &mut |_| {}))?
    } else {
        let boards = boards(&asked)?;
        let depth = |&depth| within("depth", depth, 0.., "a whole number from 0 to 255, plies");
        let depths = asked.depths.iter().map(depth).collect::<PyResult<Vec<u8>>>()?;
        interruptible(py, &stop, || {
            let mut rows = Vec::new();
            for board in &boards {
                let subject = board.text();
                for &depth in &depths {
                    rows.append(&mut comparison::position(&plan, &**board, &subject, depth, &stop, &mut |_| {})?);
                }
            }
            Ok(rows)
        })?
    };
    let written = |row: &Row| serde_json::to_string(row).map_err(|error| PyValueError::new_err(error.to_string()));
    rows?.iter().map(written).collect()
}

/// The procedures: name, what each does, source.
#[pyfunction]
#[pyo3(name = "_procedures")]
pub fn procedures() -> Vec<(&'static str, &'static str, &'static str)> {
    PROCEDURES.iter().map(|row| (row.name, row.about, row.source)).collect()
}

fn plan(asked: &Asked<'_>, on_trees: bool) -> PyResult<Plan> {
    let contenders = match &asked.procedures {
        None => Contender::all().filter(|contender| !on_trees || contender.takes_trees()).collect(),
        Some(names) => names.iter().map(|name| name.parse()).collect::<Result<Vec<Contender>, Error>>()?,
    };
    let plausibilities = match &asked.plausibilities {
        None => Settings::default().plausibilities,
        Some(path) => Learnt::load(path)?.plausibilities(),
    };
    if !(asked.threshold > 0.0 && asked.threshold <= 1.0) {
        return Err(PyValueError::new_err(format!("threshold is above 0 and at most 1, not {}", asked.threshold)));
    }
    let win = i64::from(WIN);
    let value = |name, value| within(name, value, -win..=win, "a whole number from -32000 to 32000, centi-units");
    let settings = Settings {
        table: within("table", asked.table, 1..=1 << 28, "a whole number from 1 to 268435456, positions")?,
        soft: asked.soft,
        window: within("window", asked.window, 1..=win, "a whole number from 1 to 32000, centi-units")?,
        stack: within("stack", asked.stack, 1..=1 << 20, "a whole number from 1 to 1048576, positions")?,
        least: asked.at_least.map(|least| value("at_least", least)).transpose()?,
        threshold: asked.threshold,
        plausibilities,
        ..Settings::default()
    };
    Ok(Plan {
        settings,
        guess: asked.guess.map(|guess| value("guess", guess)).transpose()?,
        order: match asked.order.as_str() {
            "moves" => Order::Moves,
            "rank" => Order::Rank,
            other => {
                let message = format!("order is \"moves\" or \"rank\", not {}", Quoted::new(other));
                return Err(PyValueError::new_err(message));
            }
        },
        nodes: within("nodes", asked.nodes, 1.., "a whole number, at least 1")?,
        time: asked.time.map(arguments::duration).transpose()?,
        hash: arguments::mebibytes(asked.hash)?,
        ..Plan::of(contenders)
    })
}

/// The positions, those that are text set up in the game that is named.
fn boards(asked: &Asked<'_>) -> PyResult<Vec<Box<dyn Board>>> {
    let game = registry::find(&asked.game)?;
    let setup = Setup::with(game, options::read(game, Some(&asked.options))?);
    let board = |(index, given): (usize, &Bound<'_, PyAny>)| {
        if let Ok(position) = given.cast::<Position>() {
            Ok(position.get().board().boxed())
        } else if let Ok(text) = given.cast::<PyString>() {
            Ok(setup.board(&text.to_string_lossy())?)
        } else {
            let kind = given.get_type().name()?;
            Err(PyTypeError::new_err(format!("positions[{index}] is a Position or a str, not {kind}")))
        }
    };
    asked.positions.iter().enumerate().map(board).collect()
}

/// The description of synthetic trees, by keyword.
fn tree(given: &Bound<'_, PyDict>) -> PyResult<Uniform> {
    let part = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok(format!("{}={}", name.str()?, value.str()?));
    let parts = given.iter().map(part).collect::<PyResult<Vec<_>>>()?;
    Ok(synthetic::read(&parts.join(","))?)
}
