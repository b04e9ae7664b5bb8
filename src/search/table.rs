//! The transposition table: bounded, shared, lock-free.
//!
//! ```text
//! cluster: 64 bytes, one cache line   | entry | entry | entry | entry |
//! entry:   16 bytes                   | key ^ data | data |
//! data:    value 16 | unused 8 | effort 8 | code 16 | depth 8 | age 4 | proof 2 | bound 2
//! ```
//!
//! The key is stored xored with the data (Hyatt and Mann 2002), so that an entry torn by two writers belongs to
//! no position and is not found. The table knows no game: keys come salted, values relative to what is banked
//! and counted from the node, moves as codes.

use super::memory::{Cluster, MIB, Memory, available_mib};
use crate::core::report::Bound;
use crate::core::{Error, Proof, Score};
use std::sync::atomic::{AtomicU8, Ordering};

/// The code of an entry without a move.
const NO_CODE: u16 = u16::MAX;

/// Ages wrap at 16.
const AGES: u8 = 16;

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value, less what is banked; win distances from the node.
    pub value: Score,
    /// What of the value is proven: it counts at any depth.
    pub proof: Proof,
    /// The best move, to be resolved among the legal ones.
    pub code: Option<u16>,
    /// Remaining plies of the search that found it.
    pub depth: u8,
    /// How the value relates to that of a search so deep.
    pub bound: Bound,
    /// What it cost, see [`effort`].
    pub effort: u8,
}

/// The cost of so many nodes on the scale of entries: eight steps to a doubling.
#[inline]
#[must_use]
pub fn effort(nodes: u64) -> u8 {
    let bits = nodes.max(1).ilog2();
    let fraction = (u128::from(nodes) << 3 >> bits) as u32 & 7;
    (bits * 8 + fraction).min(255) as u8
}

/// The table. Readers and writers need no lock; [`clear`](Self::clear) is for quiet times.
pub struct Table {
    memory: Memory,
    age: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB, at least 1. Its pages are touched as they are used, or by [`touch`](Self::touch).
    ///
    /// # Errors
    /// [`Error::TableTooLarge`] if that is more than the memory available now.
    pub fn new(mib: usize) -> Result<Self, Error> {
        Self::beside(mib, 0)
    }

    /// A table to take the place of `self`, which stays as it is until it is dropped: the memory that it
    /// has touched does not count as available.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`], with both figures.
    pub fn resized(&self, mib: usize) -> Result<Self, Error> {
        Self::beside(mib, self.mib())
    }

    /// A table that holds nothing: every look finds nothing, every store is lost.
    #[must_use]
    pub fn none() -> Self {
        Self { memory: Memory::none(), age: AtomicU8::new(0) }
    }

    fn beside(mib: usize, kept: usize) -> Result<Self, Error> {
        let mib = mib.max(1);
        let available = available_mib();
        let memory = (mib <= available)
            .then(|| mib.checked_mul(MIB / size_of::<Cluster>()).and_then(Memory::zeroed))
            .flatten()
            .ok_or(Error::TableTooLarge { asked: mib, available, kept })?;
        Ok(Self { memory, age: AtomicU8::new(0) })
    }

    /// The size, MiB.
    #[must_use]
    pub fn mib(&self) -> usize {
        size_of_val(self.memory.as_slice()) / MIB
    }

    /// Begins to touch all of its pages in the background.
    pub fn touch(&self) {
        self.memory.touch();
    }

