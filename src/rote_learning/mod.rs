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
//! The remembered positions are put into the table before a search, as entries like any others. Learnt values rest on
//! earlier learnt values, so the look-ahead grows with every visit.
//!
//! - `file`: the file format.

mod file;

pub use file::MIB;

use crate::core::report::Bound;
use crate::core::{Error, Progress, Report, Request};
use crate::engine::{Board, Engine};
use crate::search::Table;
use crate::search::entry::{Entry, Word};
use crate::store::Identity;
use crate::store::records::Records;
use crate::tables;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All positions are put into the table again after this many nodes per remembered position: old entries are replaced
/// there.
const AGAIN: u64 = 8;

/// The learnt positions of one game with one set of rules and one evaluation. Clones share them.
#[derive(Clone, Debug)]
pub struct RoteLearning(Arc<Mutex<Memory>>);

/// The learnt positions and their file.
#[derive(Debug)]
struct Memory {
    path: PathBuf,
    identity: Identity,
    /// The positions by table key. They are put into the table in this order: the result is reproducible, and memory is
    /// accessed sequentially.
    known: BTreeMap<u64, Remembered>,
    /// The number of positions learnt so far, the clock for the age of positions.
    now: u64,
    /// The keys learnt since the table was last filled.
    fresh: Vec<u64>,
    /// The nodes of the searches since all positions were last put into the table.
    nodes: u64,
    /// The greatest size of the file, in bytes.
    limit: u64,
    /// `None` if another process writes the file.
    file: Option<Records>,
}

/// A learnt position.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    word: Word,
    when: u64,
}

impl RoteLearning {
    /// Opens the learnt positions of a board's game, or creates their file; `limit` is the greatest size of the file,
    /// in bytes. A file that another process has open is read only.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another kind, a damaged one (a truncated last record is
    /// dropped with a warning), or one for other rules, another evaluation or another version.
    pub fn open(path: &Path, board: &dyn Board, limit: u64) -> Result<Self, Error> {
        let identity = tables::identity(board)?;
        let (file, found) = file::open(path, &identity)?;
        let mut memory = Memory {
            path: path.into(),
            identity,
            known: BTreeMap::new(),
            now: 0,
            fresh: Vec::new(),
            nodes: 0,
            limit,
            file,
        };
        for (key, word) in found {
            memory.now += 1;
            memory.known.insert(key, Remembered { word, when: memory.now });
        }
        memory.tidy()?;
        Ok(Self(Arc::new(Mutex::new(memory))))
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.memory().known.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether learnt positions are written to the file; not if another process has it open.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.memory().file.is_some()
    }

    /// Returns why the positions cannot be used for a board, as a predicate after the file's name; `None` if they can.
    ///
    /// # Errors
    /// A board of a game that is not in the registry.
    pub fn difference(&self, board: &dyn Board) -> Result<Option<String>, Error> {
        Ok(self.memory().identity.difference(&tables::identity(board)?))
    }

    /// Puts the positions that the table lacks into it before a search; all positions if it was cleared.
    pub fn teach(&self, table: &Table) {
        let mut memory = self.memory();
        let fresh = std::mem::take(&mut memory.fresh);
        let Memory { known, nodes, .. } = &mut *memory;
        if !table.is_preloaded() || *nodes > AGAIN * known.len() as u64 {
            *nodes = 0;
            known.iter().for_each(|(&key, remembered)| table.preload(key, &remembered.word.entry()));
        } else {
            let known = fresh.iter().filter_map(|key| known.get(key).map(|remembered| (key, remembered)));
            known.for_each(|(&key, remembered)| table.preload(key, &remembered.word.entry()));
        }
    }

    /// Learns the result of a search, unless the same or a deeper one is known. Returns whether it was new.
    ///
    /// # Errors
    /// [`Error::File`]; the position is learnt in this process nevertheless.
    pub fn learn(&self, key: u64, entry: &Entry) -> Result<bool, Error> {
        self.memory().learn(key, entry)
    }

