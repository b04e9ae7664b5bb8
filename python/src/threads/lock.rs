//! Locks that ignore poisoning and that no thread holds while the process is forked: in the forked process, where that
//! thread does not exist, they would stay locked forever. So would the lock of Python's that [`attach`] takes, and that
//! of the standard library which [threads](secateurs::util::forks) take when they start and end.

use super::calls;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyModule};
use secateurs::util::forks::without_passages;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// Read by every thread that holds a [lock](Lock), written by the thread that forks.
static FORK: RwLock<()> = RwLock::new(());

/// The time that a fork waits for the locks. A thread that forks while it holds one itself would wait forever.
const PATIENCE: Duration = Duration::from_secs(1);

/// The interval between attempts to fork.
const INTERVAL: Duration = Duration::from_micros(50);

thread_local! {
    /// The number of locks that the thread holds.
    static HELD: Cell<usize> = const { Cell::new(0) };
    static FORKING: RefCell<Option<Forking>> = const { RefCell::new(None) };
}

/// The guards of a thread that forks: of all locks, and of the starts and ends of threads unless those last too long.
type Forking = (RwLockWriteGuard<'static, ()>, Option<MutexGuard<'static, usize>>);

/// A lock, until it is dropped.
pub struct Lock<'a, T> {
    value: MutexGuard<'a, T>,
    /// Dropped after the value; none if the thread holds another lock.
    _fork: Option<RwLockReadGuard<'static, ()>>,
}

/// Locks a mutex whose value is consistent at all times: a thread may have panicked while it held the lock. A thread
/// that holds the lock must not wait for the GIL.
pub fn lock<T>(mutex: &Mutex<T>) -> Lock<'_, T> {
    let is_first = HELD.replace(HELD.get() + 1) == 0;
    let fork = is_first.then(after_forks);
    Lock { value: mutex.lock().unwrap_or_else(PoisonError::into_inner), _fork: fork }
}

/// Attaches the thread to Python for a call; `None` if Python is shutting down. A thread that Python does not know yet
/// waits until no other thread forks: Python before 3.13 adds it to the list of its threads under a lock that would
/// stay locked in the forked process.
pub fn attach<R>(call: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    let fork = (!calls::is_known()).then(after_forks);
    Python::try_attach(|py| {
        drop(fork);
        call(py)
    })
}

/// Whether Python has begun to shut down. New work would wait for threads that can no longer run Python code.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Returns whether Python has begun to shut down.
pub fn has_ended() -> bool {
    ENDED.load(Ordering::Relaxed)
}

/// Refuses new work from now on: Python shuts down.
pub fn end() {
    ENDED.store(true, Ordering::Relaxed);
}

/// Waits while another thread forks, without the GIL, which that thread may need.
fn after_forks() -> RwLockReadGuard<'static, ()> {
    loop {
        match FORK.try_read() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(error)) => return error.into_inner(),
            Err(TryLockError::WouldBlock) => {
                if !calls::is_known() || Python::try_attach(|py| py.detach(|| thread::sleep(INTERVAL))).is_none() {
                    thread::sleep(INTERVAL);
                }
            }
        }
    }
}

impl<T> Deref for Lock<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Lock<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Drop for Lock<'_, T> {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
    }
}

/// Makes forks of Python wait until no thread holds a lock.
///
/// # Errors
/// Those of Python itself.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // There is no fork on Windows.
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else { return Ok(()) };
    let (before, after) = (wrap_pyfunction!(before_fork, module)?, wrap_pyfunction!(after_fork, module)?);
    let hooks = [("before", &before), ("after_in_parent", &after), ("after_in_child", &after)].into_py_dict(py)?;
    register.call((), Some(&hooks)).map(drop)
}

/// Takes all locks, and waits for the starts and ends of threads.
#[pyfunction]
#[pyo3(name = "_before_fork")]
fn before_fork(py: Python<'_>) {
    let take = || match FORK.try_write() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    };
    let start = Instant::now();
    if let Some(locks) = patiently(py, start, take) {
        FORKING.set(Some((locks, patiently(py, start, without_passages))));
    }
}

/// Calls `take` until it returns a value; `None` if that takes longer than a fork [waits](PATIENCE).
fn patiently<R>(py: Python<'_>, start: Instant, take: impl Fn() -> Option<R>) -> Option<R> {
    loop {
        let taken = take();
        if taken.is_some() || start.elapsed() >= PATIENCE {
            return taken;
        }
        py.detach(|| thread::sleep(INTERVAL));
    }
}

/// Releases all locks, in the parent and in the child.
#[pyfunction]
#[pyo3(name = "_after_fork")]
fn after_fork() {
    FORKING.take();
}
