//! [`Subtrees`]: the interface between the iterations and the search of one game. Its implementation is compiled for
//! each game; iterations, aspiration windows, lines and reports are compiled once, on move codes.

use super::trace::StaticValue;
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::{Bounds, Score, Side};

/// The root moves and the searches below them, by one thread. A root move is identified by its place among the searched
/// moves in the game's order; moves in lines are codes.
pub(super) trait Subtrees<'a> {
    /// Returns the state of the thread.
    fn worker(&mut self) -> &mut Worker<'a>;

    /// Returns what the game knows of the root without a search.
    fn facts(&self) -> Facts;

    /// Returns the chances of a win, a draw and a loss at this score, per mille, if the game can estimate them.
    fn wdl(&self, score: Score) -> Option<[u16; 3]>;

    /// Returns the root moves in the order of their places: code and rank.
    fn ranked(&mut self) -> Vec<(u16, i32)>;

    /// Searches the position after a move `depth` plies deep within the window `alpha..beta`. The value is for the side
    /// to move at the root.
    fn search(&mut self, place: usize, window: [Score; 2], depth: i32) -> Result<Value, Aborted>;

    /// Returns by how many plies a null-window search of a move is reduced at the root, `tried` moves after the first and
    /// `depth` plies deep.
    fn reduction(&self, place: usize, tried: usize, depth: i32) -> i32;

    /// Stores the result of a search of the root with this window and depth.
    fn keep(&self, value: Value, window: [Score; 2], code: Option<u16>, depth: u8);

    /// Returns a root move that is known to keep this value.
    fn keeping(&self, value: Value) -> Option<u16>;

    /// Returns the bounds of the root that the rules and the table prove.
    fn proven(&self) -> Bounds;

    /// Returns a root move that is proven to be worth at least `score`, by the rules or the table or, if `searches`, by
    /// searches to the end of the game at a fraction of the cost of the whole search. The move `first` is tried first.
    fn holding(&mut self, score: Score, first: u16, searches: bool) -> Option<u16>;

    /// Extends a line with this value, searched `depth` plies deep, by proven moves.
    fn lengthen(&mut self, value: Value, depth: u8, line: &mut Vec<u16>);

    /// Extends a returned line once more: positions that the table has lost are searched again.
    fn complete(&mut self, value: Value, line: &mut Vec<u16>);

    /// Resets the state of an aborted search.
    fn clear(&mut self);
}

/// What a game knows of a root without a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The side to move.
    pub(super) turn: Side,
    /// The key of the position in the table.
    pub(super) key: u64,
    /// The bounds of its value.
    pub(super) known: Bounds,
    /// The value of a finished game, otherwise the first guess.
    pub(super) static_value: StaticValue,
    /// Whether some legal moves are left out.
    pub(super) restricted: bool,
}
