//! Records appended to a file: records already added survive a crash of the writer.
//!
//! The file begins with the header of a [container](super::container). Then, for each record:
//!
//! ```text
//! 4  n
//! 4  the CRC-32 of these four bytes
//! n  the record
//! 4  the CRC-32 of the record
//! ```
//!
//! Numbers are little-endian. A last record that is truncated or damaged is dropped; any other damage is an error.

use super::append::AppendFile;
use super::container::{Format, SUM};
use super::lock::{BUSY, try_lock_for};
use super::regular;
use super::replacement::Replacement;
use super::unfinished::has_name;
use crate::core::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time to wait for a lock: short, because a search whose clock is running may open the file.
const BRIEFLY: Duration = Duration::from_millis(50);

/// The number of bytes before a record.
const FRONT: usize = 8;

/// A file of records, open for appending and locked against other writers.
#[derive(Debug)]
pub struct Records {
    file: AppendFile,
    path: PathBuf,
    header: Vec<u8>,
}

impl Records {
    /// Opens the records made for `subject`, or creates the file; one without any record is begun anew, whatever its
    /// subject. Returns the existing records in order. Given the subject of a file, `difference` describes why its
    /// records are invalid here, as the end of a sentence that begins with the file name.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is not a file of this format, is damaged, was made for another
    /// subject, or is open elsewhere. The file is then unchanged.
    pub fn open(
        path: &Path,
        format: &Format,
        subject: &[u8],
        difference: impl Fn(&[u8]) -> Option<String>,
    ) -> Result<(Self, Vec<Vec<u8>>), Error> {
        let (records, found) = Self::open_or_read(path, format, subject, difference)?;
        Ok((records.ok_or_else(|| Error::bad_file(path, BUSY))?, found))
    }

