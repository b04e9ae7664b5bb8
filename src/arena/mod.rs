//! Matches between engines, of any game of the registry, that can be believed.
//!
//! - [`tournament`]: a whole match, games side by side; [`schedule`]: who plays whom; [`openings`]: from where;
//! - [`referee`]: one game, every move judged by our rules; [`clock`]: what an engine may spend, and what it has left;
//! - [`record`]: what remains of a game, and the journal that survives a kill;
//! - [`export`]: records as PGN and CSV; [`standings`]: what the records add up to;
//! - [`statistics`]: what was counted; the Elo difference that it shows, with its interval; the likelihood of superiority;
//! - [`sprt`]: when a match has shown enough: the sequential probability ratio test;
//! - [`ratings`]: more than two players: the crosstable, and a rating for each;
//! - `multinomial`: the most likely distribution of scores under a constraint, on which the last three rest.

pub mod clock;
mod cores;
pub mod export;
mod multinomial;
pub mod openings;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod statistics;
pub mod tournament;

pub use ratings::{Crosstable, Rating};
pub use sprt::{Decision, Model, Sprt, Status};
pub use standings::Standings;
pub use statistics::{Counts, Estimate, GameResult, Games, Pairs, Tally};
pub use tournament::{Contestant, Stopped, Tournament};
