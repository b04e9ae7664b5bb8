//! The common head of binary files, by which a file of another format is recognised.
//!
//! ```text
//!    8  89, three letters, CR LF 1A LF, which a transfer in text mode would alter
//!    4  the version of the format
//!    4  n
//!    n  the subject: what the file was made for
//! ```
//!
//! Numbers are little-endian.

use std::io::{self, Write};

/// The size of the head before the subject, bytes.
pub const HEAD: usize = 16;

/// A file format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The first bytes of a file.
    pub magic: [u8; 8],
    /// The version written, and the only one read.
    pub version: u32,
    /// The error for a file of another format, as the end of a sentence that begins with the file name.
    pub foreign: &'static str,
}

impl Format {
    /// Writes the head of a file.
    ///
    /// # Errors
    /// Those of the writer; a `subject` of more than 4 GiB.
    pub fn write(&self, out: &mut impl Write, subject: &[u8]) -> io::Result<()> {
        out.write_all(&self.magic)?;
        out.write_all(&self.version.to_le_bytes())?;
        out.write_all(&u32::try_from(subject.len()).map_err(io::Error::other)?.to_le_bytes())?;
        out.write_all(subject)
    }

    /// Returns the length of the subject, from the first bytes of a file.
    ///
    /// # Errors
    /// What is wrong with the file, as the end of a sentence that begins with the file name.
    pub fn read(&self, head: &[u8; HEAD]) -> Result<u32, String> {
        let (magic, numbers) = head.split_at(8);
        let [version, size] =
            [0, 4].map(|at| numbers[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)));
        if magic != self.magic {
            return Err(self.foreign.into());
        }
        if version != self.version {
            let age = if version > self.version { "a newer" } else { "an older" };
            return Err(format!("has {age} version of the format, {version}; this is {}", self.version));
        }
        Ok(size)
    }
}
