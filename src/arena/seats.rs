//! The players of the games on one thread: when they are started, reused and ended.

use super::player::Player;
use super::tournament::{Contestant, Stopped, Tournament};
use crate::client::Surroundings;
use crate::core::{Error, StopFlag};
use std::thread;

/// When a player is restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// After a fault in its game, its own or the opponent's, and after a game that it did not play.
    #[default]
    Auto,
    /// For every game.
    On,
    /// Only after its own fault. In a match of many players all of them stay running for each concurrent game.
    Off,
}

/// The number of failed starts in a row after which an engine is given up.
const STARTS: usize = 3;

impl Tournament {
    /// Starts every engine once, so that a failure shows before the first game.
    pub(super) fn try_engines(&self, stop: &StopFlag) -> Result<(), Stopped> {
        thread::scope(|scope| {
            for engine in 0..self.contestants.len() {
                match self.start(engine, stop) {
                    // A player that is slow to quit delays no other.
                    Ok(player) => drop(thread::Builder::new().spawn_scoped(scope, move || player.quit())),
                    Err(_) if stop.is_raised() => break,
                    Err(why) => return Err(why),
                }
            }
            Ok(())
        })
    }

    /// Starts a player unless the flag is raised; a failed start is repeated.
    fn start(&self, engine: usize, abort: &StopFlag) -> Result<Box<dyn Player>, Stopped> {
        let Contestant { name, spec, .. } = &self.contestants[engine];
        let surroundings = Surroundings { abort: abort.clone(), ..self.surroundings.clone() };
        let mut tries = 0;
        loop {
            tries += 1;
            match spec.seat(name, &surroundings) {
                Ok(player) => return Ok(player),
                Err(why) if tries < STARTS && !abort.is_raised() => log::warn!("{name}: {why}"),
                Err(why) => return Err(Stopped::Engine(name.clone(), why)),
            }
        }
    }
}

/// The players of one thread: those of the current game, stored for the next.
pub(super) struct Seats<'a> {
    tournament: &'a Tournament,
    taken: Vec<(usize, Box<dyn Player>)>,
}

impl<'a> Seats<'a> {
    /// Creates an empty set of players.
    pub fn new(tournament: &'a Tournament) -> Self {
        Self { tournament, taken: Vec::new() }
    }

    /// Returns the two players, started if necessary; other players are ended unless they are to stay.
    pub fn of(&mut self, engines: [usize; 2]) -> Result<[&mut dyn Player; 2], Stopped> {
        let Self { tournament, taken } = self;
        let leaves = |engine| !engines.contains(&engine) && tournament.contestants[engine].restart != Restart::Off;
        leave(taken.extract_if(.., |(engine, _)| leaves(*engine)));
        for engine in engines {
            if !self.taken.iter().any(|(taken, _)| *taken == engine) {
                let player = self.tournament.start(engine, &self.tournament.surroundings.abort)?;
                self.taken.push((engine, player));
            }
        }
        self.taken.sort_by_key(|(engine, _)| engines.iter().position(|known| known == engine).unwrap_or(2));
        match &mut self.taken[..] {
            [(first, white), (second, black), ..] if [*first, *second] == engines => {
                Ok([white.as_mut(), black.as_mut()])
            }
            _ => Err(Error::BadOptions("an engine cannot play itself".into()).into()),
        }
    }

    /// Ends the players that are to be restarted after a game. After a fault their state is uncertain, so they are
    /// killed.
    pub fn after(&mut self, fault: bool, at_fault: Option<usize>) {
        let Self { tournament, taken } = self;
        let leaves = |engine: usize| match tournament.contestants[engine].restart {
            Restart::On => true,
            Restart::Auto => fault,
            Restart::Off => at_fault == Some(engine),
        };
        let left = taken.extract_if(.., |(engine, _)| leaves(*engine));
        if fault { left.for_each(drop) } else { leave(left) }
    }
}

/// Ends players concurrently, because each may take a while.
fn leave(players: impl Iterator<Item = (usize, Box<dyn Player>)>) {
    thread::scope(|scope| {
        for (_, player) in players {
            // If the thread cannot be started, the player is killed.
            drop(thread::Builder::new().spawn_scoped(scope, move || player.quit()));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::clock::Control;
    use super::super::openings::Source;
    use super::super::player::{Forfeit, PlayerSpec, Question};
    use super::super::record::Ending;
    use super::super::referee::{Adjudication, Timeouts};
    use super::super::schedule::{Format, Schedule};
    use super::*;
    use crate::client::Answer;
    use crate::registry::{self, Setup};
    use serde_json::{Map, Value};
    use std::time::{Duration, Instant};

    /// Starts at once, or fails because the flag is raised meanwhile; quits slowly.
    struct Slow(Option<StopFlag>);

    impl PlayerSpec for Slow {
        fn title(&self) -> String {
            "slow".into()
        }

        fn header(&self) -> Map<String, Value> {
            Map::new()
        }

        fn seat(&self, _: &str, _: &Surroundings) -> Result<Box<dyn Player>, String> {
            match &self.0 {
                None => Ok(Box::new(Self(None))),
                Some(stop) => {
                    stop.raise();
                    Err("aborted".into())
                }
            }
        }
    }

    impl Player for Slow {
        fn new_game(&mut self) -> Result<(), Forfeit> {
            Ok(())
        }

        fn answer(&mut self, _: &Question<'_>) -> Result<Answer, Forfeit> {
            Err(Forfeit { ending: Ending::Hang, detail: String::new() })
        }

        fn quit(self: Box<Self>) {
            thread::sleep(Duration::from_millis(400));
        }
    }

    fn tournament(contestants: Vec<Contestant>) -> Tournament {
        Tournament {
            setup: Setup::new(registry::find("nim").unwrap()),
            schedule: Schedule { format: Format::Gauntlet, engines: contestants.len(), rounds: 1 },
            contestants,
            openings: Source::Lines { openings: Vec::new(), shuffled: false },
            seed: 1,
            adjudication: Adjudication::default(),
            timeouts: Timeouts { margin: Duration::ZERO, hang: Duration::ZERO },
            concurrency: 1,
            pinned: false,
            test: None,
            surroundings: Surroundings::default(),
            start_handler: None,
        }
    }

    #[test]
    fn engines_that_leave_slowly_leave_at_the_same_time() {
        let tournament = tournament((0..20).map(|_| Contestant::new(Slow(None), Control::default())).collect());
        let start = Instant::now();
        tournament.try_engines(&StopFlag::new()).unwrap();
        assert!(start.elapsed() < Duration::from_secs(4), "one after the other they take eight seconds");
    }

    #[test]
    fn an_engine_whose_start_is_broken_off_is_not_blamed() {
        let stop = StopFlag::new();
        let tournament = tournament(vec![Contestant::new(Slow(Some(stop.clone())), Control::default())]);
        tournament.try_engines(&stop).unwrap();
        assert!(stop.is_raised());
    }
}
