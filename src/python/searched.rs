//! A search of an engine that is waited for: what it is asked for, and what it finds.

use super::arguments::{self, Given};
use super::engine::Engine;
use super::game;
use super::position::Position;
use super::result::SearchResult;
use super::trail::Trail;
use super::tree;
use crate::core::tree::Room;
use crate::core::{Limits, Progress, Request, Ties};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::sync::Arc;

/// How much of a tree is recorded: nothing, the default, or up to so many nodes.
///
/// # Errors
/// `TypeError`; `ValueError` for a number out of range.
pub fn recorded(tree: &Given<'_>) -> PyResult<Option<Room>> {
    if let Ok(all) = tree.cast::<PyBool>() {
        return Ok(all.is_true().then(Room::default));
    }
    let takes_int = tree.hasattr("__index__")?;
    if !takes_int {
        return Err(arguments::wrong_type("tree", "a bool or an int", tree));
    }
    tree::room("tree", tree, None).map(Some)
}

/// How many lines, and what about ties: what a search is asked for beside its limits and moves.
pub struct Wanted {
    /// Lines, at least 1.
    pub lines: usize,
    /// Whether all moves that are as good as the best are found.
    pub ties: Ties,
}

impl Engine {
    /// What the search of a position is asked for.
    ///
    /// # Errors
    /// `IllegalMove`.
    pub(super) fn request(
        &self,
        position: &Position,
        limits: Limits,
        moves: &[String],
        wanted: Wanted,
    ) -> PyResult<Request> {
        let (Wanted { lines, ties }, threads) = (wanted, position.threads(self.threads));
        Ok(Request { limits, moves: position.board().codes_of(moves)?, lines, threads, ties })
    }

    /// Searches; with room for its tree that is recorded.
    ///
    /// # Errors
    /// Those of [`Run::interruptible`](super::running::Run::interruptible).
    pub(super) fn found(
        &self,
        position: &Bound<'_, Position>,
        request: &Request,
        room: Option<Room>,
    ) -> PyResult<SearchResult> {
        let (py, board, run) = (position.py(), position.get().board().boxed(), self.running.enter());
        let mut trail = Trail::new(board.codes().len(), request.lines);
        let (table, request, stop) = (Arc::clone(&self.table), request.clone(), run.stop().clone());
        let work = move || {
            let mut engine = board.engine(table);
            let mut tell = |progress: Progress<'_>| {
                trail.hear(progress);
            };
            let (found, tree) = match room {
                None => (engine.search(&request, &stop, &mut tell), None),
                Some(room) => {
                    let (found, tree) = engine.record(&request, room, &stop, &mut tell);
                    (found, Some(Arc::new(tree)))
                }
            };
            (found, tree, trail)
        };
        let python = position.get().is_python();
        let (found, tree, trail) = run.interruptible(py, game::held(python, work))?;
        Ok(SearchResult::new(py, position.as_unbound(), found, trail.told)?.with_tree(tree))
    }
}
