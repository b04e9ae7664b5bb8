//! Folders of databases: locked while they are built, and their files read by all processors.

use crate::core::databases::Needs;
use crate::core::{Error, StopFlag};
use crate::util::parallel::{cores, for_each};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// A snapshot of a folder: its path, and the name, length and modification time of each file of a database.
#[derive(PartialEq, Eq)]
pub struct Listing(PathBuf, Vec<(OsString, u64, Option<SystemTime>)>);

impl Listing {
    /// Takes a snapshot of a folder.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(folder)?;
        let mut files = Vec::new();
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if Path::new(&entry.file_name()).extension().is_some_and(|extension| extension == "sde") {
                let found = entry.metadata()?;
                files.push((entry.file_name(), found.len(), found.modified().ok()));
            }
        }
        files.sort();
        Ok(Self(path, files))
    }
}

/// Locks a folder against other builders until the file is dropped; creates the folder if it is missing. Unfinished
/// files of killed builders are removed.
pub(crate) fn lock(folder: &Path) -> Result<File, Error> {
    if folder.exists() && !folder.is_dir() {
        return Err(Error::bad_file(folder, "is not a folder"));
    }
    fs::create_dir_all(folder).map_err(|error| Error::file("write", folder, &error))?;
    let path = folder.join(".lock");
    let failed = |error| Error::file("write", &path, &error);
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Error::bad_file(folder, "is being built by another process")),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    crate::store::unfinished::sweep(folder).map_err(|error| Error::file("write", folder, &error))?;
    Ok(file)
}

/// Fails if a build needs more disk space than is free.
pub(crate) fn check_space(folder: &Path, needs: &Needs) -> Result<(), Error> {
    let Some(free) = needs.free.filter(|free| *free < needs.disk) else { return Ok(()) };
    let words = shortage(needs.disk, free);
    Err(Error::file("write", folder, &io::Error::new(io::ErrorKind::StorageFull, words)))
}

/// Describes a shortage of disk space: the need is rounded up and the free space down, so that the numbers show it.
fn shortage(needed: u64, free: u64) -> String {
    let (unit, shift) = if needed < 10 << 20 { ("KiB", 10) } else { ("MiB", 20) };
    format!("{} {unit} of disk are needed, {} {unit} are free", needed.div_ceil(1 << shift), free >> shift)
}

/// Computes `count` results with one thread per processor. Returns them in order, or one of the errors.
pub(crate) fn each<T: Send + Sync>(
    count: usize,
    make: impl Fn(usize) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let made: Vec<_> = (0..count).map(|_| OnceLock::new()).collect();
    for_each(cores(), count, &StopFlag::new(), |number| {
        // The largest come first.
        let index = count - 1 - number;
        let _ = made[index].set(make(index)?);
        Ok(())
    })?;
    Ok(made.into_iter().filter_map(OnceLock::into_inner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_less_than_what_is_needed() {
        assert_eq!(shortage(900_000, 800_000), "879 KiB of disk are needed, 781 KiB are free");
        assert_eq!(shortage(1025, 1024), "2 KiB of disk are needed, 1 KiB are free");
        assert_eq!(shortage(30 << 20, (30 << 20) - 1), "30 MiB of disk are needed, 29 MiB are free");
    }
}
