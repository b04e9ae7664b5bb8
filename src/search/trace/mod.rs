//! Who watches a search: told of every node as it is entered and as it is left.
//!
//! The search is compiled once for [`Silent`], who hears nothing, so that each of these calls vanishes, and once for
//! anybody else.

mod census;
mod recorder;

pub use census::Census;
pub use recorder::Recorder;

use super::value::Value;
use crate::core::tree::{End, SearchKind};
use crate::core::{Score, Side};

/// Watches a search. A position is entered once for each window that it is searched with, the root too. Values and windows
/// are for the side to move there. Where a search is stopped, the nodes under way are never left.
pub trait Trace<M> {
    /// An iteration begins, so many plies deep.
    #[inline(always)]
    fn iteration(&mut self, _depth: u8) {}

    /// The move that leads to the node entered next.
    #[inline(always)]
    fn next(&mut self, _mv: M, _kind: SearchKind) {}

    /// A node is entered. `judge` tells what is known of it without any search.
    #[inline(always)]
    fn enter(&mut self, _asked: &Asked, _judge: &dyn Fn() -> Judged) {}

    /// It is left with a value.
    #[inline(always)]
    fn leave(&mut self, _asked: &Asked, _value: Value, _end: End<M>) {}

    /// The root is left early, with what was sure by then, if anything was.
    #[inline(always)]
    fn stopped(&mut self, _asked: &Asked, _value: Option<Value>) {}
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

/// Nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl<M> Trace<M> for Silent {}

impl<M> Trace<M> for &mut dyn Trace<M> {
    fn iteration(&mut self, depth: u8) {
        (**self).iteration(depth);
    }

    fn next(&mut self, mv: M, kind: SearchKind) {
        (**self).next(mv, kind);
    }

    fn enter(&mut self, asked: &Asked, judge: &dyn Fn() -> Judged) {
        (**self).enter(asked, judge);
    }

    fn leave(&mut self, asked: &Asked, value: Value, end: End<M>) {
        (**self).leave(asked, value, end);
    }

    fn stopped(&mut self, asked: &Asked, value: Option<Value>) {
        (**self).stopped(asked, value);
    }
}
