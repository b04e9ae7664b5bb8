//! Evaluations that are sums of weighted counts, tapered between middlegame and endgame.
//!
//! A term counts what it finds for each side. It is written once, generic over [what happens to the counts](Sink): the
//! search adds weights, the laboratory keeps [the counts](Trace).
//!
//! - [`tapered`]: pairs of scores; [`layout`]: weights by name; [`source`]: the file of weights as text;
//! - [`pairs`]: the counts of pairs of pieces; [`trace`]: the counts of a position.

pub mod layout;
pub mod pairs;
pub mod source;
pub mod tapered;
pub mod trace;

pub use layout::Group;
pub use tapered::{Tapered, WHOLE};
pub use trace::{Counts, Trace};

/// A receiver of one side's counts.
pub trait Sink: Default {
    /// Adds `count` to the count of the weight at `index`.
    fn add(&mut self, index: usize, count: i32);
}
