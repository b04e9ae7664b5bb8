//! Reads the stderr of a process so that it never blocks, and stores its last line, which often explains a failure.

use super::pipe_reader::{Chunks, PipeReader};
use secateurs::core::error::Quoted;
use secateurs::util::lock::{lock, wait_timeout};
use std::io;
use std::process::ChildStderr;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The number of bytes stored of a line.
const LONGEST: usize = 1 << 10;

/// The line that Rust prints after the message of a panic.
const ADVICE: &[u8] = b"note: run with `RUST_BACKTRACE";

/// The stderr of a process, read by its own thread.
pub(super) struct Stderr {
    tail: Arc<Tail>,
    /// The thread that reads it.
    pub reader: PipeReader,
}

#[derive(Default)]
struct Tail {
    state: Mutex<TailState>,
    ended: Condvar,
}

#[derive(Default)]
struct TailState {
    unfinished: Vec<u8>,
    /// The last complete line that is not blank.
    last: Vec<u8>,
    ended: bool,
}

impl Stderr {
    pub(crate) fn new(output: ChildStderr) -> io::Result<Self> {
        let tail = Arc::new(Tail::default());
        let shared = Arc::clone(&tail);
        let reader = PipeReader::spawn("stderr", output, move |chunks| shared.read(chunks))?;
        Ok(Self { tail, reader })
    }

    /// Returns the last line that is not blank, truncated if long; waits for the end of the output, at most `wait`.
    /// `None` if there is no such line.
    pub(crate) fn last(&self, wait: Duration) -> Option<Quoted> {
        let deadline = Instant::now() + wait;
        let mut state = lock(&self.tail.state);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if state.ended || left.is_zero() {
                let TailState { unfinished, last, .. } = &*state;
                let line = if is_message(unfinished) { unfinished } else { last };
                return is_message(line).then(|| Quoted::bytes(line.trim_ascii()));
            }
            state = wait_timeout(&self.tail.ended, state, left);
        }
    }
}

impl Tail {
    fn read(&self, chunks: Chunks<ChildStderr>) {
        // A failure ends the output.
        let _ = chunks.each(|chunk| {
            lock(&self.state).add(chunk);
            true
        });
        lock(&self.state).ended = true;
        self.ended.notify_all();
    }
}

impl TailState {
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
            let mut state = TailState::default();
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
