//! Searches of the built-in engine.

use super::analysis::Analysis;
use super::engine::Engine;
use super::error::EngineError;
use super::game;
use super::lock::lock;
use super::progress_log::ProgressLog;
use super::query::{Analyser, Query};
use super::recorded::Recorded;
use super::result::SearchResult;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::{Progress, Request};
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

    fn request(&self, query: &Query<'_>) -> Request {
        Request {
            moves: query.codes.clone(),
            lines: query.multipv,
            threads: query.position.get().threads(self.threads),
            ties: query.ties,
            aspiration: self.aspiration,
            ..Request::new(query.limits.clone())
        }
    }
}

impl Analyser for Engine {
    fn search(&self, query: &Query<'_>) -> PyResult<SearchResult> {
        let Query { position, multipv, room, .. } = query;
        if let (Some(_), 2..) = (room, multipv) {
            let message = format!("a search whose tree is recorded has one line, not multipv={multipv}");
            return Err(PyValueError::new_err(message));
        }
        let (py, board, python) = (position.py(), position.get().board().boxed(), position.get().is_python());
        let (table, request, room) = (self.table()?, self.request(query), *room);
        let run = self.running.enter();
        let (stop, mut log) = (run.stop().clone(), ProgressLog::new(query.moves(), *multipv));
        let work = move || {
            let mut engine = board.engine(table);
            let mut progress = |progress: Progress<'_>| {
                log.add(progress);
            };
            let (found, tree) = match room {
                None => (engine.search(&request, &stop, &mut progress), None),
                Some(room) => {
                    let (found, tree) = engine.record(&request, room, &stop, &mut progress);
                    (found, Some(Recorded::Codes(Arc::new(tree))))
                }
            };
            (found, tree, log)
        };
        let (found, tree, log) = run.interruptible(py, game::held(python, work))?;
        Ok(SearchResult::new(py, position.as_unbound(), found, log.reports)?.with_tree(tree))
    }

    fn begin(&self, query: &Query<'_>) -> PyResult<Analysis> {
        let (request, log) = (self.request(query), ProgressLog::new(query.moves(), query.multipv));
        let mut engine = query.position.get().board().engine(self.table()?);
        Analysis::begin(query.position.clone().unbind(), log, self.running.enter(), move |stop, progress| {
            Ok(engine.search(&request, stop, progress))
        })
    }
}
