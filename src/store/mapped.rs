//! Large, immutable files that are mapped into memory instead of read.
//! They are [containers](super::container). Zeros after the header align the payload: it begins at a multiple of 64, a
//! cache line.

use super::container::{DAMAGED, Draft, Format, SUM, header_size};
use super::regular;
use crate::core::Error;
use crate::core::error::Quoted;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

const FORMAT: Format = Format { letters: b"SDE", version: 2, foreign: "is not an endgame database" };

/// The alignment of the payload, bytes.
const LINE: usize = 64;

/// Returns the size of a file with a payload of `payload` bytes.
pub(crate) const fn size(subject: &str, payload: u64) -> u64 {
    header_size(subject.len()).next_multiple_of(LINE) as u64 + payload + SUM as u64
}

/// Writes a file. The file at `path` is replaced as a whole, or is unchanged.
///
/// # Errors
/// [`Error::File`].
pub fn save(path: &Path, subject: &str, payload: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let written = Draft::create(path, &FORMAT, subject.as_bytes()).and_then(|mut out| {
        let end = header_size(subject.len());
        out.write_all(&[0; LINE][..end.next_multiple_of(LINE) - end])?;
        payload(&mut out)?;
        Draft::commit(out)
    });
    written.map_err(|error| Error::file("write", path, &error))
}

/// A mapped and verified file with the requested subject. Only the pages used are in memory.
#[derive(Debug)]
pub struct Mapped {
    map: Mmap,
    start: usize,
}

impl Mapped {
    /// Maps a file and verifies it.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::BadFile`] if it is not a file of this kind, is damaged, or has
    /// another version or another subject.
    pub(crate) fn open(path: &Path, subject: &str) -> Result<Self, Error> {
        let unreadable = |error: io::Error| Error::file("read", path, &error);
        regular::check(path)?;
        let map = map(&File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        let (found, contents) = FORMAT.read_whole(path, &map)?;
        if found != subject.as_bytes() {
            let reason = format!("holds {}, not {}", Quoted::bytes(&found), Quoted::new(subject));
            return Err(Error::bad_file(path, reason));
        }
        let end = header_size(found.len());
        let start = end.next_multiple_of(LINE);
        if contents.len() < start - end { Err(Error::bad_file(path, DAMAGED)) } else { Ok(Self { map, start }) }
    }

    /// Returns the whole file except for its checksum.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map[..self.map.len() - SUM]
    }

    /// Returns the offset of the payload in these bytes, a multiple of 64.
    pub(crate) const fn start(&self) -> usize {
        self.start
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapped file must not change while it is in use. `save` never modifies a file: it puts a new one in its
    // place, and the old one lives on for the processes that have it mapped.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use super::super::container::newer;
    use super::*;
    use std::fs;

    const SUBJECT: &str = "numbers, all of them";

    fn made(path: &Path, payload: &[u8]) -> Vec<u8> {
        save(path, SUBJECT, |out| out.write_all(payload)).unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn a_payload_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for count in [0, 1, 100_000] {
            let payload: Vec<u8> = (0..count).map(|n: u32| (n * 7 % 251) as u8).collect();
            let len = made(&path, &payload).len() as u64;
            let file = Mapped::open(&path, SUBJECT).unwrap();
            assert_eq!((&file.bytes()[file.start()..], file.start() % 64), (&payload[..], 0));
            assert_eq!(size(SUBJECT, payload.len() as u64), len);
        }
    }

    #[test]
    fn every_bit_and_every_length_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (path, hurt) = (folder.path().join("file"), folder.path().join("hurt"));
        let whole = made(&path, b"some payload");
        let refused = |bytes: &[u8], what: &dyn std::fmt::Debug| {
            fs::write(&hurt, bytes).unwrap();
            let error = Mapped::open(&hurt, SUBJECT).expect_err(&format!("{what:?}"));
            assert!(matches!(error, Error::BadFile(..)) && error.to_string().contains("hurt\" "), "{what:?}: {error}");
            error.to_string()
        };
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let said = refused(&bytes, &("bit", bit));
            let expected = if bit < 64 { "is not an endgame" } else { "is damaged" };
            assert!(said.contains(expected), "bit {bit}: {said}");
        }
        for len in 0..whole.len() {
            refused(&whole[..len], &("length", len));
        }
        for more in [1, 4, 64] {
            refused(&[&whole[..], &vec![0; more]].concat(), &("more", more));
        }
        assert!(refused(&newer(&whole), &"newer").contains("a newer version of the format, 3; this is 2"));
        refused(b"position startpos\n", &"text");
        Draft::commit(Draft::create(&hurt, &FORMAT, SUBJECT.as_bytes()).unwrap()).unwrap();
        assert!(Mapped::open(&hurt, SUBJECT).unwrap_err().to_string().contains("is damaged"));
    }

    #[test]
    fn what_holds_something_else_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        made(&path, b"1");
        let error = Mapped::open(&path, "letters").unwrap_err().to_string();
        assert!(error.contains("holds \"numbers, all of them\", not \"letters\""), "{error}");
        assert!(Mapped::open(folder.path(), SUBJECT).unwrap_err().to_string().contains("not a regular file"));
        assert!(Mapped::open(&folder.path().join("none"), SUBJECT).unwrap_err().to_string().contains("cannot read"));
        let full = |_: &mut dyn Write| Err(io::Error::from(io::ErrorKind::StorageFull));
        assert!(matches!(save(&path, SUBJECT, full), Err(Error::File { kind: io::ErrorKind::StorageFull, .. })));
        assert!(Mapped::open(&path, SUBJECT).is_ok());
    }
}