    /// Frees space between games if the file is nearly full, so that no search has to wait for it.
    ///
    /// # Errors
    /// [`Error::File`]; the file is then unchanged.
    pub fn tidy(&self) -> Result<(), Error> {
        self.memory().tidy()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn learn(&mut self, key: u64, entry: &Entry) -> Result<bool, Error> {
        self.now += 1;
        let (now, word) = (self.now, Word::of(entry));
        if let Some(old) = self.known.get_mut(&key) {
            // Met again: its age starts anew.
            old.when = now;
            let known = old.word.entry();
            if worth(&known) > worth(entry) || known == *entry {
                return Ok(false);
            }
        }
        self.known.insert(key, Remembered { word, when: now });
        self.fresh.push(key);
        let Some(file) = &mut self.file else { return Ok(true) };
        if file.bytes() + file::RECORD <= self.limit {
            file::add(file, key, word)?;
        } else {
            self.forget()?;
        }
        Ok(true)
    }

    fn tidy(&mut self) -> Result<(), Error> {
        let full = self.file.as_ref().is_some_and(|file| file.bytes() > self.limit / 8 * 7);
        if full { self.forget() } else { Ok(()) }
    }

    /// Removes the least useful positions until the file is half full, and writes the rest.
    fn forget(&mut self) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let room = usize::try_from(self.limit / 2 / file::RECORD).unwrap_or(usize::MAX);
        let before = self.known.len();
        let mut remembered: Vec<_> = self.known.iter().map(|(&key, &remembered)| (key, remembered)).collect();
        let (now, all) = (self.now, room.max(1) as u64);
        remembered
            .sort_unstable_by_key(|(key, remembered)| (std::cmp::Reverse(usefulness(*remembered, now, all)), *key));
        remembered.truncate(room);
        // The oldest first, in the order in which they were learnt.
        remembered.sort_unstable_by_key(|(_, remembered)| remembered.when);
        self.known = remembered.iter().copied().collect();
        log::info!("{}: {} of {before} positions are kept", self.path.display(), remembered.len());
        file::replace(file, remembered.iter().map(|&(key, Remembered { word, .. })| (key, word)))
    }
}

/// Returns the rank of an entry: a proven value first, then depth.
fn worth(entry: &Entry) -> (bool, u8) {
    (entry.proof.exact(), entry.depth)
}

/// Returns the usefulness of a position, by which the least useful is removed (Samuel's refreshing and forgetting):
/// greater for expensive and for recent positions. A doubling of the cost counts as much as an eighth of half the
/// file's capacity in age.
fn usefulness(remembered: Remembered, now: u64, all: u64) -> i64 {
    let years = (now - remembered.when).saturating_mul(64) / all;
    i64::from(remembered.word.worth()) - i64::try_from(years).unwrap_or(i64::MAX / 2)
}

/// Observes a search and learns its result.
pub struct Pupil {
    learned: RoteLearning,
    found: Option<Report>,
}

impl Pupil {
    /// Creates a pupil for a search; `None` if the search is restricted to some moves, because its value is not that of
    /// the position.
    #[must_use]
    pub fn new(learned: &RoteLearning, request: &Request) -> Option<Self> {
        request.moves.is_empty().then(|| Self { learned: learned.clone(), found: None })
    }

    /// Observes a progress event of the search.
    pub fn observe(&mut self, event: &Progress<'_>) {
        if let Progress::Line(report) = event
            && report.line == 1
            && report.bound == Bound::Exact
        {
            self.found = Some((*report).clone());
        }
    }

    /// Learns the last exact value when the search has ended. `nodes` is the node count of the whole search.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn learn(self, engine: &dyn Engine, nodes: u64) -> Result<(), Error> {
        let Self { learned, found } = self;
        learned.memory().nodes += nodes;
        match found {
            // A finished game has no move to learn.
            Some(report) if report.best().is_some() => {
                let (key, entry) = engine.root_entry(&report);
                learned.learn(key, &entry).map(drop)
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
