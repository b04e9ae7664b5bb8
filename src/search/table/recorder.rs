//! Entries of exact searches that are recorded for other tables.

use crate::search::entry::Word;
use crate::util::lock::lock;
use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many times as many entries are kept, at most, as will be wanted.
const SLACK: usize = 4;

/// The effort from which an entry is recorded, that of four nodes: others cost little more than their look-up.
const LEAST: u8 = 16;

/// The entries stored since they were last taken: those that took the most nodes. A position that was stored again is
/// among them again.
#[derive(Default)]
pub(super) struct Recorder {
    is_on: AtomicBool,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    most: usize,
    found: Vec<[u64; 2]>,
}

impl Recorder {
    /// Records up to `most` entries from now on; 0 for none.
    pub(super) fn record(&self, most: usize) {
        lock(&self.entries).most = most;
        self.is_on.store(most > 0, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn add(&self, key: u64, word: Word) {
        if self.is_on.load(Ordering::Relaxed) && word.weight() >= LEAST {
            self.push([key, word.0]);
        }
    }

    #[cold]
    fn push(&self, entry: [u64; 2]) {
        let mut entries = lock(&self.entries);
        entries.found.push(entry);
        if entries.found.len() / SLACK >= entries.most {
            entries.shrink();
        }
    }

    /// Returns the entries, and forgets them.
    pub(super) fn take(&self) -> Vec<[u64; 2]> {
        let mut entries = lock(&self.entries);
        entries.shrink();
        std::mem::take(&mut entries.found)
    }
}

impl Entries {
    fn shrink(&mut self) {
        if self.most < self.found.len() {
            self.found.select_nth_unstable_by_key(self.most, |[_, word]| Reverse(Word(*word).weight()));
            self.found.truncate(self.most);
        }
    }
}
