//! Certificates written, a claim a line.

use super::format::{Header, Line, VERSION, named, written};
use crate::core::{Claim, Options};
use serde::Serialize;
use std::io::{self, Write};

/// Writes a certificate.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    lines: u64,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a certificate with the game that it is about.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(out: W, game: &str, options: &Options) -> io::Result<Self> {
        let mut writer = Self { out, lines: 0, bytes: 0 };
        writer.line(&Header { certificate: VERSION, game: game.into(), options: named(options) })?;
        Ok(writer)
    }

    /// Adds a claim: the position to be proven first, every other after all those that rest on it.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, claim: &Claim) -> io::Result<()> {
        let [lower, upper] = written(claim.bounds);
        self.line(&Line { position: claim.position.clone(), lower, upper, moves: claim.moves.clone() })
    }

    /// Lines written, the header too.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes written.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What has been written to.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.lines += 1;
        self.bytes += text.len() as u64;
        self.out.write_all(&text)
    }
}
