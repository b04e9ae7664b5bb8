//! The participants of a match.

use super::clock::Control;
use super::player::{Player, PlayerSpec};
use super::stopped::Stopped;
use crate::client::Surroundings;
use secateurs::core::StopFlag;
use std::collections::HashSet;
use std::sync::Arc;

/// The number of failed starts in a row after which an engine is given up.
const STARTS: usize = 3;

/// A participant of a match with its limits.
#[derive(Clone)]
pub struct Contestant {
    /// The name, unique in the match.
    pub name: String,
    /// The description of the player.
    pub spec: Arc<dyn PlayerSpec>,
    /// The limits of its moves.
    pub control: Control,
    /// When it is restarted.
    pub restart: Restart,
}

impl Contestant {
    /// Creates a contestant under its default name.
    pub fn new(spec: impl PlayerSpec + 'static, control: Control) -> Self {
        Self { name: spec.title(), spec: Arc::new(spec), control, restart: Restart::Auto }
    }

    /// Starts the player unless the flag is raised; a failed start is repeated. Failures before
    /// a success are logged; the error is the last failure.
    pub(super) fn start(&self, surroundings: &Surroundings, abort: &StopFlag) -> Result<Box<dyn Player>, Stopped> {
        let surroundings = Surroundings { abort: abort.clone(), ..surroundings.clone() };
        let mut failed = Vec::new();
        loop {
            match self.spec.seat(&self.name, &surroundings) {
                Ok(player) => {
                    failed.iter().for_each(|why| log::warn!("{}: {why}", self.name));
                    return Ok(player);
                }
                Err(why) if failed.len() + 1 < STARTS && !abort.is_raised() => failed.push(why),
                Err(why) => return Err(Stopped::Engine(self.name.clone(), why)),
            }
        }
    }
}

/// Numbers contestants of the same name, from the second on. All names are then distinct.
pub fn number_duplicates(contestants: &mut [Contestant]) {
    let mut taken: HashSet<_> = contestants.iter().map(|contestant| contestant.name.clone()).collect();
    let mut seen = HashSet::new();
    for contestant in contestants {
        let (name, mut number) = (contestant.name.clone(), 1);
        if seen.insert(name.clone()) {
            continue;
        }
        while !taken.insert(contestant.name.clone()) {
            number += 1;
            contestant.name = format!("{name} {number}");
        }
    }
}

/// When a player is restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// After a fault in its game, its own or the opponent's, and after a game that it did not play.
    #[default]
    Auto,
    /// For every game.
    On,
    /// Only after its own fault. In a match of many players, each concurrent game keeps all of them running.
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Spec;
    use secateurs::protocol::command::Dialect;

    #[test]
    fn equal_names_get_numbers() {
        let named = |name: &str| Contestant::new(Spec::new(Dialect::Ugi, name), Control::default());
        let mut all = ["a/x", "x", "y", "x 2", "x"].map(named);
        number_duplicates(&mut all);
        assert_eq!(all.map(|contestant| contestant.name), ["x", "x 3", "y", "x 2", "x 4"]);
    }
}
