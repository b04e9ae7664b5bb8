//! The threads of searches in the background: they end before Python does, for what they log would find no Python there.

use super::pipe;
use crate::core::StopFlag;
use pyo3::prelude::*;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

static THREADS: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

struct Thread {
    stop: StopFlag,
    handle: JoinHandle<()>,
    /// Where it runs: a process that was forked has no threads of its parent.
    process: u32,
}

/// Has a thread ended with Python, at the latest.
pub fn keep(stop: StopFlag, handle: JoinHandle<()>) {
    let mut threads = threads();
    threads.retain(|thread| thread.process == process::id() && !thread.handle.is_finished());
    threads.push(Thread { stop, handle, process: process::id() });
}

/// Ends them all and waits for their ends; Python calls it when it leaves.
#[pyfunction]
#[pyo3(name = "_end")]
pub fn end(py: Python<'_>) {
    let own: Vec<_> = threads().drain(..).filter(|thread| thread.process == process::id()).collect();
    py.detach(|| {
        pipe::end();
        own.iter().for_each(|thread| thread.stop.raise());
        for thread in own {
            // One that failed has said so itself.
            let _ = thread.handle.join();
        }
    });
}

fn threads() -> MutexGuard<'static, Vec<Thread>> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}
