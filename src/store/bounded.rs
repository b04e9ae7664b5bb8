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
    check_unpacked(&bytes)?;
    Ok(bytes)
}

/// The first bytes of compressed files, what compressed them, and what unpacks them.
const PACKED: [(&[u8], &str, &str); 5] = [
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"PK\x03\x04", "zip", "unzip"),
    (b"BZh", "bzip2", "bunzip2"),
];

/// Refuses the beginning of a compressed file.
///
/// # Errors
/// [`ErrorKind::InvalidData`], which names what unpacks it.
pub fn check_unpacked(beginning: &[u8]) -> io::Result<()> {
    // Text may begin with letters.
    let is_packed =
        |magic: &[u8]| beginning.starts_with(magic) && (magic != b"BZh" || beginning.get(4..10) == Some(b"1AY&SY"));
    match PACKED.into_iter().find(|(magic, ..)| is_packed(magic)) {
        Some((_, packer, unpacker)) => {
            let reason = format!("it is compressed by {packer}: unpack it first, by {unpacker}");
            Err(io::Error::new(ErrorKind::InvalidData, reason))
        }
        None => Ok(()),
    }
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
    fn larger_and_compressed_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 1 << 20]).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap().len(), 1 << 20);
        assert_eq!(read(&path, (1 << 20) - 1).unwrap_err().kind(), ErrorKind::FileTooLarge);
        for (packed, expected) in [
            (&b"\x1f\x8b\x08"[..], "it is compressed by gzip: unpack it first, by gunzip"),
            (b"BZh91AY&SY\0", "it is compressed by bzip2: unpack it first, by bunzip2"),
            (b"\xfd7zXZ\0\0", "by xz"),
            (b"\x28\xb5\x2f\xfd\x04", "by zstd"),
            (b"PK\x03\x04\x14", "by zip"),
        ] {
            std::fs::write(&path, packed).unwrap();
            let error = read(&path, 99).unwrap_err();
            assert!(error.kind() == ErrorKind::InvalidData && error.to_string().contains(expected), "{error}");
        }
        std::fs::write(&path, "BZh is no move").unwrap();
        assert_eq!(read(&path, 99).unwrap().len(), 14);
        assert_eq!(read(&folder.path().join("none"), 9).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
