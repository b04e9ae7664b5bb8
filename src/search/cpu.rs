//! The processor: a warning of more threads than cores, and the CPU time used.

use std::thread;
use std::time::Duration;

/// Returns a warning if there are more threads than cores: they take turns and search less than one thread per core
/// would.
pub fn too_many(threads: usize) -> Option<String> {
    let cores = thread::available_parallelism().map_or(usize::MAX, usize::from);
    let cores_in_words = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    (threads > cores)
        .then(|| format!("{threads} threads on {cores_in_words} take turns: more threads than cores slow the search"))
}

#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the elapsed time, where the system does not report CPU time.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use web_time::Instant;
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