    /// Whether all of its pages have been touched: no search meets a page fault then.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.memory.is_ready()
    }

    /// Has all of its pages touched and waits until they are: some 100 ms for a GiB, or seconds if the machine itself has to
    /// get them from a host.
    pub fn ready(&self) {
        self.memory.ready();
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.memory.clear();
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is there is older now.
    pub fn age(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    /// Looks a position up.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key)?;
        cluster.0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (check.load(Ordering::Relaxed) ^ data == key && data != 0).then(|| Word(data).entry())
        })
    }

    /// Keeps an entry: in the place of the same position, or else of the shallowest and oldest of its cluster.
    /// A shallower result does not displace a deeper one of this search, unless it is exact.
    #[inline]
    pub fn store(&self, key: u64, entry: &Entry) {
        let Some(cluster) = self.cluster(key) else { return };
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let data = slot[1].load(Ordering::Relaxed);
            let old = Word(data);
            if slot[0].load(Ordering::Relaxed) ^ data == key && data != 0 {
                if entry.bound != Bound::Exact
                    && old.age() == age
                    && old.depth() > entry.depth.saturating_add(2)
                    && entry.proof == Proof::NONE
                {
                    return;
                }
                victim = slot;
                break;
            }
            let worth = if data == 0 { -1_000 } else { i32::from(old.effort()) - 16 * i32::from(old.years(age)) };
            if worth < least {
                (least, victim) = (worth, slot);
            }
        }
        let data = Word::new(entry, age).0;
        victim[0].store(key ^ data, Ordering::Relaxed);
        victim[1].store(data, Ordering::Relaxed);
    }

    /// Every entry in use: its key and its data word.
    pub fn words(&self) -> impl Iterator<Item = [u64; 2]> {
        self.memory.as_slice().iter().flat_map(|cluster| &cluster.0).filter_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0).then(|| [check.load(Ordering::Relaxed) ^ data, data])
        })
    }

    /// Keeps what [`words`](Self::words) gave, of a table of any size, as if it had been found now.
    pub fn restore(&self, [key, word]: [u64; 2]) {
        self.store(key, &Word(word).entry());
    }

    /// What data words mean, as text: it differs between builds that differ in that.
    #[must_use]
    pub fn layout() -> String {
        (0..64).map(|bit| format!("{:?}\n", Word(1 << bit).entry())).collect()
    }

    /// Fetches the cache line of a position that will be looked up soon.
    #[inline]
    #[allow(unsafe_code)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cluster) = self.cluster(key) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint and touches no memory that a program can observe; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) }
        }
    }

    /// Fill by the current search, per mille, from a sample of the first thousand entries.
    #[must_use]
    pub fn hashfull(&self) -> u16 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.memory.as_slice().iter().take(250).flat_map(|cluster| &cluster.0);
        let used =
            sample.map(|slot| slot[1].load(Ordering::Relaxed)).filter(|&data| data != 0 && Word(data).age() == age);
        u16::try_from(used.count()).unwrap_or(1000)
    }

    /// The upper bits of the key choose the cluster, so that any number of clusters will do.
    #[inline]
    fn cluster(&self, key: u64) -> Option<&Cluster> {
        let clusters = self.memory.as_slice();
        let index = (u128::from(key) * clusters.len() as u128) >> 64;
        clusters.get(index as usize)
    }
}

