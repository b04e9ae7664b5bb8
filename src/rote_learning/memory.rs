//! The learned positions in memory: those in the file, and those still to be written.

use super::file;
use crate::core::Error;
use crate::search::Table;
use crate::search::entry::{Entry, Word};
use crate::store::records::Records;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All positions are put into the table again after this many nodes per learned position: old entries are replaced
/// there.
const AGAIN: u64 = 8;

/// The learned positions and their file.
#[derive(Debug)]
pub struct LearnedPositions {
    path: PathBuf,
    /// The positions by table key. They are put into the table in this order: the result is reproducible, and memory is
    /// accessed sequentially.
    known: BTreeMap<u64, Learned>,
    /// The number of positions learned so far, the clock for the age of positions.
    now: u64,
    /// The keys learned since the table was last filled.
    fresh: Vec<u64>,
    /// The nodes of the searches since the last round of putting all positions into the table began.
    nodes: u64,
    /// The first position that this round has not reached; `None` if it has ended.
    next: Option<u64>,
    /// The maximum size of the file, in bytes.
    limit: u64,
    /// `None` if another process writes the file.
    file: Option<Records>,
    /// The keys of positions that are not in the file yet, because it is full or a write failed.
    unsaved: Vec<u64>,
    /// Whether the last write failed.
    failing: bool,
}

#[derive(Clone, Copy, Debug)]
struct Learned {
    word: Word,
    when: u64,
}

impl LearnedPositions {
    /// Creates the memory of a file, opened for writing if this process writes it, with its positions in order; `limit`
    /// is its maximum size, in bytes.
    pub(crate) fn new(path: &Path, limit: u64, file: Option<Records>, found: Vec<(u64, Word)>) -> Self {
        let mut memory = Self {
            path: path.into(),
            known: BTreeMap::new(),
            now: 0,
            fresh: Vec::new(),
            nodes: 0,
            next: None,
            limit,
            file,
            unsaved: Vec::new(),
            failing: false,
        };
        for (key, word) in found {
            memory.now += 1;
            memory.known.insert(key, Learned { word, when: memory.now });
        }
        memory
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn is_saved(&self) -> bool {
        self.file.is_some()
    }

    pub(crate) fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Puts new positions into the table, and `most` of the others that it may lack.
    pub(crate) fn preload(&mut self, table: &Table, most: usize) {
        let fresh = std::mem::take(&mut self.fresh);
        let is_due = self.next.is_none() && self.nodes > AGAIN * self.known.len() as u64;
        if !table.is_preloaded() || is_due {
            (self.nodes, self.next) = (0, Some(0));
        }
        let put = |(&key, learned): (&u64, &Learned)| table.preload(key, &learned.word.entry());
        fresh.iter().filter_map(|key| self.known.get_key_value(key)).for_each(put);
        if let Some(first) = self.next {
            let mut left = self.known.range(first..);
            left.by_ref().take(most).for_each(put);
            self.next = left.next().map(|(&key, _)| key);
        }
    }

    /// Learns an entry unless the same or a better one is known. Returns whether it was new.
    pub(crate) fn learn(&mut self, key: u64, entry: &Entry) -> Result<bool, Error> {
        self.now += 1;
        let (now, word) = (self.now, Word::from(entry));
        if let Some(old) = self.known.get_mut(&key) {
            // The position has come up again: its age starts anew.
            old.when = now;
            let known = old.word.entry();
            if rank(&known) > rank(entry) || known == *entry {
                return Ok(false);
            }
        }
        self.known.insert(key, Learned { word, when: now });
        self.fresh.push(key);
        let Some(file) = &mut self.file else { return Ok(true) };
        // Shortening a full file takes too long here.
        if file.bytes() + file::RECORD > self.limit {
            self.unsaved.push(key);
            return Ok(true);
        }
        let added = file::add(file, std::iter::once((key, word)));
        if added.is_err() {
            self.unsaved.push(key);
        }
        self.once(added).map(|()| true)
    }

    /// Writes the pending positions; shortens the file first if they do not fit, or if it is full.
    pub(crate) fn tidy(&mut self) -> Result<(), Error> {
        let Some(file) = &self.file else { return Ok(()) };
        let room = self.limit.saturating_sub(file.bytes()) / file::RECORD;
        let written = match self.unsaved.len() as u64 {
            waiting if waiting.max(1) > room => self.forget(),
            0 => return Ok(()),
            _ => self.save(),
        };
        self.once(written)
    }

    /// Returns an error only if it is the first one since a write succeeded.
    fn once(&mut self, written: Result<(), Error>) -> Result<(), Error> {
        let is_known = std::mem::replace(&mut self.failing, written.is_err());
        if is_known { Ok(()) } else { written }
    }

    fn save(&mut self) -> Result<(), Error> {
        let Self { file: Some(file), known, unsaved, .. } = self else { return Ok(()) };
        file::add(file, unsaved.iter().filter_map(|key| known.get(key).map(|learned| (*key, learned.word))))?;
        unsaved.clear();
        Ok(())
    }

    /// Removes the least useful positions until the rest fills half of the file, and writes the rest.
    fn forget(&mut self) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let room = usize::try_from(self.limit / 2 / file::RECORD).unwrap_or(usize::MAX);
        let before = self.known.len();
        let mut learned: Vec<_> = self.known.iter().map(|(&key, &learned)| (key, learned)).collect();
        let (now, all) = (self.now, room.max(1) as u64);
        learned.sort_unstable_by_key(|(key, learned)| (std::cmp::Reverse(usefulness(*learned, now, all)), *key));
        learned.truncate(room);
        // The oldest first, in the order in which they were learned.
        learned.sort_unstable_by_key(|(_, learned)| learned.when);
        file::replace(file, learned.iter().map(|&(key, Learned { word, .. })| (key, word)))?;
        log::info!("{}: {} of {before} positions are kept", self.path.display(), learned.len());
        self.known = learned.into_iter().collect();
        self.unsaved.clear();
        Ok(())
    }
}

/// Returns the rank of an entry: a proven value first, then depth.
fn rank(entry: &Entry) -> (bool, u8) {
    (entry.proof.exact(), entry.depth)
}

/// Returns the usefulness of a position, by which the least useful is removed (Samuel's refreshing and forgetting):
/// greater for expensive and for recent positions. A doubling of the cost counts as much as an eighth of half the
/// file's capacity in age.
fn usefulness(learned: Learned, now: u64, all: u64) -> i64 {
    let age = (now - learned.when).saturating_mul(64) / all;
    i64::from(learned.word.worth()) - i64::try_from(age).unwrap_or(i64::MAX / 2)
}
