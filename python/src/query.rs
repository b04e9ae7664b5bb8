//! Queries of searches, and the methods that built-in and external engines share.

use super::analysis::Analysis;
use super::arguments::{self, Given};
use super::game;
use super::play_result::PlayResult;
use super::position::Position;
use super::result::SearchResult;
use crate::error::OrRaise;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::tree::Room;
use secateurs::core::{Limits, Ties};

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
    /// Creates a query for one line within limits read by [`limit`](super::limit).
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, which name the argument; `IllegalMove` for one of `root_moves`; the exception of
    /// the text of a state.
    pub fn new(position: &Given<'py>, limits: PyResult<Limits>, root_moves: Option<Given<'_>>) -> PyResult<Self> {
        let (position, limits) = (arguments::position(position)?.clone(), limits?);
        let (root_moves, codes) =
            root_moves.map_or_else(|| Ok(Default::default()), |moves| restricted(&position, &moves))?;
        Ok(Self { position, limits, root_moves, codes, multipv: 1, ties: Ties::First, room: None })
    }

    /// Returns the number of moves to search.
    pub fn moves(&self) -> usize {
        if self.codes.is_empty() { self.position.get().board().codes().len() } else { self.codes.len() }
    }
}

/// Converts the moves to which a search is restricted; also returns their codes.
fn restricted(position: &Bound<'_, Position>, given: &Given<'_>) -> PyResult<(Vec<String>, Vec<u16>)> {
    let (mut moves, mut codes) = (Vec::new(), Vec::new());
    for given in arguments::moves("root_moves", given)? {
        let (name, given) = given?;
        let mv = [position.get().board.mv(&name, &given)?];
        for code in game::caught(|| position.get().board().codes_of(&mv))?.or_raise()? {
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

/// A built-in or an external engine.
pub trait Analyser {
    /// Searches and waits for the result.
    ///
    /// # Errors
    /// Those of the engine; the exception of a signal handler.
    fn search(&self, query: &Query<'_>) -> PyResult<SearchResult>;

    /// Starts a search in the background.
    ///
    /// # Errors
    /// An engine that no longer runs; a thread that cannot be started.
    fn begin(&self, query: &Query<'_>) -> PyResult<Analysis>;

    /// Returns the move to play and the result of the search.
    ///
    /// # Errors
    /// Those of [`Self::search`].
    fn play(&self, query: &Query<'_>) -> PyResult<PlayResult> {
        PlayResult::new(query.position.py(), self.search(query)?)
    }

    /// Returns one result, or with `multipv` a list of at most that many.
    ///
    /// # Errors
    /// Those of [`Self::search`]; `TypeError` and `ValueError` for `multipv`.
    fn analyse<'py>(&self, query: Query<'py>, multipv: Option<Given<'_>>) -> PyResult<Bound<'py, PyAny>> {
        let alone = multipv.is_none();
        let query = Query { multipv: arguments::multipv(multipv)?, ..query };
        let found = Bound::new(query.position.py(), self.search(&query)?)?;
        if alone { Ok(found.into_any()) } else { found.getattr("multipv") }
    }

    /// Starts a search in the background, with `multipv` lines.
    ///
    /// # Errors
    /// Those of [`Self::begin`]; `TypeError` and `ValueError` for `multipv`.
    fn analysis(&self, query: Query<'_>, multipv: Option<Given<'_>>) -> PyResult<Analysis> {
        self.begin(&Query { multipv: arguments::multipv(multipv)?, ..query })
    }
}