/// The data word of an entry; see the [module](self) for its layout.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "scores fit 16 bits, by their scale")]
    fn new(entry: &Entry, age: u8) -> Self {
        let value = u64::from(entry.value as u16);
        let code = u64::from(entry.code.unwrap_or(NO_CODE));
        let tail = u64::from(age) << 4 | u64::from(entry.proof.bits()) << 2 | entry.bound as u64;
        Self(value << 48 | u64::from(entry.effort) << 32 | code << 16 | u64::from(entry.depth) << 8 | tail)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "fields are cut out of the word")]
    fn entry(self) -> Entry {
        let code = (self.0 >> 16) as u16;
        Entry {
            value: Score::from((self.0 >> 48) as i16),
            code: (code != NO_CODE).then_some(code),
            proof: Proof::from_bits((self.0 >> 2) as u8),
            depth: self.depth(),
            effort: self.effort(),
            bound: match self.0 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a field is cut out of the word")]
    fn depth(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a field is cut out of the word")]
    fn effort(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline]
    fn age(self) -> u8 {
        (self.0 >> 4) as u8 % AGES
    }

    #[inline]
    fn years(self, now: u8) -> u8 {
        (AGES + now - self.age()) % AGES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Score, depth: u8) -> Entry {
        Entry { value, proof: Proof::NONE, code: Some(7), depth, bound: Bound::Lower, effort: depth }
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = Table::new(1).unwrap();
        let mut key = 0x9e37_79b9_7f4a_7c15u64;
        for (value, bound) in [(-32_000, Bound::Exact), (28_800, Bound::Lower), (0, Bound::Upper)] {
            for code in [None, Some(0), Some(65_534)] {
                key = key.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(1);
                let entry = Entry {
                    value,
                    proof: Proof::from_bits(code.unwrap_or(1) as u8),
                    code,
                    depth: 255,
                    bound,
                    effort: 200,
                };
                assert_eq!(table.probe(key), None);
                table.store(key, &entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
        table.clear();
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn the_size_is_a_bound_and_holds() {
        for mib in [1, 3, 64] {
            let table = Table::new(mib).unwrap();
            assert_eq!(table.mib(), mib);
            assert_eq!(size_of_val(table.memory.as_slice()), mib * MIB);
        }
        assert_eq!(size_of::<Cluster>(), 64);
        assert_eq!(Table::none().mib(), 0);
        Table::none().store(1, &entry(1, 1));
        assert_eq!(Table::none().probe(1), None);
    }

    #[test]
    fn more_than_there_is_is_refused_with_both_figures() {
        let table = Table::new(2).unwrap();
        let error = table.resized(1 << 40).err().unwrap();
        let Error::TableTooLarge { asked, available, kept } = error else { unreachable!("{error}") };
        assert_eq!((asked, kept), (1 << 40, 2));
        assert!(available > 0);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_and_the_old_go_first() {
        let table = Table::new(1).unwrap();
        // Keys of one cluster: the same upper bits.
        for (low, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.store(low, &entry(100, depth));
        }
        assert_eq!(table.probe(2), None, "the shallowest went");
        assert!([1, 3, 4, 5].iter().all(|&key| table.probe(key).is_some()));
        table.age();
        table.store(1, &entry(200, 1));
        table.store(6, &entry(300, 1));
        assert_eq!(table.probe(5), None, "the shallowest of the old went");
        assert_eq!(table.probe(1).unwrap().depth, 1, "a new search overwrites");
        table.store(6, &entry(400, 20));
        table.store(6, &entry(500, 2));
        assert_eq!(table.probe(6).unwrap().value, 400, "much shallower bounds do not displace");
        assert_eq!(table.hashfull(), 2);
    }

    #[test]
    fn what_is_saved_can_be_restored_in_a_table_of_another_size() {
        let (one, other) = (Table::new(1).unwrap(), Table::new(2).unwrap());
        let keys: Vec<u64> = (1..50).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for (&key, depth) in keys.iter().zip(1..) {
            one.store(key, &entry(Score::from(depth), depth));
        }
        assert_eq!(one.words().count(), keys.len());
        one.words().for_each(|words| other.restore(words));
        assert!(keys.iter().all(|&key| one.probe(key).is_some() && other.probe(key) == one.probe(key)));
    }

    #[test]
    fn what_several_threads_find_is_what_one_of_them_stored() {
        let table = Table::new(1).unwrap();
        table.touch();
        let rounds = if cfg!(miri) { 40 } else { 100_000 };
        // Entries that follow from their keys, in so few clusters that all threads meet in them.
        let of = |key: u64| entry(Score::from(key as i16) / 2, (key >> 16) as u8);
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (table, of) = (&table, &of);
                scope.spawn(move || {
                    let mut key = thread;
                    for _ in 0..rounds {
                        key = key.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(1);
                        let near = key & 0xf << 60 | key >> 20 & 0xf_ffff;
                        table.store(near, &of(near));
                        for known in [near, near ^ 1] {
                            assert!(table.probe(known).is_none_or(|found| found == of(known)));
                        }
                    }
                });
            }
        });
        assert_eq!(
            table.memory.as_slice().iter().filter(|cluster| cluster.0[0][1].load(Ordering::Relaxed) != 0).count(),
            16
        );
    }
}
