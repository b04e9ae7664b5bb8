//! The common form of binary files: a header, by which a file of another format is recognised, the contents, and a
//! checksum. Only [records](super::records), which are appended, have checksums of their own instead.
//!
//! ```text
//!    8  89, three letters, CR LF 1A LF, which a transfer in text mode would alter
//!    4  the version of the format
//!    4  n
//!    n  the subject: what the file was made for
//!    4  the CRC-32 of all before
//!       the contents
//!    4  the CRC-32 of all before
//! ```
//!
//! Numbers are little-endian. CRC-32 detects every burst error of up to 32 bits, and other errors with a probability of
//! 1 - 2^-32. The last one covers the header as well: the CRC-32 of nothing is 0, so a file truncated within zeros just
//! after its header would look whole.

use super::replacement::Replacement;
use crate::core::Error;
use crc32fast::Hasher;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Read, Write};
use std::path::Path;

/// The size of a checksum, bytes.
pub(crate) const SUM: usize = 4;

/// The size of a read or write, bytes.
pub(super) const PIECE: usize = 1 << 20;

/// The size of the header before the subject, bytes.
const FIXED: usize = 16;

/// The maximum size of a subject, bytes. A damaged header never causes a larger read.
const MOST: usize = 1 << 20;

/// The error for a damaged file, as the end of a sentence that begins with the file name.
pub(super) const DAMAGED: &str = "is damaged: its checksum is wrong";

/// Returns the size of a header, bytes, for a subject of this size.
pub(crate) const fn header_size(subject: usize) -> usize {
    FIXED + subject + SUM
}

/// A file format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The letters by which a file is recognised.
    pub letters: &'static [u8; 3],
    /// The version written, and the only one read.
    pub version: u32,
    /// The error for a file of another format, as the end of a sentence that begins with the file name.
    pub foreign: &'static str,
}

impl Format {
    /// Returns the header of a file. Fails for a `subject` of more than 1 MiB.
    pub(crate) fn header(&self, subject: &[u8]) -> io::Result<Vec<u8>> {
        if subject.len() > MOST {
            return Err(io::Error::other("its subject has more than 1 MiB"));
        }
        let numbers = [self.version, subject.len() as u32].map(u32::to_le_bytes);
        let mut header = [&self.magic(), numbers.as_flattened(), subject].concat();
        header.extend(crc32fast::hash(&header).to_le_bytes());
        Ok(header)
    }

    /// Checks, before the work that fills it, that a file of this format can be written: what it replaces has the
    /// format in any version, is empty or does not exist. Returns its subject; `None` if there is none that can be
    /// read.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another format.
    pub fn check_replaced(&self, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        Replacement::check(path)?;
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(FIXED as u64).read_to_end(&mut start));
        // Writing says what is wrong with a file that cannot be read.
        let is_other = read.is_ok() && !start.is_empty() && !start.starts_with(&self.magic());
        if is_other {
            return Err(Error::bad_file(path, self.foreign));
        }
        Ok(File::open(path).ok().and_then(|mut file| self.read(path, &mut file).ok()))
    }

    /// Reads the header of a file. Returns the subject.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another format or version, or with a damaged header.
    pub(crate) fn read(&self, path: &Path, input: &mut impl Read) -> Result<Vec<u8>, Error> {
        let bad = |reason: &str| Error::bad_file(path, reason);
        let mut take = |count: usize| {
            let mut bytes = Vec::new();
            let taken = input.by_ref().take(count as u64).read_to_end(&mut bytes);
            taken.map(|_| bytes).map_err(|error| Error::file("read", path, &error))
        };
        let fixed: [u8; FIXED] = take(FIXED)?.try_into().map_err(|_| bad(self.foreign))?;
        let [version, size] = [8, 12].map(|at| fixed[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes)));
        if !fixed.starts_with(&self.magic()) {
            return Err(bad(self.foreign));
        }
        let subject = take(MOST.min(size as usize))?;
        let sum = take(SUM)?;
        let mut hasher = Hasher::new();
        hasher.update(&fixed);
        hasher.update(&subject);
        // The version number in a damaged header means nothing. Every version has this header.
        if hasher.finalize().to_le_bytes() != *sum {
            return Err(bad(DAMAGED));
        }
        match version.cmp(&self.version) {
            Ordering::Equal => Ok(subject),
            other => {
                let age = if other == Ordering::Greater { "a newer" } else { "an older" };
                Err(bad(&format!("has {age} version of the format, {version}; this is {}", self.version)))
            }
        }
    }

    /// Reads a file that was written as a whole. Returns the subject and the contents.
    ///
    /// # Errors
    /// [`Error::BadFile`] for a file of another format or version, or one that is damaged.
    pub fn read_whole<'a>(&self, path: &Path, bytes: &'a [u8]) -> Result<(Vec<u8>, &'a [u8]), Error> {
        let mut rest = bytes;
        let subject = self.read(path, &mut rest)?;
        let right = |sum: &[u8; SUM]| crc32fast::hash(&bytes[..bytes.len() - SUM]).to_le_bytes() == *sum;
        match rest.split_last_chunk() {
            Some((contents, sum)) if right(sum) => Ok((subject, contents)),
            _ => Err(Error::bad_file(path, DAMAGED)),
        }
    }

    const fn magic(&self) -> [u8; 8] {
        let [one, two, three] = *self.letters;
        [0x89, one, two, three, b'\r', b'\n', 0x1a, b'\n']
    }
}

