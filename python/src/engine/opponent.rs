//! The opponent of a board in a notebook: the levels of `secateurs play`.

use crate::analyser::analysis::Analysis;
use crate::analyser::{Analyser, Query, Search};
use crate::arguments::{self, Value};
use crate::error::OrRaise;
use crate::threads::searches::CurrentSearches;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::Error;
use secateurs::opponent::{self, LEVELS, Strength};
use secateurs::registry;
use secateurs::search::Table;
use std::sync::Arc;

/// The table size, MiB.
const HASH: usize = 32;

/// An opponent at a level, with a table of its own.
#[pyclass(frozen, name = "_Opponent", module = "secateurs._native")]
pub struct Opponent {
    opponent: Arc<opponent::Opponent>,
    strength: Strength,
    running: CurrentSearches,
}

#[pymethods]
impl Opponent {
    #[new]
    fn new(py: Python<'_>, game: Option<&str>, level: &Value<'_>, seed: u64) -> PyResult<Self> {
        let most = LEVELS.len();
        let level = arguments::within("engine", level, 1..=most as i64, &format!("a level from 1 to {most}"))?;
        let strength = Strength::Level(level);
        // A game in Python has no book.
        let row = game.map(registry::find).transpose().or_raise()?;
        let opponent = py.detach(move || {
            let mut opponent = opponent::Opponent::new(Arc::new(Table::new(HASH)?), 1, Some(seed))?;
            row.map_or(Ok(()), |row| opponent.begin(row, strength.knows_book()))?;
            Ok::<_, Error>(opponent)
        });
        Ok(Self { opponent: Arc::new(opponent.or_raise()?), strength, running: CurrentSearches::default() })
    }

    /// Starts the search for a move in a position that has one.
    fn analysis(&self, position: &Value<'_>) -> PyResult<Analysis> {
        Analyser::analysis(self, Query::new("Opponent.analysis", position, None, None, None)?, None)
    }
}

impl Analyser for Opponent {
    fn running(&self) -> &CurrentSearches {
        &self.running
    }

    fn prepare(&self, query: &Query<'_>) -> PyResult<Search> {
        let (board, strength) = (query.position.get().board().boxed(), self.strength);
        if caught(|| board.codes())?.is_empty() {
            return Err(PyValueError::new_err("the game is over"));
        }
        let opponent = Arc::clone(&self.opponent);
        Ok(Box::new(move |stop, progress| Ok(vec![opponent.think(&*board, strength, stop, progress)].into())))
    }
}
