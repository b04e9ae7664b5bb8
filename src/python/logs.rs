//! Log records as Python's.

use super::background;
use super::interruptible::Nesting;
use crate::batch;
use crate::search::cpu;
use log::{LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;
use pyo3_log::{Caching, Logger};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Python's logging, for all but the searches of a batch: each record takes the GIL to ask whether it is wanted.
struct Logs(Logger);

/// Has log records go to Python. Loggers are cached, levels are not: `setLevel` takes effect at once. Records are few
/// then, a handful a search.
///
/// # Errors
/// No module `logging`.
pub fn install(py: Python<'_>) -> PyResult<()> {
    let logs = Logs(Logger::new(py, Caching::Loggers)?);
    // Another logger can only be there if the module is loaded twice, and then it is this one.
    if log::set_boxed_logger(Box::new(logs)).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
    Ok(())
}

/// Warns of more threads than cores; once, not for each of many engines alike.
pub fn warn_of(threads: usize) {
    static WARNED: AtomicUsize = AtomicUsize::new(0);
    if let Some(warning) = cpu::too_many(threads).filter(|_| WARNED.swap(threads, Ordering::Relaxed) != threads) {
        log::warn!("{warning}");
    }
}

thread_local! { static EMITTING: Cell<bool> = const { Cell::new(false) } }

/// Whether this thread is in a handler of our own records, or does work that was begun there: the handler may hold a lock and
/// wait for the work, which would wait for the lock to be heard.
pub fn is_silent() -> bool {
    EMITTING.get() || Nesting::is_silent()
}

/// Whether the records of this thread are heard.
fn is_heard() -> bool {
    !batch::is_worker() && !is_silent() && !background::has_ended()
}

impl Log for Logs {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_heard() && self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if is_heard() {
            EMITTING.set(true);
            self.0.log(record);
            EMITTING.set(false);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}
