//! The file format of books.
//!
//! ```text
//!    the common file header, with the game and its options in JSON
//!    4  the number of entries
//!    4  each: the value for the side to move, without the settled score (2, signed),
//!       and the best moves, one bit per legal move in the game's order (2)
//!    4  the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers are little-endian.

use super::{BookEntry, walk};
use crate::core::damage::damage;
use crate::core::{Error, Score};
use crate::engine::Board;
use crate::registry;
use crate::store::head::{Format, HEAD};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// The file header of books.
const FORMAT: Format =
    Format { magic: [0x89, b'S', b'B', b'K', b'\r', b'\n', 0x1a, b'\n'], version: 1, foreign: "is no opening book" };

/// An entry as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The value for the side to move, without the settled score.
    pub value: i16,
    /// A bit for each legal move, set for the best moves.
    pub best: u16,
}

impl Word {
    /// Decodes the entry of a position.
    ///
    /// # Errors
    /// [`Error::BadFile`] if the bits do not match the moves.
    pub fn entry(self, board: &dyn Board) -> Result<BookEntry, Error> {
        let codes = board.codes();
        let named = |bit: usize| bit < 16 && self.best >> bit & 1 == 1;
        let best: Vec<u16> = (0..).zip(&codes).filter(|&(bit, _)| named(bit)).map(|(_, &code)| code).collect();
        if best.is_empty() || best.len() != self.best.count_ones() as usize {
            let reason = format!("has an entry that does not fit {}", board.text());
            return Err(Error::bad_file("the book".as_ref(), reason));
        }
        Ok(BookEntry { value: Score::from(self.value), best })
    }

    /// Encodes the entry of a position; `None` if it does not fit.
    #[must_use]
    pub fn of(entry: &BookEntry, board: &dyn Board) -> Option<Self> {
        let mut best = 0;
        for (bit, _) in board.codes().iter().enumerate().filter(|(_, code)| entry.best.contains(code)) {
            best |= 1_u16.checked_shl(u32::try_from(bit).ok()?)?;
        }
        Some(Self { value: i16::try_from(entry.value).ok()?, best })
    }
}

/// The start of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The game.
    pub game: String,
    /// The options that are not at their defaults, without folders.
    pub options: BTreeMap<String, String>,
}

/// A book as stored in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The start.
    pub subject: Subject,
    /// The entries, in the order of the [walk](super::walk()).
    pub entries: Vec<Word>,
}

impl Contents {
    /// Creates a book without entries for the start of this board.
    #[must_use]
    pub fn new(start: &dyn Board) -> Self {
        let options = start.options().without_folders();
        let options = options.changed().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect();
        Self { subject: Subject { game: start.game().into(), options }, entries: Vec::new() }
    }

    /// Returns the start.
    ///
    /// # Errors
    /// An unknown game, or options that it rejects.
    pub fn start(&self) -> Result<Box<dyn Board>, Error> {
        let row = registry::find(&self.subject.game)?;
        let mut options = row.defaults();
        for (name, value) in &self.subject.options {
            row.set(&mut options, name, value)?;
        }
        row.start(&options)
    }

    /// Returns the number of moves before the last position, in plies.
    ///
    /// # Errors
    /// Those of [`start`](Self::start); an entry that does not fit its position.
    pub fn plies(&self) -> Result<usize, Error> {
        let (mut words, mut plies) = (self.entries.iter(), 0);
        walk(&*self.start()?, u8::MAX, |board| {
            let entry = words.next().map(|word| word.entry(board)).transpose()?;
            if entry.is_some() {
                plies = board.history().len();
            }
            Ok::<_, Error>(entry)
        })?;
        Ok(plies)
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// An error if there are too many entries for the format.
    pub fn write(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        FORMAT.write(&mut bytes, &serde_json::to_vec(&self.subject)?)?;
        bytes.extend(u32::try_from(self.entries.len()).map_err(io::Error::other)?.to_le_bytes());
        for Word { value, best } in &self.entries {
            bytes.extend(value.to_le_bytes());
            bytes.extend(best.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the bytes of [`write`](Self::write).
    ///
    /// # Errors
    /// What is wrong with the file, as a predicate: the caller puts the file's name before it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let damaged = || "is damaged".to_owned();
        let head: &[u8; HEAD] = bytes.first_chunk().ok_or(FORMAT.foreign)?;
        let length = FORMAT.read(head)? as usize;
        let (body, sum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Err(damaged());
        }
        let (subject, rest) = body.get(HEAD..).and_then(|rest| rest.split_at_checked(length)).ok_or_else(damaged)?;
        let subject = serde_json::from_slice(subject).map_err(|error| format!("names no start: {}", damage(&error)))?;
        let (count, words) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
        if words.len() as u64 != 4 * u64::from(u32::from_le_bytes(*count)) {
            return Err(damaged());
        }
        let word = |word: &[u8]| Word {
            value: i16::from_le_bytes([word[0], word[1]]),
            best: u16::from_le_bytes([word[2], word[3]]),
        };
        Ok(Self { subject, entries: words.chunks_exact(4).map(word).collect() })
    }
}
