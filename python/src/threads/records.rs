//! Log records that wait until another thread emits them.

use super::lock::lock;
use log::{Level, Record};
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The log records of work on one of our threads. A thread that waits for the work emits them: a handler may need a
/// lock that this thread holds.
#[derive(Clone, Default)]
pub struct Records(Arc<Mutex<VecDeque<LogRecord>>>);

/// A record with a text of its own.
pub struct LogRecord {
    pub level: Level,
    pub target: String,
    pub module: Option<&'static str>,
    pub file: Option<&'static str>,
    pub line: Option<u32>,
    pub message: String,
}

impl From<&Record<'_>> for LogRecord {
    fn from(record: &Record<'_>) -> Self {
        Self {
            level: record.level(),
            target: record.target().into(),
            module: record.module_path_static(),
            file: record.file_static(),
            line: record.line(),
            message: record.args().to_string(),
        }
    }
}

impl Records {
    /// Adds a record.
    pub fn push(&self, record: LogRecord) {
        lock(&self.0).push_back(record);
    }

    /// Removes and returns the first record.
    pub fn pop(&self) -> Option<LogRecord> {
        lock(&self.0).pop_front()
    }

    /// Returns whether no record waits.
    pub fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}

thread_local! { static EMITTING: Cell<bool> = const { Cell::new(false) } }

/// Calls the handlers of one of our own records.
pub fn emitting(call: impl FnOnce()) {
    EMITTING.set(true);
    call();
    EMITTING.set(false);
}

/// Returns whether this thread is in a handler of our own records.
pub fn is_emitting() -> bool {
    EMITTING.get()
}
