//! Time on the processor.

use std::time::Duration;

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
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
