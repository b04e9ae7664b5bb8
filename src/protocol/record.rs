//! A dialogue on disk: every line with the time at which it came or went.
//!
//! ```text
//!     0.000213 > uci
//!     0.000345 < id name Secateur 0.1.0
//! ```
//!
//! Seconds since the start; `>` came in, `<` went out. Bytes that are not UTF-8 are shown as replacement characters.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

/// The record of a dialogue, or of none.
pub struct Record {
    file: Option<BufWriter<File>>,
    start: Instant,
}

impl Record {
    /// A record in a file, which is created or emptied; without a path nothing is recorded.
    ///
    /// # Errors
    /// The file cannot be created, as `InvalidInput` that names it.
    pub fn new(path: Option<&Path>) -> io::Result<Self> {
        let create = |path: &Path| {
            File::create(path).map(BufWriter::new).map_err(|error| {
                io::Error::new(ErrorKind::InvalidInput, format!("cannot record to {}: {error}", path.display()))
            })
        };
        Ok(Self { file: path.map(create).transpose()?, start: Instant::now() })
    }

    /// A line came in.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn came(&mut self, line: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.note('>', &String::from_utf8_lossy(line))
    }

    /// Lines went out.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn went(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.note('<', line))
    }

    fn note(&mut self, direction: char, line: &str) -> io::Result<()> {
        let seconds = self.start.elapsed().as_secs_f64();
        if let Some(file) = &mut self.file {
            writeln!(file, "{seconds:12.6} {direction} {}", line.trim_end())?;
            // What was said last matters most after a crash.
            file.flush()?;
        }
        Ok(())
    }
}
