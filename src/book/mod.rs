//! Opening books: the exact values of the positions that begin a game, each with all its best moves.
//!
//! A book has the positions of the first plies in which **one side has kept to its best moves, whatever the other has
//! played**, for both sides: who plays by the book never leaves it within those plies. They are not spelt out. A book is the
//! list of what is known of them, in the order of a [walk](fn@walk) from the start that decides by the same list where to
//! go; so an entry takes four bytes, and a book that ends early is a book.
//!
//! - [`mod@walk`]: the order of the positions;
//! - [`mod@format`]: how entries are written;
//! - [`build`]: books made by exact search;
//! - [`reading`]: the books of a game, read in the background.

pub mod build;
pub mod format;
pub mod reading;
pub mod walk;

use crate::core::random::Random;
use crate::core::score::INFINITE;
use crate::core::{Bound, Error, Proof, Report, Score, Ties};
use crate::engine::Board;
use crate::registry::GameRow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Duration;

pub use build::Builder;
pub use format::Contents;
pub use reading::Reading;
pub use walk::walk;

/// The largest file of a book, bytes: some seventy million positions.
pub const LARGEST: u64 = 256 << 20;

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The value for the side to move, less what is banked: a margin in centi-units or a win distance.
    pub value: Score,
    /// The codes of all best moves, in the order of the game's moves; never empty.
    pub best: Vec<u16>,
}

/// Entries by what a book knows a position by: see [`Game::book_key`](crate::core::Game::book_key).
#[derive(Debug, Default)]
pub struct Book {
    entries: HashMap<String, BookEntry>,
}

impl Book {
    /// All books of a game together.
    ///
    /// # Errors
    /// [`Error::BadFile`] for a book that is none.
    pub fn of(row: &GameRow) -> Result<Self, Error> {
        let mut book = Self::default();
        for bytes in row.books {
            book.add(&Contents::read(bytes).map_err(|reason| Error::bad_file("the book".as_ref(), reason))?)?;
        }
        Ok(book)
    }

    /// Adds the entries of a book; returns how many.
    ///
    /// # Errors
    /// [`Error::BadFile`] for one whose entries do not fit the positions, and options that the game does not take.
    pub fn add(&mut self, contents: &Contents) -> Result<usize, Error> {
        let mut words = contents.entries.iter();
        let start = contents.start()?;
        walk(&*start, u8::MAX, |board| {
            let entry = words.next().map(|word| word.entry(board)).transpose()?;
            if let Some(entry) = &entry {
                self.entries.insert(board.book_key(), entry.clone());
            }
            Ok::<_, Error>(entry)
        })?;
        match words.len() {
            0 => Ok(contents.entries.len()),
            left => Err(Error::bad_file("the book".as_ref(), format!("has {left} entries of no position"))),
        }
    }

    /// What is known of a position, if it is in the book.
    #[must_use]
    pub fn probe(&self, board: &dyn Board) -> Option<&BookEntry> {
        self.entries.get(&board.book_key())
    }

    /// Positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A position of the book as a search reports one that it has solved: the value, all moves that are as good as the
    /// best, and a line of them that ends with the book. By lot, the first move is any of them.
    #[must_use]
    pub fn report(&self, board: &dyn Board, ties: Ties) -> Option<Report> {
        let entry = self.probe(board)?;
        let score = board.static_evaluation().settled + entry.value;
        let best = moves_of(board, entry);
        let first = match ties {
            Ties::Random(seed) => Random(seed ^ Random(board.key()).draw()).below(best.len().max(1)),
            Ties::First | Ties::All => 0,
        };
        let (mut pv, mut after) = (Vec::new(), board.boxed());
        let mut next = best.get(first).cloned();
        while let Some(mv) = next {
            after.play(&mv).ok()?;
            pv.push(mv);
            next = self.probe(&*after).and_then(|entry| moves_of(&*after, entry).into_iter().next());
        }
        let plies = u8::try_from(pv.len()).unwrap_or(u8::MAX);
        let wdl = match score.cmp(&0) {
            Ordering::Greater => [1000, 0, 0],
            Ordering::Equal => [0, 1000, 0],
            Ordering::Less => [0, 0, 1000],
        };
        let ties = if ties == Ties::First { Vec::new() } else { best };
        Some(Report {
            depth: plies,
            seldepth: plies,
            line: 1,
            score,
            window: [-INFINITE, INFINITE],
            bound: Bound::Exact,
            proof: Proof::EXACT,
            wdl: Some(wdl),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            fails_low: 0,
            fails_high: 0,
            pv,
            tie_proofs: vec![Proof::EXACT; ties.len()],
            ties,
        })
    }
}

/// The best moves as text.
#[must_use]
pub fn moves_of(board: &dyn Board, entry: &BookEntry) -> Vec<String> {
    let moves = board.moves().into_iter().zip(board.codes());
    moves.filter(|(_, code)| entry.best.contains(code)).map(|(mv, _)| mv).collect()
}
