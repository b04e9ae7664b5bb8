//! What a command writes: its output, which may be closed, and its errors.

use secateurs::core::Error;
use secateurs::core::error::harmless;
use secateurs::store::Replacement;
use secateurs::store::paths::{self, Named};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// The output of a command and its error stream. If the reader of the output closes it, a command that
/// [outlives](Self::outlive) it continues, to complete its files and exit code; any other command ends with an error.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    is_outlived: bool,
    is_closed: bool,
}

impl<'a> Output<'a> {
    /// Creates an output from the two streams.
    pub(crate) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { out, err, is_outlived: false, is_closed: false }
    }

    /// Lets the command continue after its output is closed.
    pub fn outlive(&mut self) {
        self.is_outlived = true;
    }

    /// Returns whether the command continues after its output is closed.
    pub(crate) fn is_outlived(&self) -> bool {
        self.is_outlived
    }

    /// Refuses one file for two purposes. A command with a file to write outlives its output.
    ///
    /// # Errors
    /// Those of [`paths::check`].
    pub fn check_paths(&mut self, inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
        self.is_outlived |= outputs.iter().any(|(_, path)| path.is_some());
        paths::check(inputs, outputs)
    }

    /// Writes a record as a line of JSON.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(record)?;
        writeln!(self, "{line}")
    }

    /// Returns the error stream.
    pub fn err(&mut self) -> &mut dyn Write {
        self.err
    }

    /// Writes an error to the error stream, without control characters of foreign text. If that is closed, the exit code
    /// still reports the error.
    pub(crate) fn report(&mut self, error: impl Display) {
        let _ = writeln!(self.err, "error: {}", safe(error));
    }

    fn unless_closed<T>(&mut self, nothing: T, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        if self.is_closed {
            return Ok(nothing);
        }
        match write(self.out) {
            Err(error) if self.is_outlived && error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(nothing)
            }
            other => other,
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |out| out.flush())
    }
}

/// Returns a message without the control characters of foreign text, which are escaped, but for the ends of lines.
pub(super) fn safe(message: impl Display) -> String {
    message.to_string().lines().map(harmless).collect::<Vec<_>>().join("\n")
}

/// A file that a command writes as a whole: what it replaces stays until then.
pub struct OutputFile<'a> {
    path: &'a Path,
    file: Replacement,
}

impl<'a> OutputFile<'a> {
    /// Creates the file beside the one that it will replace.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(crate) fn new(path: &'a Path) -> Result<Self, Error> {
        Replacement::new(path).map(|file| Self { path, file }).map_err(|error| Error::file("write", path, &error))
    }

    /// Writes the contents, and moves the file into place.
    ///
    /// # Errors
    /// [`Error::File`]; an older file is then as before.
    pub(crate) fn write(
        self,
        contents: impl FnOnce(&mut BufWriter<Replacement>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut file = BufWriter::new(self.file);
        let written =
            contents(&mut file).and_then(|()| file.into_inner().map_err(io::IntoInnerError::into_error)?.commit());
        written.map_err(|error| Error::file("write", self.path, &error))
    }
}
