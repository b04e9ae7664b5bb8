//! Work on several threads at once.

use std::thread;

/// Calls `work` on this thread and on up to `threads - 1` others at once. Those that cannot be started are not needed:
/// the calls share out the work among themselves.
pub fn on_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}
