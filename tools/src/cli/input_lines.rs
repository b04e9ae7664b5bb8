//! The positions that a command works on: those of its line, and those of a file, one per line; blank lines and text
//! after `;` are ignored there.

use super::{Failure, hints};
use secateurs::core::error::Quoted;
use secateurs::core::notation::without_comment;
use secateurs::core::{Error, StopFlag};
use secateurs::engine::Board;
use secateurs::pgn;
use secateurs::protocol::input::{RawLine, read_line};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::store::bounded;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum length of a line in bytes, to bound memory: no position is longer.
pub(crate) const LONGEST: usize = 1 << 16;

/// The size limit of a text in UTF-16, bytes.
const LARGEST: u64 = 256 << 20;

/// Standard input as a path.
const STDIN: &str = "-";

/// The positions of a command line.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct PositionArgs {
    /// Positions: `startpos` or the game's notation, optionally `moves` and moves [default: the lines of a file or pipe
    /// at standard input, or else startpos; of `solve` the lines of standard input]
    #[arg(value_name = "POSITION")]
    pub positions: Vec<String>,
    /// Read positions from FILE, one per line (`-`: standard input); blank lines and text after `;` are ignored
    #[arg(short, long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

type BoxedLines = Box<dyn Iterator<Item = io::Result<InputLine>> + Send>;

/// The positions of a command, in order.
pub struct Positions {
    lines: BoxedLines,
    /// Where they come from, for messages.
    source: String,
    has_file: bool,
    /// Whether reading may block, as standard input and pipes do.
    blocks: bool,
    /// Their number, if it is known.
    pub count: Option<u64>,
    /// The position if there are no others.
    start: Option<String>,
}

impl PositionArgs {
    /// Returns the positions: those of the command line, then those of the file. Without both they are the lines of
    /// standard input if that is a file or a pipe, or with `from_stdin` whatever it is; without `from_stdin`,
    /// `startpos` if there are none.
    ///
    /// # Errors
    /// A file that cannot be opened.
    pub(crate) fn read(&self, from_stdin: bool, err: &mut dyn Write) -> Result<Positions, Failure> {
        if let Some(hint) = hints::split(&self.positions) {
            return Err(Failure::Usage(hint));
        }
        let is_bare = self.positions.is_empty() && self.file.is_none();
        let reads_stdin = is_bare && (from_stdin || is_piped());
        let file = if reads_stdin { Some(Path::new(STDIN)) } else { self.file.as_deref() };
        let start = (is_bare && !from_stdin).then(|| STARTPOS.to_owned());
        let given =
            if reads_stdin { Vec::new() } else { self.positions.iter().cloned().chain(start.clone()).collect() };
        let source = file.map_or_else(|| "the command line".into(), name);
        if let Some(hint) = hints::games(&source, file.filter(|path| path.is_file()), "") {
            return Err(Failure::Usage(hint));
        }
        let count = file.map_or(Some(0), count).map(|lines| lines + given.len() as u64);
        let blocks = count.is_none();
        let given = given.into_iter().map(|text| Ok(InputLine::of_argument(text)));
        let lines: BoxedLines = match file {
            None => Box::new(given),
            Some(path) => {
                let read = read(path).map_err(|error| unreadable(&source, &error))?;
                say_if_typed(path, "positions, one a line,", err);
                Box::new(given.chain(read))
            }
        };
        Ok(Positions { lines, source, has_file: file.is_some(), blocks, count, start })
    }
}

/// Returns the name of a source of input for messages.
pub(super) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { Quoted::new(&path.to_string_lossy()).to_string() }
}

pub(super) fn unreadable(source: &str, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot read {source}: {error}"))
}

impl Positions {
    /// Returns the only position.
    ///
    /// # Errors
    /// There is no position, or more than one; `what` needs exactly one.
    pub(crate) fn only(mut self, what: &str) -> Result<Self, Failure> {
        let first = self.lines.by_ref().take(2).collect::<io::Result<Vec<_>>>();
        let first = first.map_err(|error| unreadable(&self.source, &error))?;
        let first =
            if first.is_empty() { self.start.take().map(InputLine::of_argument).into_iter().collect() } else { first };
        let reason = match &first[..] {
            [_] => return Ok(Self { lines: Box::new(first.into_iter().map(Ok)), ..self }),
            [] => format!("{} has none", self.source),
            [_, second, ..] => {
                second.number.map_or_else(|| "there is another".into(), |number| format!("line {number} has another"))
            }
        };
        Err(Failure::Usage(format!("{what} is for one position: {reason}")))
    }

