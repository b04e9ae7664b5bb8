//! The file format of books.
//!
//! A book is a [container](crate::store::container). Its subject is the game and its options in JSON; its contents are the
//! entries, 4 bytes each:
//!
//! ```text
//! 2  the value for the side to move, without the settled score, signed
//! 2  the best moves, one bit per legal move in the game's order
//! ```
//!
//! Numbers are little-endian.

use super::{BookEntry, walk};
use crate::core::damage::damage;
use crate::core::{Error, Score};
use crate::engine::Board;
use crate::registry;
use crate::store::container::{Draft, Format};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// The file format of books.
const FORMAT: Format = Format { letters: b"SBK", version: 2, foreign: "is no opening book" };

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

    /// Writes the book to a file, which is replaced as a whole.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let subject = serde_json::to_vec(&self.subject).map_err(io::Error::from);
        let written = subject.and_then(|subject| Draft::create(path, &FORMAT, &subject)).and_then(|mut out| {
            for Word { value, best } in &self.entries {
                out.write_all([value.to_le_bytes(), best.to_le_bytes()].as_flattened())?;
            }
            Draft::commit(out)
        });
        written.map_err(|error| Error::file("write", path, &error))
    }

    /// Reads the bytes of the file at `path`, which errors name.
    ///
    /// # Errors
    /// [`Error::BadFile`].
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let bad = |reason: String| Error::bad_file(path, reason);
        let (subject, entries) = FORMAT.read_whole(path, bytes)?;
        let subject =
            serde_json::from_slice(&subject).map_err(|error| bad(format!("names no start: {}", damage(&error))))?;
        let (words, []) = entries.as_chunks::<4>() else { return Err(bad("ends within an entry".into())) };
        let word = |&[low, high, first, second]: &[u8; 4]| Word {
            value: i16::from_le_bytes([low, high]),
            best: u16::from_le_bytes([first, second]),
        };
        Ok(Self { subject, entries: words.iter().map(word).collect() })
    }
}