/// An unfinished file, with the checksum of what was written so far. Unless it is committed, the file
/// that it will replace is unchanged.
pub struct Draft {
    file: Replacement,
    sum: Hasher,
}

impl Draft {
    /// Creates a file with a header.
    pub fn create(path: &Path, format: &Format, subject: &[u8]) -> io::Result<BufWriter<Self>> {
        let draft = Self { file: Replacement::new(path)?, sum: Hasher::new() };
        let mut out = BufWriter::with_capacity(PIECE, draft);
        out.write_all(&format.header(subject)?)?;
        Ok(out)
    }

    /// Appends the checksum, and moves the file into place.
    pub fn commit(contents: BufWriter<Self>) -> io::Result<()> {
        let Self { mut file, sum } = contents.into_inner().map_err(IntoInnerError::into_error)?;
        file.write_all(&sum.finalize().to_le_bytes())?;
        file.commit()
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns a file as the next version would write it.
#[cfg(test)]
pub(crate) fn newer(file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    bytes[8] += 1;
    let end = FIXED + u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
    bytes[end..end + SUM].copy_from_slice(&sum);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: Format = Format { letters: b"ABC", version: 2, foreign: "is not an alphabet" };

    fn reason(bytes: &[u8]) -> String {
        NEW.read_whole("file".as_ref(), bytes).unwrap_err().to_string()
    }

    #[test]
    fn other_versions_are_refused_by_their_number() {
        let old = Format { version: 1, ..NEW }.header(b"subject").unwrap();
        assert!(reason(&old).ends_with("has an older version of the format, 1; this is 2"));
        assert!(
            reason(&Format { version: 3, ..NEW }.header(b"").unwrap()).contains("a newer version of the format, 3")
        );
        assert!(reason(&Format { letters: b"XYZ", ..NEW }.header(b"").unwrap()).ends_with("is not an alphabet"));
    }

    #[test]
    fn a_damaged_version_is_no_version() {
        let mut header = NEW.header(b"subject").unwrap();
        header[8..12].copy_from_slice(b"ABC9");
        assert!(reason(&header).ends_with("is damaged: its checksum is wrong"));
    }

    #[test]
    fn a_file_truncated_within_zeros_is_damaged() {
        for zeros in 0..64 {
            let bytes = [&NEW.header(b"subject").unwrap()[..], &vec![0; zeros]].concat();
            assert!(reason(&bytes).ends_with("is damaged: its checksum is wrong"), "{zeros}");
        }
    }

    #[test]
    fn a_damaged_size_is_no_reason_to_read_gigabytes() {
        let mut header = NEW.header(&[0; MOST]).unwrap();
        assert_eq!(header.len(), header_size(MOST));
        assert_eq!(NEW.read("file".as_ref(), &mut &header[..]).map(|subject| subject.len()), Ok(MOST));
        assert!(NEW.header(&[0; MOST + 1]).is_err());
        header[15] = 0xff;
        let mut input = io::Read::chain(&header[..], io::repeat(0));
        let error = NEW.read("file".as_ref(), &mut input).unwrap_err();
        assert!(error.to_string().ends_with("is damaged: its checksum is wrong"), "{error}");
    }
}
