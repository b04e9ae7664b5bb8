//! The names of unfinished files and of locks, which lie beside the files that they are for, and the removal of those
//! left by killed processes.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

pub(super) const PREFIX: &str = ".secateurs-";

pub(super) const PART: &str = ".part";

pub(super) const LOCK: &str = ".lock";

pub(crate) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the file that a path names, which need not exist: links are followed.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        // The system has refused a circle of links.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::read_link(path).map_or_else(|_| Ok(path.to_owned()), |to| followed(&folder(path).join(to)))
        }
        found => found,
    }
}

/// Removes the unfinished files and the locks that killed processes left in a folder: those that no process has locked.
/// Files that cannot be removed stay.
pub(crate) fn sweep(folder: &Path) -> io::Result<()> {
    let is_ours = |name: &str| name.starts_with(PREFIX) && [PART, LOCK].iter().any(|suffix| name.ends_with(suffix));
    for entry in fs::read_dir(folder)?.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && entry.file_name().to_str().is_some_and(is_ours)
            && let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

/// Returns whether an open file is the one that has this name: it was not removed or replaced since it was opened.
pub(crate) fn has_name(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |found: fs::Metadata| (found.dev(), found.ino());
        match (file.metadata(), fs::metadata(path)) {
            (Ok(open), Ok(named)) => place(open) == place(named),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
