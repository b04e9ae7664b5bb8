//! The entries of a transposition table in a file.
//!
//! ```text
//!    8  89 "SCT" CR LF 1A LF, which a transfer in text mode would alter
//!    4  the version of this format
//!    4  n
//!    n  what the entries were made for: an `Identity`
//! 16 k  the entries: key 8, data word 8
//!    8  k
//!    4  the CRC-32 of everything before
//! ```
//!
//! Numbers are little-endian. CRC-32 detects every burst error of up to 32 bits, and other errors with a probability of
//! 1 - 2^-32. The length reveals a truncated file as well.

use super::head::{Format, HEAD};
use super::identity::Identity;
use super::regular;
use super::replacement::Replacement;
use super::summed::Summed;
use crate::core::{Error, StopFlag};
use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FORMAT: Format = Format { magic: *b"\x89SCT\r\n\x1a\n", version: 1, foreign: "is no saved table" };

/// The size of an entry, bytes.
const ENTRY: u64 = 16;

/// The number of bytes after the entries.
const TAIL: u64 = 12;

/// The size of a read or write, bytes.
const PIECE: usize = 1 << 20;

/// Saves entries of a key and a data word each. Returns their number, or `None` if the flag was raised before all were
/// written. The file at `path` is replaced as a whole, or is unchanged.
///
/// # Errors
/// [`Error::File`].
pub fn save(
    path: &Path,
    identity: &Identity,
    entries: impl Iterator<Item = [u64; 2]>,
    stop: &StopFlag,
) -> Result<Option<u64>, Error> {
    let written = Replacement::new(path).and_then(|file| write(file, identity, entries, stop));
    written.map_err(|error| Error::file("write", path, &error))
}

fn write(
    file: Replacement,
    identity: &Identity,
    entries: impl Iterator<Item = [u64; 2]>,
    stop: &StopFlag,
) -> io::Result<Option<u64>> {
    let mut out = BufWriter::with_capacity(PIECE, Summed::new(file));
    FORMAT.write(&mut out, &identity.encode())?;
    let mut count = 0_u64;
    for entry in entries {
        out.write_all(entry.map(u64::to_le_bytes).as_flattened())?;
        count += 1;
        if count.is_multiple_of(4096) && stop.is_raised() {
            return Ok(None);
        }
    }
    out.write_all(&count.to_le_bytes())?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?.seal()?;
    if stop.is_raised() {
        return Ok(None);
    }
    file.commit()?;
    Ok(Some(count))
}

/// A file of entries, read completely and verified, whose identity matches.
#[derive(Debug)]
pub struct Saved {
    file: File,
    path: PathBuf,
    first: u64,
    count: u64,
}

impl Saved {
    /// Opens a file and verifies it; `None` if the flag was raised meanwhile.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::BadFile`] if it is not a saved table, is damaged, or was made for
    /// an identity other than `here`.
    pub fn open(path: &Path, here: &Identity, stop: &StopFlag) -> Result<Option<Self>, Error> {
        let unreadable = |error: io::Error| Error::file("read", path, &error);
        let bad = |reason: &str| Error::bad_file(path, reason);
        regular::check(path)?;
        let mut file = File::open(path).map_err(unreadable)?;
        let len = file.metadata().map_err(unreadable)?.len();
        let mut head = [0; HEAD];
        if !read_or_end(&mut file, &mut head).map_err(unreadable)? {
            return Err(bad(FORMAT.foreign));
        }
        let size = FORMAT.read(&head).map_err(|reason| bad(&reason))?;
        let (first, damaged) = (HEAD as u64 + u64::from(size), || bad("is damaged: its checksum is wrong"));
        let payload = len.checked_sub(first + TAIL).filter(|bytes| bytes % ENTRY == 0).ok_or_else(damaged)?;
        let Some(sums) = sums(&mut file, len, stop).map_err(unreadable)? else { return Ok(None) };
        let (mut identity, mut count) = (vec![0; size as usize], [0; 8]);
        let mut read = |at, bytes: &mut [u8]| file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
        read(HEAD as u64, &mut identity).and_then(|()| read(len - TAIL, &mut count)).map_err(unreadable)?;
        let count = u64::from_le_bytes(count);
        if sums.0 != sums.1 || Some(payload) != count.checked_mul(ENTRY) {
            return Err(damaged());
        }
        let identity = Identity::decode(&identity).ok_or_else(damaged)?;
        match identity.difference(here) {
            Some(difference) => Err(bad(&difference)),
            None => Ok(Some(Self { file, path: path.into(), first, count })),
        }
    }

