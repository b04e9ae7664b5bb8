//! A match whose games are played by other processes, for `secateurs.dask`.

use super::{text, tournament};
use crate::arguments::{Items, Value};
use crate::error::OrRaise;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateurs::core::StopFlag;
use secateurs_tools::arena::journal::Journal;
use secateurs_tools::arena::openings::Openings;
use secateurs_tools::arena::record::GameRecord;
use secateurs_tools::arena::{Standings, Tournament};
use std::collections::HashSet;

/// The schedule, the openings, the file and the test of a match. Each game counts once, in the order in which it is
/// added.
#[pyclass(name = "_Ledger", module = "secateurs._native")]
pub struct Ledger {
    tournament: Tournament,
    openings: Openings,
    journal: Option<Journal>,
    standings: Standings,
    known: HashSet<usize>,
    /// The games that the file had.
    #[pyo3(get)]
    earlier: Vec<String>,
}

#[pymethods]
impl Ledger {
    /// Opens a match, with the games that its file already has.
    #[new]
    fn new(plan: &Value<'_>) -> PyResult<Self> {
        let (tournament, path) = caught(|| tournament(plan, &StopFlag::new()))??;
        let header = caught(|| tournament.header())?;
        let open = |path| Journal::open_as(path, &header, &tournament.setup, tournament.schedule.rounds);
        let (journal, records) = path.as_deref().map(open).transpose().or_raise()?.unzip();
        let names = tournament.contestants.iter().map(|contestant| contestant.name.clone()).collect();
        let openings = Openings::new(&tournament.setup, tournament.openings.clone(), tournament.seed).or_raise()?;
        let (standings, known, earlier) = (Standings::new(names), HashSet::new(), Vec::new());
        let mut ledger = Self { tournament, openings, journal, standings, known, earlier };
        for record in records.into_iter().flatten() {
            ledger.known.insert(record.number);
            ledger.standings.add(&record);
            ledger.earlier.push(text(&record));
        }
        caught(|| ledger.tournament.warn_of_few_openings())?.or_raise()?;
        Ok(ledger)
    }

    /// The first line of the file.
    #[getter]
    fn header(&self) -> String {
        self.tournament.header().to_string()
    }

    /// The number of games of the schedule.
    #[getter]
    fn planned(&self) -> usize {
        self.tournament.schedule.games()
    }

    /// Whether the test has accepted a hypothesis.
    #[getter]
    fn decided(&self) -> bool {
        self.tournament.is_decided(&self.standings)
    }

    /// Returns the opening of the first round from `round` on that has games to play: the round, the position, and the
    /// moves from there. `None` if there is no such round.
    fn next(&mut self, round: usize) -> PyResult<Option<(usize, String, Vec<String>)>> {
        let size = self.games_of_a_round();
        let is_open = |round: &usize| (round * size..(round + 1) * size).any(|game| !self.known.contains(&game));
        let Some(round) = (round..self.tournament.schedule.rounds).find(is_open) else { return Ok(None) };
        let opening = caught(|| self.openings.opening(round, &StopFlag::new()))?.or_raise()?;
        Ok(opening.map(|opening| (round, opening.position, opening.moves)))
    }

    /// Adds the games of these rounds, which were played as a match of their own. Returns those that were added: games
    /// that are known are not, nor are games after the one that decides the test.
    fn add(&mut self, rounds: Items<usize>, records: Items<String>) -> PyResult<Vec<String>> {
        let mut added = Vec::new();
        let size = self.games_of_a_round();
        let foreign = || PyValueError::new_err("no record of a game of these rounds");
        for record in records.iter() {
            let mut record: GameRecord = serde_json::from_str(record).map_err(|_| foreign())?;
            record.round = *rounds.get(record.round).ok_or_else(foreign)?;
            record.number = record.round * size + record.number % size;
            if self.decided() {
                break;
            }
            if self.known.contains(&record.number) {
                continue;
            }
            if let Some(journal) = &mut self.journal {
                journal.add(&record).or_raise()?;
            }
            self.known.insert(record.number);
            self.standings.add(&record);
            added.push(text(&record));
        }
        Ok(added)
    }
}

impl Ledger {
    fn games_of_a_round(&self) -> usize {
        (2 * self.tournament.schedule.meetings()).max(1)
    }
}
