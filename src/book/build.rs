//! Builds books by exact search. A build can be stopped and resumed at any time and gives the same file.

use super::format::{BookSubject, Contents, Entries, Word};
use super::walk::walk;
use super::{BookEntry, LARGEST, moves_of};
use crate::batch::workers;
use crate::core::error::Quoted;
use crate::core::solution::{SolveRequest, Valued};
use crate::core::{Error, Score, Solution, StopFlag};
use crate::engine::Board;
use crate::search::Table;
use crate::store::{FileLock, bounded};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// The number of positions of a complete book between two reports.
const BLOCK: usize = 64;

/// Builds a book in a file.
#[derive(Debug)]
pub struct Builder {
    path: PathBuf,
    contents: Contents,
    plan: BookPlan,
    /// The interval at which the file is saved.
    every: Duration,
    saved: Instant,
    _lock: FileLock,
}

/// The extent of a book, and the threads.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// The number of plies. A book includes the positions after fewer moves; a complete book includes the values of
    /// those after exactly as many.
    pub plies: u8,
    /// The maximum number of positions.
    pub entries: usize,
    /// The number of threads: of each search, or, in a complete book, of searches with one thread each.
    pub threads: usize,
    /// Whether the book is complete.
    pub complete: bool,
}

/// A progress report.
#[derive(Clone, Copy)]
pub enum BuildStep<'a> {
    /// The number of entries so far.
    Entries(usize),
    /// The position being searched, and what is known of it.
    Search(&'a dyn Board, &'a Solution),
}

