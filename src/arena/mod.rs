//! Matches between engines. So far their statistics: pure functions of what was counted.
//!
//! - [`statistics`]: what was counted; the Elo difference that it shows, with its interval; the likelihood of superiority;
//! - [`sprt`]: when a match has shown enough: the sequential probability ratio test;
//! - [`ratings`]: more than two players: the crosstable, and a rating for each;
//! - `multinomial`: the most likely distribution of scores under a constraint, on which the first two rest.

mod multinomial;
pub mod ratings;
pub mod sprt;
pub mod statistics;

pub use ratings::{Crosstable, Rating};
pub use sprt::{Decision, Model, Sprt, Status};
pub use statistics::{Counts, Estimate, GameResult, Games, Pairs, Tally};
