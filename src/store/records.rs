//! Records in a file that grows: what is added stays, however its writer ends.
//!
//! ```text
//! 8  89, three letters by what is kept, CR LF 1A LF, which no transfer as text leaves as it is
//! 4  the version of the format
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
//! Numbers have their lowest byte first. A last record that was cut off, or is damaged, is dropped; any other damage is refused.

use super::head::{Format, HEAD};
use super::replacement::Replacement;
use crate::core::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes before a record.
const FRONT: usize = 8;

/// Bytes of a checksum.
const SUM: usize = 4;

/// What records are of.
#[derive(Debug)]
pub struct Kind {
    /// How their files begin.
    pub format: Format,
    /// What is wrong with a file that somebody else writes, as the end of a sentence that begins with it.
    pub busy: &'static str,
}

/// A file of records, open for more of them. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Records {
    file: File,
    path: PathBuf,
    head: Vec<u8>,
    len: u64,
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
        kind: &Kind,
        subject: &[u8],
        difference: impl Fn(&[u8]) -> Option<String>,
    ) -> Result<(Self, Vec<Vec<u8>>), Error> {
        let (records, found) = Self::open_or_read(path, kind, subject, difference)?;
        Ok((records.ok_or_else(|| Error::bad_file(path, kind.busy))?, found))
    }

    /// The same; a file that is open elsewhere is read, and nothing can be added to it here.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), but for the last.
    pub fn open_or_read(
        path: &Path,
        kind: &Kind,
        subject: &[u8],
        difference: impl Fn(&[u8]) -> Option<String>,
    ) -> Result<(Option<Self>, Vec<Vec<u8>>), Error> {
        let failed = |error: io::Error| Error::file("open", path, &error);
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Error::bad_file(path, "is not a regular file"));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let ours = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let (mut bytes, mut head) = (Vec::new(), Vec::new());
        file.read_to_end(&mut bytes).map_err(failed)?;
        kind.format.write(&mut head, subject).map_err(failed)?;
        head.extend(crc32fast::hash(&head).to_le_bytes());
        let mut records = Self { file, path: path.into(), head, len: bytes.len() as u64 };
        // A file that was just begun has some of this head, or all of it.
        if bytes.len() < records.head.len() && records.head.starts_with(&bytes) {
            if ours {
                records.cut(0)?;
                let head = records.head.clone();
                records.add(&head)?;
            }
            return Ok((ours.then_some(records), Vec::new()));
        }
        let bad = |reason: &str| Error::bad_file(path, reason);
        let body = check(&kind.format, &bytes, difference).map_err(|reason| bad(&reason))?;
        let (found, whole, ending) = split(body).map_err(|at| {
            let at = bytes.len() - body.len() + at;
            bad(&format!("is damaged: the checksum of the record at byte {at} is wrong"))
        })?;
        // What somebody else is writing just now looks cut off.
        if whole < body.len() && ours {
            log::warn!("{}: the last record {ending} and is removed", path.display());
            records.cut((bytes.len() - body.len() + whole) as u64)?;
        }
        Ok((ours.then_some(records), found))
    }

    /// The length of the file, bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Adds what [`frame`] made of some records; they are in the file once this returns.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn add(&mut self, framed: &[u8]) -> Result<(), Error> {
        self.len += framed.len() as u64;
        self.file.write_all(framed).map_err(|error| Error::file("write", &self.path, &error))
    }

    /// Puts what [`frame`] made of some records in the place of all that there are; the file is replaced as a whole, or
    /// stays as it is.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if somebody else has opened the new one before it could be locked.
    pub fn replace(&mut self, kind: &Kind, framed: &[u8]) -> Result<(), Error> {
        let failed = |error: io::Error| Error::file("write", &self.path, &error);
        let mut draft = Replacement::new(&self.path).map_err(failed)?;
        draft.write_all(&self.head).and_then(|()| draft.write_all(framed)).map_err(failed)?;
        draft.commit().map_err(failed)?;
        // The old file stays locked until the new one is.
        let file = OpenOptions::new().read(true).append(true).open(&self.path).map_err(failed)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Error::bad_file(&self.path, kind.busy));
        }
        (self.file, self.len) = (file, (self.head.len() + framed.len()) as u64);
        Ok(())
    }

    fn cut(&mut self, len: u64) -> Result<(), Error> {
        self.len = len;
        self.file.set_len(len).map_err(|error| Error::file("write", &self.path, &error))
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
fn check<'a>(
    format: &Format,
    bytes: &'a [u8],
    difference: impl Fn(&[u8]) -> Option<String>,
) -> Result<&'a [u8], String> {
    let damaged = || "is damaged: the checksum of its head is wrong".to_owned();
    let head = bytes.first_chunk::<HEAD>().ok_or(format.foreign)?;
    let len = HEAD + format.read(head)? as usize;
    let (head, rest) = bytes.split_at_checked(len).ok_or_else(damaged)?;
    let (sum, body) = rest.split_first_chunk::<SUM>().ok_or_else(damaged)?;
    if crc32fast::hash(head).to_le_bytes() != *sum {
        return Err(damaged());
    }
    difference(&head[HEAD..]).map_or(Ok(body), Err)
}

