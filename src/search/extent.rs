//! The part of a table's memory that is in use, and its growth.
//!
//! A table begins with a small part of its memory and uses more when its entries replace each other. Short searches
//! stay in the processor's caches, and a table of any size is cleared at once.
//!
//! Growth must not delay a search's check of its clock. A small table is moved at once. In a larger one, each store
//! moves a few clusters, the last ones first; until a cluster is moved, its entries are looked up in their old places.
//! The same steps zero memory that was used before the table was cleared. Nothing depends on time: a search with one
//! thread stays deterministic.

use super::memory::{Cluster, MIB};
use crate::core::position::LOCAL_BITS;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of clusters of a new table: 64 KiB.
pub(crate) const FIRST: usize = 64 * MIB / 1024 / size_of::<Cluster>();

/// A table grows when one entry per this many clusters has been replaced: it is half full then.
const CROWDED: usize = 8;

/// The growth factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// The factor while the table is smaller than a [region](REGION).
    pub small: usize,
    /// The factor from then on.
    pub large: usize,
}

/// The number of clusters in a region, a mebibyte. A table of one region is moved at once.
pub(crate) const REGION: usize = MIB / size_of::<Cluster>();

/// The number of clusters moved per store while a larger table grows: about ten microseconds.
pub(crate) const STEP: usize = 32;

/// The clusters in use, from the first on.
pub struct Extent {
    /// The number of clusters in use, once everything is moved.
    used: AtomicUsize,
    /// The number of clusters in use before growth, while entries are being moved.
    before: AtomicUsize,
    /// The number of these, from the first on, that have not been moved; 0 if the table is not growing.
    unmoved: AtomicUsize,
    /// The end of the clusters that were in use before the table was last cleared: those behind the first ones may not
    /// be zero yet.
    dirty_end: AtomicUsize,
    /// The number of entries replaced since the extent changed.
    crowded: AtomicUsize,
    moving: AtomicBool,
}

impl Extent {
    /// Uses the first clusters of `all`, which must all be zero.
    pub(crate) fn new(all: usize) -> Self {
        let [before, unmoved, dirty_end, crowded] = [0; 4].map(AtomicUsize::new);
        let (used, moving) = (AtomicUsize::new(all.min(FIRST)), AtomicBool::new(false));
        Self { used, before, unmoved, dirty_end, crowded, moving }
    }

    #[inline]
    pub(crate) fn place(&self, key: u64) -> usize {
        let unmoved = self.unmoved.load(Ordering::Relaxed);
        if unmoved == 0 { place(key, self.used.load(Ordering::Relaxed)) } else { self.place_among(key, unmoved) }
    }

    /// Returns the cluster of a key while entries are being moved.
    #[cold]
    fn place_among(&self, key: u64, unmoved: usize) -> usize {
        let before = place(key, self.before.load(Ordering::Relaxed));
        if before < unmoved { before } else { place(key, self.used.load(Ordering::Relaxed)) }
    }

