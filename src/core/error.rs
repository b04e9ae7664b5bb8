//! Errors in input and files, in words that name the offending text.

use super::solution::Uncertified;
use std::path::Path;
use std::{fmt, io};

/// Every error that the library reports. The displayed text is ready for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No game has this name: the name, and a suggestion with the names of all games.
    #[error("unknown game {0}{1}")]
    UnknownGame(Quoted, String),
    /// No option has this name.
    #[error("unknown option {0}")]
    UnknownOption(Quoted),
    /// An option does not accept the value.
    #[error("bad value {value} for option {name}: {expected}")]
    BadValue {
        /// The option's name.
        name: String,
        /// The value given.
        value: Quoted,
        /// The values that it accepts.
        expected: String,
    },
    /// Options that exclude each other.
    #[error("{0}")]
    BadOptions(String),
    /// A position that cannot be read or cannot occur: text, reason.
    #[error("bad position {0}: {1}")]
    BadPosition(Quoted, String),
    /// An illegal move: move, position, the legal moves. `Error::illegal_move` builds it.
    #[error("illegal move {0} in {1}: {2}")]
    IllegalMove(Quoted, Quoted, String),
    /// A short form that fits several legal moves: text, position, the moves. `Error::ambiguous_move` builds it.
    #[error("ambiguous move {0} in {1}: {2}")]
    AmbiguousMove(Quoted, Quoted, String),
    /// A command that needs a position, after a position was refused.
    #[error("there is no position: the last one was refused")]
    NoPosition,
    /// A command that cannot be read: text, reason.
    #[error("bad command {0}: {1}")]
    BadCommand(Quoted, String),
    /// A file that could not be read or written.
    #[error("cannot {doing} {path}: {reason}")]
    File {
        /// The operation.
        doing: &'static str,
        /// The path.
        path: Quoted,
        /// The kind of error.
        kind: io::ErrorKind,
        /// The operating system's description.
        reason: String,
    },
    /// A file with invalid content: path, what is wrong with it.
    #[error("{0} {1}")]
    BadFile(Quoted, String),
    /// A position that has no exact value: text, reason.
    #[error("{0} has no exact value: {1}")]
    NoValue(Quoted, String),
    /// A value that could not be proven.
    #[error("no certificate: {0}")]
    Uncertified(#[from] Uncertified),
    /// A tree whose record might exceed its memory limit.
    #[error(
        "a tree of {requested} nodes may take {needed} MiB of memory, and is allowed {allowed} MiB: at most {most} nodes"
    )]
    TreeTooLarge {
        /// The nodes requested.
        requested: usize,
        /// The memory that they may take, MiB.
        needed: u128,
        /// The largest number of nodes that fits.
        most: usize,
        /// The memory limit, MiB.
        allowed: usize,
    },
    /// A transposition table that does not fit the memory available now, or that the system does not allocate.
    #[error("Hash {requested} MiB refused: {}{}", memory_note(*requested, *available), table_note(*current))]
    TableTooLarge {
        /// The size requested, MiB.
        requested: usize,
        /// The memory available in addition to the old table, MiB.
        available: usize,
        /// The size of the table that stays in use, MiB; 0 if there was none.
        current: usize,
    },
}

impl Error {
    pub(crate) fn bad_value(name: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::BadValue { name: name.into(), value: Quoted::part(value), expected: expected.into() }
    }

    /// Builds [`Error::BadPosition`].
    pub fn bad_position(text: &str, reason: impl Into<String>) -> Self {
        Self::BadPosition(Quoted::new(text), reason.into())
    }

    /// Builds [`Error::IllegalMove`], with the rule that forbids the move if it is known. It lists as many of the legal
    /// moves as fit into [`Quoted::LIMIT`] bytes.
    pub(crate) fn illegal_move(mv: &str, position: &str, rule: Option<String>, legal: &[String]) -> Self {
        let rule = rule.map(|rule| rule + "; ").unwrap_or_default();
        let (mv, position) = (Quoted::new(mv), Quoted::new(position));
        let quoted = mv.to_string().len() + position.to_string().len() + rule.len();
        let (shown, left) = listed(legal, LONGEST.saturating_sub(WORDS + quoted).min(Quoted::LIMIT));
        let legal = match (legal.len(), left) {
            (0, _) => "there is no legal move".into(),
            (_, 0) => format!("legal moves are {shown}"),
            (count, _) if shown.is_empty() => format!("there are {count} legal moves"),
            _ => format!("legal moves are {shown} and {left} more"),
        };
        Self::IllegalMove(mv, position, rule + &legal)
    }

