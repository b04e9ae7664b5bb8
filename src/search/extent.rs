//! How much of a table's memory is in use, and how that grows.
//!
//! A table begins with a small part of its memory and uses more when its entries crowd each other out: short searches stay
//! in the processor's caches, and a table is cleared at once, however large it is.
//!
//! No search may be kept from its clock by that. As long as there is little to move, everything is moved at once. Of more
//! than that, each store moves a few clusters, the last ones first; until a cluster is moved, its entries are looked up where
//! they were. What lies beyond from before the table was cleared is made zero by the same steps. Nothing depends on time: a
//! search by one thread stays deterministic.

use super::memory::{Cluster, MIB};
use crate::core::position::LOCAL_BITS;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A table begins with so many clusters: 64 KiB.
pub const FIRST: usize = 64 * MIB / 1024 / size_of::<Cluster>();

/// It grows when one entry for so many clusters has been crowded out: they are half full then.
const CROWDED: usize = 8;

/// How many times larger it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// As long as it is smaller than a [region](REGION);
    pub small: usize,
    /// from then on.
    pub large: usize,
}

/// A region of the table, a mebibyte: its entries are moved at once.
pub const REGION: usize = MIB / size_of::<Cluster>();

/// So many clusters are moved by a store while a larger table grows: some ten microseconds.
pub const STEP: usize = 32;

/// Which clusters are in use, from the first on.
pub struct Extent {
    /// So many, or as soon as everything is moved.
    used: AtomicUsize,
    /// So many were in use before, if something is to be moved.
    before: AtomicUsize,
    /// So many of these, from the first on, have not been moved. 0: nothing is to be moved.
    unmoved: AtomicUsize,
    /// From here on all clusters are zero, whether they are in use or not.
    clean: AtomicUsize,
    /// So many entries have been crowded out since the extent changed.
    crowded: AtomicUsize,
    /// A thread is moving entries.
    moving: AtomicBool,
}

impl Extent {
    /// The first clusters of so many, all of them zero.
    #[must_use]
    pub fn new(all: usize) -> Self {
        let [before, unmoved, clean, crowded] = [0; 4].map(AtomicUsize::new);
        let (used, moving) = (AtomicUsize::new(all.min(FIRST)), AtomicBool::new(false));
        Self { used, before, unmoved, clean, crowded, moving }
    }

    /// Where the entry of a key is.
    #[inline]
    #[must_use]
    pub fn place(&self, key: u64) -> usize {
        let unmoved = self.unmoved.load(Ordering::Relaxed);
        if unmoved == 0 { place(key, self.used.load(Ordering::Relaxed)) } else { self.place_among(key, unmoved) }
    }

    /// Where it is while entries are moved.
    #[cold]
    fn place_among(&self, key: u64, unmoved: usize) -> usize {
        let before = place(key, self.before.load(Ordering::Relaxed));
        if before < unmoved { before } else { place(key, self.used.load(Ordering::Relaxed)) }
    }

    /// So many clusters are in use, from the first on; while entries are moved, before that.
    #[inline]
    #[must_use]
    pub fn used(&self) -> usize {
        if self.is_growing() { &self.before } else { &self.used }.load(Ordering::Relaxed)
    }

    /// Whether entries are still to be moved.
    #[inline]
    #[must_use]
    pub fn is_growing(&self) -> bool {
        self.unmoved.load(Ordering::Relaxed) != 0
    }

    /// Back to the first clusters, which the caller makes zero. For quiet times.
    pub fn reset(&self, all: usize) {
        let dirty = self.used.load(Ordering::Relaxed).max(self.clean.load(Ordering::Relaxed));
        self.clean.store(dirty, Ordering::Relaxed);
        self.used.store(all.min(FIRST), Ordering::Relaxed);
        self.unmoved.store(0, Ordering::Relaxed);
        self.crowded.store(0, Ordering::Relaxed);
    }

    /// An entry has been crowded out: after some of them the table grows, if there is room. A count lost between two threads
    /// is no harm.
    #[cold]
    pub fn crowd(&self, clusters: &[Cluster], factors: Factors) {
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

    /// Begins to use `more` clusters. What other threads store meanwhile may be lost, and what they have begun to look for may
    /// not be found.
    fn grow(&self, clusters: &[Cluster], more: usize) {
        if self.moving.swap(true, Ordering::Acquire) {
            return;
        }
        let used = self.used.load(Ordering::Relaxed);
        if used <= REGION {
            let dirty = self.clean.load(Ordering::Relaxed).min(more);
            clusters.get(used..dirty).into_iter().flatten().for_each(Cluster::clear);
            (0..used).rev().for_each(|from| move_entries(clusters, from, more));
        } else {
            self.before.store(used, Ordering::Relaxed);
            self.unmoved.store(used, Ordering::Relaxed);
        }
        self.used.store(more, Ordering::Relaxed);
        self.crowded.store(0, Ordering::Relaxed);
        self.moving.store(false, Ordering::Release);
    }

    /// Moves the entries of some clusters that are still to be moved, unless another thread does.
    #[cold]
    pub fn advance(&self, clusters: &[Cluster]) {
        if self.moving.swap(true, Ordering::Acquire) {
            return;
        }
        let [used, before, unmoved] =
            [&self.used, &self.before, &self.unmoved].map(|count| count.load(Ordering::Relaxed));
        let rest = unmoved.saturating_sub(STEP);
        let dirty = self.clean.load(Ordering::Relaxed);
        // Sizes are whole regions from here on. Those of region 3 of 4 go to regions 9 to 11 of 12, say, each to the same
        // place within its region. Where sizes are no multiples of each other, two regions have one in common, which
        // the later of them has made zero.
        let goal = |region: usize| region * (used / REGION) / (before / REGION);
        for from in (rest..unmoved).rev() {
            let (region, place) = (from / REGION, from % REGION);
            for to in goal(region).max(before / REGION)..goal(region + 1) {
                let to = to * REGION + place;
                if to < dirty {
                    clusters[to].clear();
                }
            }
            move_entries(clusters, from, used);
        }
        self.unmoved.store(rest, Ordering::Relaxed);
        self.moving.store(false, Ordering::Release);
    }

    /// So many clusters are still to be moved.
    #[cfg(test)]
    pub fn unmoved(&self) -> usize {
        self.unmoved.load(Ordering::Relaxed)
    }

    /// Uses all clusters of an empty table at once.
    #[cfg(test)]
    pub fn fill(&self, clusters: &[Cluster]) {
        self.used.store(clusters.len(), Ordering::Relaxed);
    }
}

/// Moves the entries of one cluster to their places among `more`, none of which lies before the cluster.
fn move_entries(clusters: &[Cluster], from: usize, more: usize) {
    for slot in &clusters[from].0 {
        let [check, data] = [&slot[0], &slot[1]].map(|word| word.load(Ordering::Relaxed));
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

/// The [uppermost bits](LOCAL_BITS) of the key choose a region, the others the cluster there; in a table of one region, the
/// others alone.
#[inline]
fn place(key: u64, clusters: usize) -> usize {
    let part = |key: u64, of: usize| ((u128::from(key) * of as u128) >> 64) as usize;
    let others = key << LOCAL_BITS;
    if clusters <= REGION {
        part(others, clusters)
    } else {
        part(key, clusters / REGION) * REGION + part(others, REGION)
    }
}
