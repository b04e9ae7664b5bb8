//! Work on threads of ours ends before Python does. A thread that takes the GIL after that is ended by Python in the middle of
//! its Rust code, which aborts the process.

use super::pipe;
use crate::core::StopFlag;
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_ulong;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long code in Python may go on once Python wants to leave; then it is interrupted, again and again,
const GRACE: Duration = Duration::from_millis(200);

/// at this interval,
const INTERVAL: Duration = Duration::from_millis(10);

/// and after this time nobody waits for it any more.
const PATIENCE: Duration = Duration::from_secs(10);

static THREADS: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

struct Thread {
    stop: StopFlag,
    handle: JoinHandle<()>,
    /// Where it runs: a process that was forked has no threads of its parent.
    process: u32,
}

/// Has a thread ended with Python, at the latest.
pub fn keep(stop: StopFlag, handle: JoinHandle<()>) {
    let mut threads = lock(&THREADS);
    threads.retain(|thread| thread.process == process::id() && !thread.handle.is_finished());
    threads.push(Thread { stop, handle, process: process::id() });
}

/// Work under way on other threads; the flag stops it.
static WORK: Mutex<BTreeMap<u64, StopFlag>> = Mutex::new(BTreeMap::new());

/// Work under way, until it is dropped.
pub struct Working(u64);

/// Notes that some work is under way, which Python stops when it leaves.
pub fn working(stop: &StopFlag) -> Working {
    let mut work = lock(&WORK);
    let number = work.last_key_value().map_or(0, |(last, _)| last + 1);
    work.insert(number, stop.clone());
    Working(number)
}

impl Drop for Working {
    fn drop(&mut self) {
        lock(&WORK).remove(&self.0);
    }
}

/// The threads that run code in Python for us, by process and by Python's number of them, and how many such calls each is in. A
/// process that was forked has the entries of its parent, but not the threads.
static IN_PYTHON: Mutex<BTreeMap<(u32, c_ulong), u32>> = Mutex::new(BTreeMap::new());

/// A call of code in Python, until it is dropped.
pub struct InPython((u32, c_ulong));

/// Notes that this thread calls code in Python, which can be interrupted when Python leaves.
///
/// # Errors
/// None but those of Python itself.
pub fn in_python(py: Python<'_>) -> PyResult<InPython> {
    thread_local! { static NUMBER: Cell<c_ulong> = const { Cell::new(0) } }
    if NUMBER.get() == 0 {
        NUMBER.set(py.import("threading")?.call_method0("get_ident")?.extract()?);
    }
    let thread = (process::id(), NUMBER.get());
    *lock(&IN_PYTHON).entry(thread).or_default() += 1;
    Ok(InPython(thread))
}

impl Drop for InPython {
    fn drop(&mut self) {
        let mut calls = lock(&IN_PYTHON);
        if let Some(count) = calls.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                calls.remove(&self.0);
            }
        }
    }
}

/// Ends all of it and waits for the ends; Python calls it when it leaves.
///
/// # Errors
/// None but those of Python itself.
#[pyfunction]
#[pyo3(name = "_end")]
pub fn end(py: Python<'_>) -> PyResult<()> {
    let own: Vec<_> = lock(&THREADS).drain(..).filter(|thread| thread.process == process::id()).collect();
    own.iter().for_each(|thread| thread.stop.raise());
    lock(&WORK).values().for_each(StopFlag::raise);
    py.detach(pipe::end);
    leave_python(py)?;
    py.detach(|| {
        for thread in own {
            // One that failed has said so itself.
            let _ = thread.handle.join();
        }
    });
    Ok(())
}

/// Waits until no thread runs code in Python for us; what goes on too long gets a `SystemExit`.
fn leave_python(py: Python<'_>) -> PyResult<()> {
    let start = Instant::now();
    let there = || -> Vec<_> {
        let calls = lock(&IN_PYTHON);
        calls.keys().filter(|&&(process, _)| process == process::id()).map(|&(_, number)| number).collect()
    };
    while !there().is_empty() && start.elapsed() < PATIENCE {
        if start.elapsed() > GRACE {
            let ctypes = py.import("ctypes")?;
            let exit = ctypes.call_method1("py_object", (py.get_type::<PySystemExit>(),))?;
            for number in there() {
                let number = ctypes.call_method1("c_ulong", (number,))?;
                ctypes.getattr("pythonapi")?.call_method1("PyThreadState_SetAsyncExc", (number, &exit))?;
            }
        }
        py.detach(|| thread::sleep(INTERVAL));
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
