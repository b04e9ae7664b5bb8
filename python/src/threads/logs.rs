//! Log records for Python's `logging`.

use super::lock::{attach, has_ended, lock};
use super::nesting::Nesting;
use super::records::{LogRecord, Records, emitting};
use log::{LevelFilter, Log, Metadata, Record};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3_log::{Caching, Logger};
use secateurs::batch;
use secateurs::search::cpu;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// Python's logging, except for the searches of a batch: each record takes the GIL to check whether it is enabled.
struct Logs(Logger);

static LOGS: OnceLock<Logs> = OnceLock::new();

/// Sends log records to Python. Loggers are cached, levels are not, so that `setLevel` takes effect at once. A search
/// emits only a few records.
///
/// # Errors
/// The module `logging` is missing.
pub fn install(py: Python<'_>) -> PyResult<()> {
    let logs = Logs(Logger::new(py, Caching::Loggers)?);
    // A logger exists only if the module is loaded twice; it is then this one.
    if log::set_logger(LOGS.get_or_init(|| logs)).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
    Ok(())
}

/// Warns of more threads than cores, but only once for consecutive engines with the same number.
pub fn warn_of(threads: usize) {
    static WARNED: AtomicUsize = AtomicUsize::new(0);
    if let Some(warning) = cpu::too_many(threads).filter(|_| WARNED.swap(threads, Ordering::Relaxed) != threads) {
        log::warn!("{warning}");
    }
}

/// Emits records in order on this thread.
///
/// # Errors
/// The exception of a signal handler or of a handler of log records; the records after that one remain.
pub fn emit(records: &Records) -> PyResult<()> {
    let Some(logs) = LOGS.get().filter(|_| !records.is_empty()) else { return Ok(()) };
    // Python stays attached, so that no other thread returns from its wait before a removed record is emitted.
    let emitted = attach(|_| {
        while let Some(record) = records.pop() {
            logs.emit(record)?;
        }
        Ok(())
    });
    emitted.unwrap_or(Ok(()))
}

/// Returns whether the records of this thread are emitted.
fn has_listener() -> bool {
    !batch::is_worker() && !Nesting::is_silent() && !has_ended()
}

/// Returns the logger of a record: `secateurs` and its children have those of all our packages.
fn logger(target: &str) -> Cow<'_, str> {
    let ours = ["secateurs_tools", "secateurs_python"].into_iter().find_map(|package| target.strip_prefix(package));
    ours.map_or(Cow::Borrowed(target), |module| Cow::Owned(format!("secateurs{module}")))
}

impl Logs {
    /// Emits a record, or queues it with the others of its work.
    fn emit(&self, record: LogRecord) -> PyResult<()> {
        if !has_listener() {
            return Ok(());
        }
        // Whether the record is enabled is left to the thread that emits it: this one may be interrupted in Python
        // code.
        if let Some(work) = Nesting::around() {
            work.records.push(record);
            return Ok(());
        }
        let target = logger(&record.target);
        let metadata = Metadata::builder().level(record.level).target(&target).build();
        if !self.0.enabled(&metadata) {
            return Ok(());
        }
        emitting(|| {
            self.0.log(
                &Record::builder()
                    .metadata(metadata)
                    .module_path_static(record.module)
                    .file_static(record.file)
                    .line(record.line)
                    .args(format_args!("{}", record.message))
                    .build(),
            );
        });
        // The logger leaves exceptions in this place.
        attach(PyErr::take).flatten().map_or(Ok(()), Err)
    }
}

impl Log for Logs {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let target = logger(metadata.target());
        has_listener() && self.0.enabled(&Metadata::builder().level(metadata.level()).target(&target).build())
    }

    fn log(&self, record: &Record<'_>) {
        if has_listener() {
            later(self.emit(record.into()));
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

/// Exceptions that the main thread raises when it returns to Python.
static LATER: Mutex<VecDeque<PyErr>> = Mutex::new(VecDeque::new());

/// Defers an exception that cannot end the current work. On the main thread, which runs signal handlers, it is raised
/// at the return to Python, like the exceptions of handlers; on other threads it is printed.
pub fn later(emitted: PyResult<()>) {
    let Err(error) = emitted else { return };
    attach(|py| {
        if !is_main(py).unwrap_or(false) {
            return error.write_unraisable(py, None);
        }
        lock(&LATER).push_back(error);
        // SAFETY: the function may be called whenever Python is attached. If the queue of pending calls is full, the
        // exception is raised with the next call.
        #[allow(unsafe_code)]
        let _ = unsafe { ffi::Py_AddPendingCall(Some(raise), ptr::null_mut()) };
    });
}

fn is_main(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    threading.call_method0("get_ident")?.eq(threading.call_method0("main_thread")?.getattr("ident")?)
}

/// Raises the next exception of [`LATER`]. Python calls it.
extern "C" fn raise(_: *mut c_void) -> c_int {
    // The lock is not held while the exception replaces another one, which drops Python objects.
    let next = lock(&LATER).pop_front();
    let raised = next.and_then(|error| attach(|py| error.restore(py)));
    if raised.is_some() { -1 } else { 0 }
}
