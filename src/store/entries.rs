//! The entries of a transposition table in a file.
//! The file is a [container](super::container). Its contents are a key and a data word for each entry, 8 bytes each,
//! little-endian. Its subject is the [`Identity`] that the entries were made for.

use super::container::{DAMAGED, Draft, Format, PIECE, SUM};
use super::identity::Identity;
use super::regular;
use super::replacement::Replacement;
use crate::core::{Error, StopFlag};
use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FORMAT: Format = Format { letters: b"SCT", version: 2, foreign: "is not a saved table" };

/// The size of an entry, bytes.
const ENTRY: u64 = 16;

/// Saves entries of a key and a data word each. Returns their number, or `None` if the flag was raised before all were
/// written. The file at `path` is replaced as a whole, or is unchanged.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of another kind or game, which is not replaced.
pub fn save(
    path: &Path,
    identity: &Identity,
    entries: impl Iterator<Item = [u64; 2]>,
    stop: &StopFlag,
) -> Result<Option<u64>, Error> {
    check_replaced(path, &identity.game)?;
    write(path, identity, entries, stop).map_err(|error| Error::file("write", path, &error))
}

/// Checks that the entries of a game may be saved there, before the work that fills the file: what it replaces is of
/// this game, is damaged or empty, or does not exist.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of another kind or game.
pub fn check_replaced(path: &Path, game: &str) -> Result<(), Error> {
    let there = FORMAT.check_replaced(path)?.and_then(|subject| Identity::decode(&subject));
    there.map_or(Ok(()), |there| Replacement::check_game(path, ("was saved for", &there.game), ("this is", game)))
}

fn write(
    path: &Path,
    identity: &Identity,
    entries: impl Iterator<Item = [u64; 2]>,
    stop: &StopFlag,
) -> io::Result<Option<u64>> {
    let mut out = Draft::create(path, &FORMAT, &identity.encode())?;
    let mut count = 0_u64;
    for entry in entries {
        out.write_all(entry.map(u64::to_le_bytes).as_flattened())?;
        count += 1;
        if count.is_multiple_of(4096) && stop.is_raised() {
            return Ok(None);
        }
    }
    if stop.is_raised() {
        return Ok(None);
    }
    Draft::commit(out)?;
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
    pub(crate) fn open(path: &Path, here: &Identity, stop: &StopFlag) -> Result<Option<Self>, Error> {
        let unreadable = |error: io::Error| Error::file("read", path, &error);
        let bad = |reason: &str| Error::bad_file(path, reason);
        regular::check(path)?;
        let mut file = File::open(path).map_err(unreadable)?;
        let found = FORMAT.read(path, &mut file)?;
        let identity = Identity::decode(&found).ok_or_else(|| bad(DAMAGED))?;
        if let Some(difference) = identity.difference(here) {
            return Err(bad(&difference));
        }
        let first = file.stream_position().map_err(unreadable)?;
        let end = file.metadata().map_err(unreadable)?.len().checked_sub(SUM as u64);
        let size = end.and_then(|end| end.checked_sub(first)).filter(|size| size % ENTRY == 0);
        let size = size.ok_or_else(|| bad(DAMAGED))?;
        match is_whole(&mut file, first + size, stop).map_err(unreadable)? {
            Some(true) => Ok(Some(Self { file, path: path.into(), first, count: size / ENTRY })),
            Some(false) => Err(bad(DAMAGED)),
            None => Ok(None),
        }
    }

    /// Passes every entry, key and data word, to `take`. Returns their number, or `None` if the flag was raised before
    /// the last.
    pub(crate) fn each(self, stop: &StopFlag, mut take: impl FnMut([u64; 2])) -> Result<Option<u64>, Error> {
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

/// Returns whether the checksum of the first `rest` bytes follows them; `None` if the flag was raised.
fn is_whole(file: &mut File, mut rest: u64, stop: &StopFlag) -> io::Result<Option<bool>> {
    file.rewind()?;
    let (mut hasher, mut piece) = (Hasher::new(), vec![0; PIECE]);
    while rest > 0 {
        if stop.is_raised() {
            return Ok(None);
        }
        let bytes = &mut piece[..usize::try_from(rest).map_or(PIECE, |rest| rest.min(PIECE))];
        file.read_exact(bytes)?;
        hasher.update(bytes);
        rest -= bytes.len() as u64;
    }
    let mut sum = [0; SUM];
    file.read_exact(&mut sum)?;
    Ok(Some(hasher.finalize().to_le_bytes() == sum))
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
            let expected = if bit < 64 { "is not a saved table" } else { "is damaged" };
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
