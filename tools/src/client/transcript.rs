//! A log of dialogues with engines: every line with its time, its engine and its direction.
//!
//! ```text
//!     0.000213 south > uci
//!     0.000345 south < id name Secateurs 0.3.0 release x86-64
//! ```
//!
//! Control characters are escaped; `>` marks input of the engine, `<` its output. Times are seconds since the start of
//! the transcript, measured at the pipe: lines of different engines or directions that are microseconds apart may be
//! out of order.

use secateurs::core::error::harmless;
use secateurs::util::lock::lock;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A transcript of several engines; clones share it.
#[derive(Clone)]
pub struct Transcript(Arc<Recording>);

struct Recording {
    start: Instant,
    /// The error once writing has failed; `None` after it was taken.
    writer: Mutex<Result<Box<dyn Write + Send>, Option<io::Error>>>,
}

impl Transcript {
    /// Starts a transcript. Each line is written whole and flushed. A write error is logged once and ends the
    /// transcript, not the dialogues. The writer must not block, as a terminal may: a slow writer delays the dialogues.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Recording { start: Instant::now(), writer: Mutex::new(Ok(Box::new(writer))) }))
    }

    /// Returns the error that ended the transcript, the first time; `None` if it has not ended.
    pub fn failure(&self) -> Option<io::Error> {
        lock(&self.0.writer).as_mut().err().and_then(Option::take)
    }

    pub(crate) fn voice(&self, name: &str) -> Voice {
        Voice { recording: Arc::clone(&self.0), name: name.into() }
    }
}

/// One engine's part in a transcript.
#[derive(Clone)]
pub struct Voice {
    recording: Arc<Recording>,
    name: Arc<str>,
}

impl Voice {
    pub(super) fn sent(&self, line: &str, at: Instant) {
        self.recording.write(&self.name, '>', line, at);
    }

    pub(super) fn received(&self, line: &str, at: Instant) {
        self.recording.write(&self.name, '<', line, at);
    }
}

impl Recording {
    fn write(&self, name: &str, direction: char, line: &str, at: Instant) {
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let text = harmless(&format!("{seconds:12.6} {name} {direction} {line}")) + "\n";
        let mut writer = lock(&self.writer);
        let written = |writer: &mut dyn Write| -> io::Result<()> {
            writer.write_all(text.as_bytes())?;
            // Flush every line: after a crash the last lines matter most.
            writer.flush()
        };
        let failed = if let Ok(writer) = &mut *writer { written(writer).err() } else { None };
        if let Some(error) = failed {
            log::warn!("the transcript ends here: {error}");
            *writer = Err(Some(error));
        }
    }
}
