//! What the loop of a dialogue receives: lines of bounded length, from a thread that reads untrusted input, and the
//! output of tasks, from a thread that executes them.

use super::task::{self, Output, Task};
use crate::core::error::{Error, Quoted};
use crate::search::thread::builder;
use std::any::Any;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Builder;

/// The capacity of the event queue; it blocks a faster reader or search.
const EVENT_CAPACITY: usize = 16;

/// An event of a dialogue.
pub(super) enum Event {
    /// A received line, or its error.
    Line(Result<Vec<u8>, Error>),
    End,
    /// An output of the running work.
    Task(Output),
    /// The rules of a game outside the registry have failed.
    Raised(Box<dyn Any + Send>),
}

/// Starts a thread that reads lines and one that executes the tasks in turn. They end when the caller drops the
/// sender of tasks and the receiver of events, the reader at the next line.
pub(super) fn start_threads(input: impl Read + Send + 'static, tasks: Receiver<Task>) -> io::Result<Receiver<Event>> {
    let (sender, events) = sync_channel(EVENT_CAPACITY);
    let lines = sender.clone();
    // A send fails only when the dialogue is over. The worker first: if it cannot start, no input is lost.
    let work = move || {
        let work = || task::work(&tasks, &|output| drop(sender.send(Event::Task(output))));
        if let Err(raised) = panic::catch_unwind(AssertUnwindSafe(work)) {
            let _ = sender.send(Event::Raised(raised));
        }
    };
    builder("task")?.spawn(work)?;
    let read = move || {
        read_lines(BufReader::new(input), &mut |line| lines.send(Event::Line(line)).is_ok());
        let _ = lines.send(Event::End);
    };
    Builder::new().name("input".into()).spawn(read)?;
    Ok(events)
}

/// Calls `pass_on` with every line of the input, or its error, until it returns false. A read error counts as the end.
fn read_lines(mut input: impl BufRead, pass_on: &mut dyn FnMut(Result<Vec<u8>, Error>) -> bool) {
    while let Ok(Some(RawLine { bytes, whole, .. })) = read_line(&mut input, LONGEST_LINE) {
        let too_long = || Error::BadCommand(Quoted::bytes(&bytes), format!("a line has at most {LONGEST_LINE} bytes"));
        let line = if whole { Ok(bytes) } else { Err(too_long()) };
        if !pass_on(line) {
            return;
        }
    }
}

/// The maximum length of a line of a dialogue in bytes; a longer line is an error.
const LONGEST_LINE: usize = 2 << 20;

/// The number of bytes of an overlong line that are skipped before reading fails.
const ENDLESS: u64 = 1 << 28;

/// A line as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// The bytes without the line feed; at most one more than the limit.
    pub bytes: Vec<u8>,
    /// Whether `bytes` is the whole line. The rest of a longer line has been read and discarded.
    pub whole: bool,
    /// Whether a line feed follows `bytes`. Otherwise the line is longer, or the input ends there, perhaps in mid-line.
    pub ended: bool,
}

/// The byte order mark in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the next line of at most `longest` bytes, without a byte order mark before it; `None` at the end of the input.
///
/// # Errors
/// A read error, or a line that does not end within 256 MiB.
pub fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<RawLine>> {
    let mut bytes = Vec::new();
    if Read::take(&mut *input, longest as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    // Some shells put it before piped text, and some editors before saved text.
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let ended = bytes.pop_if(|byte| *byte == b'\n').is_some();
    let whole = ended || bytes.len() <= longest;
    if !whole && Read::take(&mut *input, ENDLESS).skip_until(b'\n')? as u64 == ENDLESS {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("a line has more than {} MiB", ENDLESS >> 20)));
    }
    Ok(Some(RawLine { bytes, whole, ended }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_is_whole() {
        let mut input: &[u8] = b"abc\nabcd\r\n\nabcdef\nxyz";
        let mut next = || read_line(&mut input, 4).unwrap().map(|line| (line.bytes, line.whole));
        assert_eq!(next(), Some((b"abc".to_vec(), true)));
        assert_eq!(next(), Some((b"abcd\r".to_vec(), false)));
        assert_eq!(next(), Some((b"".to_vec(), true)));
        assert_eq!(next(), Some((b"abcde".to_vec(), false)));
        assert_eq!(next(), Some((b"xyz".to_vec(), true)));
        assert_eq!(next(), None);
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert_eq!(read_line(&mut endless, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
