//! The state shared by the threads of one search: node counts, positions being searched, and the end of the search.

use super::thread::builder;
use crate::core::StopFlag;
use crate::util::forks::tracked;
use crate::util::parallel::cores;
use crate::util::threads::{self, Scope};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The maximum number of threads per core. More threads gain nothing, and delay the rest of the process: a `stop`, for
/// example, waits until each of them has had its turn.
const MOST: usize = 8;

/// The number of slots for positions being searched.
const SLOTS: usize = 1 << 12;

/// The shared state of the threads of one search; thread 0 is the leader.
#[derive(Debug)]
pub(super) struct SharedSearch {
    done: StopFlag,
    /// When our clock started, counted from the start of the search.
    clock: OnceLock<Duration>,
    nodes: Box<[Count]>,
    /// Keys of positions being searched; empty with one thread.
    busy: Box<[AtomicU64]>,
}

/// A count on its own cache line: every thread writes its count often.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Count(AtomicU64);

impl SharedSearch {
    /// Creates the state of `threads` threads, at most eight per core.
    pub(super) fn new(threads: usize) -> Self {
        let threads = threads.min(MOST * cores());
        let slots = if threads > 1 { SLOTS } else { 0 };
        Self {
            done: StopFlag::new(),
            clock: OnceLock::new(),
            nodes: (0..threads).map(|_| Count::default()).collect(),
            busy: (0..slots).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Starts the threads from number 1 on and returns at once: the first of them starts the others, unless the search
    /// has ended by then.
    pub(super) fn start<'scope, 'env: 'scope>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        work: &'env (dyn Fn(usize) + Sync),
    ) {
        let threads = self.nodes.len();
        if threads > 1 {
            spawn(scope, 1, move || {
                for number in 2..threads {
                    if self.done.is_raised() || !spawn(scope, number, move || work(number)) {
                        break;
                    }
                }
                work(1);
            });
        }
    }

    /// Returns a guard that ends the search when it is dropped: no helper outlives a leader that panics.
    pub(super) fn leading(&self) -> Leading<'_> {
        Leading(&self.done)
    }

    /// Returns the flag that ends the search. It is raised by the leader, or by the first thread that sees a limit
    /// reached: with more threads than cores, the leader may have to wait for a core.
    pub(super) fn done(&self) -> &StopFlag {
        &self.done
    }

    /// Returns when our clock started, the same for all threads: `now`, if no thread has seen it start before.
    pub(super) fn clock(&self, now: Duration) -> Duration {
        *self.clock.get_or_init(|| now)
    }

    /// Publishes the number of nodes that a thread has entered.
    pub(super) fn count(&self, number: usize, nodes: u64) {
        self.nodes[number].0.store(nodes, Ordering::Relaxed);
    }

    /// Returns the published nodes of all threads but one.
    pub(super) fn others(&self, number: usize) -> u64 {
        let others = self.nodes.iter().enumerate().filter(|&(other, _)| other != number);
        others.map(|(_, count)| count.0.load(Ordering::Relaxed)).sum()
    }

    #[inline]
    pub(super) fn has_helpers(&self) -> bool {
        !self.busy.is_empty()
    }

    #[inline]
    pub(super) fn is_busy(&self, key: u64) -> bool {
        self.busy[slot(key)].load(Ordering::Relaxed) == key
    }

    /// Marks a position as being searched. Returns the argument of [`end`](Self::end) if the slot was free.
    #[inline]
    pub(super) fn begin(&self, key: u64) -> Option<u64> {
        let free = self.busy[slot(key)].compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
        free.is_ok().then_some(key)
    }

    /// Ends the mark of [`begin`](Self::begin).
    #[inline]
    pub(super) fn end(&self, begun: Option<u64>) {
        if let Some(key) = begun {
            self.busy[slot(key)].store(0, Ordering::Relaxed);
        }
    }
}

pub(super) struct Leading<'a>(&'a StopFlag);

impl Drop for Leading<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// Starts one thread. Returns false if the system refuses.
fn spawn<'scope>(scope: &'scope Scope<'scope, '_>, number: usize, work: impl FnOnce() + Send + 'scope) -> bool {
    let spawned = builder("search").and_then(|thread| threads::spawn(thread, scope, tracked(work)));
    if let Err(error) = &spawned {
        log::warn!("thread {number} of a search could not be started: {error}");
    }
    spawned.is_ok()
}

#[inline]
const fn slot(key: u64) -> usize {
    (key % SLOTS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_beyond_any_use_are_not_started() {
        let most = MOST * cores();
        assert_eq!(
            [1, 2, most, most + 1, 10_000].map(|threads| SharedSearch::new(threads).nodes.len()),
            [1, 2, most, most, most]
        );
    }
}
