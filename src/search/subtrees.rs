//! [`Subtrees`]: the search of one game as its iterations see it. Only this half is compiled for each game; iterations,
//! aspiration windows, lines and reports are compiled once, over codes of moves.

use super::trace::StaticValue;
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::{Bounds, Score, Side};

/// The moves of a root and the searches below them, by one thread. A move of the root is known by its place in the game's
/// own order of the moves that are searched; moves in lines are codes.
pub(super) trait Subtrees<'a> {
    /// What the thread owns.
    fn worker(&mut self) -> &mut Worker<'a>;

    /// What the game says of the root without any search.
    fn facts(&self) -> Facts;

    /// Chances of a win, a draw and a loss, per mille, at this score, where the game can say them.
    fn wdl(&self, score: Score) -> Option<[u16; 3]>;

    /// The moves of the root: of each its code and what it promises, in the order of their places.
    fn ranked(&mut self) -> Vec<(u16, i32)>;

    /// Searches the position after a move so many plies deep, within the window `alpha..beta`; the value is for the side to
    /// move at the root.
    fn search(&mut self, place: usize, window: [Score; 2], depth: i32) -> Result<Value, Aborted>;

    /// Stores what was found of the root, searched within a window, so many plies deep.
    fn keep(&self, value: Value, window: [Score; 2], code: Option<u16>, depth: u8);

    /// A move of the root that is known to keep its value.
    fn keeping(&self, value: Value) -> Option<u16>;

    /// What the rules and the table prove of the root.
    fn proven(&self) -> Bounds;

    /// A move of the root that is worth at least so much, as the rules or the table prove, or else, where that is allowed,
    /// searches to the ends of the game at no more than a fraction of the cost of the whole search; this one is tried first.
    fn holding(&mut self, score: Score, first: u16, searches: bool) -> Option<u16>;

    /// Lengthens a line with this value, searched so many plies deep, by what is proven.
    fn lengthen(&mut self, value: Value, depth: u8, line: &mut Vec<u16>);

    /// The same, for the last time: what the table has lost is searched again.
    fn complete(&mut self, value: Value, line: &mut Vec<u16>);

    /// Forgets what was under way, after a search that was cut off.
    fn clear(&mut self);
}

/// What a game says of a root without any search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The side to move.
    pub(super) turn: Side,
    /// The key under which the table knows the position.
    pub(super) key: u64,
    /// What is known of its value.
    pub(super) known: Bounds,
    /// Its value without any search: the first guess, or what it is worth if the game is over.
    pub(super) static_value: StaticValue,
    /// Not all legal moves are searched.
    pub(super) restricted: bool,
}
