//! Assigns games to cores. Processes inherit the core of the thread that starts them.

use secateurs::util::parallel;

/// Pins this thread, and everything that it starts from now on, to the core of this number modulo the number of
/// available cores. A failure is logged and changes nothing.
#[cfg(target_os = "linux")]
pub(super) fn pin(number: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let pinned = sched_getaffinity(None).and_then(|allowed| {
        let cores: Vec<_> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
        let mut own = CpuSet::new();
        own.set(cores[number % cores.len().max(1)]);
        sched_setaffinity(None, &own)
    });
    if let Err(error) = pinned {
        log::warn!("games cannot be kept on cores of their own: {error}");
    }
}

/// Warns if concurrent games need more threads than there are cores.
pub(super) fn warn(games: usize, threads: usize) {
    let cores = parallel::cores();
    if let Some(warning) = warning(games, threads, cores) {
        log::warn!("{warning}");
    }
}

fn warning(games: usize, threads: usize, cores: usize) -> Option<String> {
    let searching = if threads > 1 { format!(" with searches of {threads} threads") } else { String::new() };
    (games.saturating_mul(threads) > cores).then(|| {
        format!(
            "{games} concurrent games{searching} on {cores} cores: the engines compete for the processor, search less, \
             and may lose on time"
        )
    })
}

/// Pinning is not supported on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_: usize) {
    log::warn!("games cannot be kept on cores of their own on this system");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_cores_are_warned_of() {
        assert_eq!([warning(2, 1, 2), warning(1, 4, 4), warning(1, 1, 1)], [None, None, None]);
        assert!(warning(3, 1, 2).unwrap().starts_with("3 concurrent games on 2 cores"));
        assert!(warning(2, 2, 3).unwrap().starts_with("2 concurrent games with searches of 2 threads on 3 cores"));
        assert!(warning(usize::MAX, 2, 3).is_some());
    }
}
