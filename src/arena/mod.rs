//! Matches between engines. So far their statistics: pure functions of what was counted.
//!
//! - [`statistics`]: what was counted, the Elo difference with its interval, the likelihood of superiority;
//! - [`sprt`]: when a match has shown enough: the sequential probability ratio test;
//! - [`ratings`]: more than two players: the crosstable, and a rating for each;
//! - `multinomial`: the most likely distribution of scores under a constraint, on which the first two rest.
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

mod multinomial;
pub mod ratings;
#[cfg(test)]
mod simulation;
pub mod sprt;
pub mod statistics;

pub use ratings::{Crosstable, Rating};
pub use sprt::{Decision, Model, Sprt, Status};
pub use statistics::{Counts, Estimate, GameResult, Games, Pairs, Tally};
