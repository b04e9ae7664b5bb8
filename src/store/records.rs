//! Records in a file that grows: what is added stays, however its writer ends.
//!
//! ```text
//! 8  89 "SCR" CR LF 1A LF, which no transfer as text leaves as it is
//! 4  the version of this format
//! 4  n
//! n  what the records were made for
//! 4  the CRC-32 of everything before
//!    then each record:
//! 4  n
//! 4  the CRC-32 of these four bytes
//! n  the record
//! 4  the CRC-32 of the record
//! ```
//!
//! Numbers have their lowest byte first. A last record that was cut off is dropped; any other damage is refused.

use super::head::{Format, HEAD};
use crate::core::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const FORMAT: Format = Format { magic: *b"\x89SCR\r\n\x1a\n", version: 1, foreign: "is no checkpoint of a batch" };

/// Bytes before a record.
const FRONT: usize = 8;

/// Bytes of a checksum.
const SUM: usize = 4;

/// A file of records, open for more of them. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Records {
    file: File,
    path: PathBuf,
}

impl Records {
    /// Opens the records that were made for `subject`, or begins them; those that are there are returned in their order.
    /// `difference` says of the subject of a file what keeps its records from being used here, as the end of a sentence
    /// that begins with the file.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no such file, is damaged, was made for something else, or is open
    /// elsewhere: it is as it was then.
    pub fn open(
        path: &Path,
        subject: &[u8],
        difference: impl Fn(&[u8]) -> Option<String>,
    ) -> Result<(Self, Vec<Vec<u8>>), Error> {
        let failed = |error: io::Error| Error::file("open", path, &error);
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::bad_file(path, "is not a regular file"));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Error::bad_file(path, "is being written by another batch"));
        }
        let (mut bytes, mut head) = (Vec::new(), Vec::new());
        file.read_to_end(&mut bytes).map_err(failed)?;
        FORMAT.write(&mut head, subject).map_err(failed)?;
        head.extend(crc32fast::hash(&head).to_le_bytes());
        let mut records = Self { file, path: path.into() };
        // A file that was just begun has some of this head, or all of it.
        if bytes.len() < head.len() && head.starts_with(&bytes) {
            records.file.set_len(0).map_err(failed)?;
            records.write(&head)?;
            return Ok((records, Vec::new()));
        }
        let bad = |reason: &str| Error::bad_file(path, reason);
        let body = check(&bytes, difference).map_err(|reason| bad(&reason))?;
        let (found, whole) = split(body).map_err(|at| {
            let at = bytes.len() - body.len() + at;
            bad(&format!("is damaged: the checksum of the record at byte {at} is wrong"))
        })?;
        if whole < body.len() {
            log::warn!("{}: the last record was cut off and is removed", path.display());
            records.file.set_len((bytes.len() - body.len() + whole) as u64).map_err(failed)?;
        }
        Ok((records, found))
    }

    /// Adds what [`frame`] made of some records; they are in the file once this returns.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn add(&mut self, framed: &[u8]) -> Result<(), Error> {
        self.write(framed)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| Error::file("write", &self.path, &error))
    }
}

/// Puts a record at the end of some, as the file has them; one of 4 GiB and more is left out.
pub fn frame(record: &[u8], framed: &mut Vec<u8>) {
    let Ok(len) = u32::try_from(record.len()) else { return };
    let len = len.to_le_bytes();
    framed.extend(len);
    framed.extend(crc32fast::hash(&len).to_le_bytes());
    framed.extend(record);
    framed.extend(crc32fast::hash(record).to_le_bytes());
}

/// What follows the head of a file, if that is whole and of use here; else what is wrong.
fn check(bytes: &[u8], difference: impl Fn(&[u8]) -> Option<String>) -> Result<&[u8], String> {
    let damaged = || "is damaged: the checksum of its head is wrong".to_owned();
    let head = bytes.first_chunk::<HEAD>().ok_or(FORMAT.foreign)?;
    let len = HEAD + FORMAT.read(head)? as usize;
    let (head, rest) = bytes.split_at_checked(len).ok_or_else(damaged)?;
    let (sum, body) = rest.split_first_chunk::<SUM>().ok_or_else(damaged)?;
    if crc32fast::hash(head).to_le_bytes() != *sum {
        return Err(damaged());
    }
    difference(&head[HEAD..]).map_or(Ok(body), Err)
}

