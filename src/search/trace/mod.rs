//! What records a search: told of every node as it is entered and as it is left. Moves are codes.

mod census;
mod recorder;

pub use census::Census;
pub use recorder::Recorder;

use super::value::Value;
use crate::core::tree::{End, SearchKind};
use crate::core::{Score, Side};

/// Watches a search. A position is entered once for each window that it is searched with, the root too. Values and windows
/// are for the side to move there. Where a search is stopped, the nodes under way are never left.
pub trait Trace {
    /// An iteration begins, so many plies deep.
    fn iteration(&mut self, _depth: u8) {}

    /// The move that leads to the node entered next.
    fn next(&mut self, _code: u16, _kind: SearchKind) {}

    /// A node is entered. `judge` tells what is known of it without any search.
    fn enter(&mut self, _asked: &Asked, _judge: &dyn Fn() -> Judged) {}

    /// The node that was entered last at this ply is left with a value.
    fn leave(&mut self, _ply: usize, _value: Value, _end: End<u16>) {}

    /// The root is left early, with what was sure by then, if anything was.
    fn stopped(&mut self, _value: Option<Value>) {}
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The side to move.
    pub turn: Side,
    /// Plies from the root.
    pub ply: usize,
    /// Plies still to be searched.
    pub depth: i32,
    /// The window.
    pub window: [Score; 2],
}

/// What the game says of a position without any search.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// Its value: of the outcome, by the rules, on record, or a guess.
    pub provisional: Score,
    /// Whether it is on record in a database.
    pub recorded: bool,
}
