//! What our binary files begin with, so that others are told apart by name.
//!
//! ```text
//!    8  89, three letters, CR LF 1A LF, which no transfer as text leaves as it is
//!    4  the version of the format
//!    4  n
//!    n  what the file was made for
//! ```
//!
//! Numbers have their lowest byte first.

use std::io::{self, Write};

/// Bytes before what the file was made for.
pub const HEAD: usize = 16;

/// A format of files.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What its files begin with.
    pub magic: [u8; 8],
    /// The version that is written, and the only one that is read.
    pub version: u32,
    /// What is wrong with a file that is none of these, as the end of a sentence that begins with it.
    pub foreign: &'static str,
}

impl Format {
    /// Writes the beginning of a file.
    ///
    /// # Errors
    /// Those of the writer, and more than 4 GiB of `subject`.
    pub fn write(&self, out: &mut impl Write, subject: &[u8]) -> io::Result<()> {
        out.write_all(&self.magic)?;
        out.write_all(&self.version.to_le_bytes())?;
        out.write_all(&u32::try_from(subject.len()).map_err(io::Error::other)?.to_le_bytes())?;
        out.write_all(subject)
    }

    /// The length of what a file was made for, by its first bytes.
    ///
    /// # Errors
    /// What is wrong with the file.
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
