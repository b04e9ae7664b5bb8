//! What can be wrong with what comes in, in words that name the offending text.

use super::solution::Uncertified;
use std::path::Path;
use std::{fmt, io};

/// Everything that a door can be told. The text shown is ready for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No game of that name.
    #[error("unknown game {0}; the games are {1}")]
    UnknownGame(Quoted, String),
    /// No option of that name.
    #[error("unknown option {0}")]
    UnknownOption(Quoted),
    /// The value does not fit the option: name, value, what would fit.
    #[error("bad value {value} for option {name}: {expected}")]
    BadValue {
        /// The option's name.
        name: String,
        /// The text that was given.
        value: Quoted,
        /// What would have fitted.
        expected: String,
    },
    /// Options that do not go together.
    #[error("{0}")]
    BadOptions(String),
    /// A position that cannot be read or cannot occur: text, reason.
    #[error("bad position {0}: {1}")]
    BadPosition(Quoted, String),
    /// A move that is not legal where it was played: move, position, the legal moves. [`Error::illegal_move`] makes it.
    #[error("illegal move {0} in {1}: {2}")]
    IllegalMove(Quoted, Quoted, String),
    /// A command that cannot be read: text, reason.
    #[error("bad command {0}: {1}")]
    BadCommand(Quoted, String),
    /// A file that could not be read or written.
    #[error("cannot {doing} {path}: {reason}")]
    File {
        /// What was tried.
        doing: &'static str,
        /// The path.
        path: Quoted,
        /// What went wrong,
        kind: io::ErrorKind,
        /// and in the words of the system.
        reason: String,
    },
    /// A file that is not what it was taken for: path, what is wrong with it.
    #[error("{0} {1}")]
    BadFile(Quoted, String),
    /// A value that could not be proven.
    #[error("no certificate: {0}")]
    Uncertified(#[from] Uncertified),
    /// A record of a tree that might not fit the memory it is allowed, nodes and MiB.
    #[error(
        "a tree of {requested} nodes may take {needed} MiB of memory, and is allowed {allowed} MiB: at most {most} nodes"
    )]
    TreeTooLarge {
        /// The nodes asked for.
        requested: usize,
        /// The memory that they may take.
        needed: u128,
        /// The most nodes.
        most: usize,
        /// The memory that they may take at most.
        allowed: usize,
    },
    /// A table that does not fit the memory available now, MiB.
    #[error("Hash {requested} MiB refused: {available} MiB of memory are available now{}", table_note(*current))]
    TableTooLarge {
        /// The size asked for, MiB.
        requested: usize,
        /// The memory available beside the old table, MiB.
        available: usize,
        /// The size of the table that stays, MiB; 0 if there was none.
        current: usize,
    },
}

impl Error {
    /// A bad position, with the text that said it.
    pub fn bad_position(text: &str, reason: impl Into<String>) -> Self {
        Self::BadPosition(Quoted::new(text), reason.into())
    }

    /// A move that is not legal in a position, with the moves that are: as many of them as fit into [`Quoted::LIMIT`] bytes.
    #[must_use]
    pub fn illegal_move(mv: &str, position: &str, legal: &[String]) -> Self {
        let mut shown = String::new();
        let mut left = legal.len();
        for mv in legal {
            let next = mv.escape_debug().to_string();
            if shown.len() + next.len() > Quoted::LIMIT {
                break;
            }
            let comma = if shown.is_empty() { "" } else { ", " };
            shown.push_str(&format!("{comma}{next}"));
            left -= 1;
        }
        let legal = match (legal.len(), left) {
            (0, _) => "there is no legal move".into(),
            (_, 0) => format!("legal moves are {shown}"),
            (count, _) if shown.is_empty() => format!("there are {count} legal moves"),
            _ => format!("legal moves are {shown} and {left} more"),
        };
        Self::IllegalMove(Quoted::new(mv), Quoted::new(position), legal)
    }

    /// A file that could not be read or written.
    #[must_use]
    pub fn file(doing: &'static str, path: &Path, error: &io::Error) -> Self {
        let has_nul = path.as_os_str().as_encoded_bytes().contains(&0);
        let path = Quoted::new(&path.to_string_lossy());
        let reason = if has_nul { "a path has no NUL".into() } else { error.to_string() };
        Self::File { doing, path, kind: error.kind(), reason: reason.chars().take(Quoted::LIMIT).collect() }
    }

    /// A file that is not what it was taken for.
    pub fn bad_file(path: &Path, reason: impl Into<String>) -> Self {
        Self::BadFile(Quoted::new(&path.to_string_lossy()), reason.into())
    }
}

fn table_note(mib: usize) -> String {
    if mib == 0 { String::new() } else { format!("; the table keeps its {mib} MiB") }
}

/// Foreign text, fit to be shown: at most 200 bytes of it, control characters and quotes escaped.
///
/// ```
/// use secateur::core::error::Quoted;
/// assert_eq!(Quoted::new("a\tb").to_string(), r#""a\tb""#);
/// assert_eq!(Quoted::new(&"x".repeat(300)).to_string().len(), 200 + "\"...\"".len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted(String);

impl Quoted {
    /// The longest text shown, bytes after escaping.
    pub const LIMIT: usize = 200;

    /// The longest part shown of a text that is shown itself, bytes after escaping.
    pub const PART: usize = 40;

    /// Escapes and shortens.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::within(Self::LIMIT, text)
    }

    /// The same for the reason why a text is refused: the text stands beside it, a glimpse of the part will do.
    #[must_use]
    pub fn part(text: &str) -> Self {
        Self::within(Self::PART, text)
    }

    fn within(limit: usize, text: &str) -> Self {
        let mut shown = String::new();
        for c in text.chars() {
            let escaped: String = if c == '\'' { c.into() } else { c.escape_debug().collect() };
            if shown.len() + escaped.len() > limit {
                shown.push_str("...");
                break;
            }
            shown.push_str(&escaped);
        }
        Self(shown)
    }

    /// The same for bytes that need not be UTF-8; what is not is shown as the replacement character.
    #[must_use]
    pub fn bytes(bytes: &[u8]) -> Self {
        // No character is shorter than a byte: more than LIMIT + 1 of them cannot be shown anyway.
        Self::new(&String::from_utf8_lossy(&bytes[..bytes.len().min(2 * Self::LIMIT)]))
    }
}

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}
