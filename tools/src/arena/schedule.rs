//! The pairings and openings of a match. The schedule depends on its parameters alone, so that a match can be resumed.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The format of a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All engines meet each other
    #[default]
    // As versions before 0.3 write it.
    #[serde(alias = "RoundRobin")]
    RoundRobin,
    /// The first engine meets each of the others
    #[serde(alias = "Gauntlet")]
    Gauntlet,
}

/// All games of a match. Each pair of engines plays each opening twice, with colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The format.
    pub format: Format,
    /// The number of engines, at least 2.
    pub engines: usize,
    /// The number of rounds; in each round every pair of engines that meet plays one pair of games.
    pub rounds: usize,
}

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The engines that play as p1 and p2.
    pub engines: [usize; 2],
    /// The round, from 0; each has its own opening.
    pub round: usize,
}

impl Schedule {
    /// Returns the number of pairs of engines that meet in a round.
    pub fn meetings(&self) -> usize {
        match self.format {
            Format::RoundRobin => self.engines * self.engines.saturating_sub(1) / 2,
            Format::Gauntlet => self.engines.saturating_sub(1),
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.rounds.saturating_mul(2 * self.meetings())
    }

    /// Returns the game of a number below [`games`](Self::games). Each round is completed before the next one begins,
    /// so that intermediate standings are fair.
    pub(crate) fn pairing(&self, number: usize) -> Pairing {
        let (pair, swapped) = (number / 2, number % 2 == 1);
        let (round, mut meeting) = (pair / self.meetings().max(1), pair % self.meetings().max(1));
        let mut engines = [0, meeting + 1];
        if self.format == Format::RoundRobin {
            // (0, 1), (0, 2), (1, 2), (0, 3), ...: each engine meets all engines before it.
            let mut later = 1;
            while meeting >= later {
                meeting -= later;
                later += 1;
            }
            engines = [meeting, later];
        }
        if swapped {
            engines.reverse();
        }
        Pairing { engines, round }
    }

    /// Returns the number of the other game of the pair: the same engines and opening, colours exchanged.
    pub(crate) const fn partner(number: usize) -> usize {
        number ^ 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn games(format: Format, engines: usize, rounds: usize) -> HashMap<([usize; 2], usize), usize> {
        let schedule = Schedule { format, engines, rounds };
        let mut found = HashMap::new();
        for number in 0..schedule.games() {
            let Pairing { engines, round } = schedule.pairing(number);
            let other = schedule.pairing(Schedule::partner(number));
            assert_eq!((other.engines, other.round), ([engines[1], engines[0]], round));
            *found.entry((engines, round)).or_default() += 1;
        }
        found
    }

    #[test]
    fn in_a_round_robin_all_meet_all_as_often_with_both_colours() {
        for engines in 2..7 {
            let found = games(Format::RoundRobin, engines, 3);
            assert_eq!(found.len(), engines * (engines - 1) * 3);
            assert!(found.iter().all(|((pair, _), &count)| count == 1 && pair[0] != pair[1]));
        }
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let found = games(Format::Gauntlet, 4, 2);
        assert_eq!(found.len(), 3 * 2 * 2);
        assert!(found.keys().all(|(pair, _)| pair.contains(&0) && pair[0] != pair[1]));
    }

    #[test]
    fn a_match_of_nobody_has_no_games() {
        assert_eq!(Schedule { format: Format::RoundRobin, engines: 1, rounds: 5 }.games(), 0);
        assert_eq!(Schedule { format: Format::Gauntlet, engines: 0, rounds: 5 }.games(), 0);
    }
}
