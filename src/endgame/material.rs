//! [`Material`]: positions divided into classes by the pieces on the board.

use crate::core::Position;
use std::fmt::Debug;

/// A class of positions, by its number: the pieces of the side to move, and those of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(pub u16);

/// A game whose endgames are solved class by class.
///
/// # Contract
/// - A move leads to the [reversed](Self::reversed) class, or to a class that [`classes`](Self::classes) lists earlier,
///   or ends the game. Moves that lead to the reversed class do so once each: no two lead to the same position.
/// - [`index`](Self::index) and [`at`](Self::at) are inverse. Which side is to move makes no difference: positions with
///   colours exchanged have the same class and index.
/// - [`predecessors`](Self::predecessors) yields each position that a move within the material leads from, once.
/// - A side that cannot move has lost, or the game is drawn.
///
/// Draws by repetition and by a clock are ignored. `tests/retrograde` checks the contract for the classes of few
/// pieces.
pub trait Material: Position + Debug {
    /// The name of the game.
    const GAME: &'static str;

    /// The game's option that names the folder of its databases.
    const OPTION: &'static str;

    /// The maximum number of pieces in a database.
    const MOST_PIECES: usize;

    /// Writes the position.
    fn text(&self) -> String;

    /// Returns the number of pieces on the board.
    fn piece_count(&self) -> usize;

    /// Returns the class of a position with at most [`MOST_PIECES`](Self::MOST_PIECES) pieces, some on either side.
    fn class(&self) -> Class;

    /// Returns the classes with a number of pieces, some on either side, in the order in which they can be built.
    fn classes(pieces: usize) -> Vec<Class>;

    /// Returns the class with the other side to move.
    fn reversed(class: Class) -> Class;

    /// Returns the name of a class, for files and for users: `2m1k-1m`.
    fn name(class: Class) -> String;

    /// Returns the number of positions of a class.
    fn positions(class: Class) -> u64;

    /// Returns the end of the indices of a class. Some indices may have no position.
    fn indices(class: Class) -> usize;

    /// Returns the index of a position of a class.
    fn index(&self, class: Class) -> usize;

    /// Returns the position with an index, the first player to move; `None` for an index without a position.
    fn at(class: Class, index: usize) -> Option<Self>;

    /// Appends the positions from which a legal move that keeps the material leads to this one.
    fn predecessors(&self, out: &mut Vec<Self>);
}
