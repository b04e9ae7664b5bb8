//! The players of the games on one thread: when they are started, reused and ended.

use super::contestant::{Contestant, Restart};
use super::player::Player;
use super::stopped::Stopped;
use crate::client::Surroundings;
use secateurs::core::{Error, StopFlag};
use secateurs::util::forks::tracked;
use std::thread;

/// Starts every player once, so that a failure shows before the first game.
pub(super) fn start_all(
    contestants: &[Contestant],
    surroundings: &Surroundings,
    stop: &StopFlag,
) -> Result<(), Stopped> {
    thread::scope(|scope| {
        for contestant in contestants {
            match contestant.start(surroundings, stop) {
                // A player that is slow to quit does not delay the others.
                Ok(player) => drop(thread::Builder::new().spawn_scoped(scope, tracked(move || player.quit()))),
                Err(_) if stop.is_raised() => break,
                Err(why) => return Err(why),
            }
        }
        Ok(())
    })
}

/// The players of one thread, which are reused from game to game.
pub(super) struct Seats<'a> {
    contestants: &'a [Contestant],
    surroundings: &'a Surroundings,
    taken: Vec<(usize, Box<dyn Player>)>,
}

impl<'a> Seats<'a> {
    pub(crate) fn new(contestants: &'a [Contestant], surroundings: &'a Surroundings) -> Self {
        Self { contestants, surroundings, taken: Vec::new() }
    }

    /// Returns the two players, started if necessary; other players are ended unless they are to stay.
    pub(crate) fn players(&mut self, engines: [usize; 2]) -> Result<[&mut dyn Player; 2], Stopped> {
        let Self { contestants, taken, .. } = self;
        let is_unwanted = |engine| !engines.contains(&engine) && contestants[engine].restart != Restart::Off;
        quit_all(taken.extract_if(.., |(engine, _)| is_unwanted(*engine)));
        for engine in engines {
            if !self.taken.iter().any(|(taken, _)| *taken == engine) {
                let player = self.contestants[engine].start(self.surroundings, &self.surroundings.abort)?;
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
    pub(crate) fn after(&mut self, fault: bool, at_fault: Option<usize>) {
        let Self { contestants, taken, .. } = self;
        let is_over = |engine: usize| match contestants[engine].restart {
            Restart::On => true,
            Restart::Auto => fault,
            Restart::Off => at_fault == Some(engine),
        };
        let ended = taken.extract_if(.., |(engine, _)| is_over(*engine));
        if fault { ended.for_each(drop) } else { quit_all(ended) }
    }
}

/// Ends players concurrently, because each may take a while.
fn quit_all(players: impl Iterator<Item = (usize, Box<dyn Player>)>) {
    thread::scope(|scope| {
        for (_, player) in players {
            // If the thread cannot be started, the player is killed.
            drop(thread::Builder::new().spawn_scoped(scope, tracked(move || player.quit())));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::clock::Control;
    use super::super::player::{Forfeit, PlayerSpec, Question};
    use super::super::record::Ending;
    use super::*;
    use crate::client::Answer;
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

    fn slow(number: usize, stop: Option<&StopFlag>) -> Vec<Contestant> {
        (0..number).map(|_| Contestant::new(Slow(stop.cloned()), Control::default())).collect()
    }

    #[test]
    fn engines_that_leave_slowly_leave_at_the_same_time() {
        let start = Instant::now();
        start_all(&slow(20, None), &Surroundings::default(), &StopFlag::new()).unwrap();
        assert!(start.elapsed() < Duration::from_secs(4), "one after the other they take eight seconds");
    }

    #[test]
    fn an_engine_whose_start_is_broken_off_is_not_blamed() {
        let stop = StopFlag::new();
        start_all(&slow(1, Some(&stop)), &Surroundings::default(), &stop).unwrap();
        assert!(stop.is_raised());
    }
}
