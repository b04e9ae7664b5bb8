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
use crate::store::FreshFile;
use std::io::Write;
use std::path::Path;
use web_time::Instant;

/// The log of a dialogue; without a path it does nothing.
pub struct ProtocolLog {
    file: Option<FreshFile>,
    start: Instant,
}

impl ProtocolLog {
    /// Creates or truncates the log file; without a path nothing is logged.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be created, [`Error::BadFile`] if another process writes it.
    pub fn new(path: Option<&Path>) -> Result<Self, Error> {
        let create = |path: &Path| {
            let mut file = FreshFile::open(path)?;
            file.begin().map_err(|error| Error::file("write", path, &error))?;
            Ok::<_, Error>(file)
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
        let Some(file) = &mut self.file else { return };
        // Each line is written at once: after a crash the last ones matter most.
        let line = format!("{seconds:12.6} {direction} {}\n", harmless(line.trim_end()));
        if let Err(error) = file.write_all(line.as_bytes()) {
            log::warn!("the dialogue is no longer recorded: {}", Error::file("write", file.path(), &error));
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut first = ProtocolLog::new(Some(&path)).unwrap();
        first.received(b"uci");
        let refused = ProtocolLog::new(Some(&path)).err().unwrap().to_string();
        assert!(refused.ends_with("is already being written"), "{refused}");
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("> uci\n"));
        drop(first);
        drop(ProtocolLog::new(Some(&path)).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    }
}
