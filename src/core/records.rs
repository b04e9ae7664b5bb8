//! [`Records`]: positions as files keep them.

use super::notation::Notation;

/// How a game's positions stand in opening books, records of games and records of self-play.
pub trait Records: Notation {
    /// The built-in opening books, files of `secateurs book build`.
    const BOOKS: &'static [&'static [u8]] = &[];

    /// Returns the option with its value that other programs need to play from this position although it is not set;
    /// `None` if they need no more than is set.
    fn missing_option(&self, _pos: &Self::Position) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Packs a position for records of self-play: always the same number of bytes in a game.
    /// Empty in games whose positions are not packed.
    fn pack(&self, _pos: &Self::Position) -> Vec<u8> {
        Vec::new()
    }

    /// Reads a [packed](Self::pack) position back; `None` for bytes that are none.
    fn unpack(&self, _bytes: &[u8]) -> Option<Self::Position> {
        None
    }

    /// Returns the key of the position in an opening book. Positions with equal keys must have equal legal codes, equal
    /// keys after equal codes with the same changes of turn, and equal values less the settled score. A game with a
    /// book includes in the key the rules that the position leaves open.
    fn book_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.write(pos).into_bytes()
    }

    /// Returns a key that positions share with their mirror images and the like. Positions with equal keys must have
    /// equal values less the settled score, equal [exact keys](crate::core::Solver::exact_key), and moves to
    /// positions with equal keys, in any order.
    fn symmetric_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.book_key(pos)
    }
}