    /// Calls a function for each position until the flag is raised, even during a blocking read.
    ///
    /// # Errors
    /// A position that cannot be read; those of the function.
    pub(crate) fn each(
        self,
        stop: &StopFlag,
        mut work: impl FnMut(&InputLine) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { lines, source, has_file, blocks, start, .. } = self;
        let hint =
            start.is_some().then(|| format!("waiting for positions from {source}; close it, or name a position"));
        let lines = if blocks { until(lines, stop, hint).map_err(Failure::no_thread)? } else { lines };
        let (mut is_empty, mut is_first) = (true, true);
        for line in lines {
            if stop.is_raised() {
                break;
            }
            let line = line.map_err(|error| unreadable(&source, &error))?;
            // Not an error for each line of the file.
            if let Some(hint) = hints::games(&source, None, &line.text).filter(|_| line.number.is_some() && is_first) {
                return Err(Failure::Usage(hint));
            }
            is_first &= line.number.is_none();
            is_empty = false;
            work(&line)?;
        }
        // The positions of the command line come before those of a file.
        if has_file && is_first && !is_empty && !stop.is_raised() {
            log::warn!("{source} has no position");
        }
        match start {
            _ if !is_empty || stop.is_raised() => Ok(()),
            Some(start) => {
                log::warn!("{source} has no position: {start} is searched");
                work(&InputLine::of_argument(start))
            }
            None => Err(Failure::Usage(format!("{source} has no position"))),
        }
    }
}

impl InputLine {
    fn of_argument(text: String) -> Self {
        Self { number: None, text, whole: true }
    }

    /// Returns the board of the position.
    ///
    /// # Errors
    /// Those of [`Setup::board`], with a hint for a text of the command line; a line that is too long.
    pub(crate) fn board(&self, setup: &Setup) -> Result<Box<dyn Board>, Error> {
        if !self.whole {
            return Err(Error::bad_position(&self.text, format!("a line of more than {LONGEST} bytes")));
        }
        if self.number.is_none() {
            return hints::board(setup, &self.text);
        }
        let board = setup.board(&self.text)?;
        hints::warn_of_passed_over(&*board, &self.place(), &self.text);
        Ok(board)
    }

    /// Returns the line as the beginning of a message: `line 3: `; nothing for a position of the command line.
    pub(crate) fn place(&self) -> String {
        self.number.map(|number| format!("line {number}: ")).unwrap_or_default()
    }
}

/// A position as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// The line number in the file from 1, blank lines included; `None` for a position of the command line.
    pub number: Option<u64>,
    /// The text without its comment and surrounding white space; invalid UTF-8 becomes replacement characters.
    pub text: String,
    /// Whether the text is complete: false if the line was longer than `LONGEST`.
    pub whole: bool,
}

/// Reads the lines of a file, or of standard input for `-`.
///
/// # Errors
/// A file that cannot be opened. The iterator returns a later read error, and ends after it.
pub(crate) fn read(path: &Path) -> io::Result<impl Iterator<Item = io::Result<InputLine>> + Send + use<>> {
    let file: Box<dyn Read + Send> = if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    Ok(InputLines { input: Box::new(BufReader::new(file)), number: 0, failed: false })
}

/// An open text.
type BoxedText<'a> = Box<dyn BufRead + Send + 'a>;

/// Returns a text in UTF-8, with line feeds. After a byte order mark it is UTF-16, as some editors and shells write it,
/// and is read as a whole.
///
/// # Errors
/// A read error; more than 256 MiB of UTF-16.
pub(super) fn utf8<'a>(mut input: BoxedText<'a>) -> io::Result<BoxedText<'a>> {
    let beginning = input.fill_buf()?;
    bounded::check_unpacked(beginning)?;
    match beginning {
        // A terminal has another text after its end.
        [] => Ok(Box::new(io::empty())),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Ok(Box::new(Cursor::new(pgn::decode(bounded::rest(input, LARGEST)?)))),
        _ if beginning.contains(&b'\r') && !beginning.contains(&b'\n') => {
            Ok(Box::new(BufReader::new(LineFeeds(input))))
        }
        _ => Ok(input),
    }
}

/// A text whose lines end with carriage returns, as on old Macs, with line feeds in their place.
struct LineFeeds<'a>(BoxedText<'a>);

