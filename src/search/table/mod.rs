//! The transposition table: bounded, shared, lock-free.
//!
//! ```text
//! cluster: 64 bytes, one cache line   | entry | entry | entry | entry |
//! entry:   16 bytes                   | key ^ data | data |        data: see `entry`
//! ```
//!
//! The key is stored XORed with the data (Hyatt and Mann 2002): an entry torn by two writers matches no key and is not
//! found. The table knows no game: keys come salted, values are relative to the settled score and counted from the
//! node, moves are codes.
//!
//! A table begins with a small part of its memory and grows when entries replace each other: see `extent.rs`. In a
//! large table address translation costs more than cache misses (a virtual machine translates each address twice), so a
//! game may place positions that are looked up close together in the same region.

mod recorder;

use super::entry::{AGES, Entry, Exact, Word};
use super::extent::{Extent, FIRST, Factors};
use super::history::Histories;
use super::memory::{Cluster, MIB, Memory, available_mib};
use crate::core::report::Bound;
use crate::core::{Error, Proof, StopFlag};
use recorder::Recorder;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// The worth of an empty slot, below that of any entry.
const EMPTY: i32 = -1_000;

/// The transposition table. Readers and writers need no lock; [`clear`](Self::clear) must not run during a search.
pub struct Table {
    memory: Memory,
    age: AtomicU8,
    extent: Extent,
    /// One bit for each [`GROUP`] of the first clusters, set when an entry is stored there.
    touched: AtomicU64,
    preloaded: AtomicBool,
    histories: Histories,
    recorder: Recorder,
}

/// The number of first clusters that share a bit in `touched`: after the shortest searches only a few groups are
/// cleared.
const GROUP: usize = FIRST.div_ceil(64);

/// How many entries before it is changed a cluster is fetched.
const PREFETCHED: usize = 16;

/// Growth for searches to a depth: they soon need much more than a mebibyte.
const TO_A_DEPTH: Factors = Factors { small: 4, large: 16 };

/// Growth for exact searches. They run long, and find their positions faster in the least memory that holds them (fewer
/// TLB misses).
const EXACT: Factors = Factors { small: 4, large: 4 };

/// The maximum number of passes over exact values to be stored.
const PASSES: usize = 8;

impl Table {
    /// Creates a table of `mib` MiB, at least 1. Its pages are touched on first use, or by [`touch`](Self::touch).
    ///
    /// # Errors
    /// [`Error::TableTooLarge`] if `mib` is more than the memory available now, or the system refuses to map it.
    pub fn new(mib: usize) -> Result<Self, Error> {
        Self::beside(mib, 0)
    }

    /// Creates a table to replace `self`, which is unchanged until it is dropped: the memory that it has touched does
    /// not count as available.
    pub(crate) fn resized(&self, mib: usize) -> Result<Self, Error> {
        Self::beside(mib, self.mib())
    }

    /// Creates a table without memory: every probe misses, every store is dropped.
    #[must_use]
    pub fn none() -> Self {
        Self::over(Memory::none())
    }

    fn beside(mib: usize, current: usize) -> Result<Self, Error> {
        let mib = mib.max(1);
        let available = available_mib();
        let memory = (mib <= available)
            .then(|| mib.checked_mul(MIB / size_of::<Cluster>()).and_then(Memory::zeroed))
            .flatten()
            .ok_or(Error::TableTooLarge { requested: mib, available, current })?;
        Ok(Self::over(memory))
    }

    fn over(memory: Memory) -> Self {
        let extent = Extent::new(memory.as_slice().len());
        Self {
            memory,
            age: AtomicU8::new(0),
            extent,
            touched: AtomicU64::new(0),
            preloaded: AtomicBool::new(false),
            histories: Histories::default(),
            recorder: Recorder::default(),
        }
    }

    /// Returns the size, in MiB.
    pub fn mib(&self) -> usize {
        size_of_val(self.memory.as_slice()) / MIB
    }

    /// Begins to touch all pages in the background.
    pub fn touch(&self) {
        self.memory.touch();
    }

    /// Whether all pages have been touched, so that no search meets a page fault.
    pub(crate) fn is_ready(&self) -> bool {
        self.memory.is_ready()
    }

