//! The processor: its cores, and the time spent on it.

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

/// Cores that this process may use when it first asks; 1 where the system does not tell it.
#[must_use]
pub fn cores() -> usize {
    static CORES: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
    *CORES
}

/// A warning about more threads than there are cores for: they take turns, and find less than one a core would.
#[must_use]
pub fn too_many(threads: usize) -> Option<String> {
    let cores = thread::available_parallelism().map_or(usize::MAX, usize::from);
    let cores_in_words = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    (threads > cores)
        .then(|| format!("{threads} threads on {cores_in_words} take turns: more threads than cores slow the search"))
}

/// What the calling thread has spent so far.
#[cfg(unix)]
#[must_use]
pub fn of_thread() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Where the system does not tell it, the time that has passed.
#[cfg(not(unix))]
#[must_use]
pub fn of_thread() -> Duration {
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_cores_are_warned_of() {
        let cores = thread::available_parallelism().unwrap().get();
        assert!((1..=cores).all(|threads| too_many(threads).is_none()));
        assert!(too_many(cores + 1).unwrap().starts_with(&format!("{} threads on {cores} core", cores + 1)));
    }
}
