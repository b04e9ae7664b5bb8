//! Comparisons from Python, for `secateurs._comparison`.

use crate::arguments::{Argument, Value, field, is_text, mebibytes, one_of, pairs, sequence, within};
use crate::batch::{read, setup};
use crate::error::OrRaise;
use crate::position::Position;
use crate::progress::supervised;
use crate::python_game::PythonGame;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use secateurs::core::Game;
use secateurs::core::score::WIN;
use secateurs::engine::Board;
use secateurs::engine::MoveOrder;
use secateurs::literature::procedure::{PROCEDURES, Settings};
use secateurs::literature::uniform::Uniform;
use secateurs::registry::{self, STARTPOS};
use secateurs::store::regular;
use secateurs_tools::lab::compare::{self as comparison, ComparisonPlan, ComparisonRow, Contender};
use secateurs_tools::lab::plausibility::CategoryCounts;
use secateurs_tools::lab::synthetic;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Runs a comparison, as described by `secateurs._comparison`, and returns its rows, each as JSON. The attributes of
/// `arguments` have the names of `secateurs.compare`.
#[pyfunction]
#[pyo3(name = "_compare")]
pub fn compare(py: Python<'_>, arguments: &Value<'_>) -> PyResult<Vec<String>> {
    let tree = field::<Option<Value<'_>>>(arguments, "tree")?.as_ref().map(tree).transpose()?;
    let learned = field::<Option<PathBuf>>(arguments, "plausibilities")?.map(learned).transpose()?;
    let plan = plan(arguments, tree.is_some(), learned.as_ref().map(|(_, counts)| counts))?;
    let trees = within("trees", &field(arguments, "trees")?, 1.., "a whole number, at least 1")?;
    let plies = "a whole number from 0 to 255, plies";
    let depths = several("depth", &field(arguments, "depth")?, |depth| within::<u8>("depth", depth, 0.., plies))?;
    let progress: Option<Value<'_>> = field(arguments, "progress")?;
    let (progress, contenders) = (progress.as_ref(), plan.contenders.len());
    let rows: Vec<ComparisonRow> = if let Some(tree) = tree {
        let total = usize::try_from(trees).unwrap_or(usize::MAX).saturating_mul(contenders);
        supervised(py, progress, (total, "searches"), false, move |stop, done| {
            let mut count = |_: &ComparisonRow| _ = done.fetch_add(1, Ordering::Relaxed);
            comparison::trees(&plan, &tree, trees, stop, &mut count).map(Some).or_raise()
        })?
    } else {
        let boards = boards(arguments)?;
        if let Some((path, counts)) = &learned {
            // The names of games in Python are not those of their records.
            let games: HashSet<_> = boards.iter().map(|board| board.game()).collect();
            let mut registered = games.into_iter().filter(|&game| game != PythonGame::NAME);
            registered.try_for_each(|game| counts.check(path, game)).or_raise()?;
        }
        let python = boards.iter().any(|board| board.game() == PythonGame::NAME);
        supervised(py, progress, (boards.len() * depths.len() * contenders, "searches"), python, move |stop, done| {
            let (mut rows, mut count) = (Vec::new(), |_: &ComparisonRow| _ = done.fetch_add(1, Ordering::Relaxed));
            for board in &boards {
                let subject = board.text();
                for &depth in &depths {
                    let mut found =
                        comparison::position(&plan, &**board, &subject, depth, stop, &mut count).or_raise()?;
                    rows.append(&mut found);
                }
            }
            Ok(Some(rows))
        })?
    };
    let written =
        |row: &ComparisonRow| serde_json::to_string(row).map_err(|error| PyValueError::new_err(error.to_string()));
    rows.iter().map(written).collect()
}

/// Returns the procedures: name, description, source.
#[pyfunction]
#[pyo3(name = "_procedures")]
pub fn procedures() -> Vec<(&'static str, &'static str, &'static str)> {
    PROCEDURES.iter().map(|row| (row.name, row.about, row.source)).collect()
}

/// Reads a file of learned plausibilities.
fn learned(path: PathBuf) -> PyResult<(PathBuf, CategoryCounts)> {
    regular::check(&path).or_raise()?;
    let counts = CategoryCounts::load(&path).or_raise()?;
    Ok((path, counts))
}

