//! What records a search: it is called for every node as it is entered and as it is left. Moves are codes.

mod counter;
mod recorder;

pub use counter::NodeCounter;
pub use recorder::Recorder;

use super::value::Value;
use crate::core::tree::{End, SearchKind};
use crate::core::{Score, Side};

/// Records a search. A position is entered once for each window that it is searched with, the root too. Values and windows
/// are for the side to move there. Where a search is stopped, the nodes under way are never left.
pub trait Trace {
    /// An iteration begins, so many plies deep.
    fn iteration(&mut self, _depth: u8) {}

    /// The move that leads to the node entered next.
    fn next(&mut self, _code: u16, _kind: SearchKind) {}

    /// A node is entered. `static_value` computes what is known of it without any search.
    fn enter(&mut self, _node: &Entered, _static_value: &dyn Fn() -> StaticValue) {}

    /// The node that was entered last at this ply is left with a value.
    fn leave(&mut self, _ply: usize, _value: Value, _end: End<u16>) {}

    /// The root is left early, with what was sure by then, if anything was.
    fn stopped(&mut self, _value: Option<Value>) {}
}

/// A node as it is entered.
#[derive(Clone, Copy, Debug)]
pub struct Entered {
    /// The side to move.
    pub turn: Side,
    /// Plies from the root.
    pub ply: usize,
    /// Plies still to be searched.
    pub depth: i32,
    /// The window.
    pub window: [Score; 2],
}

/// The value of a position without any search.
#[derive(Clone, Copy, Debug)]
pub struct StaticValue {
    /// The outcome, the value of a database, or the evaluation within the bounds of the rules.
    pub score: Score,
    /// Whether it is that of a database.
    pub from_database: bool,
}
