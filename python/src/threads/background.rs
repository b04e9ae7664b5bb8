//! The end of our threads before the end of Python. Python terminates a thread that takes the GIL later, in the middle
//! of its Rust code, which aborts the process.

use super::calls;
use super::lock::{attach, has_ended, lock};
use super::nesting::Nesting;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeWarning, PySystemExit};
use pyo3::prelude::*;
use pyo3::types::PyType;
use secateurs::core::StopFlag;
use std::cell::RefCell;
use std::ffi::{CStr, c_ulong};
use std::mem;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

/// The time that Python code may continue once Python shuts down, before it is interrupted.
const GRACE: Duration = Duration::from_millis(200);

/// The interval between interruptions.
const INTERVAL: Duration = Duration::from_millis(10);

/// The time after which Python exits without waiting for the code.
const PATIENCE: Duration = Duration::from_secs(1);

const LEFT: &CStr = c"a method of a game or a player in Python does not return: Python leaves without it";

static THREADS: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

/// A thread that ends before Python does.
pub struct Thread {
    /// The flag that stops its work, which may change.
    stop: Arc<Mutex<StopFlag>>,
    handle: JoinHandle<()>,
    /// The process that runs the thread: a forked process has no threads of its parent.
    process: u32,
}

impl Thread {
    fn id(&self) -> ThreadId {
        self.handle.thread().id()
    }
}

/// Returns the threads of this process. The handles of a parent's threads are leaked: the system reuses their IDs for
/// new threads, which dropping the handles would detach.
fn own(threads: &mut Vec<Thread>) -> Vec<Thread> {
    let (own, others): (_, Vec<_>) = threads.drain(..).partition(|thread| thread.process == process::id());
    others.into_iter().for_each(mem::forget);
    own
}

/// Registers a thread, which ends before Python does.
pub fn register(stop: Arc<Mutex<StopFlag>>, handle: JoinHandle<()>) {
    let mut threads = lock(&THREADS);
    *threads = own(&mut threads);
    threads.retain(|thread| !thread.handle.is_finished());
    threads.push(Thread { stop, handle, process: process::id() });
}

/// The threads that run Python code for us.
static CALLERS: Mutex<Vec<Caller>> = Mutex::new(Vec::new());

struct Caller {
    /// The thread's ID in Python.
    number: c_ulong,
    /// The thread's ID in Rust.
    thread: ThreadId,
    /// The process of the thread: a forked process has this list of its parent, but not the threads.
    process: u32,
    /// The thread holds one reference while it lives, and one more during each call.
    calls: Weak<()>,
    /// Whether an exception was raised in the thread and may still be pending.
    interrupted: Arc<AtomicBool>,
}

/// The record of a thread of its own calls.
#[derive(Clone)]
struct Calls {
    /// The thread's ID in Python.
    number: c_ulong,
    count: Arc<()>,
    interrupted: Arc<AtomicBool>,
}

/// Calls Python code that can be interrupted when Python shuts down.
///
/// # Errors
/// `SystemExit` for work that calls Python after its end has begun, which may miss the call; those of Python itself.
pub fn in_python<T>(py: Python<'_>, code: impl FnOnce() -> T) -> PyResult<T> {
    let calls = counted(py)?;
    // One reference of the thread and one of this call: no call encloses this one.
    if has_ended() && Arc::strong_count(&calls.count) == 2 && Nesting::around().is_some() {
        return Err(PySystemExit::new_err(()));
    }
    let found = code();
    // An exception that came too late for the code would end other code of this thread.
    if calls.interrupted.swap(false, Ordering::Relaxed) {
        calls::clear(py, calls.number);
    }
    Ok(found)
}

/// Returns the call counter of this thread. Only the first call takes a lock.
fn counted(py: Python<'_>) -> PyResult<Calls> {
    thread_local! { static CALLS: RefCell<Option<Calls>> = const { RefCell::new(None) } }
    if let Some(calls) = CALLS.with_borrow(Clone::clone) {
        return Ok(calls);
    }
    let number = py.import("threading")?.call_method0("get_ident")?.extract()?;
    let calls = Calls { number, count: Arc::default(), interrupted: Arc::default() };
    let mut callers = lock(&CALLERS);
    callers.retain(|caller| caller.calls.strong_count() > 0);
    callers.push(Caller {
        number,
        thread: thread::current().id(),
        process: process::id(),
        calls: Arc::downgrade(&calls.count),
        interrupted: Arc::clone(&calls.interrupted),
    });
    CALLS.set(Some(calls.clone()));
    Ok(calls)
}

/// Raises a `KeyboardInterrupt` in the Python code that a thread runs for us. Returns whether it runs any.
pub fn interrupt(thread: ThreadId) -> bool {
    let is_wanted = |caller: &Caller| caller.thread == thread;
    if !has_callers(is_wanted) {
        return false;
    }
    // If Python cannot be attached, the code has ended.
    let _ = attach(|py| raise_in_callers(is_wanted, &py.get_type::<PyKeyboardInterrupt>()));
    true
}

/// Raises an exception in the threads that run Python code and satisfy `wanted`. Their calls end only while they are
/// attached, and so not meanwhile.
fn raise_in_callers(wanted: impl Fn(&Caller) -> bool, exception: &Bound<'_, PyType>) {
    for caller in lock(&CALLERS).iter().filter(|caller| is_in_python(caller) && wanted(caller)) {
        caller.interrupted.store(true, Ordering::Relaxed);
        calls::raise_in(caller.number, exception);
    }
}

/// Whether a thread of this process runs Python code.
fn is_in_python(caller: &Caller) -> bool {
    caller.process == process::id() && caller.calls.strong_count() > 1
}

/// Whether a thread that satisfies `wanted` runs Python code.
fn has_callers(wanted: impl Fn(&Caller) -> bool) -> bool {
    lock(&CALLERS).iter().any(|caller| is_in_python(caller) && wanted(caller))
}

/// Stops all threads. Returns the threads, which [`join`] awaits.
pub fn stop() -> Vec<Thread> {
    let own = own(&mut lock(&THREADS));
    own.iter().for_each(|thread| lock(&thread.stop).raise());
    own
}

/// Waits until no thread runs Python code for us; raises a `SystemExit` in code that runs too long.
///
/// # Errors
/// None but those of Python itself.
pub fn leave_python(py: Python<'_>) -> PyResult<()> {
    let start = Instant::now();
    while has_callers(|_| true) && start.elapsed() < PATIENCE {
        if start.elapsed() > GRACE {
            let exit = py.get_type::<PySystemExit>();
            raise_in_callers(|_| true, &exit);
        }
        py.detach(|| thread::sleep(INTERVAL));
    }
    if !has_callers(|_| true) {
        return Ok(());
    }
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), LEFT, 1)
}

/// Waits for the ends of threads, except of those that still run Python code, which cannot be ended.
pub fn join(threads: Vec<Thread>) {
    for thread in threads.into_iter().filter(|thread| !has_callers(|caller| caller.thread == thread.id())) {
        // A thread that panicked has printed its message.
        let _ = thread.handle.join();
    }
}