impl Builder {
    /// Opens the book in a file, or begins a new one. The plan determines whether it is complete.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is not a book, is a book with another start or number of
    /// plies, or is being built by another process.
    pub fn new(path: &Path, subject: BookSubject, plan: BookPlan, every: Duration) -> Result<Self, Error> {
        let lock = FileLock::new(path)?;
        let complete = plan.complete.then_some(plan.plies);
        let mut contents = Contents::new(BookSubject { complete, ..subject });
        if path.exists() {
            let found = Contents::read(path, &bounded::bytes(path, LARGEST)?)?;
            if found.subject != contents.subject {
                return Err(Error::bad_file(path, format!("is {}, not {}", found.subject, contents.subject)));
            }
            contents = found;
        }
        Ok(Self { path: path.into(), contents, plan, every, saved: Instant::now(), _lock: lock })
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
    /// [`Error::File`]; [`Error::BadFile`] if the entries of the file do not fit the positions; [`Error::NoValue`]
    /// for a game that exact search refuses; [`Error::BadOptions`] for a complete book of too many positions.
    pub fn build(
        &mut self,
        start: &dyn Board,
        table: &Arc<Table>,
        stop: &StopFlag,
        on_step: &mut dyn FnMut(BuildStep),
    ) -> Result<bool, Error> {
        let whole = match &self.contents.entries {
            Entries::Walk(_) => self.follow(start, table, stop, on_step)?,
            Entries::Values(_) => self.complete(start, table, stop, on_step)?,
        };
        self.contents.write(&self.path)?;
        Ok(whole)
    }

    /// Adds entries along the [walk](fn@walk).
    fn follow(
        &mut self,
        start: &dyn Board,
        table: &Arc<Table>,
        stop: &StopFlag,
        on_step: &mut dyn FnMut(BuildStep),
    ) -> Result<bool, Error> {
        let BookPlan { plies, entries, threads, .. } = self.plan;
        let request = SolveRequest { threads, moves: Valued::Best, ..SolveRequest::default() };
        let (mut next, mut whole) = (0, true);
        walk(start, plies, |board| {
            let Entries::Walk(words) = &mut self.contents.entries else { return Ok(None) };
            if next == entries {
                return Ok(None);
            }
            if let Some(word) = words.get(next) {
                next += 1;
                return word.entry(board).map(Some);
            }
            let found = board
                .engine(Arc::clone(table))
                .solve(&request, stop, &mut |known| on_step(BuildStep::Search(board, known)));
            refuse(board, &found)?;
            let Some(entry) = entry_of(board, &found) else {
                whole = false;
                return Ok(None);
            };
            let too_large = || Error::bad_file(&self.path, format!("cannot hold the entry of {}", board.text()));
            words.push(Word::new(&entry, board).ok_or_else(too_large)?);
            next += 1;
            on_step(BuildStep::Entries(next));
            self.save_if_due()?;
            Ok::<_, Error>(Some(entry))
        })?;
        Ok(whole)
    }

    /// Adds the values of the last ply.
    fn complete(
        &mut self,
        start: &dyn Board,
        table: &Arc<Table>,
        stop: &StopFlag,
        on_step: &mut dyn FnMut(BuildStep),
    ) -> Result<bool, Error> {
        let BookPlan { plies, entries, .. } = self.plan;
        let too_many = || {
            let reason = "allow more entries, or fewer plies";
            Error::BadOptions(format!("{plies} plies have more than {entries} positions: {reason}"))
        };
        let boards = start.plies(plies, entries).ok_or_else(too_many)?.last();
        while let Entries::Values(values) = &mut self.contents.entries
            && values.len() != boards.len()
        {
            let Some(block) = boards.get(values.len()..) else {
                let reason = format!("has {} values of {} positions", values.len(), boards.len());
                return Err(Error::bad_file(&self.path, reason));
            };
            let block = &block[..block.len().min(BLOCK)];
            let found = values_of(block, table, self.plan.threads, stop)?;
            values.extend(&found);
            on_step(BuildStep::Entries(values.len()));
            if found.len() < block.len() {
                return Ok(false);
            }
            self.save_if_due()?;
        }
        Ok(true)
    }

    fn save_if_due(&mut self) -> Result<(), Error> {
        if self.saved.elapsed() >= self.every {
            self.contents.write(&self.path)?;
            self.saved = Instant::now();
        }
        Ok(())
    }
}

/// Returns the values of positions, fewer if the flag is raised. Each thread searches positions of its own: two threads
/// at one position search more nodes.
fn values_of(
    boards: &[Box<dyn Board>],
    table: &Arc<Table>,
    threads: usize,
    stop: &StopFlag,
) -> Result<Vec<i16>, Error> {
    let request = SolveRequest { moves: Valued::None, ..SolveRequest::default() };
    let work = |table: &Arc<Table>, index: usize| {
        let board = &*boards[index];
        let solution = board.engine(Arc::clone(table)).solve(&request, stop, &mut |_| {});
        refuse(board, &solution)?;
        if solution.is_solved() { stored(board, &solution).map(Some) } else { Ok(None) }
    };
    let tables = std::iter::repeat_n(Arc::clone(table), threads).collect();
    let mut values = vec![None; boards.len()];
    workers::fill(tables, &mut values, stop, work)?;
    // If a search was stopped, later positions are left to the next run.
    Ok(values.into_iter().map_while(|value| value).collect())
}

/// Returns the value of a solved position without the settled score.
fn value_of(board: &dyn Board, solution: &Solution) -> Score {
    solution.bounds.lower - board.settled()
}

/// Returns the value of a solved position as a book stores it.
fn stored(board: &dyn Board, solution: &Solution) -> Result<i16, Error> {
    i16::try_from(value_of(board, solution))
        .map_err(|_| Error::bad_file("the book".as_ref(), format!("cannot hold the value of {}", board.text())))
}

/// Fails for a position without an exact value.
fn refuse(board: &dyn Board, found: &Solution) -> Result<(), Error> {
    match found.refused {
        Some(reason) => Err(Error::NoValue(Quoted::new(&board.text()), reason.to_string())),
        None => Ok(()),
    }
}

/// Returns the entry of a position that was solved with all its best moves; `None` if it was not.
pub fn entry_of(board: &dyn Board, solution: &Solution) -> Option<BookEntry> {
    if !solution.complete {
        return None;
    }
    let best = board.codes_of(&solution.best_moves().cloned().collect::<Vec<_>>()).ok()?;
    let entry = BookEntry { value: value_of(board, solution), best };
    (!moves_of(board, &entry).is_empty()).then_some(entry)
}
