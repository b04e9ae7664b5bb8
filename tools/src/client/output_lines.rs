//! The output of a process, line by line, each with the time of its arrival.

use super::pipe_reader::Chunks;
use super::transcript::Voice;
use secateurs::core::error::Quoted;
use secateurs::util::lock::{lock, wait, wait_timeout};
use std::collections::VecDeque;
use std::process::ChildStdout;
use std::sync::{Condvar, Mutex};
use std::time::Instant;

/// The maximum length of a line in bytes, without its end.
pub(crate) const LONGEST_LINE: usize = 1 << 20;

/// The bytes of queued lines above which the reader waits, so that the process blocks.
const MOST_BYTES: usize = 8 << 20;

/// The approximate overhead of a queued line in bytes.
const COST: usize = 64;

/// A received line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    /// The text without trailing white space; invalid UTF-8 is replaced.
    pub text: String,
    /// The time at which its end was read.
    pub at: Instant,
}

/// The reason for the end of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The output was closed; the text is an unfinished last line, or empty.
    Closed(String),
    /// A line exceeds `LONGEST_LINE`; the text is its beginning.
    TooLong(Quoted),
    /// A read error, in the words of the system.
    Failed(String),
}

/// A queue of lines from the reader thread to the consumer.
#[derive(Default)]
pub struct OutputLines {
    queue: Mutex<Queue>,
    arrival: Condvar,
    taken: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<OutputLine>,
    bytes: usize,
    /// What has arrived of the next line.
    unfinished: Vec<u8>,
    end: Option<End>,
    unwanted: bool,
}

impl OutputLines {
    /// Returns the next line if it arrived by the deadline, even if the call comes later. `Ok(None)` if there is none;
    /// a later line stays in the queue.
    ///
    /// # Errors
    /// [`End`], permanently, after the last line.
    pub(crate) fn next(&self, deadline: Instant) -> Result<Option<OutputLine>, End> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.lines.front().is_some_and(|line| line.at > deadline) {
                return Ok(None);
            }
            if let Some(line) = queue.lines.pop_front() {
                queue.bytes -= line.text.len() + COST;
                drop(queue);
                self.taken.notify_one();
                return Ok(Some(line));
            }
            if let Some(end) = &queue.end {
                return Err(end.clone());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            queue = wait_timeout(&self.arrival, queue, left);
        }
    }

    /// Returns what has arrived of a line without its end; nothing while whole lines wait, as of an engine that writes
    /// without pause.
    pub(crate) fn unfinished(&self) -> String {
        let queue = lock(&self.queue);
        if queue.lines.is_empty() { text(&queue.unfinished) } else { String::new() }
    }

    /// Discards all lines, queued and future.
    pub(crate) fn forget(&self) {
        let mut queue = lock(&self.queue);
        queue.unwanted = true;
        queue.lines.clear();
        queue.bytes = 0;
        drop(queue);
        self.taken.notify_one();
    }

    /// Reads the output. The transcript receives every line after the queue.
    pub(super) fn read(&self, output: Chunks<ChildStdout>, voice: Option<&Voice>) {
        let mut too_long = None;
        let read = output.each(|chunk| {
            let lines = split(chunk, &mut lock(&self.queue).unfinished, Instant::now());
            let lines = lines.map_err(|start| too_long = Some(start));
            lines.map(|lines| self.hand_over(lines, voice)).is_ok()
        });
        let end = match (too_long, read) {
            (Some(start), _) => End::TooLong(start),
            (None, Ok(is_whole)) => {
                End::Closed(if is_whole { text(&lock(&self.queue).unfinished) } else { String::new() })
            }
            (None, Err(error)) => End::Failed(error.to_string()),
        };
        lock(&self.queue).end = Some(end);
        self.arrival.notify_all();
    }

    fn hand_over(&self, lines: Vec<OutputLine>, voice: Option<&Voice>) {
        let noted = voice.map(|voice| (voice, lines.clone()));
        let mut queue = lock(&self.queue);
        while queue.bytes > MOST_BYTES {
            queue = wait(&self.taken, queue);
        }
        if !queue.unwanted {
            queue.bytes += lines.iter().map(|line| line.text.len() + COST).sum::<usize>();
            queue.lines.extend(lines);
        }
        drop(queue);
        self.arrival.notify_one();
        if let Some((voice, lines)) = noted {
            lines.iter().for_each(|line| voice.received(&line.text, line.at));
        }
    }
}

/// Returns the lines that a chunk completes; the remainder stays in `unfinished`. Blank lines are skipped. The error is
/// the beginning of an overlong line.
fn split(chunk: &[u8], unfinished: &mut Vec<u8>, at: Instant) -> Result<Vec<OutputLine>, Quoted> {
    let mut lines = Vec::new();
    let mut pieces = chunk.split(|&byte| byte == b'\n').peekable();
    while let Some(piece) = pieces.next() {
        unfinished.extend_from_slice(piece);
        if unfinished.len() > LONGEST_LINE {
            return Err(Quoted::bytes(unfinished));
        }
        if pieces.peek().is_some() {
            let text = text(unfinished);
            unfinished.clear();
            if !text.is_empty() {
                lines.push(OutputLine { text, at });
            }
        }
    }
    Ok(lines)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_together_from_chunks() {
        let (at, mut unfinished) = (Instant::now(), Vec::new());
        let mut texts = |chunk: &[u8]| {
            split(chunk, &mut unfinished, at).map(|lines| lines.into_iter().map(|line| line.text).collect::<Vec<_>>())
        };
        assert_eq!(texts(b"id na").unwrap(), [""; 0]);
        assert_eq!(texts(b"me x \r\n\n \r\nuciok\nread").unwrap(), ["id name x", "uciok"]);
        assert_eq!(texts(b"yok\n\xff\n").unwrap(), ["readyok", "\u{fffd}"]);
        assert_eq!(texts(&vec![b'x'; LONGEST_LINE]).unwrap(), [""; 0]);
        assert!(texts(b"x").is_err());
    }

    #[test]
    fn a_line_counts_as_late_by_the_time_of_its_arrival() {
        let lines = OutputLines::default();
        let before = Instant::now();
        lines.hand_over(split(b"late\n", &mut Vec::new(), Instant::now()).unwrap(), None);
        let after = Instant::now();
        assert_eq!(lines.next(before), Ok(None));
        assert_eq!(lines.next(after).unwrap().unwrap().text, "late");
        assert_eq!(lines.next(after), Ok(None));
    }
}