    /// Touches all pages that are not touched yet. Returns when that is done or the flag is raised: about 100 ms for a
    /// GiB, or seconds if a virtual machine has to get them from its host.
    pub(crate) fn ready(&self, stop: &StopFlag) {
        self.memory.ready(stop);
    }

    /// Clears the table in constant time: memory beyond the first clusters is zeroed when the table grows again.
    pub fn clear(&self) {
        let clusters = self.memory.as_slice();
        let first = &clusters[..clusters.len().min(FIRST)];
        let touched = self.touched.swap(0, Ordering::Relaxed);
        let all = self.extent.used() > first.len();
        for (index, group) in first.chunks(GROUP).enumerate() {
            if all || touched >> index & 1 != 0 {
                group.iter().for_each(Cluster::clear);
            }
        }
        self.extent.reset(clusters.len());
        self.age.store(0, Ordering::Relaxed);
        self.preloaded.store(false, Ordering::Relaxed);
        self.histories.clear();
    }

    /// Returns the move-ordering histories of earlier searches: cleared with the entries, but neither saved nor bounded
    /// by the size. `None` for a table without memory.
    pub(super) fn histories(&self) -> Option<&Histories> {
        (self.mib() > 0).then_some(&self.histories)
    }

    /// Begins a new search: existing entries become older.
    pub(crate) fn age(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    /// Looks up a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.word(key).map(Word::entry)
    }

    /// Looks up a position under its key for exact search.
    #[inline]
    pub(crate) fn probe_exact(&self, key: u64) -> Option<Exact> {
        self.word(key).map(Word::exact)
    }

    /// Stores an entry: in place of the same position, or else of the entry of least worth in its cluster, old ones
    /// first. An unproven bound does not replace an entry of the same position and the current search that is more than
    /// two plies deeper.
    #[inline]
    pub(crate) fn store(&self, key: u64, entry: &Entry) {
        let weak = entry.bound != Bound::Exact && entry.proof == Proof::NONE;
        self.put(key, Word::from(entry), TO_A_DEPTH, |old, fresh| {
            fresh && weak && old.weight() > entry.depth.saturating_add(2)
        });
    }

    /// Stores a learned entry before a search.
    pub(crate) fn preload(&self, key: u64, entry: &Entry) {
        self.preloaded.store(true, Ordering::Relaxed);
        self.store(key, entry);
    }

    /// Whether any entry was [preloaded](Self::preload) since the table was cleared.
    pub(crate) fn is_preloaded(&self) -> bool {
        self.preloaded.load(Ordering::Relaxed)
    }

    /// Stores the bounds of an exact search, which include all that were known before.
    #[inline]
    pub(crate) fn store_exact(&self, key: u64, entry: &Exact) {
        let word = Word::from(entry);
        self.recorder.add(key, word);
        self.put(key, word, EXACT, |_, _| false);
    }

    /// Stores exact values that the table lacks, before a search. Returns the number of values for which there is no
    /// room: many in a small table, otherwise few, whose clusters are full.
    pub(crate) fn preload_exact(&self, entries: &[(u64, Exact)]) -> usize {
        let is_missing = |key| self.probe_exact(key).is_none_or(|found| found.lower != found.upper);
        // While the table grows, some values replace others, which are then stored again.
        for _ in 0..PASSES {
            let mut stored = false;
            for (key, entry) in entries.iter().filter(|&&(key, _)| is_missing(key)) {
                self.store_exact(*key, entry);
                stored = true;
            }
            if !stored {
                break;
            }
        }
        entries.iter().filter(|&&(key, _)| is_missing(key)).count()
    }

