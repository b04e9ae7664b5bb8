//! Files of positions: one per line; blank lines and text after `;` are ignored.

use secateurs::core::StopFlag;
use secateurs::protocol::line::{RawLine, read_line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The maximum length of a line in bytes, to bound memory: no position is longer.
pub const LONGEST: usize = 1 << 16;

/// A line that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The line number from 1, blank lines included.
    pub number: u64,
    /// The text without its comment and surrounding white space; invalid UTF-8 becomes replacement characters.
    pub text: String,
    /// Whether the text is complete: false if the line was longer than [`LONGEST`].
    pub whole: bool,
}

/// Reads the lines of a file, or of standard input for `-`.
///
/// # Errors
/// A file that cannot be opened. The iterator returns a later read error, and ends after it.
pub fn read(path: &Path) -> io::Result<impl Iterator<Item = io::Result<InputLine>> + Send + use<>> {
    let file: Box<dyn Read + Send> = if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    Ok(InputLines { input: BufReader::new(file), number: 0, failed: false })
}

/// Counts the lines of a regular file that are not blank; `None` for any other input, which can be read only once.
#[must_use]
pub fn count(path: &Path) -> Option<u64> {
    let regular = !is_stdin(path) && path.metadata().is_ok_and(|meta| meta.is_file());
    regular.then(|| read(path).map_or(0, |lines| lines.filter(Result::is_ok).count() as u64))
}

/// Announces on `err` that `what` is read from standard input, if that is a terminal: otherwise the program would seem
/// to hang.
pub fn say_if_typed(path: &Path, what: &str, err: &mut impl Write) {
    if is_stdin(path) && io::stdin().is_terminal() {
        // A failure to write to stderr is of no consequence.
        let _ = writeln!(err, "reading {what} from standard input; Ctrl-D ends it");
    }
}

/// The interval at which a waiting reader checks the flag.
const POLL: Duration = Duration::from_millis(20);

/// Returns the lines until the flag is raised, even during a blocking read.
///
/// # Errors
/// The system refuses the thread that reads.
pub fn until<T: Send + 'static>(
    lines: impl Iterator<Item = T> + Send + 'static,
    stop: &StopFlag,
) -> io::Result<impl Iterator<Item = T>> {
    let (sender, receiver) = sync_channel(1);
    // The thread is detached: it may still be reading from a terminal at the end.
    thread::Builder::new()
        .name("lines".into())
        .spawn(move || lines.into_iter().try_for_each(|line| sender.send(line)))?;
    Ok(std::iter::from_fn(move || {
        loop {
            match receiver.recv_timeout(POLL) {
                _ if stop.is_raised() => return None,
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

struct InputLines<R> {
    input: R,
    number: u64,
    failed: bool,
}

impl<R: BufRead> InputLines<R> {
    /// Reads the next line, blank or not; `None` at the end.
    fn line(&mut self) -> io::Result<Option<InputLine>> {
        let Some(RawLine { bytes, whole, .. }) = read_line(&mut self.input, LONGEST)? else { return Ok(None) };
        self.number += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').split(';').next().unwrap_or_default();
        Ok(Some(InputLine { number: self.number, text: text.trim().into(), whole }))
    }
}

impl<R: BufRead> Iterator for InputLines<R> {
    type Item = io::Result<InputLine>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = loop {
            match self.line() {
                Ok(Some(line)) if line.text.is_empty() && line.whole => {}
                other => break other.transpose(),
            }
        };
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<(u64, String, bool)> {
        let lines = InputLines { input: bytes, number: 0, failed: false };
        lines.map(|line| line.unwrap()).map(|line| (line.number, line.text, line.whole)).collect()
    }

    #[test]
    fn blanks_and_comments_are_counted_and_left_out() {
        let text = "\u{feff}a b ; c\r\n\n;all comment\n  \t\n d\n\u{fffd}";
        let expected = [(1, "a b"), (5, "d"), (6, "\u{fffd}")].map(|(number, text)| (number, text.into(), true));
        assert_eq!(lines(text.as_bytes()), expected);
        assert_eq!(lines(b"x\n\xff")[1].1, "\u{fffd}");
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_is_read() {
        let text = format!("{}\nnext", "x".repeat(3 * LONGEST));
        let read = lines(text.as_bytes());
        assert!(!read[0].2 && read[0].1.len() <= LONGEST + 1);
        assert_eq!(read[1], (2, "next".into(), true));
        let fits = lines(format!("{}\n", "x".repeat(LONGEST)).as_bytes());
        assert!(fits[0].2 && fits.len() == 1);
    }
}