impl Read for LineFeeds<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        buffer[..length].iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(length)
    }
}

/// Counts the lines of a regular file that are not blank; `None` for any other input, which can be read only once.
pub(crate) fn count(path: &Path) -> Option<u64> {
    let regular = !is_stdin(path) && path.metadata().is_ok_and(|meta| meta.is_file());
    regular.then(|| read(path).map_or(0, |lines| lines.filter(Result::is_ok).count() as u64))
}

/// Announces on `err` that `what` is read from standard input, if that is a terminal: otherwise the program would seem
/// to hang.
pub(crate) fn say_if_typed(path: &Path, what: &str, err: &mut dyn Write) {
    if is_stdin(path) && io::stdin().is_terminal() {
        // A failure to write to stderr is of no consequence.
        let _ = writeln!(err, "reading {what} from standard input; Ctrl-D ends it");
    }
}

/// The interval at which a waiting reader checks the flag.
const POLL: Duration = Duration::from_millis(20);

/// How long the first line is awaited in silence.
const PATIENCE: Duration = Duration::from_secs(2);

/// Returns the lines until the flag is raised, even during a blocking read. The hint is logged if the first line takes
/// long.
///
/// # Errors
/// The system refuses the thread that reads.
fn until(mut lines: BoxedLines, stop: &StopFlag, mut hint: Option<String>) -> io::Result<BoxedLines> {
    let (sender, receiver) = sync_channel(1);
    let stop = stop.clone();
    // The thread is detached: it may still be reading from a terminal at the end.
    thread::Builder::new().name("lines".into()).spawn(move || lines.try_for_each(|line| sender.send(line)))?;
    let start = Instant::now();
    Ok(Box::new(std::iter::from_fn(move || {
        loop {
            match receiver.recv_timeout(POLL) {
                _ if stop.is_raised() => return None,
                Ok(line) => {
                    hint = None;
                    return Some(line);
                }
                Err(RecvTimeoutError::Timeout) if start.elapsed() >= PATIENCE => {
                    hint.take().into_iter().for_each(|hint| log::warn!("{hint}"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    })))
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Whether standard input is a file, a pipe or a socket, and so has content.
#[cfg(unix)]
fn is_piped() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let stdin = io::stdin().as_fd().try_clone_to_owned();
    let kind = stdin.and_then(|stdin| File::from(stdin).metadata()).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

/// Whether standard input has content: unknown, so that no command waits for it in vain.
#[cfg(not(unix))]
const fn is_piped() -> bool {
    false
}

struct InputLines<'a> {
    input: BoxedText<'a>,
    number: u64,
    failed: bool,
}

impl InputLines<'_> {
    /// Reads the next line, blank or not; `None` at the end.
    fn line(&mut self) -> io::Result<Option<InputLine>> {
        if self.number == 0 {
            self.input = utf8(std::mem::replace(&mut self.input, Box::new(io::empty())))?;
        }
        let Some(RawLine { bytes, whole, .. }) = read_line(&mut self.input, LONGEST)? else { return Ok(None) };
        self.number += 1;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(InputLine { number: Some(self.number), text: without_comment(&text).trim().into(), whole }))
    }
}

impl Iterator for InputLines<'_> {
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
        let lines = InputLines { input: Box::new(bytes), number: 0, failed: false };
        lines.map(|line| line.unwrap()).map(|line| (line.number.unwrap(), line.text, line.whole)).collect()
    }

    #[test]
    fn blanks_and_comments_are_counted_and_left_out() {
        let text = "\u{feff}a b ; c\r\n\n;all comment\n  \t\n d\n\u{fffd}";
        let expected = [(1, "a b"), (5, "d"), (6, "\u{fffd}")].map(|(number, text)| (number, text.into(), true));
        assert_eq!(lines(text.as_bytes()), expected);
        assert_eq!(lines(b"x\n\xff")[1].1, "\u{fffd}");
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"a\r\rb\r").iter().map(|line| (line.0, &*line.1)).collect::<Vec<_>>(), [(1, "a"), (3, "b")]);
        let units = "\u{feff}a b\n\né ; c\n".encode_utf16();
        let expected = [(1, "a b"), (3, "é")].map(|(number, text)| (number, text.into(), true));
        assert_eq!(lines(&units.clone().flat_map(u16::to_le_bytes).collect::<Vec<_>>()), expected);
        assert_eq!(lines(&units.flat_map(u16::to_be_bytes).collect::<Vec<_>>()), expected);
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
