//! The query of a search, read in one place, and the methods that our engines share with others'.

use super::analysis::Analysis;
use super::arguments::{self, Given};
use super::game;
use super::play_result::PlayResult;
use super::position::Position;
use super::result::SearchResult;
use crate::core::tree::Room;
use crate::core::{Limits, Ties};
use pyo3::prelude::*;

/// A position and what is to be found out about it.
pub struct Query<'py> {
    /// The position.
    pub position: Bound<'py, Position>,
    /// When the search ends; without a limit it must be stopped.
    pub limits: Limits,
    /// Only these moves are searched; empty: all.
    pub root_moves: Vec<String>,
    /// Their codes.
    pub codes: Vec<u16>,
    /// The number of lines, at least 1.
    pub multipv: usize,
    /// Whether all moves that are as good as the best are found.
    pub ties: Ties,
    /// How much of the tree is recorded.
    pub room: Option<Room>,
}

impl<'py> Query<'py> {
    /// A search within limits, as [`limit`](super::limit) reads them, for one line.
    ///
    /// # Errors
    /// `TypeError` and `ValueError`, which name the argument; `IllegalMove` for one of `root_moves`;
    /// what the text of a state raises.
    pub fn new(position: &Given<'py>, limits: PyResult<Limits>, root_moves: Option<Given<'_>>) -> PyResult<Self> {
        let (position, limits) = (arguments::position(position)?.clone(), limits?);
        let root_moves = arguments::root_moves(root_moves)?;
        let codes = game::caught(|| position.get().board().codes_of(&root_moves))??;
        Ok(Self { position, limits, root_moves, codes, multipv: 1, ties: Ties::First, room: None })
    }

    /// How many moves are searched.
    pub fn moves(&self) -> usize {
        if self.codes.is_empty() { self.position.get().board().codes().len() } else { self.codes.len() }
    }
}

/// An engine, ours or another's.
pub trait Analyser {
    /// Searches, and waits for the result.
    ///
    /// # Errors
    /// Those of the engine; what a signal handler raised meanwhile.
    fn search(&self, query: &Query<'_>) -> PyResult<SearchResult>;

    /// Begins a search in the background.
    ///
    /// # Errors
    /// An engine that does not run any more; a thread that cannot be started.
    fn begin(&self, query: &Query<'_>) -> PyResult<Analysis>;

    /// The move to play, with what the search found.
    ///
    /// # Errors
    /// Those of [`Self::search`].
    fn play(&self, query: &Query<'_>) -> PyResult<PlayResult> {
        PlayResult::new(query.position.py(), self.search(query)?)
    }

    /// One result, or with `multipv` a list of so many.
    ///
    /// # Errors
    /// Those of [`Self::search`]; `TypeError` and `ValueError` for `multipv`.
    fn analyse<'py>(&self, query: Query<'py>, multipv: Option<Given<'_>>) -> PyResult<Bound<'py, PyAny>> {
        let alone = multipv.is_none();
        let query = Query { multipv: arguments::multipv(multipv)?, ..query };
        let found = Bound::new(query.position.py(), self.search(&query)?)?;
        if alone { Ok(found.into_any()) } else { found.getattr("multipv") }
    }

    /// A search in the background, of so many lines.
    ///
    /// # Errors
    /// Those of [`Self::begin`]; `TypeError` and `ValueError` for `multipv`.
    fn analysis(&self, query: Query<'_>, multipv: Option<Given<'_>>) -> PyResult<Analysis> {
        self.begin(&Query { multipv: arguments::multipv(multipv)?, ..query })
    }
}
