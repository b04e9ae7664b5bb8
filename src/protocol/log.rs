//! A dialogue on disk: every line with the time at which it came or went.
//!
//! ```text
//!     0.000213 > uci
//!     0.000345 < id name Secateur 0.1.0
//! ```
//!
//! Seconds since the start; `>` came in, `<` went out. Bytes that are not UTF-8 are shown as replacement characters.

use crate::core::Error;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The record of a dialogue, or of none.
pub struct ProtocolLog {
    /// The file, with its path.
    file: Option<(PathBuf, BufWriter<File>)>,
    start: Instant,
}

impl ProtocolLog {
    /// A record in a file, which is created or emptied; without a path nothing is recorded.
    ///
    /// # Errors
    /// The file cannot be created, as `InvalidInput` that names it.
    pub fn new(path: Option<&Path>) -> io::Result<Self> {
        let create = |path: &Path| {
            let file = File::create(path).map_err(|error| {
                io::Error::new(ErrorKind::InvalidInput, format!("cannot record to {}: {error}", path.display()))
            })?;
            Ok::<_, io::Error>((path.to_owned(), BufWriter::new(file)))
        };
        Ok(Self { file: path.map(create).transpose()?, start: Instant::now() })
    }

    /// A line came in.
    pub fn came(&mut self, line: &[u8]) {
        if self.file.is_some() {
            self.note('>', &String::from_utf8_lossy(line));
        }
    }

    /// Lines went out.
    pub fn went(&mut self, text: &str) {
        for line in text.lines() {
            self.note('<', line);
        }
    }

    /// A file that cannot be written ends the record, with a warning, not the dialogue.
    fn note(&mut self, direction: char, line: &str) {
        let seconds = self.start.elapsed().as_secs_f64();
        let Some((path, file)) = &mut self.file else { return };
        // What was said last matters most after a crash.
        let noted = writeln!(file, "{seconds:12.6} {direction} {}", line.trim_end()).and_then(|()| file.flush());
        if let Err(error) = noted {
            log::warn!("the dialogue is no longer recorded: {}", Error::file("write", path, &error));
            self.file = None;
        }
    }
}
