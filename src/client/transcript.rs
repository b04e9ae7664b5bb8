//! Dialogues with engines on paper: every line with its time, its speaker and its direction.
//!
//! ```text
//!     0.000213 south > uci
//!     0.000345 south < id name Secateur 0.1.0
//! ```
//!
//! Seconds since the transcript began; `>` went to the engine, `<` came from it. The times are those of the pipe; lines
//! of different engines, or of both directions, that are microseconds apart may stand in either order.

use super::output_lines::OutputLine;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A transcript of several engines; clones share it.
#[derive(Clone)]
pub struct Transcript(Arc<Paper>);

struct Paper {
    start: Instant,
    /// None once writing has failed.
    writer: Mutex<Option<Box<dyn Write + Send>>>,
}

impl Transcript {
    /// A transcript that begins now. Each line is written whole and flushed; what fails is logged once, and ends the
    /// transcript but not the dialogues. A
    /// writer that makes others wait makes them late: a file, not a terminal.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Paper { start: Instant::now(), writer: Mutex::new(Some(Box::new(writer))) }))
    }

    /// One engine's part in it.
    #[must_use]
    pub fn voice(&self, name: &str) -> Voice {
        Voice { paper: Arc::clone(&self.0), name: name.into() }
    }
}

/// An engine's part in a transcript.
#[derive(Clone)]
pub struct Voice {
    paper: Arc<Paper>,
    name: Arc<str>,
}

impl Voice {
    /// The engine was told something.
    pub(super) fn went(&self, line: &str, at: Instant) {
        self.paper.note(&self.name, '>', line, at);
    }

    /// The engine said something.
    pub(super) fn came(&self, line: &OutputLine) {
        self.paper.note(&self.name, '<', &line.text, line.at);
    }
}

impl Paper {
    fn note(&self, name: &str, direction: char, line: &str, at: Instant) {
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let text = format!("{seconds:12.6} {name} {direction} {line}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = |writer: &mut dyn Write| -> io::Result<()> {
            writer.write_all(text.as_bytes())?;
            // What was said last matters most after a crash.
            writer.flush()
        };
        if let Some(Err(error)) = writer.as_mut().map(|writer| written(writer)) {
            log::warn!("the transcript ends here: {error}");
            *writer = None;
        }
    }
}