    /// Passes every entry, key and data word, to `take`. Returns their number, or `None` if the flag was raised before
    /// the last.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn each(self, stop: &StopFlag, mut take: impl FnMut([u64; 2])) -> Result<Option<u64>, Error> {
        let Self { mut file, path, first, count } = self;
        let mut all = || {
            file.seek(SeekFrom::Start(first))?;
            let mut input = BufReader::with_capacity(PIECE, &file);
            let mut entry = [[0; 8]; 2];
            for index in 0..count {
                input.read_exact(entry.as_flattened_mut())?;
                take(entry.map(u64::from_le_bytes));
                if index.is_multiple_of(4096) && stop.is_raised() {
                    return Ok(None);
                }
            }
            Ok(Some(count))
        };
        all().map_err(|error: io::Error| Error::file("read", &path, &error))
    }
}

/// Returns the computed and the stored checksum of a file; `None` if the flag was raised.
fn sums(file: &mut File, len: u64, stop: &StopFlag) -> io::Result<Option<(u32, u32)>> {
    file.seek(SeekFrom::Start(0))?;
    let (mut sum, mut rest, mut piece) = (Hasher::new(), len - 4, vec![0; PIECE]);
    while rest > 0 {
        if stop.is_raised() {
            return Ok(None);
        }
        let bytes = &mut piece[..usize::try_from(rest).map_or(PIECE, |rest| rest.min(PIECE))];
        file.read_exact(bytes)?;
        sum.update(bytes);
        rest -= bytes.len() as u64;
    }
    let mut said = [0; 4];
    file.read_exact(&mut said)?;
    Ok(Some((sum.finalize(), u32::from_le_bytes(said))))
}

/// Fills the buffer; false if the file ends first.
fn read_or_end(file: &mut File, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn identity() -> Identity {
        Identity { game: "kalah".into(), options: vec![("Houses".into(), "6".into())], evaluation: 1, layout: 2 }
    }

    fn read(path: &Path) -> Result<Vec<[u64; 2]>, Error> {
        let mut entries = Vec::new();
        let saved = Saved::open(path, &identity(), &StopFlag::new())?.unwrap();
        let count = saved.each(&StopFlag::new(), |entry| entries.push(entry))?;
        assert_eq!(count, Some(entries.len() as u64));
        Ok(entries)
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        for count in [0, 1, 100_000] {
            let entries: Vec<_> = (0..count).map(|n: u64| [n.wrapping_mul(0x9e37_79b9_7f4a_7c15), !n]).collect();
            let saved = save(&path, &identity(), entries.iter().copied(), &StopFlag::new());
            assert_eq!(saved, Ok(Some(count)));
            assert_eq!(read(&path), Ok(entries));
        }
    }

    #[test]
    fn every_bit_and_every_length_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (path, hurt) = (folder.path().join("table"), folder.path().join("hurt"));
        save(&path, &identity(), (1..4).map(|n| [n, n]), &StopFlag::new()).unwrap();
        let whole = fs::read(&path).unwrap();
        let refused = |bytes: &[u8], what: &dyn std::fmt::Debug| {
            fs::write(&hurt, bytes).unwrap();
            let error = read(&hurt).expect_err(&format!("{what:?}"));
            assert!(matches!(error, Error::BadFile(..)) && error.to_string().contains("hurt\" "), "{what:?}: {error}");
            error.to_string()
        };
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let said = refused(&bytes, &("bit", bit));
            let expected =
                ["is no saved table", "version of the format", "is damaged"][(bit / 32).saturating_sub(1).min(2)];
            assert!(said.contains(expected), "bit {bit}: {said}");
        }
        for len in 0..whole.len() {
            refused(&whole[..len], &("length", len));
        }
        for more in [1, 15, 16, 17, 100] {
            refused(&[&whole[..], &vec![0; more]].concat(), &("more", more));
        }
        refused(b"position startpos\n", &"text");
    }

    #[test]
    fn stopped_early_the_old_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        save(&path, &identity(), std::iter::once([3, 4]), &StopFlag::new()).unwrap();
        let stop = StopFlag::new();
        stop.raise();
        assert_eq!(save(&path, &identity(), std::iter::repeat([5, 6]), &stop), Ok(None));
        assert!(Saved::open(&path, &identity(), &stop).unwrap().is_none());
        assert_eq!(read(&path), Ok(vec![[3, 4]]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for (path, words) in
            [(folder.path().join("none"), "cannot read \""), (folder.path().into(), "not a regular file")]
        {
            let error = Saved::open(&path, &identity(), &StopFlag::new()).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
        assert!(matches!(
            save(folder.path(), &identity(), std::iter::empty(), &StopFlag::new()),
            Err(Error::File { .. })
        ));
    }
}
