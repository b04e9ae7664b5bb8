//! The threads of one search: their node counts, what each is at, and the word that it is over.

use crate::core::StopFlag;
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots for the positions that threads are at.
const SLOTS: usize = 1 << 12;

/// The threads of one search; number 0 leads.
#[derive(Debug)]
pub struct Crew {
    done: StopFlag,
    nodes: Box<[Count]>,
    /// Keys of positions being searched; none where there is one thread only.
    busy: Box<[AtomicU64]>,
}

/// A count on a cache line of its own: every thread writes its own one often.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Count(AtomicU64);

impl Crew {
    /// A crew of so many threads.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self {
            done: StopFlag::new(),
            nodes: (0..threads).map(|_| Count::default()).collect(),
            busy: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Raised when the leader has ended.
    #[must_use]
    pub fn done(&self) -> &StopFlag {
        &self.done
    }

    /// Tells how many nodes a thread has entered, and returns those of all the others.
    pub fn count(&self, number: usize, nodes: u64) -> u64 {
        self.nodes[number].0.store(nodes, Ordering::Relaxed);
        self.others(number)
    }

    /// The nodes of all threads but one, as they told them last.
    #[must_use]
    pub fn others(&self, number: usize) -> u64 {
        let others = self.nodes.iter().enumerate().filter(|&(other, _)| other != number);
        others.map(|(_, count)| count.0.load(Ordering::Relaxed)).sum()
    }

    /// Whether there is more than one thread.
    #[inline]
    #[must_use]
    pub fn is_several(&self) -> bool {
        !self.busy.is_empty()
    }

    /// Whether some thread is at this position.
    #[inline]
    #[must_use]
    pub fn is_busy(&self, key: u64) -> bool {
        self.busy[slot(key)].load(Ordering::Relaxed) == key
    }

    /// A thread begins with a position. Returns what [`end`](Self::end) takes, if the slot was free.
    #[inline]
    pub fn begin(&self, key: u64) -> Option<u64> {
        let free = self.busy[slot(key)].compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
        free.is_ok().then_some(key)
    }

    /// It has done with it.
    #[inline]
    pub fn end(&self, begun: Option<u64>) {
        if let Some(key) = begun {
            self.busy[slot(key)].store(0, Ordering::Relaxed);
        }
    }
}

#[inline]
const fn slot(key: u64) -> usize {
    (key % SLOTS as u64) as usize
}
