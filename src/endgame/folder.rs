//! Folders of databases: locked while they are built, opened once and shared.

use crate::core::Error;
use crate::core::databases::Needs;
use crate::core::parallel::on_threads;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::SystemTime;

/// A snapshot of a folder: its path, and the name, length and modification time of each file of a database.
#[derive(PartialEq, Eq)]
struct Sight(PathBuf, Vec<(OsString, u64, Option<SystemTime>)>);

/// The databases that this process has open, by folder and key.
pub struct Opened<K, T>(Mutex<Open<K, T>>);

struct Open<K, T> {
    /// All databases in use.
    used: Vec<(Sight, K, Weak<T>)>,
    /// The databases of the folder requested last, kept open because boards are set up one after the other.
    recent: Vec<Arc<T>>,
}

impl<K: PartialEq, T> Opened<K, T> {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(Open { used: Vec::new(), recent: Vec::new() }))
    }

    /// Returns the databases of a folder, shared by all users in this process. They are opened on the first request and
    /// after a change.
    ///
    /// # Errors
    /// [`Error::File`] for a folder that cannot be read; those of `open`.
    pub fn get(&self, folder: &Path, key: K, open: impl FnOnce() -> Result<T, Error>) -> Result<Arc<T>, Error> {
        let sight = sight(folder).map_err(|error| Error::file("read", folder, &error))?;
        // A second caller waits here and finds the databases open.
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Open { used, recent } = &mut *list;
        let same = used.iter().find(|(other, of, _)| (other, of) == (&sight, &key));
        if let Some(found) = same.and_then(|(.., found)| found.upgrade()) {
            return Ok(found);
        }
        let found = Arc::new(open()?);
        if used.iter().any(|(other, ..)| *other != sight) {
            recent.clear();
        }
        used.retain(|(.., found)| found.strong_count() > 0);
        used.push((sight, key, Arc::downgrade(&found)));
        recent.push(Arc::clone(&found));
        Ok(found)
    }
}

impl<K: PartialEq, T> Default for Opened<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

fn sight(folder: &Path) -> io::Result<Sight> {
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
    Ok(Sight(path, files))
}

/// Locks a folder against other builders until the file is dropped; creates the folder if it is missing. Unfinished
/// files of killed builders are removed.
///
/// # Errors
/// [`Error::File`].
pub fn lock(folder: &Path) -> Result<File, Error> {
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
    crate::store::replacement::sweep(folder).map_err(|error| Error::file("write", folder, &error))?;
    Ok(file)
}

/// Checks the free disk space for a build.
///
/// # Errors
/// [`Error::File`] if there is less than it needs.
pub fn check_space(folder: &Path, needs: &Needs) -> Result<(), Error> {
    let Some(free) = needs.free.filter(|free| *free < needs.disk) else { return Ok(()) };
    let words = shortage(needs.disk, free);
    Err(Error::file("write", folder, &io::Error::new(io::ErrorKind::StorageFull, words)))
}

/// Describes that more bytes are needed than are free: the first number is rounded up and the second down, so that it is
/// the smaller one.
fn shortage(needed: u64, free: u64) -> String {
    let (unit, shift) = if needed < 10 << 20 { ("KiB", 10) } else { ("MiB", 20) };
    format!("{} {unit} of disk are needed, {} {unit} are free", needed.div_ceil(1 << shift), free >> shift)
}

/// Computes `count` results with one thread per processor. Returns them in order.
///
/// # Errors
/// The first error in that order.
pub fn each<T: Send + Sync>(count: usize, make: impl Fn(usize) -> Result<T, Error> + Sync) -> Result<Vec<T>, Error> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count);
    let (next, made) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let work = || {
        loop {
            // The largest indices come first.
            let Some(index) = count.checked_sub(1 + next.fetch_add(1, Ordering::Relaxed)) else { return };
            let thing = make(index);
            made.lock().unwrap_or_else(PoisonError::into_inner).push((index, thing));
        }
    };
    on_threads(threads, &work);
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, thing)| thing).collect()
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