/// The records, and how many bytes they have; where a record begins that is damaged and not merely cut off.
fn split(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, usize), usize> {
    let (mut records, mut at) = (Vec::new(), 0);
    loop {
        let rest = &bytes[at..];
        // Whatever follows the last whole record as zeros was never written, only made room for.
        let cut = || rest.iter().all(|&byte| byte == 0);
        let Some((front, rest)) = rest.split_first_chunk::<FRONT>() else { return Ok((records, at)) };
        let (len, sum) = front.split_at(SUM);
        if crc32fast::hash(len).to_le_bytes() != *sum {
            return if cut() { Ok((records, at)) } else { Err(at) };
        }
        let len = len.first_chunk().map_or(0, |len| u32::from_le_bytes(*len)) as usize;
        let Some((record, rest)) = rest.split_at_checked(len) else { return Ok((records, at)) };
        let Some((sum, rest)) = rest.split_first_chunk::<SUM>() else { return Ok((records, at)) };
        if crc32fast::hash(record).to_le_bytes() != *sum {
            return if rest.is_empty() { Ok((records, at)) } else { Err(at) };
        }
        records.push(record.to_vec());
        at += FRONT + len + SUM;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn open(path: &Path, subject: &[u8]) -> Result<(Records, Vec<Vec<u8>>), Error> {
        let other = |found: &[u8]| (found != subject).then(|| "was made for something else".to_owned());
        Records::open(path, subject, other)
    }

    fn add(records: &mut Records, added: &[&[u8]]) {
        let mut framed = Vec::new();
        added.iter().for_each(|record| frame(record, &mut framed));
        records.add(&framed).unwrap();
    }

    #[test]
    fn records_stay_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let (mut records, found) = open(&path, b"this").unwrap();
        assert!(found.is_empty());
        add(&mut records, &[b"one", b""]);
        assert!(open(&path, b"this").unwrap_err().to_string().contains("is being written by another batch"));
        drop(records);
        let (mut records, found) = open(&path, b"this").unwrap();
        assert_eq!(found, [b"one".to_vec(), Vec::new()]);
        add(&mut records, &[b"two"]);
        drop(records);
        assert_eq!(open(&path, b"this").unwrap().1.len(), 3);
        assert!(open(&path, b"that").unwrap_err().to_string().ends_with("records\" was made for something else"));
    }

    #[test]
    fn a_cut_loses_the_last_record_and_damage_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        add(&mut open(&path, b"this").unwrap().0, &[b"first", b"second"]);
        let whole = fs::read(&path).unwrap();
        let [first, second] = [b"first".len(), b"second".len()].map(|len| FRONT + len + SUM);
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).unwrap();
            let kept = usize::from(len >= whole.len() - second);
            let head = whole.len() - first - second;
            assert_eq!(open(&path, b"this").unwrap().1.len(), kept, "{len}");
            let left = fs::metadata(&path).unwrap().len() as usize;
            assert_eq!(left, head + kept * first, "{len}");
        }
        fs::write(&path, [&whole[..], &[0; 50]].concat()).unwrap();
        assert_eq!(open(&path, b"this").unwrap().1.len(), 2);
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            // The text of the last record may as well have been cut off.
            let last = bit / 8 >= whole.len() - second + FRONT;
            match open(&path, b"this") {
                Ok((_, found)) => assert!(last && found == [b"first".to_vec()], "bit {bit}: {found:?}"),
                Err(error) => assert!(!last && matches!(error, Error::BadFile(..)), "bit {bit}: {error}"),
            }
        }
        assert!(open(folder.path(), b"this").unwrap_err().to_string().contains("is not a regular file"));
        assert!(matches!(open(&folder.path().join("no/file"), b"this"), Err(Error::File { .. })));
    }
}
