//! The files that the arguments of a subcommand name.

use crate::core::Error;
use crate::store::replacement::folder;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// An argument and the file that it names, if it is given.
pub type Named<'a> = (&'a str, Option<&'a Path>);

/// Refuses an output that is also another output, or an input. Inputs may be named several times.
///
/// # Errors
/// [`Error::BadOptions`] with both arguments and the file.
pub fn check(inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
    let mut known: HashMap<PathBuf, &str> = HashMap::new();
    for &(name, path) in inputs {
        known.extend(path.and_then(whole).map(|path| (path, name)));
    }
    for &(name, path) in outputs {
        if let (Some(path), Some(whole)) = (path, path.and_then(whole))
            && let Some(other) = known.insert(whole, name)
        {
            return Err(Error::BadOptions(format!("{other} and {name} name the same file, {}", path.display())));
        }
    }
    Ok(())
}

/// Returns the inputs that an argument lists.
pub fn listed<'a>(name: &'a str, paths: &'a [PathBuf]) -> Vec<Named<'a>> {
    paths.iter().map(|path| (name, Some(path.as_path()))).collect()
}

/// Returns the input with this path; `-` is standard input and no file.
pub fn input<'a>(name: &'a str, path: Option<&'a Path>) -> Named<'a> {
    (name, path.filter(|path| *path != Path::new("-")))
}

/// Returns the absolute path of a file that exists or could be created; `None` for a device, which may be named several
/// times.
fn whole(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return None;
    }
    let new = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(new).or_else(|| std::path::absolute(path).ok())
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
        let device = Path::new("/dev/null");
        assert_eq!(check(&[of("A", device)], &[of("B", device), of("C", device)]), Ok(()));
        assert_eq!(input("A", Some(Path::new("-"))).1, None);
    }
}
