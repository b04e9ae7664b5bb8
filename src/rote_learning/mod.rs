//! Rote learning (A. L. Samuel, "Some Studies in Machine Learning Using the Game of Checkers", IBM Journal 3(3), 1959):
//! searched positions are remembered across runs, and later searches use their values.
//!
//! ```text
//! a search to 6 plies                      a later one to 6 plies
//!        root ----> remembered                   root
//!       /    \                                  /    \
//!      6 plies                              the position, 3 plies down
//!                                           has a value of depth 6, not 3
//! ```
//!
//! The remembered positions are put into the table before a search, as entries like any others. Learned values rest on
//! earlier learned values, so the look-ahead grows with every visit.
//!
//! - `file`: the file format;
//! - `memory`: the positions in memory, and which of them stay.

mod file;
mod memory;

pub use file::MIB;

use crate::core::report::Bound;
use crate::core::{Error, Progress, Report, Request, StopFlag};
use crate::engine::{Board, Engine};
use crate::search::Table;
use crate::search::entry::Entry;
use crate::tables;
use crate::util::lock::lock;
use memory::LearnedPositions;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The maximum number of positions that a search with a limit of time puts into its table before it begins: a
/// millisecond or two.
const STEP: usize = 4_096;

/// The learned positions of one game with one set of rules and one evaluation. Clones share them.
#[derive(Clone, Debug)]
pub struct RoteLearning(Arc<Mutex<LearnedPositions>>);

impl RoteLearning {
    /// Opens the learned positions of a board's game, or creates their file; `limit` is the maximum size of the file,
    /// in bytes. A file that another process has open is only read. A larger file is read whole, and
    /// [shortened](Self::tidy) later.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another kind, a damaged one (a truncated last record is
    /// dropped with a warning), or one for other rules, another evaluation or another version.
    pub fn open(path: &Path, board: &dyn Board, limit: u64) -> Result<Self, Error> {
        let identity = tables::identity(board)?;
        let (file, found) = file::open(path, &identity)?;
        let memory = LearnedPositions::new(path, limit, file, found);
        Ok(Self(Arc::new(Mutex::new(memory))))
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        lock(&self.0).len()
    }

    /// Returns whether learned positions are written to the file: they are not if another process has it open.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        lock(&self.0).is_saved()
    }

    /// Puts the positions that the table lacks into it before a search; a table that was cleared lacks all. One call
    /// puts in the new positions and at most `most` others; the next continues with the rest.
    pub fn preload(&self, table: &Table, most: usize) {
        lock(&self.0).preload(table, most);
    }

    /// Learns the result of a search, unless the same or a better one is known: proven, or else deeper. Returns whether
    /// it was new. It takes microseconds: a position that does not fit into the file waits in memory until
    /// [`tidy`](Self::tidy).
    ///
    /// # Errors
    /// [`Error::File`], once for several failures in a row; this process knows the position nevertheless, and writes it
    /// later.
    pub fn learn(&self, key: u64, entry: &Entry) -> Result<bool, Error> {
        lock(&self.0).learn(key, entry)
    }

    /// Writes the pending positions. If the file is full, it is first reduced to the most useful positions that fill
    /// half of it, which takes some 20 ms for a MiB: call this when no clock runs.
    ///
    /// # Errors
    /// [`Error::File`], once for several failures in a row; all positions are then still known, and the file is
    /// unchanged.
    pub fn tidy(&self) -> Result<(), Error> {
        lock(&self.0).tidy()
    }

    /// Searches with an engine, and learns the last exact value. Before the search it puts the positions that the
    /// engine's table lacks into it; with a limit of time only some of them, and the next search continues with the
    /// rest. The result of a search restricted to some moves is not learned: its value is not that of the position.
    /// [`Progress::Result`] is not reported: the search has ended by the time that its result is learned.
    ///
    /// # Errors
    /// The second result is [`Error::File`], as for [`RoteLearning::learn`].
    pub fn search(
        &self,
        engine: &mut dyn Engine,
        request: &Request,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, Result<(), Error>) {
        self.preload(engine.table(), if request.limits.is_timed() { STEP } else { usize::MAX });
        let mut exact: Option<Report> = None;
        let found = engine.search(request, stop, &mut |event| match event {
            Progress::Result(_) => {}
            Progress::Line(report) if report.line == 1 && report.bound == Bound::Exact => {
                exact = Some(report.clone());
                progress(event);
            }
            _ => progress(event),
        });
        lock(&self.0).add_nodes(found[0].nodes);
        if !request.moves.is_empty() {
            return (found, Ok(()));
        }
        // A finished game has no move to learn.
        let saved = exact.filter(|report| report.best().is_some()).map_or(Ok(()), |report| {
            let (key, entry) = engine.root_entry(&report);
            self.learn(key, &entry).map(drop)
        });
        (found, saved)
    }
}
