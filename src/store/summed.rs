//! A file that sums up what is written to it.

use super::replacement::Replacement;
use crc32fast::Hasher;
use std::io::{self, Write};

/// A file in the making, and the CRC-32 of what it has so far.
pub(super) struct Summed {
    pub file: Replacement,
    pub sum: Hasher,
}

impl Summed {
    /// Begins with a file that has nothing yet.
    pub fn new(file: Replacement) -> Self {
        Self { file, sum: Hasher::new() }
    }

    /// Ends the file with the checksum, lowest byte first; it is still to be committed.
    pub fn seal(self) -> io::Result<Replacement> {
        let Self { mut file, sum } = self;
        file.write_all(&sum.finalize().to_le_bytes())?;
        Ok(file)
    }
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