    /// Builds [`Error::AmbiguousMove`] from at least two legal moves that the text names.
    pub(crate) fn ambiguous_move(mv: &str, position: &str, meant: &[String]) -> Self {
        let (shown, left) = listed(meant, Quoted::LIMIT);
        let more = if left == 0 { String::new() } else { format!(" and {left} more") };
        Self::AmbiguousMove(Quoted::new(mv), Quoted::new(position), format!("it may be {shown}{more}"))
    }

    /// Builds [`Error::File`].
    #[must_use]
    pub fn file(doing: &'static str, path: &Path, error: &io::Error) -> Self {
        let has_nul = path.as_os_str().as_encoded_bytes().contains(&0);
        let path = Quoted::new(&path.to_string_lossy());
        let reason = if has_nul { "a path has no NUL".into() } else { error.to_string() };
        Self::File { doing, path, kind: error.kind(), reason: reason.chars().take(Quoted::LIMIT).collect() }
    }

    /// Builds [`Error::BadCommand`].
    pub fn bad_command(line: &str, reason: impl Into<String>) -> Self {
        Self::BadCommand(Quoted::new(line), reason.into())
    }

    /// Builds [`Error::BadFile`].
    pub fn bad_file(path: &Path, reason: impl Into<String>) -> Self {
        Self::BadFile(Quoted::new(&path.to_string_lossy()), reason.into())
    }
}

/// The maximum length of a message that shows both a move and a position, bytes (docs/fuzzing.md).
const LONGEST: usize = 520;

/// The maximum number of bytes in such a message besides the move, the position, the rule and the legal moves.
const WORDS: usize = 60;

/// Lists as many moves as fit into `most` bytes. Also returns the number of moves left out.
fn listed(moves: &[String], most: usize) -> (String, usize) {
    let mut shown = String::new();
    let mut left = moves.len();
    for mv in moves {
        let next: String = mv.chars().map(escaped).collect();
        if shown.len() + next.len() > most {
            break;
        }
        let comma = if shown.is_empty() { "" } else { ", " };
        shown.push_str(&format!("{comma}{next}"));
        left -= 1;
    }
    (shown, left)
}

/// Escapes a character of foreign text.
fn escaped(c: char) -> String {
    if c == '\'' { c.into() } else { c.escape_debug().collect() }
}

fn memory_note(requested: usize, available: usize) -> String {
    let available_now = format!("{available} MiB of memory are available now");
    let refused = requested <= available;
    if refused {
        format!("the system does not give them to this process, though {available_now}")
    } else {
        available_now
    }
}

fn table_note(mib: usize) -> String {
    if mib == 0 { String::new() } else { format!("; the table keeps its {mib} MiB") }
}

/// Escapes all control characters of foreign text except tabs: a log must not control a terminal.
#[must_use]
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && c != '\t' {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Foreign text made safe to display: at most 200 bytes, control characters and quotes escaped.
///
/// ```
/// use secateurs::core::error::Quoted;
/// assert_eq!(Quoted::new("a\tb").to_string(), r#""a\tb""#);
/// assert_eq!(Quoted::new(&"x".repeat(300)).to_string().len(), 200 + "\"...\"".len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    /// The maximum length of a text, bytes after escaping.
    pub const LIMIT: usize = 200;

    /// The maximum length of a part of a text that is itself displayed, bytes after escaping.
    pub const PART: usize = 40;

    /// Escapes and shortens a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::within(Self::LIMIT, text)
    }

    /// Escapes a part of a text, shortened to [`PART`](Self::PART): the whole text is displayed next to it.
    #[must_use]
    pub fn part(text: &str) -> Self {
        Self::within(Self::PART, text)
    }

    fn within(limit: usize, text: &str) -> Self {
        let mut shown = String::new();
        for c in text.chars() {
            let escaped = escaped(c);
            if shown.len() + escaped.len() > limit {
                shown.push_str("...");
                break;
            }
            shown.push_str(&escaped);
        }
        Self(shown)
    }

    /// Returns whether the text begins with `start`.
    #[must_use]
    pub fn starts_with(&self, start: &str) -> bool {
        self.0.starts_with(start)
    }

    /// Escapes and shortens bytes; invalid UTF-8 becomes the replacement character.
    #[must_use]
    pub fn bytes(bytes: &[u8]) -> Self {
        // Every character takes at least one byte, so bytes far beyond LIMIT are never displayed.
        Self::new(&String::from_utf8_lossy(&bytes[..bytes.len().min(2 * Self::LIMIT)]))
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}