fn plan(given: &Value<'_>, on_trees: bool, learned: Option<&CategoryCounts>) -> PyResult<ComparisonPlan> {
    let contenders = match field(given, "procedures")? {
        None => Contender::all().filter(|contender| !on_trees || contender.is_exact()).collect(),
        Some(names) => {
            several("procedures", &names, |name| String::read("procedures", name)?.parse::<Contender>().or_raise())?
        }
    };
    let threshold = field::<Option<f64>>(given, "threshold")?;
    if let Some(threshold) = threshold.filter(|threshold| !(1e-300..=1.0).contains(threshold)) {
        return Err(PyValueError::new_err(format!("threshold is above 0 and at most 1, not {threshold}")));
    }
    let win = i64::from(WIN);
    let value = |name| {
        let read = |value| within(name, &value, -win..=win, "a whole number from -32000 to 32000, centi-units");
        field::<Option<Value<'_>>>(given, name)?.map(read).transpose()
    };
    let settings = Settings {
        table: within("table", &field(given, "table")?, 1..=1 << 28, "a whole number from 1 to 268435456, positions")?,
        soft: field(given, "soft")?,
        window: within("window", &field(given, "window")?, 1..=win, "a whole number from 1 to 32000, centi-units")?,
        stack: within("stack", &field(given, "stack")?, 1..=1 << 20, "a whole number from 1 to 1048576, positions")?,
        least: value("at_least")?,
        plausibilities: learned.map(CategoryCounts::plausibilities).unwrap_or_default(),
        ..Settings::default()
    };
    let orders = [("moves", MoveOrder::Generated), ("rank", MoveOrder::Scored)];
    Ok(ComparisonPlan {
        settings,
        threshold,
        guess: value("guess")?,
        order: one_of("order", &field(given, "order")?, &orders)?,
        nodes: within("nodes", &field(given, "nodes")?, 1.., "a whole number, at least 1")?,
        time: field(given, "time")?,
        hash: mebibytes(Some(field(given, "hash")?), 16)?,
        ..ComparisonPlan::new(contenders)
    })
}

/// Returns the positions; texts are set up in the given game.
fn boards(arguments: &Value<'_>) -> PyResult<Vec<Box<dyn Board>>> {
    let positions: Value<'_> = field(arguments, "positions")?;
    let is_text = positions.is_instance_of::<PyString>() && Position::meant(&positions)?.is_none();
    let mut rows = if is_text { vec![positions] } else { read("positions", &positions)? };
    let mut game: Option<Value<'_>> = field(arguments, "game")?;
    // The name of a game is its start.
    let is_name =
        |row: &Value<'_>| row.cast::<PyString>().is_ok_and(|text| registry::find(&text.to_string_lossy()).is_ok());
    if game.is_none()
        && let [row] = &mut rows[..]
        && is_name(row)
    {
        game = Some(std::mem::replace(row, PyString::new(arguments.py(), STARTPOS).into_any()));
    }
    let setup = setup("compare", game.as_ref(), &rows, &field(arguments, "options")?)?;
    let board = |given: &Value<'_>| match given.cast::<Position>() {
        Ok(position) => Ok(position.get().board().boxed()),
        Err(_) => setup.board(&String::read("positions", given)?).or_raise(),
    };
    rows.iter().map(board).collect()
}

/// Converts several values in order, or a single one.
fn several<T>(name: &str, given: &Value<'_>, convert: impl Fn(&Value<'_>) -> PyResult<T>) -> PyResult<Vec<T>> {
    if is_text(given) || !given.hasattr("__iter__")? {
        return Ok(vec![convert(given)?]);
    }
    let items = sequence(name, given, "one value or a list")?;
    let found = items.map(|item| convert(&item?.1)).collect::<PyResult<Vec<_>>>()?;
    if found.is_empty() { Err(PyValueError::new_err(format!("{name} is empty"))) } else { Ok(found) }
}

/// Reads the parameters of synthetic trees from keywords.
fn tree(given: &Value<'_>) -> PyResult<Uniform> {
    let part = |(name, value): (String, Value<'_>)| {
        f64::read(&format!("{name} of tree"), &value)?;
        Ok(format!("{name}={}", value.str()?.to_string_lossy()))
    };
    let parts = pairs("tree", given)?.into_iter().map(part).collect::<PyResult<Vec<_>>>()?;
    synthetic::read(&parts.join(",")).or_raise()
}
