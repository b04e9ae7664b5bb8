//! Files of positions: one a line; blank lines and what follows `;` are ignored.

use crate::protocol::line::{RawLine, read_line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The longest line read, bytes. Nothing that is longer is a position, and memory is not for it.
pub const LONGEST: usize = 1 << 16;

/// A line that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from 1, the blank ones too.
    pub number: u64,
    /// Without its comment and the space around it; bytes that are not UTF-8 become replacement characters.
    pub text: String,
    /// Whether that is all of it: false if it was longer than [`LONGEST`].
    pub whole: bool,
}

/// The lines of a file, or of standard input if it is called `-`.
///
/// # Errors
/// A file that cannot be opened; the iterator gives what goes wrong later, and goes no farther.
pub fn read(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Line>> + Send + use<>> {
    let file: Box<dyn Read + Send> = if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    Ok(Lines { input: BufReader::new(file), number: 0, failed: false })
}

/// How many lines a regular file has to say; `None` for anything that can be read only once.
#[must_use]
pub fn count(path: &Path) -> Option<u64> {
    let regular = !is_stdin(path) && path.metadata().is_ok_and(|meta| meta.is_file());
    regular.then(|| read(path).map_or(0, |lines| lines.filter(Result::is_ok).count() as u64))
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

struct Lines<R> {
    input: R,
    number: u64,
    failed: bool,
}

impl<R: BufRead> Lines<R> {
    /// The next line, blank or not; `None` at the end.
    fn line(&mut self) -> io::Result<Option<Line>> {
        let Some(RawLine { bytes, whole }) = read_line(&mut self.input, LONGEST)? else { return Ok(None) };
        self.number += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').split(';').next().unwrap_or_default();
        Ok(Some(Line { number: self.number, text: text.trim().into(), whole }))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

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
        let lines = Lines { input: bytes, number: 0, failed: false };
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
