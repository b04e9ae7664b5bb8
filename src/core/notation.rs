//! [`Notation`]: positions and moves as text.

use super::error::Error;
use super::game::{Game, MoveOf};
use super::position::legal_moves;
use std::borrow::Cow;

/// Returns the sign of ASCII for one of print: `x` for a cross, a hyphen for a dash.
pub(crate) const fn plain_sign(sign: char) -> char {
    match sign {
        '×' => 'x',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        other => other,
    }
}

/// Returns a text in quotation marks, with a backslash before marks and backslashes, as the strings of PGN (7).
pub(crate) fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Reads a [string] at the start of a text. Returns it with its length, bytes; `None` if the line ends before the mark
/// that closes it.
pub(crate) fn quoted(text: &str) -> Option<(String, usize)> {
    let (mut mv, mut escaped) = (String::new(), false);
    for (at, c) in text.lines().next()?.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some((mv, at + 1)),
            '\\' if !escaped => escaped = true,
            _ => {
                mv.push(c);
                escaped = false;
            }
        }
    }
    None
}

/// Iterates over the moves of a text, between white space. Those of games in Python may have some: they stand in
/// quotation marks, with a backslash before marks and backslashes.
pub fn moves(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    separated(text, char::is_whitespace)
}

/// Returns the [moves] of a text in which commas separate them too.
#[must_use]
pub fn listed_moves(text: &str) -> Vec<String> {
    separated(text, |c| c == ',' || c.is_whitespace()).map(Cow::into_owned).collect()
}

fn separated(text: &str, is_between: fn(char) -> bool) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_between);
        if rest.starts_with('"')
            && let Some((mv, length)) = quoted(rest)
        {
            rest = &rest[length..];
            return Some(Cow::Owned(mv));
        }
        let (mv, behind) = rest.split_at(rest.find(is_between).unwrap_or(rest.len()));
        rest = behind;
        (!mv.is_empty()).then_some(Cow::Borrowed(mv))
    })
}

/// Returns a line of a file of positions without its comment, which begins with `;` outside quotation marks.
#[must_use]
pub fn without_comment(line: &str) -> &str {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = line.find(|c| {
        let is_end = c == ';' && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(line, |end| &line[..end])
}

/// How a game reads and writes positions and moves.
///
/// Other layers do not interpret the text. A move contains no white space; a position does not contain the word
/// `moves`.
pub trait Notation: Game {
    /// Returns the starting position, in the notation of [`parse`](Self::parse).
    ///
    /// # Errors
    /// [`Error::BadOptions`] if the options allow none.
    fn start(&self) -> Result<String, Error>;

    /// Reads a position.
    ///
    /// # Errors
    /// [`Error::BadPosition`], which names the text and the reason.
    fn parse(&self, text: &str) -> Result<Self::Position, Error>;

    /// Describes what [`parse`](Self::parse) ignores in a text that it reads, as other programs do: `the square is
    /// ignored`; `None` if it ignores nothing.
    fn passed_over(&self, _text: &str) -> Option<String> {
        None
    }

    /// Returns the name of the game for readers, which may differ from the one in the registry.
    fn title(&self, _pos: &Self::Position) -> String {
        Self::NAME.into()
    }

    /// Writes a position; `parse` reads it back.
    fn write(&self, pos: &Self::Position) -> String;

    /// Writes a legal move. The text is unique among the position's legal moves.
    fn write_move(&self, pos: &Self::Position, mv: MoveOf<Self>) -> String;

    /// Returns the legal move that a text names, in the notation of [`write_move`](Self::write_move) or another that
    /// the game reads. The default writes the legal moves one by one; games with thousands of moves parse the text.
    fn read_move(&self, pos: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        legal_moves(pos).into_iter().find(|&mv| self.write_move(pos, mv) == text)
    }

    /// Returns the legal moves that a short form fits. If there are several, [`read_move`](Self::read_move) returns
    /// none of them.
    fn candidates(&self, _pos: &Self::Position, _text: &str) -> Vec<MoveOf<Self>> {
        Vec::new()
    }

    /// Returns the rule that forbids the move a text names: `a capture is compulsory`; `None` if the game names none.
    fn forbidden(&self, _pos: &Self::Position, _text: &str) -> Option<String> {
        None
    }

    /// Writes a legal move in standard algebraic notation (SAN), as in PGN files; `None` in games without it.
    /// [`read_move`](Self::read_move) reads it.
    fn write_san(&self, _pos: &Self::Position, _mv: MoveOf<Self>) -> Option<String> {
        None
    }
}