/// What may have become of the last record: the end of a file is written last,
const CUT: &str = "was cut off";

/// or not at all where the system has stopped.
const DAMAGED: &str = "is damaged";

/// The records, how many bytes they have, and what is wrong with what follows, if anything does; where a record begins that is damaged and not merely cut off.
fn split(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, usize, &'static str), usize> {
    let (mut records, mut at) = (Vec::new(), 0);
    loop {
        let rest = &bytes[at..];
        // Whatever follows the last whole record as zeros was never written, only made room for.
        let cut = || rest.iter().all(|&byte| byte == 0);
        let Some((front, rest)) = rest.split_first_chunk::<FRONT>() else { return Ok((records, at, CUT)) };
        let (len, sum) = front.split_at(SUM);
        if crc32fast::hash(len).to_le_bytes() != *sum {
            return if cut() { Ok((records, at, CUT)) } else { Err(at) };
        }
        let len = len.first_chunk().map_or(0, |len| u32::from_le_bytes(*len)) as usize;
        let Some((record, rest)) = rest.split_at_checked(len) else { return Ok((records, at, CUT)) };
        let Some((sum, rest)) = rest.split_first_chunk::<SUM>() else { return Ok((records, at, CUT)) };
        if crc32fast::hash(record).to_le_bytes() != *sum {
            return if rest.is_empty() { Ok((records, at, DAMAGED)) } else { Err(at) };
        }
        records.push(record.to_vec());
        at += FRONT + len + SUM;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const KIND: Kind = Kind {
        format: Format { magic: *b"\x89SCR\r\n\x1a\n", version: 1, foreign: "is no file of records" },
        busy: "is being written",
    };

    fn open(path: &Path, subject: &[u8]) -> Result<(Records, Vec<Vec<u8>>), Error> {
        let other = |found: &[u8]| (found != subject).then(|| "was made for something else".to_owned());
        Records::open(path, &KIND, subject, other)
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
        assert!(open(&path, b"this").unwrap_err().to_string().contains("is being written"));
        drop(records);
        let (mut records, found) = open(&path, b"this").unwrap();
        assert_eq!(found, [b"one".to_vec(), Vec::new()]);
        add(&mut records, &[b"two"]);
        drop(records);
        assert_eq!(open(&path, b"this").unwrap().1.len(), 3);
        assert!(open(&path, b"that").unwrap_err().to_string().ends_with("records\" was made for something else"));
    }

    #[test]
    fn whoever_comes_second_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let read = || Records::open_or_read(&path, &KIND, b"this", |_| None).unwrap();
        let (mut records, _) = open(&path, b"this").unwrap();
        add(&mut records, &[b"one", b"two"]);
        let (second, found) = read();
        assert!(second.is_none());
        assert_eq!(found.len(), 2);
        // What is being written just now is no harm, and stays.
        let whole = fs::read(&path).unwrap();
        records.add(b"half").unwrap();
        assert_eq!(read().1.len(), 2);
        assert_eq!(fs::metadata(&path).unwrap().len(), records.bytes());
        fs::write(&path, &whole).unwrap();
        let mut framed = Vec::new();
        frame(b"three", &mut framed);
        records.replace(&KIND, &framed).unwrap();
        add(&mut records, &[b"four"]);
        let (second, found) = read();
        assert!(second.is_none(), "the new file is locked as well");
        assert_eq!(found, [b"three".to_vec(), b"four".to_vec()]);
        assert_eq!(fs::metadata(&path).unwrap().len(), records.bytes());
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
            let complete = usize::from(len >= whole.len() - second);
            let head = whole.len() - first - second;
            assert_eq!(open(&path, b"this").unwrap().1.len(), complete, "{len}");
            let left = fs::metadata(&path).unwrap().len() as usize;
            assert_eq!(left, head + complete * first, "{len}");
        }
        fs::write(&path, [&whole[..], &[0; 50]].concat()).unwrap();
        assert_eq!(open(&path, b"this").unwrap().1.len(), 2);
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            // The text of the last record may as well have been cut off.
            let last = bit / 8 >= whole.len() - second + FRONT;
            let ending = split(&bytes[whole.len() - first - second..]).map(|(_, _, ending)| ending);
            assert!(!last || ending == Ok(DAMAGED), "bit {bit}: {ending:?}");
            match open(&path, b"this") {
                Ok((_, found)) => assert!(last && found == [b"first".to_vec()], "bit {bit}: {found:?}"),
                Err(error) => assert!(!last && matches!(error, Error::BadFile(..)), "bit {bit}: {error}"),
            }
        }
        assert!(open(folder.path(), b"this").unwrap_err().to_string().contains("is not a regular file"));
        assert!(matches!(open(&folder.path().join("no/file"), b"this"), Err(Error::File { .. })));
    }
}
