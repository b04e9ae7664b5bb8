//! Work on several threads at once.

use crate::core::Error;
use crate::core::StopFlag;
use crate::util::threads;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread::{Builder, available_parallelism};

/// Returns the number of cores available to this process at the first call; 1 if the system does not report it.
pub fn cores() -> usize {
    static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));
    *CORES
}

/// Calls `work` concurrently on this thread and on up to `threads - 1` others. A thread that cannot be started is not
/// needed: the calls divide the work among themselves.
pub(crate) fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    threads::scope(|scope| {
        for _ in 1..threads {
            let _ = threads::spawn(Builder::new(), scope, work);
        }
        work();
    });
}

/// Calls `work` once with each number below `count`, on up to `threads` threads, in order. Returns false if the flag
/// was raised before the last; fails with the first error of `work`, which is then not called again.
pub fn for_each(
    threads: usize,
    count: usize,
    stop: &StopFlag,
    work: impl Fn(usize) -> Result<(), Error> + Sync,
) -> Result<bool, Error> {
    let (next, failure) = (AtomicUsize::new(0), OnceLock::new());
    let take = || {
        while !stop.is_raised() && failure.get().is_none() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            if let Err(error) = work(number) {
                let _ = failure.set(error);
            }
        }
    };
    on_threads(threads.min(count), &take);
    failure.into_inner().map_or_else(|| Ok(!stop.is_raised()), Err)
}
