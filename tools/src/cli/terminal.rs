//! The width of the terminal, and the wrapping of text.

use std::io::{self, IsTerminal, Write};
use textwrap::{Options, WordSplitter, core::display_width};

/// The minimum width assumed of a terminal: in less, words do not fit.
const NARROWEST: usize = 20;

/// The additional indentation of the continuation of an indented line.
const DEEPER: usize = 4;

/// Returns the width of standard output in columns: the environment variable COLUMNS, or else the width of the
/// terminal. `None` if it is not a terminal: lines are not wrapped.
pub(crate) fn columns() -> Option<usize> {
    let columns =
        std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok()).filter(|&columns| columns > 0);
    let seen = || {
        let out = io::stdout();
        out.is_terminal().then(|| terminal_size::terminal_size_of(&out)).flatten()
    };
    columns.or_else(|| seen().map(|(width, _)| usize::from(width.0))).map(|columns: usize| columns.max(NARROWEST))
}

/// Wraps a line between words; the lines after the first are indented by `hang`. A word that is longer than a line
/// stays whole.
pub(crate) fn wrap(text: &str, columns: Option<usize>, hang: usize) -> String {
    let Some(columns) = columns.filter(|&columns| display_width(text.trim_end()) > columns) else { return text.into() };
    let indent = " ".repeat(hang.min(columns / 2));
    let lead = &text[..text.len() - text.trim_start().len()];
    let options = Options::new(columns)
        .initial_indent(lead)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text.trim(), options)
}

/// Formats words and their descriptions in two columns, or one below the other if the first column is too wide.
pub(crate) fn definitions(rows: &[(String, String)], columns: Option<usize>) -> String {
    let width = rows.iter().map(|(word, _)| display_width(word)).max().unwrap_or(0);
    let side_by_side = columns.is_none_or(|columns| 2 * width <= columns);
    let row = |(word, about): &(String, String)| {
        if side_by_side {
            let gap = " ".repeat(width - display_width(word));
            wrap(&format!("  {word}{gap}  {about}"), columns, width + 4) + "\n"
        } else {
            let (word, about) = (wrap(&format!("  {word}"), columns, 4), wrap(&format!("      {about}"), columns, 6));
            format!("{word}\n{about}\n")
        }
    };
    rows.iter().map(row).collect()
}

/// A writer that wraps long lines between words. The continuation of an indented line is indented further.
/// [`flush`](Write::flush) writes an incomplete line.
pub struct Wrapping<W: Write> {
    out: W,
    columns: Option<usize>,
    line: Vec<u8>,
}

impl<W: Write> Wrapping<W> {
    /// Creates a writer with lines of at most `columns` columns; `None`: unchanged.
    pub(crate) fn new(out: W, columns: Option<usize>) -> Self {
        Self { out, columns, line: Vec::new() }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let indent = text.len() - text.trim_start_matches(' ').len();
        let hang = if indent > 0 { indent + DEEPER } else { 0 };
        writeln!(self.out, "{}", wrap(&text, self.columns, hang))
    }
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.columns.is_none() {
            return self.out.write(bytes);
        }
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(rest) => {
                    self.line.extend(rest);
                    self.end_line()?;
                }
                None => self.line.extend(piece),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Wrapping<W> {
    fn drop(&mut self) {
        // To see an error, flush before dropping.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "the quick brown fox jumps over the lazy dog";
        assert_eq!(wrap(text, None, 0), text);
        assert_eq!(wrap(text, Some(43), 0), text);
        assert_eq!(wrap(text, Some(20), 2), "the quick brown fox\n  jumps over the\n  lazy dog");
        let long = "x".repeat(30);
        assert_eq!(wrap(&format!("a {long} b"), Some(20), 0), format!("a\n{long}\nb"));
        assert_eq!(wrap("  two words that are too long", Some(20), 4), "  two words that are\n    too long");
        assert_eq!(wrap("\u{1b}[91mred\u{1b}[0m and more words", Some(20), 0), "\u{1b}[91mred\u{1b}[0m and more words");
    }

    #[test]
    fn definitions_stand_beside_or_below_their_words() {
        let rows = [("a".into(), "the first one".into()), ("second".into(), "another one, longer".into())];
        assert_eq!(definitions(&rows, None), "  a       the first one\n  second  another one, longer\n");
        assert_eq!(definitions(&rows, Some(24)), "  a       the first one\n  second  another one,\n          longer\n");
        let wide = [("a word that is wide".into(), "what it means to us".into())];
        assert_eq!(definitions(&wide, Some(24)), "  a word that is wide\n      what it means to\n      us\n");
    }

    #[test]
    fn a_writer_breaks_lines_however_they_come() {
        let written = |columns, pieces: &[&str]| {
            let mut bytes = Vec::new();
            let mut out = Wrapping::new(&mut bytes, columns);
            pieces.iter().for_each(|piece| out.write_all(piece.as_bytes()).unwrap());
            drop(out);
            String::from_utf8(bytes).unwrap()
        };
        let pieces = ["one two ", "three four five six\n", "\n  in", "dented and too long for it\n> "];
        assert_eq!(written(None, &pieces), pieces.concat());
        assert_eq!(
            written(Some(20), &pieces),
            "one two three four\nfive six\n\n  indented and too\n      long for it\n> "
        );
    }
}
