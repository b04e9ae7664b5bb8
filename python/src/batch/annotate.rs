//! Annotated games.

use crate::arguments::{self, Argument, Value, limit};
use crate::error::OrRaise;
use crate::position::{Position, decoded, drawing};
use crate::progress::supervised;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::annotate::page::PageGame;
use secateurs::annotate::{self, AnnotatedMove, Plan, Summary};
use secateurs::core::Request;
use secateurs::pgn::{self, PgnError, PgnGame};
use secateurs::registry::Setup;
use secateurs::search::Table;
use secateurs::views::document;
use serde::Serialize;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An annotated game for Python.
#[derive(Serialize)]
struct Annotated {
    tags: Vec<(String, String)>,
    result: &'static str,
    moves: Vec<AnnotatedMove>,
    /// The game with comments; empty after an error.
    pgn: String,
    error: Option<String>,
    players: [Summary; 2],
}

/// Annotates the games of a file in Portable Game Notation, and returns each in JSON; see `secateurs.annotate`.
#[pyfunction(name = "_annotate")]
#[pyo3(signature = (pgn, game, limit, threads, hash, skip, progress, limits))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn annotate_games(
    py: Python<'_>,
    pgn: &[u8],
    game: Value<'_>,
    limit: Option<Value<'_>>,
    threads: Option<Value<'_>>,
    hash: Option<Value<'_>>,
    skip: Value<'_>,
    progress: Option<&Value<'_>>,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Vec<String>> {
    let limits = limit::required("annotate", limit.as_ref(), Some(limits))?;
    let threads = arguments::threads(threads, 1)?;
    let table = Arc::new(Table::new(arguments::mebibytes(hash, 16)?).or_raise()?);
    let (here, own) = Position::game_of_records(&game)?;
    let python = own.is_some();
    let threads = if python { 1 } else { threads };
    let skip = usize::read("skip", &skip)?;
    let text = decoded(pgn.to_vec())?;
    let games: Vec<_> = caught(|| pgn::games(&text, &here).collect())?;
    let positions = games.iter().flatten().map(|game| (game.moves.len() + 1).saturating_sub(skip)).sum();
    supervised(py, progress, (positions, "positions"), python, move |stop, done| {
        let request = Request { threads, ..Request::new(limits) };
        let plan = Plan { here: &here, table: &table, request: &request, skip };
        let mut all = Vec::with_capacity(games.len());
        for (number, game) in (1..).zip(games) {
            let annotated = match game {
                Ok(game) => {
                    for doubt in game.doubts() {
                        log::warn!("game {number} in line {} {doubt}", game.line);
                    }
                    let counted = &mut || _ = done.fetch_add(1, Ordering::Relaxed);
                    match annotate::annotate(&game, &plan, stop, counted) {
                        Ok(_) if stop.is_raised() => return Ok(None),
                        Ok(found) => written(game, found),
                        Err(error) => failed(game.line_at_fault(&here), game, &error),
                    }
                }
                Err(PgnError { line, reason, tags }) => Annotated { tags, ..failed(line, PgnGame::default(), &reason) },
            };
            all.push(serde_json::to_string(&annotated).map_err(|error| PyValueError::new_err(error.to_string()))?);
        }
        Ok(Some(all))
    })
}

fn written(game: PgnGame, found: annotate::Annotated) -> Annotated {
    let mut pgn = Vec::new();
    // Writing to memory does not fail.
    let _ = found.write(&mut pgn, &game);
    let pgn = String::from_utf8_lossy(&pgn).into_owned();
    let players = found.summaries();
    Annotated { tags: game.tags, result: game.result, moves: found.moves, pgn, error: None, players }
}

fn failed(line: usize, game: PgnGame, error: &dyn Display) -> Annotated {
    let error = Some(format!("the game in line {line}: {error}"));
    let players = annotate::summaries(&[]);
    Annotated { tags: game.tags, result: game.result, moves: Vec::new(), pgn: String::new(), error, players }
}

/// Returns a page of annotated games, each as its text, its moves in JSON and, in a game in Python, its start.
#[pyfunction(name = "_annotation_page")]
pub fn annotation_page(games: Vec<(String, String, Option<Bound<'_, Position>>)>) -> PyResult<String> {
    let chess = Setup::named("chess").or_raise()?;
    let mut read = Vec::with_capacity(games.len());
    for (text, moves, start) in &games {
        let own = start.as_ref().map(|start| start.get().setup()).transpose()?;
        let here = own.as_ref().map_or(&chess, |(setup, _)| setup);
        let game = caught(|| pgn::games(text, here).next().transpose())?;
        let game = game.map_err(|error| PyValueError::new_err(error.to_string()))?.unwrap_or_default();
        read.push((game.setup(here).or_raise()?, game, moves_of(moves)?));
    }
    let games: Vec<_> = read.iter().map(|(setup, game, moves)| PageGame { game, setup, moves }).collect();
    let mut out = Vec::new();
    caught(|| annotate::page::write(&games, &mut out))??;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Returns the graph of moves in JSON as SVG.
#[pyfunction(name = "_annotation_graph")]
pub fn annotation_graph(moves: &str, theme: Value<'_>) -> PyResult<String> {
    let graph = annotate::graph(&moves_of(moves)?);
    Ok(document::picture(&graph, drawing::theme(Some(theme))?, "winning chances"))
}

fn moves_of(text: &str) -> PyResult<Vec<AnnotatedMove>> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(format!("the moves of a game: {error}")))
}
