//! Lines received from a server, over any transport.

use super::message::LONGEST;
use secateurs::core::error::Quoted;

/// The maximum length of a line in bytes: a character may take four.
pub(super) const LONGEST_BYTES: usize = 4 * LONGEST;

/// A received line without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line.
    Whole(String),
    /// The beginning of a line that is not a message, and the reason.
    Bad(Quoted, &'static str),
}

impl Line {
    /// Creates a bad line from the beginning of one that is too long.
    pub(super) fn too_long(bytes: &[u8]) -> Self {
        Self::Bad(Quoted::bytes(bytes), "too long")
    }

    /// Creates a line from its bytes without the line feed.
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        bytes.pop_if(|byte| *byte == b'\r');
        String::from_utf8(bytes)
            .map_or_else(|error| Self::Bad(Quoted::bytes(error.as_bytes()), "not UTF-8"), Self::Whole)
    }
}
