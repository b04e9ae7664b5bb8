//! The databases of a folder, opened once and shared.

use super::index::MOST_HOUSES;
use super::{Endgame, Rules, layer};
use crate::core::Error;
use crate::games::kalah::Capture;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::SystemTime;

/// The databases of a folder for one capture rule, by the number of houses per side.
#[derive(Debug)]
pub struct Endgames([Option<Endgame>; MOST_HOUSES]);

/// A snapshot of a folder: its path, and the name, length and modification time of each layer's file.
#[derive(PartialEq, Eq)]
struct Sight(PathBuf, Vec<(OsString, u64, Option<SystemTime>)>);

/// The databases that this process has open.
struct Open {
    /// All databases in use.
    used: Vec<(Sight, Capture, Weak<Endgames>)>,
    /// The databases of the folder requested last, kept open because boards are set up one after the other.
    recent: Vec<Arc<Endgames>>,
}

static OPEN: Mutex<Open> = Mutex::new(Open { used: Vec::new(), recent: Vec::new() });

impl Endgames {
    /// Returns the databases of a folder, shared by all users in this process. They are verified on the first request
    /// and after a change.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without any database. A folder with
    /// databases of other rules only is no error, since options are set one by one; its databases are not used.
    pub fn open(folder: &Path, capture: Capture) -> Result<Arc<Self>, Error> {
        let sight = sight(folder).map_err(|error| Error::file("read", folder, &error))?;
        // A second caller waits here and finds the databases open.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let Open { used, recent } = &mut *open;
        let same = used.iter().find(|(other, rule, _)| (other, *rule) == (&sight, capture));
        if let Some(endgames) = same.and_then(|(.., endgames)| endgames.upgrade()) {
            return Ok(endgames);
        }
        let found = rules(folder);
        if found.is_empty() {
            return Err(Error::bad_file(folder, "holds no endgame database of kalah"));
        }
        let mut endgames = [const { None }; MOST_HOUSES];
        for rules in found.iter().filter(|rules| rules.capture == capture) {
            endgames[rules.houses - 1] = Some(Endgame::open(folder, *rules)?);
        }
        if endgames.iter().all(Option::is_none) {
            log::info!("{}: its endgame databases are of the other capture rule: not used", folder.display());
        }
        let endgames = Arc::new(Self(endgames));
        if used.iter().any(|(other, ..)| *other != sight) {
            recent.clear();
        }
        used.retain(|(.., endgames)| endgames.strong_count() > 0);
        used.push((sight, capture, Arc::downgrade(&endgames)));
        recent.push(Arc::clone(&endgames));
        Ok(endgames)
    }

    /// Returns the database of boards with this number of houses per side.
    #[inline]
    #[must_use]
    pub fn of(&self, houses: usize) -> Option<&Endgame> {
        self.0.get(houses.wrapping_sub(1))?.as_ref()
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

/// Returns the sets of rules for which a folder has layers.
#[must_use]
pub fn rules(folder: &Path) -> Vec<Rules> {
    let all = [Capture::Standard, Capture::Empty].into_iter();
    let all = all.flat_map(|capture| (1..=MOST_HOUSES).map(move |houses| Rules { houses, capture }));
    all.filter(|rules| folder.join(layer::name(*rules, 0)).exists()).collect()
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
    thread::scope(|scope| {
        for _ in 1..threads {
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, thing)| thing).collect()
}
