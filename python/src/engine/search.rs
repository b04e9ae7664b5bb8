//! Searches of the built-in engine.

use super::Engine;
use crate::analyser::{Analyser, Query, Search, SearchOutput};
use crate::error::EngineError;
use crate::results::RecordedTree;
use crate::threads::lock::lock;
use crate::threads::searches::CurrentSearches;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::Request;
use secateurs::search::Table;
use std::sync::Arc;

impl Engine {
    /// Returns the table.
    ///
    /// # Errors
    /// `EngineError` after the engine was closed.
    pub(super) fn table(&self) -> PyResult<Arc<Table>> {
        lock(&self.table).clone().ok_or_else(|| EngineError::new_err("the engine was closed"))
    }
}

impl Analyser for Engine {
    fn running(&self) -> &CurrentSearches {
        &self.running
    }

    fn prepare(&self, query: &Query<'_>) -> PyResult<Search> {
        let (position, room) = (query.position.get(), query.room);
        if let (Some(_), lines @ 2..) = (room, query.multipv) {
            let message = format!("a search whose tree is recorded has one line, not multipv={lines}");
            return Err(PyValueError::new_err(message));
        }
        let (table, board) = (self.table()?, position.board().boxed());
        let request = Request {
            moves: query.codes.clone(),
            lines: query.multipv,
            threads: position.threads(self.threads),
            ties: query.ties,
            aspiration: self.aspiration,
            ..Request::new(query.limits.clone())
        };
        Ok(Box::new(move |stop, progress| {
            let mut engine = board.engine(table);
            let Some(room) = room else { return Ok(engine.search(&request, stop, progress).into()) };
            let (lines, tree) = engine.record(&request, room, stop, progress);
            Ok(SearchOutput { lines, tree: Some(RecordedTree::Codes(Arc::new(tree))) })
        }))
    }
}
