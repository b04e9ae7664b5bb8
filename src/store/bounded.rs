//! Files that are read as a whole, up to a maximum size.

use super::regular;
use crate::core::Error;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a file of at most `most` bytes. A larger or endless file is never read into memory as a whole.
///
/// # Errors
/// A file that cannot be read, or is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    rest(&File::open(path)?, most)
}

/// Reads the rest of an open file, or of another reader, at most `most` bytes.
///
/// # Errors
/// A file that cannot be read, or has more.
pub fn rest(file: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] if it is not a regular file.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    Ok(open(path, most)?.0)
}

/// Reads a file as [`bytes`] does. Also returns the file, read to its end.
///
/// # Errors
/// As [`bytes`].
pub fn open(path: &Path, most: u64) -> Result<(Vec<u8>, File), Error> {
    let failed = |error: io::Error| Error::file("read", path, &error);
    regular::check(path)?;
    let file = File::open(path).map_err(failed)?;
    Ok((rest(&file, most).map_err(failed)?, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 1 << 20]).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap().len(), 1 << 20);
        assert_eq!(read(&path, (1 << 20) - 1).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(&folder.path().join("none"), 9).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
