//! Matches between engines, for every game of the registry, with sound statistics.
//!
//! - [`tournament`]: a whole match with concurrent games; [`schedule`]: its pairings; [`openings`]: its openings;
//! - [`referee`]: one game, with every move checked by the rules; [`adjudication`]: how it may end early; [`clock`]:
//!   time controls and clocks; [`stall`]: stalls of the machine;
//! - [`contestant`]: a participant; [`player`]: its player; [`seats`]: the lifetime of the players' processes;
//!   [`inhouse`]: Secateurs without a pipe; [`stopped`]: why a match could not be completed;
//! - [`record`]: the record of a game, [`date`]: its date; [`journal`]: the file of records, which survives a kill;
//! - [`export`]: records as PGN and CSV; [`standings`]: the totals of the records;
//! - [`statistics`]: counts of results; [`sample`]: the Elo difference with its interval, and the likelihood of
//!   superiority;
//! - [`sprt`]: the sequential probability ratio test, which ends a match;
//! - [`ratings`]: the crosstable of more than two players, and a rating for each;
//! - `multinomial`: the maximum-likelihood distribution of scores under a constraint, which `sample` and `sprt` use.
//!
//! ```
//! use secateurs_tools::arena::{Decision, GameResult::{Draw, Loss, Win}, Model, Sprt, Tally};
//!
//! # fn main() -> Result<(), secateurs::core::Error> {
//! let mut tally = Tally::default();
//! for (first, second) in [(Win, Draw), (Win, Loss), (Draw, Draw), (Win, Win)] {
//!     tally.add(first, None);
//!     tally.add(second, Some(first)); // the same opening, colours exchanged
//! }
//! assert_eq!(tally.pairs.0, [0, 0, 2, 1, 1]);
//! let elo = tally.pair_sample().elo().map(|elo| (elo.value.round(), elo.low.round(), elo.high.round()));
//! assert_eq!(elo, Some((137.0, -107.0, 340.0)));
//! let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized)?;
//! assert_eq!(sprt.status(tally.pair_sample()).decision, Decision::Continue);
//! # Ok(())
//! # }
//! ```

pub mod adjudication;
pub mod check;
pub mod clock;
pub mod contestant;
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
pub mod stopped;
pub mod tournament;

pub use contestant::{Contestant, Restart};
pub use inhouse::InHouse;
pub use player::{Player, PlayerSpec};
pub use ratings::{Crosstable, Rating};
pub use sample::Sample;
pub use sprt::{Decision, Model, Sprt, Status};
pub use standings::Standings;
pub use statistics::{Counts, Estimate, GameResult, Games, Pairs, Repeats, Tally};
pub use stopped::{Stopped, Unfinished};
pub use tournament::{Test, Tournament};
