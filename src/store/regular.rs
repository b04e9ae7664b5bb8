//! Checks of paths before they are opened: opening a pipe waits for its other end.

use crate::core::Error;
use std::fs::{self, FileType};
use std::path::Path;

/// Refuses a path at which there is something other than a regular file.
///
/// # Errors
/// [`Error::BadFile`].
pub fn check(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(Error::bad_file(path, "is not a regular file")),
        // A path that cannot be used fails when it is opened.
        _ => Ok(()),
    }
}

/// Refuses a path to write to at which there is something other than a regular file or a character device, such as
/// `/dev/null`.
///
/// # Errors
/// [`Error::BadFile`].
pub fn check_output(path: &Path) -> Result<(), Error> {
    let device = fs::metadata(path).is_ok_and(|found| is_character_device(found.file_type()));
    if device { Ok(()) } else { check(path) }
}

#[cfg(unix)]
fn is_character_device(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_character_device(_: FileType) -> bool {
    false
}
