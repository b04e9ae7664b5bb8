//! A file that replaces another once it is complete.

use super::unfinished::{PART, PREFIX, folder, followed, has_name, sweep};
use crate::core::Error;
use crate::core::error::Quoted;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// An unfinished file next to the one that it will replace. Until [`commit`](Self::commit) has succeeded, the old file
/// stays intact; dropping the replacement removes the new one.
#[derive(Debug)]
pub struct Replacement {
    draft: NamedTempFile,
    target: PathBuf,
}

/// Returns an error without the name of the unfinished file, which means nothing to a user.
fn unnamed(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(&*text, |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Refuses what writing in place could not change: a rename needs no permission of the old file.
fn check(path: &Path, old: &Metadata) -> io::Result<()> {
    if !old.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    if old.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    File::options().write(true).open(path).map(drop)
}

impl Replacement {
    /// Creates a file that will replace `path`; a link is followed. It has the permissions of the old file.
    ///
    /// # Errors
    /// `path` is not a regular file, or it or its folder cannot be written to.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        fs::metadata(folder(&target))?;
        let old = fs::metadata(&target).ok();
        if let Some(old) = &old {
            check(&target, old)?;
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(PART);
        // The usual permissions of a new file; those of temporary files are private.
        #[cfg(unix)]
        if old.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        loop {
            let draft = builder.tempfile_in(folder(&target)).map_err(|error| unnamed(&error))?;
            if let Some(old) = &old {
                draft.as_file().set_permissions(old.permissions())?;
            }
            // The lock shows other processes that the file is in use. One that looked before it was locked may have
            // removed it.
            let taken = matches!(draft.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !taken && has_name(draft.as_file(), draft.path()) {
                return Ok(Self { draft, target });
            }
        }
    }

    /// Checks that [`new`](Self::new) succeeds, to report an unwritable file before the work rather than after it.
    /// Removes what killed processes left in the folder.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn check(path: &Path) -> Result<(), Error> {
        let new = Self::new(path).map_err(|error| Error::file("write", path, &error))?;
        // Files that cannot be removed do no harm.
        let _ = sweep(folder(&new.target));
        Ok(())
    }

    /// Checks that what is replaced is of the same game: the file `is_of` the first, as in "was saved for", and what is
    /// written, "this is", of the second.
    ///
    /// # Errors
    /// [`Error::BadFile`], which names both.
    pub fn check_game(path: &Path, (is_of, there): (&str, &str), (this_is, here): (&str, &str)) -> Result<(), Error> {
        if there == here {
            return Ok(());
        }
        let [there, here] = [there, here].map(Quoted::new);
        Err(Error::bad_file(path, format!("{is_of} {there}; {this_is} {here}, and it is not replaced")))
    }

    /// Replaces a file as a whole.
    ///
    /// # Errors
    /// [`Error::File`]; the old file is then unchanged.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let written = Self::new(path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.commit()
        });
        written.map_err(|error| Error::file("write", path, &error))
    }

    /// Makes the contents durable, then moves the file into place.
    ///
    /// # Errors
    /// Errors of the file system; the old file is then unchanged.
    pub fn commit(self) -> io::Result<()> {
        self.draft.as_file().sync_all()?;
        self.draft.persist(&self.target).map_err(|error| error.error)?;
        // Makes the new name durable too, where folders can be opened.
        #[cfg(unix)]
        File::open(folder(&self.target))?.sync_all()?;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.draft.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.draft.as_file_mut().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        fs::write(&path, "old").unwrap();
        let mut draft = Replacement::new(&path).unwrap();
        draft.write_all(b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names()), (b"old".into(), 2));
        drop(draft);
        assert_eq!((fs::read(&path).unwrap(), names()), (b"old".into(), 1));
        let mut draft = Replacement::new(&path).unwrap();
        draft.write_all(b"new").unwrap();
        draft.commit().unwrap();
        assert_eq!((fs::read(&path).unwrap(), names()), (b"new".into(), 1));
    }

    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let used = Replacement::new(&path).unwrap();
        let kept = [".secateurs-notes", "other.part"].map(|name| folder.path().join(name));
        let left = [".secateurs-a.part", ".secateurs-b.lock"].map(|name| folder.path().join(name));
        kept.iter().chain(&left).for_each(|path| fs::write(path, "").unwrap());
        Replacement::check(&path).unwrap();
        assert_eq!(left.map(|path| path.exists()), [false; 2]);
        assert_eq!(kept.map(|path| path.exists()), [true; 2]);
        used.commit().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Replacement::new(folder.path()).unwrap_err().to_string().contains("not a regular file"));
        assert!(Replacement::new(&folder.path().join("no/such/folder")).is_err());
        #[cfg(unix)]
        {
            let (path, link) = (folder.path().join("file"), folder.path().join("link"));
            fs::write(&path, "old").unwrap();
            std::os::unix::fs::symlink(&path, &link).unwrap();
            Replacement::new(&link).unwrap().commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"");
            assert!(link.is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_no_file_yet_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("second", at("first")).unwrap();
        symlink("file", at("second")).unwrap();
        symlink("no/such/folder", at("lost")).unwrap();
        symlink("circle", at("circle")).unwrap();
        Replacement::write_whole(&at("first"), b"new").unwrap();
        assert_eq!(fs::read(at("file")).unwrap(), b"new");
        assert!(["first", "second"].iter().all(|name| at(name).is_symlink()));
        assert!(["lost", "circle"].iter().all(|name| Replacement::new(&at(name)).is_err()));
    }

    #[cfg(unix)]
    #[test]
    fn the_permissions_of_the_old_file_hold() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for mode in [0o600, 0o664, 0o755] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            Replacement::write_whole(&path, b"new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
        let error = Replacement::check(&path).unwrap_err().to_string();
        assert!(error.ends_with("it is read-only"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