    /// Opens the records, or only reads them if the file is open elsewhere.
    pub(crate) fn open_or_read(
        path: &Path,
        format: &Format,
        subject: &[u8],
        difference: impl Fn(&[u8]) -> Option<String>,
    ) -> Result<(Option<Self>, Vec<Vec<u8>>), Error> {
        let failed = |error: io::Error| Error::file("open", path, &error);
        regular::check(path)?;
        let (mut file, ours) = loop {
            let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
            let ours = try_lock_for(BRIEFLY, &file);
            // Its owner may have replaced it since it was opened: records added to the old file would be lost.
            if !ours || has_name(&file, path) {
                break (file, ours);
            }
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = format.header(subject).map_err(failed)?;
        let file = AppendFile::new(file, bytes.len() as u64);
        let mut records = Self { file, path: path.into(), header };
        // A new file contains a part of this header, or all of it, or that of a writer that ended before its first
        // record.
        let mut body = &bytes[..];
        let is_new = bytes.len() < records.header.len() && records.header.starts_with(&bytes)
            || format.read(path, &mut body).is_ok() && body.is_empty();
        if is_new {
            if ours {
                records.cut(0)?;
                let header = records.header.clone();
                records.add(&header)?;
            }
            return Ok((ours.then_some(records), Vec::new()));
        }
        let (found, end, ending) = parse(path, format, &bytes, difference)?;
        // A record that another process is writing looks truncated.
        if end < bytes.len() && ours {
            log::warn!("{}: the last record {ending} and is removed", path.display());
            records.cut(end as u64)?;
        }
        Ok((ours.then_some(records), found))
    }

    /// Reads the records made for a subject without opening the file for appending; an incomplete last one is left out,
    /// with a warning. For `difference` see [`open`](Self::open).
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is not a file of this format, is damaged, or was made for another
    /// subject.
    pub fn read(
        path: &Path,
        format: &Format,
        difference: impl FnOnce(&[u8]) -> Option<String>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        regular::check(path)?;
        let bytes = fs::read(path).map_err(|error| Error::file("read", path, &error))?;
        let (found, end, ending) = parse(path, format, &bytes, difference)?;
        if end < bytes.len() {
            log::warn!("{}: the last record {ending} and is left out", path.display());
        }
        Ok(found)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    /// Appends records prepared by [`frame`]; they are in the file when this returns.
    ///
    /// # Errors
    /// [`Error::File`]; the file is then as before. If it cannot be restored, further writes are refused.
    pub fn add(&mut self, framed: &[u8]) -> Result<(), Error> {
        self.file.append(framed).map_err(|error| Error::file("write", &self.path, &error))
    }

    /// Replaces all records with some prepared by [`frame`]. The file is replaced as a whole, or is unchanged.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if another process opened the new file before it could be locked.
    pub(crate) fn replace(&mut self, framed: &[u8]) -> Result<(), Error> {
        let failed = |error: io::Error| Error::file("write", &self.path, &error);
        self.file.check().map_err(failed)?;
        let mut draft = Replacement::new(&self.path).map_err(failed)?;
        draft.write_all(&self.header).and_then(|()| draft.write_all(framed)).map_err(failed)?;
        draft.commit().map_err(failed)?;
        // The old file stays locked until the new one is. It no longer has a name: records added to it would be lost.
        self.file.close();
        let file = OpenOptions::new().read(true).append(true).open(&self.path).map_err(failed)?;
        if !try_lock_for(BRIEFLY, &file) {
            return Err(Error::bad_file(&self.path, BUSY));
        }
        self.file = AppendFile::new(file, (self.header.len() + framed.len()) as u64);
        Ok(())
    }

    fn cut(&mut self, len: u64) -> Result<(), Error> {
        self.file.cut(len).map_err(|error| Error::file("write", &self.path, &error))
    }
}

/// Returns the records of a file, the end of the last whole one, and the state of the incomplete record after it, if
/// any.
fn parse(
    path: &Path,
    format: &Format,
    bytes: &[u8],
    difference: impl FnOnce(&[u8]) -> Option<String>,
) -> Result<(Vec<Vec<u8>>, usize, &'static str), Error> {
    let mut body = bytes;
    if let Some(difference) = difference(&format.read(path, &mut body)?) {
        return Err(Error::bad_file(path, difference));
    }
    let start = bytes.len() - body.len();
    let (found, whole, ending) = split(body).map_err(|at| {
        let at = start + at;
        Error::bad_file(path, format!("is damaged: the checksum of the record at byte {at} is wrong"))
    })?;
    Ok((found, start + whole, ending))
}

/// Appends a record in its file format to a buffer; a record of 4 GiB or more is omitted.
pub fn frame(record: &[u8], framed: &mut Vec<u8>) {
    let Ok(len) = u32::try_from(record.len()) else { return };
    let len = len.to_le_bytes();
    framed.extend(len);
    framed.extend(crc32fast::hash(&len).to_le_bytes());
    framed.extend(record);
    framed.extend(crc32fast::hash(record).to_le_bytes());
}

/// The states of an incomplete last record. Truncated: the end of a file is written last.
const CUT: &str = "was cut off";

/// Damaged: the system stopped before the data reached the disk.
const DAMAGED: &str = "is damaged";

/// Returns the records, their size in bytes, and the state of the incomplete record after them, if any. Fails with the
/// offset of a record that is damaged and not merely truncated.
fn split(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, usize, &'static str), usize> {
    let (mut records, mut at) = (Vec::new(), 0);
    loop {
        let rest = &bytes[at..];
        // Zeros after the last whole record were allocated but never written.
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

    const FORMAT: Format = Format { letters: b"SCR", version: 1, foreign: "is not a file of records" };

    fn open(path: &Path, subject: &[u8]) -> Result<(Records, Vec<Vec<u8>>), Error> {
        let other = |found: &[u8]| (found != subject).then(|| "was made for something else".to_owned());
        Records::open(path, &FORMAT, subject, other)
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
        assert!(open(&path, b"this").unwrap_err().to_string().contains("is already being written"));
        drop(records);
        let (mut records, found) = open(&path, b"this").unwrap();
        assert_eq!(found, [b"one".to_vec(), Vec::new()]);
        add(&mut records, &[b"two"]);
        drop(records);
        assert_eq!(open(&path, b"this").unwrap().1.len(), 3);
        assert!(open(&path, b"that").unwrap_err().to_string().ends_with("records\" was made for something else"));
    }

    #[test]
    fn a_file_without_records_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let (held, _) = open(&path, b"this").unwrap();
        assert!(open(&path, b"that").unwrap_err().to_string().contains("is already being written"));
        drop(held);
        let mut records = open(&path, b"another").unwrap().0;
        add(&mut records, &[b"one"]);
        drop(records);
        assert_eq!(open(&path, b"another").unwrap().1, [b"one".to_vec()]);
        assert!(open(&path, b"this").is_err());
    }

    #[test]
    fn whoever_comes_second_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let read = || Records::open_or_read(&path, &FORMAT, b"this", |_| None).unwrap();
        let (mut records, _) = open(&path, b"this").unwrap();
        add(&mut records, &[b"one", b"two"]);
        let (second, found) = read();
        assert!(second.is_none());
        assert_eq!(found.len(), 2);
        // A record that is being written is not an error, and stays.
        let whole = fs::read(&path).unwrap();
        records.add(b"half").unwrap();
        assert_eq!(read().1.len(), 2);
        assert_eq!(fs::metadata(&path).unwrap().len(), records.bytes());
        fs::write(&path, &whole).unwrap();
        let mut framed = Vec::new();
        frame(b"three", &mut framed);
        records.replace(&framed).unwrap();
        add(&mut records, &[b"four"]);
        let (second, found) = read();
        assert!(second.is_none(), "the new file is locked as well");
        assert_eq!(found, [b"three".to_vec(), b"four".to_vec()]);
        assert_eq!(fs::metadata(&path).unwrap().len(), records.bytes());
    }

    #[test]
    fn a_failed_write_leaves_whole_records() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        let (mut records, _) = open(&path, b"this").unwrap();
        add(&mut records, &[b"one"]);
        let whole = fs::read(&path).unwrap();
        // Neither written nor truncated.
        let writer = std::mem::replace(&mut records.file, AppendFile::new(fs::File::open(&path).unwrap(), 0));
        let mut framed = Vec::new();
        frame(b"two", &mut framed);
        for expected in ["cannot write", "an earlier write failed"] {
            assert!(records.add(&framed).unwrap_err().to_string().contains(expected));
        }
        assert!(records.replace(&framed).is_err());
        records.file = writer;
        assert_eq!(fs::read(&path).unwrap(), whole);
        add(&mut records, &[b"two"]);
        drop(records);
        assert_eq!(open(&path, b"this").unwrap().1, [b"one".to_vec(), b"two".to_vec()]);
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
            // The text of the last record may as well have been truncated.
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
