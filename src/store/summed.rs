//! A file that computes a checksum of what is written to it.

use super::replacement::Replacement;
use crc32fast::Hasher;
use std::io::{self, Write};

/// An unfinished file, and the CRC-32 of its contents so far.
pub(super) struct Summed {
    pub file: Replacement,
    pub sum: Hasher,
}

impl Summed {
    /// Creates a checksum for an empty file.
    pub fn new(file: Replacement) -> Self {
        Self { file, sum: Hasher::new() }
    }

    /// Appends the checksum, little-endian. The file is still to be committed.
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
