//! Games of self-play for networks, for `secateurs.dask`.

use crate::arguments::{Argument, Value};
use crate::error::OrRaise;
use crate::position::Position;
use crate::threads::work::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::{Error, Score, StopFlag};
use secateurs_tools::lab::games::Adjudication;
use secateurs_tools::lab::positions::file::RecordedGame;
use secateurs_tools::lab::positions::play::{Games, GamesFile, GamesPlan};
use std::ops::Range;
use std::path::PathBuf;

/// The plan of the games: nodes, random plies, balance, win, draw ply, longest, seed.
type Plan = (u64, usize, Score, Score, usize, usize, u64);

fn plan((nodes, random_plies, balance, win, draw_ply, longest, seed): Plan) -> GamesPlan {
    GamesPlan { nodes, random_plies, balance, adjudication: Adjudication { win, draw_ply, longest }, seed }
}

/// Plays the games of these numbers, `first` to before `end`, and returns the bytes of each.
#[pyfunction]
#[pyo3(name = "_selfplay")]
pub fn selfplay(
    py: Python<'_>,
    position: &Bound<'_, Position>,
    settings: Plan,
    first: u64,
    end: u64,
) -> PyResult<Vec<Vec<u8>>> {
    position.get().registered()?;
    let ((setup, _), stop) = (position.get().setup()?, StopFlag::new());
    let flag = stop.clone();
    let played = interruptible(py, &stop, move || {
        let games = Games::new(setup, plan(settings))?;
        let play = |number| games.play(number, &flag).map(|game| game.map(|game| game.write()));
        Range { start: first, end }.filter_map(|number| play(number).transpose()).collect::<Result<_, Error>>()
    });
    played?.or_raise()
}

/// A file of games, in the order of their numbers.
#[pyclass(name = "_GamesFile", module = "secateurs._native")]
pub struct PyGamesFile(GamesFile);

#[pymethods]
impl PyGamesFile {
    /// Opens the file of a plan, or creates it.
    #[new]
    fn new(path: &Value<'_>, position: &Bound<'_, Position>, settings: Plan) -> PyResult<Self> {
        position.get().registered()?;
        let (setup, _) = position.get().setup()?;
        GamesFile::open(setup, &plan(settings), &PathBuf::read("path", path)?).or_raise().map(Self)
    }

    /// The number of the next game.
    #[getter]
    fn next(&self) -> u64 {
        self.0.next
    }

    /// The number of positions in the file.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    /// The games of this run by result: wins of the first player, draws, losses.
    #[getter]
    fn results(&self) -> [u64; 3] {
        self.0.count.results
    }

    /// Appends the game of a number, if it is the next one.
    fn add(&mut self, number: u64, game: &[u8]) -> PyResult<()> {
        let game = RecordedGame::read(game).filter(|game| number == self.0.next && self.0.is_possible(game));
        let game =
            game.ok_or_else(|| PyValueError::new_err(format!("game {number} is not the next game of the file")))?;
        self.0.add(&game).or_raise()
    }
}
