//! Opening books: the exact values of opening positions, each with all its best moves.
//!
//! A book has the positions of the first plies in which **at least one side has played only best moves**, against any
//! moves of the other side: a player that follows the book stays in it for those plies. The positions are not stored. A
//! book is the list of their entries in the order of a [walk](fn@walk) from the start, which the same list directs. An
//! entry takes four bytes, and every prefix of a book is a book.
//!
//! A [complete] book has all positions of the first plies, for exact values of all moves.
//!
//! - [`mod@walk`]: the order of the positions; [`complete`]: those of a complete book;
//! - [`mod@format`]: the file format;
//! - [`build`]: building by exact search;
//! - [`reading`]: the books of a game, read in the background; [`openings`]: their values in a table.

pub mod build;
pub mod complete;
pub mod format;
pub mod openings;
pub mod reading;
pub mod walk;

use crate::core::score::INFINITE;
use crate::core::{Bound, Bounds, Error, Proof, Report, Score, Solution, Ties};
use crate::engine::Board;
use crate::registry::GameRow;
use crate::util::random::Random;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Duration;

pub use build::Builder;
pub use format::{BookSubject, Contents, Entries};
pub use openings::Openings;
pub use reading::Reading;
pub use walk::walk;

/// The largest file of a book, in bytes: about seventy million positions.
pub const LARGEST: u64 = 256 << 20;

/// The entry of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The value for the side to move, without the settled score: a margin in centi-units or a win distance.
    pub value: Score,
    /// The codes of all best moves, in the order of the game's moves.
    pub best: Vec<u16>,
}

/// The entries of books, by position.
#[derive(Debug, Default)]
pub struct Book {
    /// Entries by [`Records::book_key`](crate::core::Records::book_key).
    entries: HashMap<Vec<u8>, BookEntry>,
    /// Values in complete books, without the settled score, by
    /// [`Records::symmetric_key`](crate::core::Records::symmetric_key).
    values: HashMap<Vec<u8>, Score>,
}

impl Book {
    /// Reads all books of a game.
    ///
    /// # Errors
    /// [`Error::BadFile`] for an invalid book.
    pub fn built_in(row: &GameRow) -> Result<Self, Error> {
        let mut book = Self::default();
        for contents in Contents::built_in(row) {
            let contents = contents?;
            book.add(&contents, &*contents.start()?)?;
        }
        Ok(book)
    }

    /// Adds the entries of a book with this start.
    ///
    /// # Errors
    /// [`Error::BadFile`] if the entries do not fit the positions.
    pub fn add(&mut self, contents: &Contents, start: &dyn Board) -> Result<(), Error> {
        contents.visit(start, &mut |board, entry| {
            if entry.best.is_empty() {
                self.values.insert(board.symmetric_key(), entry.value);
            } else {
                self.entries.insert(board.book_key(), entry);
            }
        })
    }

    /// Returns the entry of a position, if it is in a book. In a complete book it follows from those after it.
    pub fn probe(&self, board: &dyn Board) -> Option<BookEntry> {
        if let Some(entry) = self.entries.get(&board.book_key()) {
            return Some(entry.clone());
        }
        self.values.get(&board.symmetric_key())?;
        complete::entry(board, |after| self.value(after))
    }

    /// Returns the value of a position, without the settled score, if it is in a book.
    fn value(&self, board: &dyn Board) -> Option<Score> {
        let listed = self.entries.get(&board.book_key()).map(|entry| entry.value);
        listed.or_else(|| self.values.get(&board.symmetric_key()).copied())
    }

    /// Returns what the books know of a position, without a line of play: its value, all its best moves, and the values
    /// of those other moves whose positions are in the books too.
    pub fn solution(&self, board: &dyn Board) -> Option<Solution> {
        let entry = self.probe(board)?;
        let value = board.settled() + entry.value;
        let known = complete::values(board, |after| self.value(after));
        let valued = board.moves().into_iter().zip(board.codes()).zip(known);
        let moves = valued.filter_map(|((mv, code), known)| {
            let of_move = if entry.best.contains(&code) { value } else { known? };
            Some((mv, Bounds::exactly(of_move)))
        });
        let moves = moves.collect();
        Some(Solution {
            bounds: Bounds::exactly(value),
            rules: board.static_evaluation().bounds,
            moves,
            pv: Vec::new(),
            complete: true,
            nodes: 0,
            cpu: Duration::ZERO,
            time: Duration::ZERO,
            hashfull: 0,
            refused: None,
        })
    }

    /// Returns the number of positions, of symmetric ones in complete books one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len() + self.values.len()
    }

    /// Whether there are no books.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.values.is_empty()
    }

    /// Returns the report of a position in the book, as a search would report a solved position: the value, all best
    /// moves, and a line of best moves to the end of the book. With random ties, the first move is a random best move.
    pub fn report(&self, board: &dyn Board, ties: Ties) -> Option<Report> {
        let entry = self.probe(board)?;
        let score = board.settled() + entry.value;
        let best = moves_of(board, &entry);
        let first = match ties {
            Ties::Random(seed) => Random(seed ^ Random(board.key()).draw()).below(best.len().max(1)),
            Ties::First | Ties::All => 0,
        };
        let (mut pv, mut after) = (Vec::new(), board.boxed());
        let mut next = best.get(first).cloned();
        while let Some(mv) = next {
            after.play(&mv).ok()?;
            pv.push(mv);
            next = self.probe(&*after).and_then(|entry| moves_of(&*after, &entry).into_iter().next());
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
            pv,
            tie_proofs: vec![Proof::EXACT; ties.len()],
            ties,
            ..Report::default()
        })
    }
}

/// Returns the best moves as text.
pub fn moves_of(board: &dyn Board, entry: &BookEntry) -> Vec<String> {
    let moves = board.moves().into_iter().zip(board.codes());
    moves.filter(|(_, code)| entry.best.contains(code)).map(|(mv, _)| mv).collect()
}
