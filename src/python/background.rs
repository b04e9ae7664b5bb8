//! Work on threads of ours ends before Python does. A thread that takes the GIL after that is ended by Python in the middle of
//! its Rust code, which aborts the process.

use super::interruptible::Nesting;
use super::lock::lock;
use super::pipe;
use crate::core::StopFlag;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeWarning, PySystemExit};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_ulong};
use std::mem;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

/// How long code in Python may go on once Python wants to leave; then it is interrupted, again and again,
const GRACE: Duration = Duration::from_millis(200);

/// at this interval,
const INTERVAL: Duration = Duration::from_millis(10);

/// and after this time Python leaves without it.
const PATIENCE: Duration = Duration::from_secs(1);

const LEFT: &CStr = c"a method of a game or a player in Python does not return: Python leaves without it";

static THREADS: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

struct Thread {
    stop: StopFlag,
    handle: JoinHandle<()>,
    /// Where it runs: a process that was forked has no threads of its parent.
    process: u32,
}

/// The threads of this process. Those of a parent are forgotten: the system gives their handles to new threads, which would be
/// detached with them.
fn own(threads: &mut Vec<Thread>) -> Vec<Thread> {
    let (own, others): (_, Vec<_>) = threads.drain(..).partition(|thread| thread.process == process::id());
    others.into_iter().for_each(mem::forget);
    own
}

/// Has a thread ended with Python, at the latest.
pub fn keep(stop: StopFlag, handle: JoinHandle<()>) {
    let mut threads = lock(&THREADS);
    *threads = own(&mut threads);
    threads.retain(|thread| !thread.handle.is_finished());
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

/// The threads that run code in Python for us.
static CALLERS: Mutex<Vec<Caller>> = Mutex::new(Vec::new());

struct Caller {
    /// As Python knows it.
    number: c_ulong,
    /// As Rust knows it.
    thread: ThreadId,
    /// A process that was forked has the callers of its parent, but not the threads.
    process: u32,
    /// The thread has a reference as long as it lives, and another one in each call.
    calls: Weak<()>,
}

/// Calls code in Python, which can be interrupted when Python leaves.
///
/// # Errors
/// `SystemExit` in work of ours that comes to Python after [`end`] has begun, which may not see the call; those of Python itself.
pub fn in_python<T>(py: Python<'_>, code: impl FnOnce() -> T) -> PyResult<T> {
    let calls = counted(py)?;
    // One reference of the thread, one of this call: no other call is around it.
    if has_ended() && Arc::strong_count(&calls) == 2 && Nesting::around().is_some() {
        return Err(PySystemExit::new_err(()));
    }
    Ok(code())
}

/// What counts the calls of this thread. Every call comes here: it costs no lock but the first.
fn counted(py: Python<'_>) -> PyResult<Arc<()>> {
    thread_local! { static CALLS: RefCell<Option<Arc<()>>> = const { RefCell::new(None) } }
    if let Some(calls) = CALLS.with_borrow(Clone::clone) {
        return Ok(calls);
    }
    let number = py.import("threading")?.call_method0("get_ident")?.extract()?;
    let calls = Arc::new(());
    let mut callers = lock(&CALLERS);
    callers.retain(|caller| caller.calls.strong_count() > 0);
    callers.push(Caller {
        number,
        thread: thread::current().id(),
        process: process::id(),
        calls: Arc::downgrade(&calls),
    });
    CALLS.set(Some(Arc::clone(&calls)));
    Ok(calls)
}

/// Raises a `KeyboardInterrupt` in the code in Python that a thread runs for us; whether it runs any.
pub fn interrupt(thread: ThreadId) -> bool {
    let Some(number) = callers(|caller| caller.thread == thread).pop() else { return false };
    // Without Python it has ended.
    let _ = Python::try_attach(|py| raise(py, number, &py.get_type::<PyKeyboardInterrupt>()));
    true
}

/// The threads of this process that are in Python now, as far as they are wanted.
fn callers(wanted: impl Fn(&Caller) -> bool) -> Vec<c_ulong> {
    let here = |caller: &&Caller| caller.process == process::id() && caller.calls.strong_count() > 1 && wanted(caller);
    lock(&CALLERS).iter().filter(here).map(|caller| caller.number).collect()
}

/// Raises an exception in what a thread does in Python.
fn raise(py: Python<'_>, number: c_ulong, exception: &Bound<'_, PyType>) -> PyResult<()> {
    let ctypes = py.import("ctypes")?;
    let exception = ctypes.call_method1("py_object", (exception,))?;
    let number = ctypes.call_method1("c_ulong", (number,))?;
    ctypes.getattr("pythonapi")?.call_method1("PyThreadState_SetAsyncExc", (number, exception))?;
    Ok(())
}

/// Python has begun to leave: what begins now would wait for threads that cannot run code in Python any more.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Whether Python has begun to leave.
pub fn has_ended() -> bool {
    ENDED.load(Ordering::Relaxed)
}

/// Ends all of it and waits for the ends; Python calls it when it leaves.
///
/// # Errors
/// None but those of Python itself.
#[pyfunction]
#[pyo3(name = "_end")]
pub fn end(py: Python<'_>) -> PyResult<()> {
    ENDED.store(true, Ordering::Relaxed);
    let own = own(&mut lock(&THREADS));
    own.iter().for_each(|thread| thread.stop.raise());
    lock(&WORK).values().for_each(StopFlag::raise);
    py.detach(pipe::end);
    leave_python(py)?;
    py.detach(|| {
        for thread in own {
            // What is in Python after all that time cannot be ended.
            if !callers(|caller| caller.thread == thread.handle.thread().id()).is_empty() {
                continue;
            }
            // One that failed has said so itself.
            let _ = thread.handle.join();
        }
    });
    Ok(())
}

/// Waits until no thread runs code in Python for us; what goes on too long gets a `SystemExit`.
fn leave_python(py: Python<'_>) -> PyResult<()> {
    let start = Instant::now();
    while !callers(|_| true).is_empty() && start.elapsed() < PATIENCE {
        if start.elapsed() > GRACE {
            let exit = py.get_type::<PySystemExit>();
            callers(|_| true).into_iter().try_for_each(|number| raise(py, number, &exit))?;
        }
        py.detach(|| thread::sleep(INTERVAL));
    }
    if callers(|_| true).is_empty() {
        return Ok(());
    }
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), LEFT, 1)
}
