//! How a match stands: points, pairs and faults, from the records alone.

use super::ratings::{Crosstable, Rating};
use super::record::{Ending, GameRecord};
use super::schedule::Schedule;
use super::statistics::{GameResult, Tally};
use crate::core::Side;
use std::collections::HashMap;

/// What the records of a match add up to, in whatever order they come.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    crosstable: Crosstable,
    /// First games of pairs that wait for the second: the result for p1, by number.
    halves: HashMap<usize, GameResult>,
    /// Games by their ends,
    endings: HashMap<Ending, usize>,
    /// and those lost by a fault, by engine and fault.
    faults: HashMap<(usize, Ending), usize>,
    /// Proven wins that were not won, by engine.
    wrong_claims: Vec<u32>,
    games: usize,
    moves: usize,
}

impl Standings {
    /// Of a match that has not begun.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self {
            wrong_claims: vec![0; names.len()],
            names,
            crosstable: Crosstable::default(),
            halves: HashMap::new(),
            endings: HashMap::new(),
            faults: HashMap::new(),
            games: 0,
            moves: 0,
        }
    }

    /// Counts a game. Games of players who are not in the match are passed over.
    pub fn add(&mut self, record: &GameRecord) {
        let index = |name: &String| self.names.iter().position(|known| known == name);
        let [Some(first), Some(second)] = record.players.each_ref().map(index) else { return };
        let result = record.result.result(Side::First);
        let partner = self.halves.remove(&Schedule::partner(record.number));
        if partner.is_none() {
            self.halves.insert(record.number, result);
        }
        // In the other game of the pair p1 was p2.
        self.crosstable.add(first, second, result, partner.map(GameResult::reversed));
        *self.endings.entry(record.ending).or_default() += 1;
        if let Some(player) = record.at_fault() {
            *self.faults.entry(([first, second][player], record.ending)).or_default() += 1;
        }
        for (engine, claims) in [first, second].into_iter().zip(record.wrong_claims) {
            self.wrong_claims[engine] += claims;
        }
        self.games += 1;
        self.moves += record.moves.len();
    }

    /// The names of the engines.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games that are over.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Moves in them, after the openings.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// What one engine has scored against another, by their numbers.
    #[must_use]
    pub fn tally(&self, engine: usize, opponent: usize) -> Tally {
        self.crosstable.between(engine, opponent)
    }

    /// What an engine has scored against all.
    #[must_use]
    pub fn total(&self, engine: usize) -> Tally {
        self.crosstable.of(engine)
    }

    /// A rating for each engine, in their order.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        self.crosstable.ratings(self.names.len())
    }

    /// Games that ended so.
    #[must_use]
    pub fn ended(&self, ending: Ending) -> usize {
        self.endings.get(&ending).copied().unwrap_or(0)
    }

    /// Games that an engine lost by such a fault.
    #[must_use]
    pub fn faults(&self, engine: usize, ending: Ending) -> usize {
        self.faults.get(&(engine, ending)).copied().unwrap_or(0)
    }

    /// How often an engine said that it had a proven win, and did not get it.
    #[must_use]
    pub fn wrong_claims(&self, engine: usize) -> u32 {
        self.wrong_claims[engine]
    }
}
