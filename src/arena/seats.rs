//! The players of the games on one thread: when they are started, kept, and sent away.

use super::player::Player;
use super::tournament::{Stopped, Tournament};
use crate::core::Error;

/// When a player is started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// After a fault in its game, its own or the opponent's, and after a game in which it had no part.
    #[default]
    Auto,
    /// For every game.
    On,
    /// After a fault of its own alone. A match of many keeps all of them running for each game at a time.
    Off,
}

/// The players of one thread: those of the game under way, kept for the next.
pub(super) struct Seats<'a> {
    tournament: &'a Tournament,
    taken: Vec<(usize, Box<dyn Player>)>,
}

impl<'a> Seats<'a> {
    /// Nobody yet.
    pub fn new(tournament: &'a Tournament) -> Self {
        Self { tournament, taken: Vec::new() }
    }

    /// The two players, started if they are not there; others leave, unless they are to stay.
    pub fn of(&mut self, engines: [usize; 2]) -> Result<[&mut dyn Player; 2], Stopped> {
        let Self { tournament, taken } = self;
        let leaves = |engine| !engines.contains(&engine) && tournament.contestants[engine].restart != Restart::Off;
        for (_, player) in taken.extract_if(.., |(engine, _)| leaves(*engine)) {
            player.quit();
        }
        for engine in engines {
            if !self.taken.iter().any(|(taken, _)| *taken == engine) {
                let player = self.tournament.start(engine)?;
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

    /// After a game those leave that are started anew for the next. After a fault nothing is sure of a player: it is killed.
    pub fn after(&mut self, fault: bool, at_fault: Option<usize>) {
        let Self { tournament, taken } = self;
        let leaves = |engine: usize| match tournament.contestants[engine].restart {
            Restart::On => true,
            Restart::Auto => fault,
            Restart::Off => at_fault == Some(engine),
        };
        for (_, player) in taken.extract_if(.., |(engine, _)| leaves(*engine)) {
            if !fault {
                player.quit();
            }
        }
    }
}
