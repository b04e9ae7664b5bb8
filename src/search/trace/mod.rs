//! Tracing of a search: a tracer is called when a node is entered and when it is left. Moves are codes.

mod counter;
mod recorder;

pub(crate) use counter::NodeCounter;
pub(crate) use recorder::Recorder;

use super::value::Value;
use crate::core::tree::{End, SearchKind};
use crate::core::{Heuristics, Position, Score, Side, score};

/// A tracer of a search. A position is entered once for each window, the root too. Values and windows are for the side
/// to move there. If the search is stopped, its open nodes are never left.
pub(crate) trait Trace {
    /// An iteration of this depth begins.
    fn iteration(&mut self, _depth: u8) {}

    /// This move leads to the node entered next.
    fn next(&mut self, _code: u16, _kind: SearchKind) {}

    /// A node is entered. `static_value` computes its value without any search.
    fn enter(&mut self, _node: &Entered, _static_value: &dyn Fn() -> StaticValue) {}

    /// The node entered last at this ply is left with a value.
    fn leave(&mut self, _ply: usize, _value: Value, _end: End<u16>) {}

    /// The root is left early, with the value that is reliable by then, if any.
    fn stopped(&mut self, _value: Option<Value>) {}
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) turn: Side,
    pub(crate) ply: usize,
    /// Remaining depth in plies.
    pub(crate) depth: i32,
    pub(crate) window: [Score; 2],
}

/// The value of a position without any search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticValue {
    /// The outcome, the database value, or the evaluation within the bounds of the rules.
    pub(crate) score: Score,
    /// Whether the score is from a database.
    pub(crate) from_database: bool,
}

impl StaticValue {
    pub(crate) fn new<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P, ply: usize) -> Self {
        let from_database = heuristics.database_bounds(pos).is_some();
        let value = if pos.is_over() {
            pos.outcome().score()
        } else {
            heuristics.static_bounds(pos).hold(heuristics.evaluate(pos))
        };
        Self { score: score::from_node(value, ply as Score), from_database }
    }
}
