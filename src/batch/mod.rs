//! Batches: many positions searched with the same limits, each as if by a fresh engine.
//!
//! ```
//! use secateurs::batch::{self, Given, Job};
//! use secateurs::core::{Limits, StopFlag};
//! use secateurs::registry::{self, Setup};
//!
//! # fn main() -> Result<(), secateurs::core::Error> {
//! let job = Job { setup: Setup::named("nim")?, limits: Limits::depth(9), hash: 1, pv: true, lines: 1 };
//! let texts = ["3,4,5 1", "none", "1,1 1"].map(|text| Given::Text(text.into()));
//! let run = batch::Run { threads: 2, ..batch::Run::default() };
//! let rows = batch::analyse(&texts, &job, &run)?.unwrap_or_default();
//! assert_eq!(rows.iter().map(|row| row.found.is_ok()).collect::<Vec<_>>(), [true, false, true]);
//! # Ok(())
//! # }
//! ```
//!
//! A worker searches one row at a time, with one thread and a small table, which it clears between rows. The results
//! are therefore the same for any number of workers and any order of the rows; with time limits they depend on the
//! machine.

mod checkpoint;
mod row;
mod subject;
pub mod workers;

pub use row::{Analysed, BatchRow, Given};

use crate::core::{Error, Limits, Request, StopFlag};
use crate::registry::Setup;
use crate::search::Table;
use checkpoint::Checkpoint;
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use subject::Subject;

/// The search of every position.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game of positions given as text.
    pub setup: Setup,
    /// The limits of each search; at least one is set.
    pub limits: Limits,
    /// The table size of each worker, in MiB, at least 1.
    pub hash: usize,
    /// Whether principal variations are stored.
    pub pv: bool,
    /// The number of lines of each search, at least 1.
    pub lines: usize,
}

/// How a batch runs, which does not affect its results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'a> {
    /// The number of workers; 0 counts as 1.
    pub threads: usize,
    /// The file that stores finished rows between runs.
    pub checkpoint: Option<&'a Path>,
    /// The flag that ends the run; finished rows stay in the checkpoint.
    pub stop: Option<&'a StopFlag>,
    /// The counter of finished rows.
    pub done: Option<&'a AtomicUsize>,
}

thread_local! {
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread searches rows of a batch: it would log a record for every row.
pub fn is_worker() -> bool {
    WORKS.try_with(Cell::get).unwrap_or(false)
}

/// Searches all positions. Returns a row for each, in order, or `None` if the flag was raised before the last was
/// finished. The calling thread is one of the workers: it needs a stack of [`STACK`](crate::search::STACK) bytes.
///
/// # Errors
/// [`Error::TableTooLarge`]; [`Error::File`] and [`Error::BadFile`] for the checkpoint, which is then unchanged. An
/// error in a position is reported in its row.
pub fn analyse(positions: &[Given], job: &Job, run: &Run<'_>) -> Result<Option<Vec<BatchRow>>, Error> {
    let threads = run.threads.clamp(1, positions.len().max(1));
    let tables = workers::tables(threads, job.hash)?;
    let (own, count) = (StopFlag::new(), AtomicUsize::new(0));
    let (stop, done) = (run.stop.unwrap_or(&own), run.done.unwrap_or(&count));
    let mut rows: Vec<Option<BatchRow>> = std::iter::repeat_with(|| None).take(positions.len()).collect();
    let mut checkpoint = None;
    if let Some(path) = run.checkpoint {
        let Some(subject) = Subject::new(positions, job, stop)? else { return Ok(None) };
        checkpoint = Some(Checkpoint::open(path, &subject, &mut rows, stop)?);
    }
    done.fetch_add(rows.iter().flatten().count(), Ordering::Relaxed);
    let request = Request { lines: job.lines, ..Request::new(job.limits.clone()) };
    let work = |table: &Arc<Table>, index: usize| {
        let before = WORKS.replace(true);
        let row = BatchRow::new(&positions[index], job, &request, table, stop);
        WORKS.set(before);
        // A stopped search is not a finished row.
        if stop.is_raised() {
            return Ok(None);
        }
        if let Some(checkpoint) = &checkpoint {
            // An error stops the other workers too.
            checkpoint.add(index, &row).inspect_err(|_| stop.raise())?;
        }
        done.fetch_add(1, Ordering::Relaxed);
        Ok(Some(row))
    };
    let filled = workers::fill(tables, &mut rows, stop, work);
    let ended = checkpoint.map_or(Ok(()), Checkpoint::end);
    filled.and(ended)?;
    Ok(rows.into_iter().collect())
}
