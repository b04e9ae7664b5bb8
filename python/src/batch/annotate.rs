//! Annotated games.

use crate::arguments::{self, Argument, Value, limit};
use crate::error::OrRaise;
use crate::progress::supervised;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateurs::annotate::{self, AnnotatedMove};
use secateurs::core::Request;
use secateurs::pgn::{self, PgnError, PgnGame};
use secateurs::registry::{self, Setup};
use secateurs::search::Table;
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
}

/// Annotates the games of a file in Portable Game Notation, and returns each in JSON; see `secateurs.annotate`.
#[pyfunction(name = "_annotate")]
#[pyo3(signature = (pgn, game, limit, threads, hash, progress, limits))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn annotate_games(
    py: Python<'_>,
    pgn: &[u8],
    game: Value<'_>,
    limit: Option<Value<'_>>,
    threads: Option<Value<'_>>,
    hash: Option<Value<'_>>,
    progress: Option<&Value<'_>>,
    limits: &Bound<'_, PyDict>,
) -> PyResult<Vec<String>> {
    let limits = limit::required("annotate", limit.as_ref(), Some(limits))?;
    let threads = arguments::threads(threads, 1)?;
    let table = Arc::new(Table::new(arguments::mebibytes(hash, 16)?).or_raise()?);
    let here = Setup::new(registry::find(&String::read("game", &game)?).or_raise()?);
    let text = pgn::decode(pgn.to_vec());
    let games: Vec<_> = pgn::games(&text, &here).collect();
    if let (Some(Err(error)), true) = (games.first(), games.iter().all(Result::is_err)) {
        return Err(PyValueError::new_err(format!("pgn is not Portable Game Notation: {error}")));
    }
    let positions = games.iter().flatten().map(|game| game.moves.len() + 1).sum();
    supervised(py, progress, positions, false, move |stop, done| {
        let request = Request { threads, ..Request::new(limits) };
        let mut all = Vec::with_capacity(games.len());
        for (number, game) in (1..).zip(games) {
            let annotated = match game {
                Ok(game) => {
                    for doubt in game.doubts() {
                        log::warn!("game {number} in line {} {doubt}", game.line);
                    }
                    let counted = &mut || _ = done.fetch_add(1, Ordering::Relaxed);
                    match annotate::annotate(&game, &here, &table, &request, stop, counted) {
                        Ok(None) => return Ok(None),
                        Ok(Some(found)) => written(game, found),
                        Err(error) => failed(game.line_at_fault(&here), game, &error),
                    }
                }
                Err(PgnError { line, reason }) => failed(line, PgnGame::default(), &reason),
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
    Annotated { tags: game.tags, result: game.result, moves: found.moves, pgn, error: None }
}

fn failed(line: usize, game: PgnGame, error: &dyn Display) -> Annotated {
    let error = Some(format!("the game in line {line}: {error}"));
    Annotated { tags: game.tags, result: game.result, moves: Vec::new(), pgn: String::new(), error }
}
