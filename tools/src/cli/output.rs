//! An output that tolerates a closed pipe.

use std::io::{self, ErrorKind, Write};

/// An output. If its reader closes it, a command that leaves more than its output (`Command::leaves_more`) continues
/// without it, to complete its files and exit code; any other command ends with an error.
pub struct Output<W> {
    writer: W,
    goes_on: bool,
    is_closed: bool,
}

impl<W: Write> Output<W> {
    /// Creates an output; `goes_on` is whether work continues after it is closed.
    #[must_use]
    pub const fn new(writer: W, goes_on: bool) -> Self {
        Self { writer, goes_on, is_closed: false }
    }

    fn unless_closed<T>(&mut self, nothing: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.is_closed {
            return Ok(nothing);
        }
        match write(&mut self.writer) {
            Err(error) if self.goes_on && error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(nothing)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}
