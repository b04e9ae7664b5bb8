//! The tree that a result contains. Its moves are named only when it is requested: the recorded line to each node is
//! played again, which takes as long as the game takes to play it, and would delay the end of the search.

use super::result::Kept;
use crate::position::Position;
use crate::threads::unwinding::with_thread_state;
use crate::threads::work::interruptible;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use secateurs::core::tree::Room;
use secateurs::core::{SearchTree, StopFlag};
use secateurs::engine::Board;
use std::sync::Arc;

/// The recorded tree of a search.
#[derive(Clone)]
pub enum RecordedTree {
    /// As the search recorded it; moves are codes.
    Codes(Arc<SearchTree<u16>>),
    /// From a pickle; moves are text.
    Named(Arc<SearchTree>),
}

impl RecordedTree {
    /// Returns the plies that fit, with the moves as text. If the flag is raised meanwhile, the windows at the root
    /// alone.
    pub fn within(&self, room: Room, board: &dyn Board, stop: &StopFlag) -> SearchTree {
        match self {
            Self::Codes(tree) => board.named(&tree.within(room), stop),
            Self::Named(tree) => tree.within(room),
        }
    }

    /// Returns the JSON of the parts of a result with the whole tree, with the GIL released.
    ///
    /// # Errors
    /// Those of [`interruptible`]; `RuntimeError` if a search around this one was stopped.
    pub fn pickled(&self, py: Python<'_>, position: &Position, parts: Kept) -> PyResult<serde_json::Result<String>> {
        let (recorded, board, stop) = (self.clone(), position.board().boxed(), StopFlag::new());
        let flag = stop.clone();
        let work = move || match recorded {
            Self::Codes(tree) => serde_json::to_string(&(parts, Some(board.named(&tree, &flag)))),
            Self::Named(tree) => serde_json::to_string(&(parts, Some(&*tree))),
        };
        let text = interruptible(py, &stop, with_thread_state(position.is_python(), work))?;
        if stop.is_raised() {
            return Err(PyRuntimeError::new_err("the search that calls this was stopped: the tree is not complete"));
        }
        Ok(text)
    }
}
