//! Certificates written, a claim a line.

use super::format::{Header, ProofLine, VERSION, named, written};
use crate::core::{Claim, Error, Options, Uncertified};
use crate::store::Replacement;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the certificate that `prove` tells, claim by claim, to a file: as a whole, or not at all. Returns how much it is.
///
/// # Errors
/// [`Error::Uncertified`], or [`Error::File`] if it cannot be written.
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

/// How much has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Lines, the header too.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Writes a certificate.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    written: Written,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate with the game that it is about.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(out: W, game: &str, options: &Options) -> io::Result<Self> {
        let mut writer = Self { out, written: Written::default() };
        writer.line(&Header { certificate: VERSION, game: game.into(), options: named(options) })?;
        Ok(writer)
    }

    /// Adds a claim: the position to be proven first, every other after all those that rest on it.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, claim: &Claim) -> io::Result<()> {
        let [lower, upper] = written(claim.bounds);
        self.line(&ProofLine { position: claim.position.clone(), lower, upper, moves: claim.moves.clone() })
    }

    /// What has been written to, and how much.
    ///
    /// # Errors
    /// What the system says.
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
