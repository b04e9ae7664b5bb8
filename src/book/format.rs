//! The file of a book.
//!
//! ```text
//!    the common file header, with the game and its options in JSON
//!    4  the number of entries
//!    4  each: the value for the side to move, without the settled score (2, signed),
//!       and the best moves, one bit per legal move in the game's order (2)
//!    4  the CRC-32 of all preceding bytes
//! ```
//!
//! Numbers have their lowest byte first.

use super::{BookEntry, walk};
use crate::core::damage::damage;
use crate::core::{Error, Score};
use crate::engine::Board;
use crate::registry;
use crate::store::head::{Format, HEAD};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// What a book begins with.
const FORMAT: Format =
    Format { magic: [0x89, b'S', b'B', b'K', b'\r', b'\n', 0x1a, b'\n'], version: 1, foreign: "is no opening book" };

/// An entry as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The value for the side to move, less what is banked.
    pub value: i16,
    /// A bit for each of the legal moves.
    pub best: u16,
}

impl Word {
    /// The entry of a position.
    ///
    /// # Errors
    /// [`Error::BadFile`] where the bits do not name moves.
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

    /// What is known of a position in a word; `None` if it does not fit one.
    #[must_use]
    pub fn of(entry: &BookEntry, board: &dyn Board) -> Option<Self> {
        let mut best = 0;
        for (bit, _) in board.codes().iter().enumerate().filter(|(_, code)| entry.best.contains(code)) {
            best |= 1_u16.checked_shl(u32::try_from(bit).ok()?)?;
        }
        Some(Self { value: i16::try_from(entry.value).ok()?, best })
    }
}

/// What the start of a book is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The game.
    pub game: String,
    /// Its options that are not at their defaults, but folders.
    pub options: BTreeMap<String, String>,
}

/// A book as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// What it begins with.
    pub subject: Subject,
    /// In the order of the [walk](super::walk()).
    pub entries: Vec<Word>,
}

impl Contents {
    /// A book without entries that begins where a board does that was set up as the start.
    #[must_use]
    pub fn new(start: &dyn Board) -> Self {
        let options = start.options().without_folders();
        let options = options.changed().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect();
        Self { subject: Subject { game: start.game().into(), options }, entries: Vec::new() }
    }

    /// The start.
    ///
    /// # Errors
    /// A game that there is not, or options that it does not take.
    pub fn start(&self) -> Result<Box<dyn Board>, Error> {
        let row = registry::find(&self.subject.game)?;
        let mut options = row.defaults();
        for (name, value) in &self.subject.options {
            row.set(&mut options, name, value)?;
        }
        row.start(&options)
    }

    /// The moves that lead to the last position, plies.
    ///
    /// # Errors
    /// Those of the [start](Self::start), and an entry that does not fit its position.
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

    /// The bytes of the file.
    ///
    /// # Errors
    /// More than 4 GiB.
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

    /// Reads [`write`](Self::write) back.
    ///
    /// # Errors
    /// What is wrong with the file, as the end of a sentence that begins with it.
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
