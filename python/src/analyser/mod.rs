//! What built-in and external engines share: queries, and searches in the foreground and in the background.

pub mod analysis;

use crate::arguments::{self, Value, limit};
use crate::error::OrRaise;
use crate::position::Position;
use crate::results::{ProgressLog, RecordedTree, RootMoves, SearchResult};
use crate::threads::searches::CurrentSearches;
use crate::threads::unwinding::{caught, with_thread_state};
use analysis::Analysis;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use secateurs::core::tree::Room;
use secateurs::core::{Limits, Progress, Report, StopFlag, Ties};
use std::iter;

/// A position and the parameters of its search.
pub struct Query<'py> {
    /// The position.
    pub position: Bound<'py, Position>,
    /// The limits; without one the search must be stopped.
    pub limits: Limits,
    /// The moves to search; empty: all.
    pub root_moves: Vec<String>,
    /// The codes of the moves to search.
    pub codes: Vec<u16>,
    /// The number of lines, at least 1.
    pub multipv: usize,
    /// Whether to find all moves that are as good as the best.
    pub ties: Ties,
    /// The limits of the recorded tree; `None`: no tree.
    pub room: Option<Room>,
}

impl<'py> Query<'py> {
    /// Creates a query of `function` for one line, within a limit or the keywords beside it.
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, which name the argument; `IllegalMove` for one of `root_moves`; the exception of
    /// the text of a state.
    pub fn new(
        function: &str,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        keywords: Option<&Bound<'_, PyDict>>,
        root_moves: Option<Value<'_>>,
    ) -> PyResult<Self> {
        let position = Position::read(position)?;
        let turn = position.get().board().turn();
        let limit = limit.map(|given| limit::native(given, Some(turn))).transpose()?;
        let limits = limit::optional(function, limit.as_ref(), keywords)?;
        let (root_moves, codes) =
            root_moves.map_or_else(|| Ok(Default::default()), |moves| restricted(&position, &moves))?;
        Ok(Self { position, limits, root_moves, codes, multipv: 1, ties: Ties::First, room: None })
    }

    /// Returns the reports of its search.
    fn log(&self) -> ProgressLog {
        let legal = || self.position.get().board().codes().len();
        ProgressLog::new(if self.codes.is_empty() { legal() } else { self.codes.len() }, self.multipv)
    }
}

/// Converts the moves to which a search is restricted; also returns their codes.
fn restricted(position: &Bound<'_, Position>, given: &Value<'_>) -> PyResult<(Vec<String>, Vec<u16>)> {
    let (mut moves, mut codes) = (Vec::new(), Vec::new());
    // A move of a game in Python may have items, as a tuple.
    let items: Box<dyn Iterator<Item = PyResult<String>>> = match position.get().equal(given)? {
        Some(mv) => Box::new(iter::once(Ok(mv))),
        None => {
            let items = arguments::one_or_more("root_moves", given, "a move or a list of moves")?;
            let mv = |(name, given): (String, Value<'_>)| position.get().mv(&name, &given);
            Box::new(items.map(move |item| item.and_then(mv)))
        }
    };
    for mv in items {
        let mv = [mv?];
        for code in caught(|| position.get().board().codes_of(&mv))?.or_raise()? {
            // A move that is given twice is searched once.
            if !codes.contains(&code) {
                codes.push(code);
                moves.extend(mv.clone());
            }
        }
    }
    if moves.is_empty() {
        return Err(PyValueError::new_err("root_moves is empty: None stands for all moves"));
    }
    Ok((moves, codes))
}

/// The lines that a search has found, and its tree if it was recorded.
pub struct SearchOutput {
    pub lines: Vec<Report>,
    pub tree: Option<RecordedTree>,
}

impl From<Vec<Report>> for SearchOutput {
    fn from(lines: Vec<Report>) -> Self {
        Self { lines, tree: None }
    }
}

/// A search that is ready to start, on a thread of its own, until the flag is raised.
pub type Search = Box<dyn FnOnce(&StopFlag, &mut dyn FnMut(Progress<'_>)) -> PyResult<SearchOutput> + Send>;

/// A built-in or an external engine.
pub trait Analyser {
    /// Returns the current searches.
    fn running(&self) -> &CurrentSearches;

    /// Prepares a search.
    ///
    /// # Errors
    /// A query that the engine does not take; an engine that no longer runs.
    fn prepare(&self, query: &Query<'_>) -> PyResult<Search>;

    /// Returns the moves to search again for the tree; `None` if the search cannot be repeated.
    fn repeated(&self, query: &Query<'_>) -> RootMoves {
        Some(query.root_moves.clone())
    }

    /// Searches and waits for the result.
    ///
    /// # Errors
    /// `ValueError` without a limit; those of [`Self::prepare`] and of the search; the exception of a signal handler.
    fn search(&self, query: &Query<'_>) -> PyResult<SearchResult> {
        limit::check_finite(&query.limits)?;
        let (position, search, mut log) = (&query.position, self.prepare(query)?, query.log());
        let run = self.running().enter();
        let stop = run.stop.clone();
        let work = move || {
            let found = search(&stop, &mut |progress| _ = log.add(progress));
            (found, log)
        };
        let work = with_thread_state(position.get().is_python(), work);
        let (found, log) = run.interruptible(position.py(), work)?;
        let SearchOutput { lines, tree } = found?;
        let moves = self.repeated(query);
        Ok(SearchResult::new(position.py(), position.as_unbound(), lines, log.reports, &moves)?.with_tree(tree))
    }

    /// Returns the move to play and the result of the search, an instance of `secateurs.PlayResult`.
    ///
    /// # Errors
    /// Those of [`Self::search`].
    fn play<'py>(&self, query: &Query<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(query.position.py(), "secateurs._results", "PlayResult")?;
        class.call1((self.search(query)?,))
    }

    /// Returns one result, or with `multipv` a list of at most that many.
    ///
    /// # Errors
    /// Those of [`Self::search`]; `TypeError` and `ValueError` for `multipv`.
    fn analyse<'py>(&self, query: Query<'py>, multipv: Option<Value<'_>>) -> PyResult<Bound<'py, PyAny>> {
        let alone = multipv.is_none();
        let query = Query { multipv: arguments::multipv(multipv)?, ..query };
        let found = Bound::new(query.position.py(), self.search(&query)?)?;
        if alone { Ok(found.into_any()) } else { found.getattr("multipv") }
    }

    /// Starts a search in the background, with `multipv` lines.
    ///
    /// # Errors
    /// Those of [`Self::prepare`]; `TypeError` and `ValueError` for `multipv`; a thread that cannot be started.
    fn analysis(&self, query: Query<'_>, multipv: Option<Value<'_>>) -> PyResult<Analysis> {
        let query = Query { multipv: arguments::multipv(multipv)?, ..query };
        let (search, log, moves) = (self.prepare(&query)?, query.log(), self.repeated(&query));
        Analysis::begin(query.position.unbind(), moves, log, self.running().enter(), search)
    }
}
