//! A file that its first write begins anew.

use super::lock::{BUSY, try_lock};
use crate::core::Error;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is open for writing from its beginning, and locked against other writers. Until [`begin`](Self::begin)
/// or the first write it stays as it was; a new one that was never begun is removed.
#[derive(Debug)]
pub struct FreshFile {
    path: PathBuf,
    file: File,
    is_new: bool,
    begun: bool,
}

impl FreshFile {
    /// Opens a file, which need not exist; a pipe or a device is neither locked nor emptied.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if another process writes it.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let is_new = !path.exists();
        let opened = OpenOptions::new().append(true).create(true).open(path);
        let file = opened.map_err(|error| Error::file("write", path, &error))?;
        if file.metadata().is_ok_and(|found| found.is_file()) && !try_lock(&file) {
            return Err(Error::bad_file(path, BUSY));
        }
        Ok(Self { path: path.to_owned(), file, is_new, begun: false })
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the file was begun.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.begun
    }

    /// Empties the file, unless it was begun.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn begin(&mut self) -> io::Result<()> {
        if !self.begun && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.begun = true;
        Ok(())
    }
}

impl Write for FreshFile {
    /// Appends all of the bytes in one call: after a kill at most the last ones are incomplete, and on a full disk
    /// nothing is left of them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        let before = self.file.metadata().ok().filter(Metadata::is_file).map(|found| found.len());
        let written = self.file.write_all(bytes);
        if let (Err(_), Some(before)) = (&written, before) {
            // The error of the write is the one to report.
            let _ = self.file.set_len(before);
        }
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for FreshFile {
    fn drop(&mut self) {
        if self.is_new && !self.begun {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_contents_stay_until_the_first_write() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "before").unwrap();
        for path in [&old, &new] {
            let _held = FreshFile::open(path).unwrap();
            assert!(FreshFile::open(path).unwrap_err().to_string().ends_with("\" is already being written"));
        }
        assert_eq!((fs::read(&old).unwrap(), new.exists()), (b"before".to_vec(), false));
        for path in [&old, &new] {
            let mut file = FreshFile::open(path).unwrap();
            file.write_all(b"one, ").unwrap();
            file.write_all(b"two").unwrap();
            drop(file);
            assert_eq!(fs::read(path).unwrap(), b"one, two");
        }
        FreshFile::open(&old).unwrap().begin().unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"");
        assert!(FreshFile::open(&folder.path().join("no/file")).unwrap_err().to_string().contains("cannot write"));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_has_several_writers() {
        let mut files = [(); 2].map(|()| FreshFile::open("/dev/null".as_ref()).unwrap());
        files.iter_mut().for_each(|file| file.write_all(b"nothing").unwrap());
    }
}
