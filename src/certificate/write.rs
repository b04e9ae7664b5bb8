//! Writing of certificates, one claim per line.

use super::format::{Header, LONGEST, ProofLine, VERSION, named, written};
use crate::core::{Claim, Error, Options, Uncertified};
use crate::store::Replacement;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Checks that a certificate of a game can be written to a file: a certificate of this game is replaced, another file
/// is not.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::BadFile`] if it is another file.
pub fn check_file(path: &Path, game: &str) -> Result<(), Error> {
    Replacement::check(path)?;
    let mut line = Vec::new();
    if let Ok(file) = File::open(path) {
        let read = BufReader::new(file).take(LONGEST).read_until(b'\n', &mut line);
        read.map_err(|error| Error::file("read", path, &error))?;
    }
    match serde_json::from_slice::<Header>(&line) {
        _ if line.is_empty() => Ok(()),
        Ok(there) => Replacement::check_game(path, ("is a certificate of", &there.game), ("this is", game)),
        Err(_) => Err(Error::bad_file(path, "is not a certificate, and is not replaced")),
    }
}

/// Writes the certificate whose claims `prove` reports to a file, completely or not at all. Returns its size.
///
/// # Errors
/// [`Error::Uncertified`]; otherwise as [`check_file`].
pub fn save(
    path: &Path,
    game: &str,
    options: &Options,
    prove: impl FnOnce(&mut dyn FnMut(&Claim)) -> Result<(), Uncertified>,
) -> Result<Written, Error> {
    check_file(path, game)?;
    let failed = |error: &io::Error| Error::file("write", path, error);
    let file = BufWriter::new(Replacement::new(path).map_err(|error| failed(&error))?);
    let mut writer = Writer::new(file, game, options).map_err(|error| failed(&error))?;
    let mut written = Ok(());
    prove(&mut |claim| {
        if written.is_ok() {
            written = writer.add(claim);
        }
    })?;
    let (file, written) = written.and_then(|()| writer.finish()).map_err(|error| failed(&error))?;
    let file = file.into_inner().map_err(|error| failed(error.error()))?;
    file.commit().map_err(|error| failed(&error))?;
    Ok(written)
}

/// The size of a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The number of lines, including the header.
    pub lines: u64,
    /// The number of bytes.
    pub bytes: u64,
}

/// A writer of a certificate.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    written: Written,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate with the header of its game.
    ///
    /// # Errors
    /// An I/O error of the output.
    pub fn new(out: W, game: &str, options: &Options) -> io::Result<Self> {
        let mut writer = Self { out, written: Written::default() };
        writer.line(&Header { certificate: VERSION, game: game.into(), options: named(options) })?;
        Ok(writer)
    }

    /// Adds a claim: first that of the position to be proven, every other one after all claims that rest on it.
    ///
    /// # Errors
    /// An I/O error of the output.
    pub fn add(&mut self, claim: &Claim) -> io::Result<()> {
        let [lower, upper] = written(claim.bounds);
        self.line(&ProofLine { position: claim.position.clone(), lower, upper, moves: claim.moves.clone() })
    }

    /// Flushes the output, and returns it with the size.
    ///
    /// # Errors
    /// An I/O error of the output.
    pub fn finish(mut self) -> io::Result<(W, Written)> {
        self.out.flush()?;
        Ok((self.out, self.written))
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.written.lines += 1;
        self.written.bytes += text.len() as u64;
        self.out.write_all(&text)
    }
}
