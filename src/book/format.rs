//! The file format of books.
//!
//! A book is a [container](crate::store::container). Its subject is the game and its options in JSON; its contents are
//! the entries, 4 bytes each:
//!
//! ```text
//! 2  the value for the side to move, without the settled score, signed
//! 2  the best moves, one bit per legal move in the game's order; not in a complete book
//! ```
//!
//! Numbers are little-endian.

use super::{BookEntry, walk};
use crate::core::{Error, Score};
use crate::engine::Board;
#[cfg(doc)]
use crate::engine::Plies;
use crate::registry::{self, GameRow};
use crate::store::container::{Draft, Format};
use crate::util::damage::damage;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

const FORMAT: Format = Format { letters: b"SBK", version: 2, foreign: "is not an opening book" };

/// An entry as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The value for the side to move, without the settled score.
    pub value: i16,
    /// A bit for each legal move, set for the best moves.
    pub best: u16,
}

impl Word {
    /// Decodes the entry of a position. Fails if the bits do not match the moves.
    pub(crate) fn entry(self, board: &dyn Board) -> Result<BookEntry, Error> {
        let codes = board.codes();
        let named = |bit: usize| bit < 16 && self.best >> bit & 1 == 1;
        let best: Vec<u16> = (0..).zip(&codes).filter(|&(bit, _)| named(bit)).map(|(_, &code)| code).collect();
        if best.is_empty() || best.len() != self.best.count_ones() as usize {
            return Err(misfit(board));
        }
        Ok(BookEntry { value: Score::from(self.value), best })
    }

    /// Encodes the entry of a position; `None` if it does not fit.
    pub(crate) fn new(entry: &BookEntry, board: &dyn Board) -> Option<Self> {
        let mut best = 0;
        for (bit, _) in board.codes().iter().enumerate().filter(|(_, code)| entry.best.contains(code)) {
            best |= 1_u16.checked_shl(u32::try_from(bit).ok()?)?;
        }
        Some(Self { value: i16::try_from(entry.value).ok()?, best })
    }
}

/// Fails for a value that the rules exclude.
fn fits(board: &dyn Board, value: Score) -> Result<(), Error> {
    let known = board.static_evaluation();
    let value = known.settled + value;
    match known.bounds.hold(value) == value {
        true => Ok(()),
        false => Err(misfit(board)),
    }
}

fn misfit(board: &dyn Board) -> Error {
    Error::bad_file("the book".as_ref(), format!("has an entry that does not fit {}", board.text()))
}

/// The start of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookSubject {
    /// The game.
    pub game: String,
    /// The options that are not at their defaults, without folders.
    pub options: BTreeMap<String, String>,
    /// The number of plies of a complete book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<u8>,
}

impl BookSubject {
    /// Describes a book, not a complete one, from the start of this board's options.
    pub fn new(start: &dyn Board) -> Self {
        let options = start.options().without_folders();
        let options = options.changed().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect();
        Self { game: start.game().into(), options, complete: None }
    }

    /// Returns the start, for a game of the registry.
    ///
    /// # Errors
    /// An unknown game, or options that it rejects.
    pub fn start(&self) -> Result<Box<dyn Board>, Error> {
        let row = registry::find(&self.game)?;
        let mut options = row.defaults();
        for (name, value) in &self.options {
            row.set(&mut options, name, value)?;
        }
        row.start(&options)
    }
}

impl fmt::Display for BookSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let complete = if self.complete.is_some() { "complete " } else { "" };
        write!(f, "a {complete}book of {}", self.game)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
        self.complete.map_or(Ok(()), |plies| write!(f, " to {plies} plies"))
    }
}

/// What a file stores about the positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entries {
    /// The entries, in the order of the [walk](super::walk()).
    Walk(Vec<Word>),
    /// The values of the last ply of a complete book, in the order of its [`Plies`].
    Values(Vec<i16>),
}

impl Entries {
    /// Returns the number of positions that are stored.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Walk(words) => words.len(),
            Self::Values(values) => values.len(),
        }
    }
}

/// A book as stored in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The start.
    pub subject: BookSubject,
    /// What the file stores about the positions.
    pub entries: Entries,
}

/// Limits the positions of a complete book: per stored value, and in total if there are few values. A file of a few
/// bytes must not take all memory.
const MOST: (usize, usize) = (16, 1 << 20);

