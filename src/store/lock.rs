//! Locks against a second writer.

use super::regular;
use super::replacement::Replacement;
use super::unfinished::{LOCK, PREFIX, folder, followed, has_name};
use crate::core::Error;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(5);

/// The error for a file that another process writes, as the end of a sentence that begins with the file name.
pub const BUSY: &str = "is already being written";

/// Locks an open file against other processes. Returns whether that succeeded, as it always does on a file system
/// without locks. It retries for a second: a process that is being started holds its parent's locks until it executes
/// its program.
#[must_use]
pub fn try_lock(file: &File) -> bool {
    try_lock_for(Duration::from_secs(1), file)
}

/// As [`try_lock`], but retries for the given time.
pub(super) fn try_lock_for(time: Duration, file: &File) -> bool {
    let began = Instant::now();
    while matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        if began.elapsed() >= time {
            return false;
        }
        thread::sleep(PAUSE);
    }
    true
}

/// The exclusive right to write a file that is replaced as a whole. Replacing a file ends its locks, so another file
/// next to it is locked, and finally removed. A process that is killed leaves it, without its lock.
#[derive(Debug)]
pub struct FileLock {
    /// Closing it unlocks it.
    _file: File,
    lock: PathBuf,
}

impl FileLock {
    /// Locks a file, which need not exist, before the work whose result it will have; a link is followed. Removes what
    /// killed processes left in its folder.
    ///
    /// # Errors
    /// [`Error::BadFile`] if it is not a regular file, or another process has the lock; [`Error::File`] if it or its
    /// folder cannot be written to.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let failed = |error: io::Error| Error::file("write", path, &error);
        regular::check(path)?;
        Replacement::check(path)?;
        let target = followed(path).map_err(failed)?;
        let name = crc32fast::hash(target.file_name().unwrap_or_default().as_encoded_bytes());
        let lock = folder(&target).join(format!("{PREFIX}{name:08x}{LOCK}"));
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(failed)?;
            if !try_lock(&file) {
                return Err(Error::bad_file(path, BUSY));
            }
            // Otherwise its last owner has removed it meanwhile.
            if has_name(&file, &lock) {
                return Ok(Self { _file: file, lock });
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().count();
        let (path, other) = (folder.path().join("file"), folder.path().join("other"));
        let lock = FileLock::new(&path).unwrap();
        assert!(FileLock::new(&path).unwrap_err().to_string().ends_with("file\" is already being written"));
        drop(FileLock::new(&other).unwrap());
        let link = folder.path().join("link");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(FileLock::new(&link).is_err(), cfg!(unix));
        // The lock outlasts the file.
        fs::write(&path, "one").unwrap();
        Replacement::write_whole(&path, b"two").unwrap();
        assert!(FileLock::new(&path).is_err());
        assert_eq!(FileLock::new(&link).is_err(), cfg!(unix));
        #[cfg(unix)]
        fs::remove_file(&link).unwrap();
        drop(lock);
        assert_eq!(names(), 1);
        // Left by a process that was killed.
        let left = FileLock::new(&path).unwrap();
        fs::write(&left.lock, "").unwrap();
        let lock = left.lock.clone();
        drop(left);
        fs::write(&lock, "").unwrap();
        drop(FileLock::new(&path).unwrap());
        assert_eq!(names(), 1);
        assert!(FileLock::new(folder.path()).unwrap_err().to_string().contains("not a regular file"));
        assert!(FileLock::new(&folder.path().join("no/file")).unwrap_err().to_string().contains("cannot write"));
    }
}
