//! The log of a dialogue: every line with the time at which it was received or sent.
//!
//! ```text
//!     0.000213 > uci
//!     0.000345 < id name Secateurs 0.3.0 release x86-64
//! ```
//!
//! Times are seconds since the start; `>` marks input, `<` output. Invalid UTF-8 is shown as replacement characters,
//! control characters are escaped.

use crate::core::Error;
use crate::core::error::harmless;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use web_time::Instant;

/// The log of a dialogue; without a path it does nothing.
pub struct ProtocolLog {
    /// The file and its path.
    file: Option<(PathBuf, BufWriter<File>)>,
    start: Instant,
}

impl ProtocolLog {
    /// Creates or truncates the log file; without a path nothing is logged.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be created.
    pub fn new(path: Option<&Path>) -> Result<Self, Error> {
        let create = |path: &Path| {
            let file = File::create(path).map_err(|error| Error::file("record to", path, &error))?;
            Ok::<_, Error>((path.to_owned(), BufWriter::new(file)))
        };
        Ok(Self { file: path.map(create).transpose()?, start: Instant::now() })
    }

    /// Logs a received line.
    pub fn received(&mut self, line: &[u8]) {
        if self.file.is_some() {
            self.write('>', &String::from_utf8_lossy(line));
        }
    }

    /// Logs sent lines.
    pub fn sent(&mut self, text: &str) {
        for line in text.lines() {
            self.write('<', line);
        }
    }

    /// Writes one line. A write error ends the log with a warning; the dialogue continues.
    fn write(&mut self, direction: char, line: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let Some((path, file)) = &mut self.file else { return };
        // Flush every line: after a crash the last lines matter most.
        let written =
            writeln!(file, "{seconds:12.6} {direction} {}", harmless(line.trim_end())).and_then(|()| file.flush());
        if let Err(error) = written {
            log::warn!("the dialogue is no longer recorded: {}", Error::file("write", path, &error));
            self.file = None;
        }
    }
}
