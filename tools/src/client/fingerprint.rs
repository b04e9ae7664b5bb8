//! Fingerprints of files, with which a match detects that an engine has changed since its start.

use super::spec::Spec;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The size of the largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The fingerprint of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The path, as the user gave it.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The CRC-32 of the contents, as in gzip, in eight hexadecimal digits.
    pub crc32: String,
}

impl Fingerprint {
    /// Returns the fingerprint of the file at `place`, which the user calls `path`; `None` unless it is a readable
    /// regular file of at most 1 GiB.
    pub(crate) fn read(path: &str, place: &Path) -> Option<Self> {
        let bytes = place.metadata().ok().filter(|found| found.is_file() && found.len() <= LARGEST)?.len();
        Some(Self { path: path.to_owned(), bytes, crc32: format!("{:08x}", checksum(place).ok()?) })
    }
}

fn checksum(place: &Path) -> io::Result<u32> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(place)?);
    let mut hasher = crc32fast::Hasher::new();
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(hasher.finalize());
        }
        hasher.update(chunk);
        let read = chunk.len();
        reader.consume(read);
    }
}

impl Spec {
    /// Returns the fingerprints of the program and of all files that its arguments and options name: scripts, networks,
    /// books.
    pub(crate) fn fingerprints(&self) -> Vec<Fingerprint> {
        let program =
            self.place().and_then(|place| Fingerprint::read(&self.recorded_program().to_string_lossy(), &place));
        program
            .into_iter()
            .chain(self.named().filter_map(|name| fingerprint_in(self.folder.as_deref(), name)))
            .collect()
    }

    /// Returns the files that the engine may read: the program, and what its arguments, `--name=FILE` too, and its
    /// options name.
    pub fn files(&self) -> Vec<PathBuf> {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        let values = self.named().flat_map(|name| [Some(&**name), name.split_once('=').map(|(_, value)| value)]);
        self.place().into_iter().chain(values.flatten().map(|name| folder.join(name))).collect()
    }

    /// Returns the path of the program; `None` if it is not in `PATH`.
    fn place(&self) -> Option<PathBuf> {
        let is_path = self.program.components().count() > 1;
        if is_path { Some(self.program.clone()) } else { in_path(&self.program.to_string_lossy()) }
    }

    /// Iterates over the arguments and the values of options, which may be files.
    fn named(&self) -> impl Iterator<Item = &String> {
        self.arguments.iter().chain(self.options.iter().map(|(_, value)| value))
    }
}

/// Returns the fingerprint of a file named relative to a folder, by default the working folder.
pub(crate) fn fingerprint_in(folder: Option<&Path>, name: &str) -> Option<Fingerprint> {
    Fingerprint::read(name, &folder.unwrap_or(Path::new("")).join(name))
}

fn in_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|place| place.is_file())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use secateurs::protocol::command::Dialect;

    #[test]
    fn files_are_known_by_what_is_in_them() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("engine.py"), "123456789").unwrap();
        std::fs::write(folder.path().join("net"), "").unwrap();
        let spec = Spec {
            arguments: vec!["engine.py".into(), "--fast".into()],
            options: vec![("EvalFile".into(), "net".into()), ("Hash".into(), "1".into())],
            folder: Some(folder.path().into()),
            ..Spec::new(Dialect::Uci, "sh")
        };
        let found = spec.fingerprints();
        let [shell, script, net] = &found[..] else { unreachable!("{found:?}") };
        assert!(shell.path == "sh" && shell.bytes > 0);
        // The check value of the CRC catalogue.
        assert_eq!((script.path.as_str(), script.bytes, script.crc32.as_str()), ("engine.py", 9, "cbf43926"));
        assert_eq!((net.path.as_str(), net.bytes, net.crc32.as_str()), ("net", 0, "00000000"));
        assert_eq!(Spec::new(Dialect::Uci, "no-such-program").fingerprints(), []);
        assert_eq!(Fingerprint::read("folder", folder.path()), None);
    }
}
