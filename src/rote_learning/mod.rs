//! Learning by rote (A. L. Samuel, "Some Studies in Machine Learning Using the Game of Checkers", IBM Journal 3(3), 1959):
//! positions that were searched are remembered across runs, and met again they are worth what was found.
//!
//! ```text
//! a search to 6 plies                      a later one to 6 plies
//!        root ----> remembered                   root
//!       /    \                                  /    \
//!      6 plies                              the position, 3 plies down
//!                                           has a value of depth 6, not 3
//! ```
//!
//! What is remembered is put into the table before a search, as entries like any other. So a value rests on values that rest
//! on others: the look-ahead grows with every visit.
//!
//! - `file`: the file, what it was made for, and what is forgotten once it is full.

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

/// Everything is put into the table again once searches have entered so many nodes for each position that is remembered: what
/// is old gives way there.
const AGAIN: u64 = 8;

/// What is remembered of one game with one set of rules and one evaluation. Copies share it.
#[derive(Clone, Debug)]
pub struct RoteLearning(Arc<Mutex<Memory>>);

/// What is remembered, and the file that it is in.
#[derive(Debug)]
struct Memory {
    path: PathBuf,
    identity: Identity,
    /// By the table's key, in whose order the table is taught: the same is taught alike, and from one end of its memory to the other.
    known: BTreeMap<u64, Remembered>,
    /// How often something was learnt: the age of what is remembered.
    now: u64,
    /// Learnt since the table was taught last,
    fresh: Vec<u64>,
    /// and the nodes of the searches since it was taught everything.
    nodes: u64,
    /// The longest that the file may be, bytes.
    limit: u64,
    /// None if it is written by somebody else.
    file: Option<Records>,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    word: Word,
    when: u64,
}

impl RoteLearning {
    /// Opens what is remembered of a board's game, or begins it; `limit` is the longest that the file may be, bytes. A file
    /// that somebody else has open is read, and nothing is added to it.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no such file, is damaged (a last record that was cut off is dropped, and
    /// told), or was made for other rules, another evaluation or another version.
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

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.memory().known.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether what is learnt is written to the file: not where somebody else has it open.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        self.memory().file.is_some()
    }

    /// What keeps this from being used for a board, as the end of a sentence that begins with the file.
    ///
    /// # Errors
    /// A board of no game of the registry.
    pub fn difference(&self, board: &dyn Board) -> Result<Option<String>, Error> {
        Ok(self.memory().identity.difference(&tables::identity(board)?))
    }

    /// Before a search: its table is taught what it does not know yet. That is everything if it was cleared.
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

    /// Remembers what a search found, unless that or something deeper is remembered; returns whether it was new.
    ///
    /// # Errors
    /// [`Error::File`]: it is remembered by this process all the same.
    pub fn learn(&self, key: u64, entry: &Entry) -> Result<bool, Error> {
        self.memory().learn(key, entry)
    }

    /// Between games: makes room where the file is nearly full, so that no search has to wait for that.
    ///
    /// # Errors
    /// [`Error::File`]: the file is as it was then.
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
            // Met again: it is not forgotten yet.
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

    /// Forgets what is least useful until the file would be half full, and writes what is left.
    fn forget(&mut self) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let room = usize::try_from(self.limit / 2 / file::RECORD).unwrap_or(usize::MAX);
        let before = self.known.len();
        let mut remembered: Vec<_> = self.known.iter().map(|(&key, &remembered)| (key, remembered)).collect();
        let (now, all) = (self.now, room.max(1) as u64);
        remembered
            .sort_unstable_by_key(|(key, remembered)| (std::cmp::Reverse(usefulness(*remembered, now, all)), *key));
        remembered.truncate(room);
        // The oldest first, as they were learnt.
        remembered.sort_unstable_by_key(|(_, remembered)| remembered.when);
        self.known = remembered.iter().copied().collect();
        log::info!("{}: {} of {before} positions are kept", self.path.display(), remembered.len());
        file::replace(file, remembered.iter().map(|&(key, Remembered { word, .. })| (key, word)))
    }
}

/// What makes one entry better than another: a proven value, then depth.
fn worth(entry: &Entry) -> (bool, u8) {
    (entry.proof.exact(), entry.depth)
}

/// What is forgotten last (Samuel's refreshing and forgetting): what cost much, and what was met not long ago. Twice the cost
/// is worth an eighth of what the file holds.
fn usefulness(remembered: Remembered, now: u64, all: u64) -> i64 {
    let years = (now - remembered.when).saturating_mul(64) / all;
    i64::from(remembered.word.worth()) - i64::try_from(years).unwrap_or(i64::MAX / 2)
}

/// Listens to a search, and remembers what it found.
pub struct Pupil {
    learned: RoteLearning,
    found: Option<Report>,
}

impl Pupil {
    /// For a search; none where it is not over all moves: it says nothing of the position then.
    #[must_use]
    pub fn new(learned: &RoteLearning, request: &Request) -> Option<Self> {
        request.moves.is_empty().then(|| Self { learned: learned.clone(), found: None })
    }

    /// What the search tells on its way.
    pub fn observe(&mut self, event: &Progress<'_>) {
        if let Progress::Line(report) = event
            && report.line == 1
            && report.bound == Bound::Exact
        {
            self.found = Some((*report).clone());
        }
    }

    /// The search is over: the last value that was more than a bound is remembered. The nodes are those of the whole search.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn learn(self, engine: &dyn Engine, nodes: u64) -> Result<(), Error> {
        let Self { learned, found } = self;
        learned.memory().nodes += nodes;
        match found {
            // Of a finished game there is nothing to remember.
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
