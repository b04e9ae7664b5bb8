//! Writing of certificates, one claim per line.

use super::format::{Header, ProofLine, VERSION, named, written};
use crate::core::{Claim, Error, Options, Uncertified};
use crate::store::Replacement;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the certificate whose claims `prove` reports to a file, completely or not at all. Returns its size.
///
/// # Errors
/// [`Error::Uncertified`]; [`Error::File`] if the file cannot be written.
pub fn save(
    path: &Path,
    game: &str,
    options: &Options,
    prove: impl FnOnce(&mut dyn FnMut(&Claim)) -> Result<(), Uncertified>,
) -> Result<Written, Error> {
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
