//! Building of books by exact search. A build can be stopped and resumed at any time and gives the same file.

use super::format::{Contents, Word};
use super::walk::walk;
use super::{BookEntry, LARGEST, moves_of};
use crate::core::difference::difference;
use crate::core::solution::{SolveRequest, Valued};
use crate::core::{Error, Solution, StopFlag};
use crate::engine::Board;
use crate::search::Table;
use crate::store::{FileLock, Replacement, bounded};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Builds a book in a file.
#[derive(Debug)]
pub struct Builder {
    path: PathBuf,
    contents: Contents,
    /// The interval at which the file is saved.
    every: Duration,
    _lock: FileLock,
}

/// The extent of a book, and the threads.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// The number of plies: positions after fewer moves are included.
    pub plies: u8,
    /// The most positions.
    pub entries: usize,
    /// The number of threads of each search.
    pub threads: usize,
}

/// A progress report.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// The number of entries so far.
    Entries(usize),
    /// The position being searched, and what is known of it.
    Search(&'a dyn Board, &'a Solution),
}

impl Builder {
    /// Opens the book in a file, or begins a new one.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is no book, is a book of another start, or that another
    /// process builds.
    pub fn new(path: &Path, start: &dyn Board, every: Duration) -> Result<Self, Error> {
        let lock = FileLock::new(path)?;
        let mut contents = Contents::new(start);
        if path.exists() {
            let found = Contents::read(path, &bounded::bytes(path, LARGEST)?)?;
            if found.subject != contents.subject {
                let there = serde_json::to_value(&found.subject).unwrap_or_default();
                let here = serde_json::to_value(&contents.subject).unwrap_or_default();
                let difference = difference(&there, &here).unwrap_or_default();
                return Err(Error::bad_file(path, format!("is a book of another start: its {difference}")));
            }
            contents = found;
        }
        let builder = Self { path: path.into(), contents, every, _lock: lock };
        Replacement::check(path)?;
        Ok(builder)
    }

    /// Returns the contents of the book.
    #[must_use]
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Adds the missing entries in order; existing entries stay. Returns false if the flag was raised before the last
    /// entry. The entries do not depend on the table, the threads, or where an earlier run ended.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if the entries of the file do not fit the positions; [`Error::BadOptions`] for a
    /// game that exact search refuses.
    pub fn build(
        &mut self,
        start: &dyn Board,
        plan: BookPlan,
        table: &Arc<Table>,
        stop: &StopFlag,
        on_step: &mut dyn FnMut(Step),
    ) -> Result<bool, Error> {
        let BookPlan { plies, entries, threads } = plan;
        let request = SolveRequest { threads, moves: Valued::Best, ..SolveRequest::default() };
        let (mut next, mut saved, mut whole) = (0, Instant::now(), true);
        walk(start, plies, |board| {
            if next == entries {
                return Ok(None);
            }
            if let Some(word) = self.contents.entries.get(next) {
                next += 1;
                return word.entry(board).map(Some);
            }
            let found =
                board.engine(Arc::clone(table)).solve(&request, stop, &mut |known| on_step(Step::Search(board, known)));
            if let Some(reason) = found.refused {
                return Err(Error::BadOptions(format!("{} has no exact value: {reason}", board.text())));
            }
            let Some(entry) = entry_of(board, &found) else {
                whole = false;
                return Ok(None);
            };
            let too_large = || Error::bad_file(&self.path, format!("cannot hold the entry of {}", board.text()));
            self.contents.entries.push(Word::of(&entry, board).ok_or_else(too_large)?);
            next += 1;
            on_step(Step::Entries(next));
            if saved.elapsed() >= self.every {
                self.contents.write(&self.path)?;
                saved = Instant::now();
            }
            Ok::<_, Error>(Some(entry))
        })?;
        self.contents.write(&self.path)?;
        Ok(whole)
    }
}

/// Returns the entry of a position that was solved with all its best moves; `None` if it was not.
#[must_use]
pub fn entry_of(board: &dyn Board, solution: &Solution) -> Option<BookEntry> {
    // A solution without a line was stopped before all moves were evaluated.
    if !solution.is_solved() || solution.pv.is_empty() {
        return None;
    }
    let best = board.codes_of(&solution.best_moves().cloned().collect::<Vec<_>>()).ok()?;
    let entry = BookEntry { value: solution.bounds.lower - board.static_evaluation().settled, best };
    (!moves_of(board, &entry).is_empty()).then_some(entry)
}
