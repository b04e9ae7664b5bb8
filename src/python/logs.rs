//! Log records as Python's.

use super::background;
use super::interruptible::Nesting;
use super::lock::lock;
use crate::batch;
use crate::search::cpu;
use log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3_log::{Caching, Logger};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Python's logging, for all but the searches of a batch: each record takes the GIL to ask whether it is wanted.
struct Logs(Logger);

static LOGS: OnceLock<Logs> = OnceLock::new();

/// Has log records go to Python. Loggers are cached, levels are not: `setLevel` takes effect at once. Records are few
/// then, a handful a search.
///
/// # Errors
/// No module `logging`.
pub fn install(py: Python<'_>) -> PyResult<()> {
    let logs = Logs(Logger::new(py, Caching::Loggers)?);
    // Another logger can only be there if the module is loaded twice, and then it is this one.
    if log::set_logger(LOGS.get_or_init(|| logs)).is_ok() {
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

/// The log records of some work on a thread of ours, until a thread that waits for the work emits them: a handler may need a lock
/// that this thread holds.
#[derive(Clone, Default)]
pub struct Records(Arc<Mutex<VecDeque<LogRecord>>>);

struct LogRecord {
    level: Level,
    target: String,
    module: Option<&'static str>,
    file: Option<&'static str>,
    line: Option<u32>,
    message: String,
}

impl Records {
    fn keep(&self, record: &Record<'_>) {
        lock(&self.0).push_back(LogRecord {
            level: record.level(),
            target: record.target().into(),
            module: record.module_path_static(),
            file: record.file_static(),
            line: record.line(),
            message: record.args().to_string(),
        });
    }

    fn next(&self) -> Option<LogRecord> {
        lock(&self.0).pop_front()
    }

    /// Emits them on this thread, in their order.
    ///
    /// # Errors
    /// What a signal handler has raised meanwhile, or a handler of log records; the records behind that one are left.
    pub fn emit(&self) -> PyResult<()> {
        let Some(logs) = LOGS.get().filter(|_| !lock(&self.0).is_empty()) else { return Ok(()) };
        // Attached all the time: no other thread returns from its wait before a record that is taken is emitted.
        let emitted = Python::try_attach(|_| {
            while let Some(record) = self.next() {
                logs.emit(
                    &Record::builder()
                        .level(record.level)
                        .target(&record.target)
                        .module_path_static(record.module)
                        .file_static(record.file)
                        .line(record.line)
                        .args(format_args!("{}", record.message))
                        .build(),
                )?;
            }
            Ok(())
        });
        emitted.unwrap_or(Ok(()))
    }
}

thread_local! { static EMITTING: Cell<bool> = const { Cell::new(false) } }

/// Whether this thread is in a handler of our own records, or does work that was begun there: its records would come to the
/// same handler, without end.
pub fn is_silent() -> bool {
    EMITTING.get() || Nesting::is_silent()
}

/// Whether the records of this thread are heard.
fn has_listener() -> bool {
    !batch::is_worker() && !is_silent() && !background::has_ended()
}

impl Logs {
    /// Emits a record, or keeps it with others.
    fn emit(&self, record: &Record<'_>) -> PyResult<()> {
        if !self.enabled(record.metadata()) {
            return Ok(());
        }
        if let Some(records) = Nesting::records() {
            records.keep(record);
            return Ok(());
        }
        EMITTING.set(true);
        self.0.log(record);
        EMITTING.set(false);
        // The logger leaves there what was raised.
        Python::try_attach(PyErr::take).flatten().map_or(Ok(()), Err)
    }
}

impl Log for Logs {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        has_listener() && self.0.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        later(self.emit(record));
    }

    fn flush(&self) {
        self.0.flush();
    }
}

/// Exceptions that the main thread raises when it is back in Python.
static LATER: Mutex<VecDeque<PyErr>> = Mutex::new(VecDeque::new());

/// An exception by which the work around cannot end. The main thread, where signal handlers run, raises it when it is back in
/// Python, as it raises what they do there; another thread shows it.
pub fn later(emitted: PyResult<()>) {
    let Err(error) = emitted else { return };
    Python::try_attach(|py| {
        if !is_main(py).unwrap_or(false) {
            return error.write_unraisable(py, None);
        }
        lock(&LATER).push_back(error);
        // SAFETY: the function can be called at any time in which Python is attached. Where there is no room for one more, it comes
        // with the next call.
        #[allow(unsafe_code)]
        let _ = unsafe { ffi::Py_AddPendingCall(Some(raise), ptr::null_mut()) };
    });
}

fn is_main(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    threading.call_method0("get_ident")?.eq(threading.call_method0("main_thread")?.getattr("ident")?)
}

/// Raises the next of [`LATER`]; Python calls it.
extern "C" fn raise(_: *mut c_void) -> c_int {
    // The lock is not held while the exception takes the place of another one, whose objects end.
    let next = lock(&LATER).pop_front();
    let raised = next.and_then(|error| Python::try_attach(|py| error.restore(py)));
    if raised.is_some() { -1 } else { 0 }
}
