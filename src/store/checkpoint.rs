//! Checkpoints as JSON: the state of a computation, with the settings that it depends on.
//!
//! ```text
//! {"subject": the settings, "state": the state}
//! {"crc32": the CRC-32 of the line before and its line feed, 8 hexadecimal digits}
//! ```
//!
//! The file is replaced as a whole, and locked against other processes while it is open.

use super::bounded;
use super::container::DAMAGED;
use super::lock::FileLock;
use super::replacement::Replacement;
use crate::core::Error;
use crate::util::damage::damage;
use crate::util::difference::difference;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The size limit, bytes.
const LARGEST: u64 = 16 << 20;

/// A kind of checkpoint.
#[derive(Debug)]
pub struct Kind {
    /// The error for a file of another kind, as the end of a sentence that begins with the file name.
    pub foreign: &'static str,
    /// The error for a checkpoint with another subject; the difference follows.
    pub other: &'static str,
}

/// An open checkpoint.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    kind: &'static Kind,
    subject: Value,
    _lock: FileLock,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Contents<S> {
    subject: Value,
    state: S,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct Sum {
    crc32: String,
}

impl Sum {
    fn new(bytes: &[u8]) -> Self {
        Self { crc32: format!("{:08x}", crc32fast::hash(bytes)) }
    }
}

impl Checkpoint {
    /// Opens a checkpoint, which need not exist. Also returns the state in it, if there is one.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is not regular, is already being written, is damaged, is not
    /// a checkpoint of this kind, or has another subject. It is then unchanged.
    pub fn open<S: DeserializeOwned>(
        path: &Path,
        kind: &'static Kind,
        subject: Value,
    ) -> Result<(Self, Option<S>), Error> {
        let lock = FileLock::new(path)?;
        let checkpoint = Self { path: path.into(), kind, subject, _lock: lock };
        let state = if path.exists() { Some(checkpoint.read(&bounded::bytes(path, LARGEST)?)?) } else { None };
        Ok((checkpoint, state))
    }

    fn read<S: DeserializeOwned>(&self, bytes: &[u8]) -> Result<S, Error> {
        let bytes = bytes.trim_ascii_end();
        let (first, last) = bytes.split_at(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1));
        let Ok(sum) = serde_json::from_slice::<Sum>(last) else {
            return Err(self.bad("it does not end with a checksum"));
        };
        if sum.crc32 != Sum::new(first).crc32 {
            return Err(Error::bad_file(&self.path, DAMAGED));
        }
        let wrong = |error| self.bad(&damage(&error));
        let Contents { subject, state } = serde_json::from_slice::<Contents<Value>>(first).map_err(wrong)?;
        if let Some(difference) = difference(&subject, &self.subject) {
            return Err(Error::bad_file(&self.path, format!("{}: its {difference}", self.kind.other)));
        }
        serde_json::from_value(state).map_err(wrong)
    }

    /// Builds the error for an impossible state: the reason follows the text for a file of another kind.
    #[must_use]
    pub fn bad(&self, reason: &str) -> Error {
        Error::bad_file(&self.path, format!("{}: {reason}", self.kind.foreign))
    }

    /// Replaces the state.
    ///
    /// # Errors
    /// [`Error::File`]; the file is then unchanged.
    pub fn save(&self, state: &impl Serialize) -> Result<(), Error> {
        let failed = |error: serde_json::Error| Error::file("write", &self.path, &error.into());
        let mut bytes = serde_json::to_vec(&Contents { subject: self.subject.clone(), state }).map_err(failed)?;
        bytes.push(b'\n');
        let sum = serde_json::to_vec(&Sum::new(&bytes)).map_err(failed)?;
        bytes.extend(sum);
        bytes.push(b'\n');
        Replacement::write_whole(&self.path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    const KIND: Kind = Kind { foreign: "is not a checkpoint of counting", other: "is a checkpoint of other counting" };

    fn open(path: &Path, subject: &str) -> Result<(Checkpoint, Option<Vec<f64>>), Error> {
        Checkpoint::open(path, &KIND, json!({"name": subject}))
    }

    fn refused(path: &Path) -> String {
        let error = open(path, "a").unwrap_err();
        assert!(matches!(error, Error::BadFile(..)), "{error}");
        error.to_string()
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (checkpoint, none) = open(&path, "a").unwrap();
        assert_eq!((none, path.exists()), (None, false));
        let state = vec![0.1, -1e300, 123_456_789.123_456_78, 1.0 / 3.0];
        checkpoint.save(&state).unwrap();
        checkpoint.save(&state).unwrap();
        assert!(refused(&path).ends_with("is already being written"), "it is locked after a replacement");
        drop(checkpoint);
        assert_eq!(open(&path, "a").unwrap().1, Some(state));
        let error = open(&path, "b").unwrap_err().to_string();
        assert!(error.ends_with("is a checkpoint of other counting: its name is \"a\", not \"b\""), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no lock stays");
    }

    #[test]
    fn every_byte_and_every_length_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        open(&path, "a").unwrap().0.save(&[1.5, 2.25]).unwrap();
        let whole = fs::read(&path).unwrap();
        let end = whole.len() - 1;
        for at in 0..end {
            for flip in [1, 2, 4, 0x80] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                fs::write(&path, bytes).unwrap();
                let said = refused(&path);
                assert!(said.contains("its checksum is wrong") || said.contains("end with a checksum"), "{at}: {said}");
            }
        }
        for len in 0..end {
            fs::write(&path, &whole[..len]).unwrap();
            assert!(
                refused(&path).contains("is not a checkpoint of counting: it does not end with a checksum"),
                "{len}"
            );
        }
        fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
        refused(&path);
        fs::write(&path, &whole[..end]).unwrap();
        assert!(open(&path, "a").unwrap().1.is_some(), "the last line feed is of no consequence");
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        assert!(refused(folder.path()).contains("is not a regular file"));
        assert!(matches!(open(&folder.path().join("no/file"), "a"), Err(Error::File { .. })));
        let path = folder.path().join("file");
        open(&path, "a").unwrap().0.save(&json!({"other": 1})).unwrap();
        assert!(refused(&path).contains("is not a checkpoint of counting: "));
    }
}
