//! Reads the stderr of a process so that it never blocks, and stores its last line, which often explains a failure.

use super::pipe_reader::PipeReader;
use secateurs::core::error::Quoted;
use secateurs::util::lock::lock;
use std::io;
use std::process::ChildStderr;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of bytes stored of a line.
const LONGEST: usize = 1 << 10;

/// The line that Rust prints after the message of a panic.
const ADVICE: &[u8] = b"note: run with `RUST_BACKTRACE";

/// The stderr of a process, read by its own thread.
pub(super) struct Stderr {
    tail: Arc<Mutex<Tail>>,
    /// Disconnected at the end of the output.
    ended: Receiver<()>,
    /// The thread that reads it.
    pub reader: PipeReader,
}

#[derive(Default)]
struct Tail {
    unfinished: Vec<u8>,
    /// The last complete line that is not blank.
    last: Vec<u8>,
}

impl Stderr {
    pub(crate) fn new(output: ChildStderr) -> io::Result<Self> {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (shared, (end, ended)) = (Arc::clone(&tail), channel());
        let reader = PipeReader::spawn("stderr", output, move |chunks| {
            // A failure ends the output.
            let _ = chunks.each(|chunk| {
                lock(&shared).add(chunk);
                true
            });
            drop(end);
        })?;
        Ok(Self { tail, ended, reader })
    }

    /// Returns the last line that is not blank, truncated if long; waits for the end of the output, at most `wait`.
    /// `None` if there is no such line.
    pub(crate) fn last(&self, wait: Duration) -> Option<Quoted> {
        let _ = self.ended.recv_timeout(wait);
        let Tail { unfinished, last } = &*lock(&self.tail);
        let line = if is_message(unfinished) { unfinished } else { last };
        is_message(line).then(|| Quoted::bytes(line.trim_ascii()))
    }
}

impl Tail {
    fn add(&mut self, chunk: &[u8]) {
        let mut pieces = chunk.split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let room = LONGEST - self.unfinished.len().min(LONGEST);
            self.unfinished.extend_from_slice(&piece[..piece.len().min(room)]);
            if pieces.peek().is_some() {
                if is_message(&self.unfinished) {
                    std::mem::swap(&mut self.last, &mut self.unfinished);
                }
                self.unfinished.clear();
            }
        }
    }
}

/// Returns whether a line is neither blank nor Rust's advice after a panic.
fn is_message(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty() && !line.starts_with(ADVICE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_message_is_kept() {
        let last = |chunks: &[&str]| {
            let mut state = Tail::default();
            chunks.iter().for_each(|chunk| state.add(chunk.as_bytes()));
            let line = if is_message(&state.unfinished) { state.unfinished } else { state.last };
            String::from_utf8(line.trim_ascii().into()).unwrap_or_default()
        };
        assert_eq!(last(&[""]), "");
        assert_eq!(last(&["one\ntw", "o\n\n  \r\n"]), "two");
        assert_eq!(last(&["one\n", "two"]), "two");
        assert_eq!(
            last(&["panicked at x:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n"]),
            "index out of bounds"
        );
        assert_eq!(last(&[&"x".repeat(5_000), "y\nz", "\n"]), "z");
        assert_eq!(last(&[&"x".repeat(5_000), "y\n"]).len(), LONGEST);
    }
}
