//! The standings of a match: points, pairs and faults, from the records alone.

use super::ratings::{Crosstable, Rating};
use super::record::{Ending, GameRecord};
use super::schedule::Schedule;
use super::statistics::{GameResult, Repeats, Tally};
use secateurs::core::Side;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The totals of the records of a match, independent of their order.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    crosstable: Crosstable,
    /// The first games of incomplete pairs, by number: the result for p1, and the hash of the game.
    halves: HashMap<usize, (GameResult, u64)>,
    /// Distinct games, pairs of games and openings, by hash.
    distinct_games: HashSet<u64>,
    distinct_pairs: HashSet<[u64; 2]>,
    openings: HashSet<u64>,
    /// The rounds with a finished game.
    rounds: HashSet<usize>,
    endings: HashMap<Ending, usize>,
    /// The number of games lost by a fault, by engine and fault.
    faults: HashMap<(usize, Ending), usize>,
    /// The number of wrong claims of a proven win, by engine.
    wrong_claims: Vec<u32>,
    games: usize,
    moves: usize,
}

impl Standings {
    /// Returns the standings of a match that has not begun.
    pub fn new(names: Vec<String>) -> Self {
        Self { wrong_claims: vec![0; names.len()], names, ..Self::default() }
    }

    /// Adds a game. Games of players outside the match are ignored.
    pub fn add(&mut self, record: &GameRecord) {
        let index = |name: &String| self.names.iter().position(|known| known == name);
        let [Some(first), Some(second)] = record.players.each_ref().map(index) else { return };
        let result = record.result.result(Side::First);
        let game = hash(&(first, second, &record.opening, record.result.text(), moves_of(record)));
        let partner = self.halves.remove(&Schedule::partner(record.number));
        if partner.is_none() {
            self.halves.insert(record.number, (result, game));
        }
        // In the other game of the pair p1 was p2.
        self.crosstable.add(first, second, result, partner.map(|(result, _)| result.reversed()));
        let mut repeats = Repeats { games: u64::from(!self.distinct_games.insert(game)), pairs: 0 };
        if let Some((_, other)) = partner {
            let pair = [game.min(other), game.max(other)];
            repeats.pairs = u64::from(!self.distinct_pairs.insert(pair));
        }
        self.crosstable.add_repeats(first, second, repeats);
        self.openings.insert(hash(&record.opening));
        self.rounds.insert(record.round);
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

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of finished games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Returns the number of games that differ in the players, their colours, the opening, the moves or the result.
    pub fn distinct_games(&self) -> usize {
        self.distinct_games.len()
    }

    /// Returns the number of distinct openings.
    pub(crate) fn openings(&self) -> usize {
        self.openings.len()
    }

    /// Returns the number of rounds with a finished game; each has an opening, new or repeated.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Returns the number of moves after the openings.
    pub(crate) fn moves(&self) -> usize {
        self.moves
    }

    /// Returns the tally of one engine against another, by their numbers.
    pub fn tally(&self, engine: usize, opponent: usize) -> Tally {
        self.crosstable.between(engine, opponent)
    }

    /// Returns the tally of an engine against all others.
    pub fn total(&self, engine: usize) -> Tally {
        self.crosstable.total(engine)
    }

    /// Returns the rating of each engine, in their order.
    pub fn ratings(&self) -> Vec<Rating> {
        self.crosstable.ratings(self.names.len())
    }

    /// Returns the engines in the order of the table: two in the given order, more than two by rating.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let (ratings, mut order) = (self.ratings(), (0..self.names.len()).collect::<Vec<_>>());
        if order.len() > 2 {
            order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        }
        order
    }

    /// Returns the number of games with this ending.
    pub fn ended(&self, ending: Ending) -> usize {
        self.endings.get(&ending).copied().unwrap_or(0)
    }

    /// Returns the number of games that an engine lost by this fault.
    pub fn faults(&self, engine: usize, ending: Ending) -> usize {
        self.faults.get(&(engine, ending)).copied().unwrap_or(0)
    }

    /// Returns the number of proven wins that an engine claimed and did not achieve.
    pub fn wrong_claims(&self, engine: usize) -> u32 {
        self.wrong_claims[engine]
    }
}

fn moves_of(record: &GameRecord) -> Vec<&str> {
    record.moves.iter().map(|mv| mv.mv.as_str()).collect()
}

/// Returns a hash that is the same in every run of this program.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::super::openings::Opening;
    use super::super::record::{MoveRecord, Winner};
    use super::*;

    /// Two deterministic players, two openings: one favours the first player, the other is balanced.
    fn records(rounds: usize) -> Vec<GameRecord> {
        let record = |number: usize| {
            let (round, swapped) = (number / 2, number % 2 == 1);
            let opening = Opening { position: "startpos".into(), moves: vec![(round % 2).to_string()] };
            let mut players = ["a".to_owned(), "b".to_owned()];
            players[..].rotate_left(usize::from(swapped));
            let result = if round % 2 == 1 && swapped { Winner::Second } else { Winner::First };
            let moves =
                vec![MoveRecord { mv: "1".into(), micros: number as u64, score: String::new(), depth: 1, nodes: 1 }];
            let (ending, detail, margin, wrong_claims) = (Ending::Rules, String::new(), None, [0, 0]);
            GameRecord {
                started: None,
                number,
                round,
                players,
                opening,
                result,
                ending,
                detail,
                margin,
                wrong_claims,
                moves,
            }
        };
        (0..2 * rounds).map(record).collect()
    }

    fn count(records: &[GameRecord]) -> Standings {
        let mut standings = Standings::new(vec!["a".into(), "b".into()]);
        records.iter().for_each(|record| standings.add(record));
        standings
    }

    #[test]
    fn games_that_repeat_others_are_no_evidence() {
        let mut games = records(50);
        let (all, few) = (count(&games), count(&games[..4]));
        assert_eq!((all.games(), all.distinct_games(), all.openings(), all.rounds()), (100, 4, 2, 50));
        let (tally, known) = (all.tally(0, 1), few.tally(0, 1));
        assert_eq!((tally.pairs.total(), tally.repeats), (50, Repeats { games: 96, pairs: 48 }));
        assert_eq!(tally.pair_sample().elo(), known.pair_sample().elo());
        assert_eq!(tally.game_sample().elo(), known.game_sample().elo());
        assert_eq!(all.ratings(), few.ratings());
        assert_eq!(all.tally(1, 0).repeats, tally.repeats);
        // The order of the records does not matter.
        games.reverse();
        assert_eq!(count(&games).tally(0, 1), tally);
        // A game with another move, or with another result of the same moves, is distinct.
        games[0].moves[0].mv = "2".into();
        games[2].result = Winner::Nobody;
        assert_eq!(count(&games).distinct_games(), 6);
    }
}
