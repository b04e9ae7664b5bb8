//! [`Records`]: positions as stored in files.

use super::notation::Notation;

/// A position that needs an option which is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingOption {
    /// The name of the option.
    pub name: &'static str,
    /// The value that the position needs.
    pub value: &'static str,
    /// What needs it: `castling rights HAha`.
    pub needed_by: String,
    /// The position without that, as text.
    pub without: String,
}

/// How a game's positions are stored in opening books and records of games.
pub trait Records: Notation {
    /// The built-in opening books, files of `secateurs book build`.
    const BOOKS: &'static [&'static [u8]] = &[];

    /// Returns an option that is not set but that other programs need to play from this position; `None` if the options
    /// that are set suffice.
    fn missing_option(&self, _pos: &Self::Position) -> Option<MissingOption> {
        None
    }

    /// Returns the key of the position in an opening book. Positions with equal keys must have equal legal codes, equal
    /// keys after equal codes with the same changes of turn, and equal values less the settled score. A game with a
    /// book includes in the key those rules that the position does not determine.
    fn book_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.write(pos).into_bytes()
    }

    /// Returns a key that a position shares with its symmetric images. Positions with equal keys must have equal values
    /// less the settled score, equal [exact keys](crate::core::Solver::exact_key), and moves to positions with equal
    /// keys, in any order.
    fn symmetric_key(&self, pos: &Self::Position) -> Vec<u8> {
        self.book_key(pos)
    }
}
