//! Matches between engines, of any game of the registry, that can be believed.
//!
//! - [`tournament`]: a whole match, games side by side; [`schedule`]: who plays whom; [`openings`]: from where;
//! - [`referee`]: one game, every move judged by our rules; [`clock`]: what an engine may spend, and what it has left;
//!   [`stall`]: how the machine held it up;
//! - [`player`]: who plays; [`seats`]: how long a process serves; [`inhouse`]: our own engine, without a pipe;
//! - [`record`]: what remains of a game, [`date`]: when it was; [`journal`]: the file of records, which survives a kill;
//! - [`export`]: records as PGN and CSV; [`standings`]: what the records add up to;
//! - [`statistics`]: what was counted; [`sample`]: the Elo difference that it shows, with its interval; the likelihood of
//!   superiority;
//! - [`sprt`]: when a match has shown enough: the sequential probability ratio test;
//! - [`ratings`]: more than two players: the crosstable, and a rating for each;
//! - `multinomial`: the most likely distribution of scores under a constraint, on which the last three rest.
//!
//! ```
//! use secateur::arena::{Decision, GameResult::{Draw, Loss, Win}, Model, Sprt, Tally};
//!
//! # fn main() -> Result<(), secateur::core::Error> {
//! let mut tally = Tally::default();
//! for (first, second) in [(Win, Draw), (Win, Loss), (Draw, Draw), (Win, Win)] {
//!     tally.add(first, None);
//!     tally.add(second, Some(first)); // the same opening, colours exchanged
//! }
//! assert_eq!(tally.pairs.0, [0, 0, 2, 1, 1]);
//! let elo = tally.pairs.elo().map(|elo| (elo.value.round(), elo.low.round(), elo.high.round()));
//! assert_eq!(elo, Some((137.0, -107.0, 340.0)));
//! let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized)?;
//! assert_eq!(sprt.status(&tally.pairs).decision, Decision::Continue);
//! # Ok(())
//! # }
//! ```

pub mod check;
pub mod clock;
mod cores;
pub mod date;
pub mod export;
pub mod inhouse;
pub mod journal;
mod multinomial;
pub mod openings;
pub mod player;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod sample;
pub mod schedule;
pub mod seats;
#[cfg(test)]
mod simulation;
pub mod sprt;
pub mod stall;
pub mod standings;
pub mod statistics;
pub mod tournament;

pub use inhouse::InHouse;
pub use player::{Player, PlayerSpec};
pub use ratings::{Crosstable, Rating};
pub use sample::Sample;
pub use seats::Restart;
pub use sprt::{Decision, Model, Sprt, Status};
pub use standings::Standings;
pub use statistics::{Counts, Estimate, GameResult, Games, Pairs, Repeats, Tally};
pub use tournament::{Contestant, Stopped, Test, Tournament, Unfinished};
