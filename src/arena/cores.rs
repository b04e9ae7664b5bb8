//! Games on cores of their own: what a thread starts runs where the thread does.

/// Keeps this thread, and all that it starts from now on, on the core of this number among those that we may use; beyond
/// the last it begins from the first again. Where that is not possible it is logged, and nothing changes.
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

/// There is no such thing here.
#[cfg(not(target_os = "linux"))]
pub(super) fn pin(_: usize) {
    log::warn!("games cannot be kept on cores of their own on this system");
}
