//! Appending to a file: all of the bytes or none of them.

use super::lock::{BUSY, try_lock};
use super::regular;
use crate::core::Error;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that grows at its end. A failed write, for example on a full disk, leaves nothing behind: later writes follow
/// complete ones.
#[derive(Debug)]
pub struct AppendFile {
    file: File,
    len: u64,
    /// Whether further writes are refused.
    closed: bool,
}

impl AppendFile {
    /// Opens a file for reading and writing, or creates it. It is locked against other processes.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is not a regular file, or another process writes it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error: io::Error| Error::file("open", path, &error);
        regular::check(path)?;
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        if !try_lock(&file) {
            return Err(Error::bad_file(path, BUSY));
        }
        let len = file.metadata().map_err(failed)?.len();
        Ok(Self::new(file, len))
    }

    /// Takes a file that is open for writing and has `len` bytes. No other process may write to it.
    #[must_use]
    pub fn new(file: File, len: u64) -> Self {
        Self { file, len, closed: false }
    }

    /// Returns the file.
    #[must_use]
    pub fn as_file(&self) -> &File {
        &self.file
    }

    /// Returns the length of the file, bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Appends bytes; they are in the file when this returns.
    ///
    /// # Errors
    /// Errors of the file system; the file is then as before. If it cannot be restored, or is closed, every further
    /// call fails and writes nothing.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.replace(self.len, bytes)
    }

    /// Replaces what follows the first `start` bytes. It is overwritten and then truncated, so that the file is at no
    /// time without both the old and the new bytes.
    ///
    /// # Errors
    /// Errors of the file system; the file then has `start` bytes. If it cannot be truncated, or is closed, every
    /// further call fails and writes nothing.
    pub fn replace(&mut self, start: u64, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        self.file.seek(SeekFrom::Start(start))?;
        if let Err(error) = self.file.write_all(bytes) {
            let _ = self.cut(start);
            return Err(error);
        }
        let end = start + bytes.len() as u64;
        if end < self.len {
            self.cut(end)
        } else {
            self.len = end;
            Ok(())
        }
    }

    /// Truncates the file to `len` bytes.
    ///
    /// # Errors
    /// Errors of the file system; further writes are then refused.
    pub fn cut(&mut self, len: u64) -> io::Result<()> {
        let cut = self.file.set_len(len);
        self.len = len;
        self.closed |= cut.is_err();
        cut
    }

    /// Checks that the file may still be written.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.closed { Err(io::Error::other("an earlier write failed and could not be undone")) } else { Ok(()) }
    }

    pub(crate) fn close(&mut self) {
        self.closed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn contents_grow_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "onetw").unwrap();
        let mut file = AppendFile::new(fs::OpenOptions::new().write(true).open(&path).unwrap(), 5);
        file.cut(3).unwrap();
        file.append(b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap(), file.bytes()), (b"onetwo".to_vec(), 6));
        for (start, bytes, whole) in [(3, "THREE", "oneTHREE"), (3, "two", "onetwo")] {
            file.replace(start, bytes.as_bytes()).unwrap();
            assert_eq!((fs::read_to_string(&path).unwrap().as_str(), file.bytes()), (whole, whole.len() as u64));
        }
        file.close();
        assert!(file.append(b"three").unwrap_err().to_string().contains("an earlier write failed"));
        assert_eq!(fs::read(&path).unwrap(), b"onetwo");
    }

    /// A device that is always full, and has no length to truncate it to.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_cannot_be_cut_back_is_left_alone() {
        let mut file = AppendFile::new(fs::OpenOptions::new().write(true).open("/dev/full").unwrap(), 0);
        let errors = [1, 2].map(|_| file.append(b"one").unwrap_err());
        assert_eq!(errors[0].kind(), io::ErrorKind::StorageFull);
        assert!(errors[1].to_string().contains("could not be undone"), "{}", errors[1]);
    }
}