    /// Returns the number of clusters in use, from the first on; while entries are being moved, the number before.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        if self.is_growing() { &self.before } else { &self.used }.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn is_growing(&self) -> bool {
        self.unmoved.load(Ordering::Relaxed) != 0
    }

    /// Shrinks to the first clusters, which the caller zeroes. Must not run during a search.
    pub(crate) fn reset(&self, all: usize) {
        let dirty_end = self.used.load(Ordering::Relaxed).max(self.dirty_end.load(Ordering::Relaxed));
        self.dirty_end.store(dirty_end, Ordering::Relaxed);
        self.used.store(all.min(FIRST), Ordering::Relaxed);
        self.unmoved.store(0, Ordering::Relaxed);
        self.crowded.store(0, Ordering::Relaxed);
    }

    /// Counts a replaced entry. After enough of them the table grows, if there is memory left. A count lost between two
    /// threads does no harm.
    #[cold]
    pub(crate) fn crowd(&self, clusters: &[Cluster], factors: Factors) {
        let used = self.used.load(Ordering::Relaxed);
        if used == clusters.len() || self.is_growing() {
            return;
        }
        let crowded = self.crowded.load(Ordering::Relaxed) + 1;
        self.crowded.store(crowded, Ordering::Relaxed);
        if crowded > used / CROWDED {
            let factor = if used < REGION { factors.small } else { factors.large };
            self.grow(clusters, used.saturating_mul(factor).min(clusters.len()));
        }
    }

    /// Begins to use `more` clusters. Entries that other threads store meanwhile may be lost, and their probes may
    /// miss.
    fn grow(&self, clusters: &[Cluster], more: usize) {
        if self.moving.swap(true, Ordering::Acquire) {
            return;
        }
        let used = self.used.load(Ordering::Relaxed);
        if used <= REGION {
            let dirty_end = self.dirty_end.load(Ordering::Relaxed).min(more);
            clusters.get(used..dirty_end).into_iter().flatten().for_each(Cluster::clear);
            (0..used).rev().for_each(|from| move_entries(clusters, from, more));
        } else {
            self.before.store(used, Ordering::Relaxed);
            self.unmoved.store(used, Ordering::Relaxed);
        }
        self.used.store(more, Ordering::Relaxed);
        self.crowded.store(0, Ordering::Relaxed);
        self.moving.store(false, Ordering::Release);
    }

    /// Moves the entries of the next clusters, unless another thread is doing so.
    #[cold]
    pub(crate) fn advance(&self, clusters: &[Cluster]) {
        if self.moving.swap(true, Ordering::Acquire) {
            return;
        }
        let [used, before, unmoved] =
            [&self.used, &self.before, &self.unmoved].map(|count| count.load(Ordering::Relaxed));
        let rest = unmoved.saturating_sub(STEP);
        let dirty_end = self.dirty_end.load(Ordering::Relaxed);
        // Sizes are whole regions from here on. For example, region 3 of 4 moves to regions 9 to 11 of 12, each cluster
        // to the same place within its region. If the sizes are not multiples of each other, the targets of two regions
        // share one region, which the step of the later region has zeroed.
        let goal = |region: usize| region * (used / REGION) / (before / REGION);
        for from in (rest..unmoved).rev() {
            let (region, place) = (from / REGION, from % REGION);
            for to in goal(region).max(before / REGION)..goal(region + 1) {
                let to = to * REGION + place;
                if to < dirty_end {
                    clusters[to].clear();
                }
            }
            move_entries(clusters, from, used);
        }
        self.unmoved.store(rest, Ordering::Relaxed);
        self.moving.store(false, Ordering::Release);
    }

    #[cfg(test)]
    pub(crate) fn unmoved(&self) -> usize {
        self.unmoved.load(Ordering::Relaxed)
    }

    /// Uses all clusters of an empty table at once.
    #[cfg(test)]
    pub(crate) fn fill(&self, clusters: &[Cluster]) {
        self.used.store(clusters.len(), Ordering::Relaxed);
    }
}

/// Moves the entries of one cluster to their places among `more` clusters, none of which lies before the cluster.
fn move_entries(clusters: &[Cluster], from: usize, more: usize) {
    for slot in &clusters[from].0 {
        let (check, data) = (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed));
        let to = place(check ^ data, more);
        if data == 0 || to == from {
            continue;
        }
        slot[1].store(0, Ordering::Relaxed);
        if let Some(free) = clusters[to].0.iter().find(|slot| slot[1].load(Ordering::Relaxed) == 0) {
            free[0].store(check, Ordering::Relaxed);
            free[1].store(data, Ordering::Relaxed);
        }
    }
}

/// Returns the cluster of a key. The [uppermost bits](LOCAL_BITS) choose a region, and the next ones the cluster within
/// it; in a table of more than 4 GiB, the bits after those choose the region too. In a table of at most one region, the
/// uppermost bits are ignored.
#[inline]
fn place(key: u64, clusters: usize) -> usize {
    const UPPERMOST: u64 = !(u64::MAX >> LOCAL_BITS);
    let part = |key: u64, of: usize| ((u128::from(key) * of as u128) >> 64) as usize;
    let others = key << LOCAL_BITS;
    if clusters <= REGION {
        part(others, clusters)
    } else {
        let region = (key & UPPERMOST) | (others << REGION.trailing_zeros() >> LOCAL_BITS);
        part(region, clusters / REGION) * REGION + part(others, REGION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    #[test]
    fn all_parts_of_all_regions_are_used() {
        const PART: usize = REGION / 4;
        for mib in [4, 1000, 4096, 8192, 12_288, 65_536] {
            let (mut random, mut counts) = (Random(1), [0_u32; 16]);
            for _ in 0..160_000 {
                let cluster = place(random.draw(), mib * REGION);
                assert!(cluster < mib * REGION);
                counts[cluster / REGION % 4 * 4 + cluster % REGION / PART] += 1;
            }
            assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{mib} MiB: {counts:?}");
        }
    }
}