    #[inline]
    fn word(&self, key: u64) -> Option<Word> {
        let cluster = self.cluster(key)?;
        cluster.0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key && data != 0).then_some(Word(data))
        })
    }

    /// Stores a word in its cluster, unless `stays` holds for an existing word for the same position; its second
    /// argument is whether that word is of the current search. If the table has to grow, it grows by `factors`.
    #[inline]
    fn put(&self, key: u64, word: Word, factors: Factors, stays: impl Fn(Word, bool) -> bool) {
        let clusters = self.memory.as_slice();
        if self.extent.is_growing() {
            self.extent.advance(clusters);
        }
        let index = self.extent.place(key);
        let Some(cluster) = clusters.get(index) else { return };
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let data = slot[1].load(Ordering::Relaxed);
            let old = Word(data);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                if stays(old, old.age() == age) {
                    return;
                }
                (victim, least) = (slot, i32::MAX);
                break;
            }
            let worth = if data == 0 { EMPTY } else { old.worth() - 16 * i32::from(old.years(age)) };
            if worth < least {
                (least, victim) = (worth, slot);
            }
        }
        let data = word.aged(age).0;
        victim[0].store(key ^ data, Ordering::Relaxed);
        victim[1].store(data, Ordering::Relaxed);
        if least == EMPTY {
            let group = 1 << (index / GROUP % 64);
            if index < FIRST && self.touched.load(Ordering::Relaxed) & group == 0 {
                self.touched.fetch_or(group, Ordering::Relaxed);
            }
        } else if least < i32::MAX {
            self.extent.crowd(clusters, factors);
        }
    }

    /// Returns every entry in use: its key and its data word.
    pub fn words(&self) -> impl Iterator<Item = [u64; 2]> {
        let clusters = self.memory.as_slice();
        while self.extent.is_growing() {
            self.extent.advance(clusters);
        }
        let used = &clusters[..self.extent.used()];
        used.iter().flat_map(|cluster| &cluster.0).filter_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0).then(|| [check.load(Ordering::Relaxed) ^ data, data])
        })
    }

    /// Stores an entry returned by [`words`](Self::words) of a table of any size, as if it had been found now.
    pub(crate) fn restore(&self, [key, word]: [u64; 2]) {
        let word = Word(word);
        if word.is_exact() {
            self.store_exact(key, &word.exact());
        } else {
            self.store(key, &word.entry());
        }
    }

    /// Records the entries of exact searches from now on, the `most` that took the most nodes; 0: none.
    pub fn record(&self, most: usize) {
        self.recorder.record(most);
    }

    /// Returns the entries [recorded](Self::record) since the last call, for [`share`](Self::share) of other tables.
    pub fn recorded(&self) -> Vec<[u64; 2]> {
        self.recorder.take()
    }

    /// Adds entries of exact searches that another table of the same game has [`recorded`](Self::recorded), before a
    /// search. They are not recorded here: the other table has them.
    pub fn share(&self, entries: impl Iterator<Item = [u64; 2]> + Clone) {
        // Their clusters lie anywhere in memory: each is fetched while those of the entries before it are changed.
        let mut next = entries.clone();
        next.by_ref().take(PREFETCHED).for_each(|[key, _]| self.prefetch(key));
        for [key, word] in entries {
            next.next().into_iter().for_each(|[key, _]| self.prefetch(key));
            let Exact { lower, upper, code, effort } = Word(word).exact();
            let known = self.probe_exact(key).unwrap_or(Exact { lower, upper, code, effort });
            let (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
            let all = Exact { lower, upper, code: code.or(known.code), effort: effort.max(known.effort) };
            self.put(key, Word::from(&all), EXACT, |_, _| false);
        }
    }

    /// Returns the meaning of all bits of a data word as text. It differs between builds with different layouts.
    pub(crate) fn layout() -> String {
        let words = (0..64).map(|bit| Word(1 << bit));
        words.map(|word| format!("{:?} {:?} {}\n", word.entry(), word.exact(), word.is_exact())).collect()
    }

    /// Prefetches the cache line of a position that will be looked up soon.
    #[inline]
    #[allow(unsafe_code)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cluster) = self.cluster(key) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint and touches no memory that a program can observe; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) }
        }
    }

    /// Returns the fill by the current search, per mille of the whole memory, from a sample of the first thousand
    /// entries.
    pub fn hashfull(&self) -> u16 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.memory.as_slice().iter().take(250).flat_map(|cluster| &cluster.0);
        let used =
            sample.map(|slot| slot[1].load(Ordering::Relaxed)).filter(|&data| data != 0 && Word(data).age() == age);
        let (used, part, all) = (used.count(), self.extent.used(), self.memory.as_slice().len());
        u16::try_from(used * part / all.max(1)).unwrap_or(1000)
    }

    #[inline]
    fn cluster(&self, key: u64) -> Option<&Cluster> {
        self.memory.as_slice().get(self.extent.place(key))
    }
}

#[cfg(test)]
mod tests;
