//! Refuses to use one file for two purposes, before any file is opened.

use super::unfinished::{folder, followed};
use crate::core::Error;
use std::collections::{HashMap, HashSet};
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::slice;

/// An argument and the file that it names, if it is given.
pub type Named<'a> = (&'a str, Option<&'a Path>);

/// Refuses an output that is also another output, or an input. Inputs may be named several times.
///
/// # Errors
/// [`Error::BadOptions`] with both arguments and the file.
pub fn check(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
    let mut known: HashMap<File, &str> = HashMap::new();
    for &(name, path) in inputs {
        known.extend(path.and_then(File::at).map(|file| (file, name)));
    }
    for &(name, path) in outputs {
        if let (Some(path), Some(file)) = (path, path.and_then(File::at))
            && let Some(other) = known.insert(file, name)
        {
            return Err(Error::BadOptions(format!("{other} and {name} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// Refuses a list that names a file twice: its data would count twice.
///
/// # Errors
/// [`Error::BadOptions`] with the argument and the file.
pub fn check_distinct(name: &str, paths: &[PathBuf]) -> Result<(), Error> {
    let mut known = HashSet::new();
    match paths.iter().find(|path| File::at(path).is_some_and(|file| !known.insert(file))) {
        Some(twice) => Err(Error::BadOptions(format!("{name} name {} twice", twice.display()))),
        None => Ok(()),
    }
}

/// Refuses what [`check`] refuses, and an appended file that is an input or an output. `appended` may name a file
/// several times.
///
/// # Errors
/// As [`check`].
pub fn check_appended(inputs: &[Named<'_>], outputs: &[Named<'_>], appended: &[Named<'_>]) -> Result<(), Error> {
    check(inputs, outputs)?;
    let files = [inputs, outputs].concat();
    appended.iter().try_for_each(|file| check(&files, slice::from_ref(file)))
}

/// Returns the inputs that an argument lists.
#[must_use]
pub fn listed<'a>(name: &'a str, paths: &'a [PathBuf]) -> Vec<Named<'a>> {
    paths.iter().map(|path| (name, Some(path.as_path()))).collect()
}

/// Returns the input with this path; `-` is standard input, not a file.
#[must_use]
pub fn input<'a>(name: &'a str, path: Option<&'a Path>) -> Named<'a> {
    (name, path.filter(|path| *path != Path::new("-")))
}

/// The identity of a file.
#[derive(PartialEq, Eq, Hash)]
enum File {
    /// The device and the number of a file that exists, which hard links share.
    #[cfg(unix)]
    Inode(u64, u64),
    /// An absolute path.
    Path(PathBuf),
}

impl File {
    /// Returns the file that exists at a path or could be created there; `None` for a device or a folder, which may
    /// be named several times.
    fn at(path: &Path) -> Option<Self> {
        if let Ok(found) = fs::metadata(path) {
            if !found.is_file() {
                return None;
            }
            #[cfg(unix)]
            return Some(Self::Inode(found.dev(), found.ino()));
        }
        // Writing to a link creates the file that it names.
        let path = followed(path).unwrap_or_else(|_| path.to_owned());
        let new = || Some(fs::canonicalize(folder(&path)).ok()?.join(path.file_name()?));
        new().or_else(|| std::path::absolute(&path).ok()).map(Self::Path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old");
        fs::write(&old, "").unwrap();
        let again = folder.path().join(".").join("old");
        let new = folder.path().join("new");
        let also_new = folder.path().join("..").join(folder.path().file_name().unwrap()).join("new");
        fn of<'a>(name: &'a str, path: &'a Path) -> Named<'a> {
            (name, Some(path))
        }
        assert_eq!(check(&[of("A", &old), of("A", &again)], &[of("B", &new), ("C", None)]), Ok(()));
        for (inputs, outputs) in
            [(vec![of("A", &old)], vec![of("B", &again)]), (vec![], vec![of("A", &new), of("B", &also_new)])]
        {
            let error = check(&inputs, &outputs).unwrap_err().to_string();
            assert!(error.contains("A and B name the same file, "), "{error}");
        }
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            fs::hard_link(&old, &link).unwrap();
            assert!(check(&[of("A", &old)], &[of("B", &link)]).is_err());
            let links = [folder.path().join("dangling"), folder.path().join("again")];
            std::os::unix::fs::symlink("new", &links[0]).unwrap();
            std::os::unix::fs::symlink("dangling", &links[1]).unwrap();
            assert!(check(&[], &[of("A", &new), of("B", &links[1])]).is_err());
            assert_eq!(check(&[], &[of("A", &new), of("B", &old)]), Ok(()));
        }
        let device = Path::new("/dev/null");
        assert_eq!(check(&[of("A", device)], &[of("B", device), of("C", device)]), Ok(()));
        assert_eq!(input("A", Some(Path::new("-"))).1, None);
    }
}