impl Contents {
    /// Creates a book without entries.
    pub(super) fn new(subject: BookSubject) -> Self {
        let entries = subject.complete.map_or(Entries::Walk(Vec::new()), |_| Entries::Values(Vec::new()));
        Self { subject, entries }
    }

    /// Reads the books of a game, which are part of the program.
    pub(crate) fn built_in(row: &GameRow) -> impl Iterator<Item = Result<Self, Error>> {
        row.books.iter().map(|bytes| Self::read("the book".as_ref(), bytes))
    }

    /// Returns the start, as [`BookSubject::start`].
    ///
    /// # Errors
    /// Its errors.
    pub fn start(&self) -> Result<Box<dyn Board>, Error> {
        self.subject.start()
    }

    /// Calls `found` with each position of the book and its entry, from `start`, which must be the start of the book.
    /// Of [symmetric](crate::core::Records::symmetric_key) positions a complete book has only one, without history, and
    /// its entries have no moves.
    ///
    /// # Errors
    /// [`Error::BadFile`] if the entries do not fit the positions; some of them may have been found before.
    pub fn visit(&self, start: &dyn Board, found: &mut dyn FnMut(&dyn Board, BookEntry)) -> Result<(), Error> {
        let bad = |reason: String| Error::bad_file("the book".as_ref(), reason);
        match &self.entries {
            Entries::Walk(words) => {
                let mut words = words.iter();
                walk(start, u8::MAX, |board| {
                    let entry = words.next().map(|word| word.entry(board)).transpose()?;
                    if let Some(entry) = &entry {
                        fits(board, entry.value)?;
                        found(board, entry.clone());
                    }
                    Ok::<_, Error>(entry)
                })?;
                match words.len() {
                    0 => Ok(()),
                    left => Err(bad(format!("has {left} entries of no position"))),
                }
            }
            Entries::Values(values) => {
                let plies = self.subject.complete.unwrap_or_default();
                let most = (MOST.0 * values.len()).max(MOST.1);
                let too_few = || bad(format!("has too few values, {}, for its {plies} plies", values.len()));
                let positions = start.plies(plies, most).ok_or_else(too_few)?;
                let (count, all) = (values.len(), positions.count());
                match count.cmp(&all) {
                    Ordering::Less => {
                        return Err(bad(format!("is unfinished: {count} of {all} values; its build continues it")));
                    }
                    Ordering::Greater => return Err(bad(format!("has {count} values of {all} positions"))),
                    Ordering::Equal => {}
                }
                let mut fit = Ok(());
                positions.visit(values, &mut |board, value| {
                    if fit.is_ok() {
                        fit = fits(board, value);
                        found(board, BookEntry { value, best: Vec::new() });
                    }
                });
                fit
            }
        }
    }

    /// Returns the number of moves before the last position, in plies; of a complete book, its number of plies.
    ///
    /// # Errors
    /// As [`visit`](Self::visit).
    pub fn plies(&self, start: &dyn Board) -> Result<usize, Error> {
        let mut plies = usize::from(self.subject.complete.unwrap_or_default());
        self.visit(start, &mut |board, _| plies = plies.max(board.history().len()))?;
        Ok(plies)
    }

    /// Writes the book to a file, which is replaced as a whole.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let subject = serde_json::to_vec(&self.subject).map_err(io::Error::from);
        let written = subject.and_then(|subject| Draft::create(path, &FORMAT, &subject)).and_then(|mut out| {
            match &self.entries {
                Entries::Walk(words) => words.iter().try_for_each(|word| {
                    out.write_all([word.value.to_le_bytes(), word.best.to_le_bytes()].as_flattened())
                })?,
                Entries::Values(values) => values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))?,
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
        let subject: BookSubject =
            serde_json::from_slice(&subject).map_err(|error| bad(format!("names no start: {}", damage(&error))))?;
        let torn = || bad("ends within an entry".into());
        let entries = if subject.complete.is_some() {
            let (values, []) = entries.as_chunks::<2>() else { return Err(torn()) };
            Entries::Values(values.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect())
        } else {
            let (words, []) = entries.as_chunks::<4>() else { return Err(torn()) };
            let word = |&[low, high, first, second]: &[u8; 4]| Word {
                value: i16::from_le_bytes([low, high]),
                best: u16::from_le_bytes([first, second]),
            };
            Entries::Walk(words.iter().map(word).collect())
        };
        Ok(Self { subject, entries })
    }
}
