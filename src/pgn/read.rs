//! Reads games in Portable Game Notation.

use super::RESULTS;
use super::game::{PgnGame, PgnMove, SUFFIXES};
use crate::core::error::Quoted;

/// Iterates over the games of a text. After an error there is no further game.
///
/// # Errors
/// What cannot be read, with its line.
pub fn games(text: &str) -> impl Iterator<Item = Result<PgnGame, String>> {
    let mut reader = Reader { text, at: 0, is_broken: false };
    std::iter::from_fn(move || reader.game())
}

struct Reader<'a> {
    text: &'a str,
    /// The offset of what has not been read.
    at: usize,
    is_broken: bool,
}

impl Reader<'_> {
    /// Returns the next game: up to its result, the first tag of another one, or the end of the text.
    fn game(&mut self) -> Option<Result<PgnGame, String>> {
        self.skip_space();
        if self.is_broken || self.rest().is_empty() {
            return None;
        }
        let mut game = PgnGame { line: self.line(), ..PgnGame::default() };
        let read = self.read(&mut game);
        if game.result.is_empty() {
            game.result = game.tag("Result").unwrap_or(RESULTS[3]).into();
        }
        self.is_broken = read.is_err();
        let is_empty = game.tags.is_empty() && game.moves.is_empty();
        match read {
            // Comments behind the last game.
            Ok(()) if is_empty && self.rest().is_empty() => None,
            read => Some(read.map(|()| game)),
        }
    }

    fn read(&mut self, game: &mut PgnGame) -> Result<(), String> {
        loop {
            self.skip_space();
            let rest = self.rest();
            match rest.as_bytes().first() {
                None => return Ok(()),
                Some(b'[') if !game.moves.is_empty() => return Ok(()),
                Some(b'[') => {
                    // A comment behind the game before.
                    game.comment.clear();
                    game.tags.push(self.tag()?);
                }
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                // An escaped line.
                Some(b'%') if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
                Some(b'(') => {
                    let variation = self.variation()?;
                    if let Some(last) = game.moves.last_mut() {
                        last.variations.push(variation);
                    }
                }
                Some(b')') => return Err(self.wrong("a parenthesis that no other opens")),
                Some(_) => {
                    let word = self.word();
                    if RESULTS.contains(&word) {
                        (game.result, game.is_ended) = (word.into(), true);
                        return Ok(());
                    }
                    let (mv, nag) = without_suffix(without_number(word));
                    if !mv.is_empty() {
                        game.moves.push(PgnMove { mv: mv.into(), ..PgnMove::default() });
                    }
                    if let Some(last) = game.moves.last_mut() {
                        last.nags.extend(nag);
                    }
                }
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Returns the number of the current line, from 1.
    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    fn wrong(&self, what: &str) -> String {
        format!("line {} has {what}", self.line())
    }

    fn skip_space(&mut self) {
        // A byte order mark stands before the first game of some files.
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Reads `[Name "value"]`. More tags or moves may follow on its line.
    fn tag(&mut self) -> Result<(String, String), String> {
        let line = self.rest().lines().next().unwrap_or_default();
        let (name, value, length) =
            parse_tag(line).ok_or_else(|| self.wrong(&format!("a bad tag, {}", Quoted::part(line.trim_end()))))?;
        self.at += length;
        Ok((name, value))
    }

    /// Reads a comment; line ends and repeated blanks become single blanks.
    fn comment(&mut self) -> Result<String, String> {
        let length = self.rest().find('}').ok_or_else(|| self.wrong("a comment without an end"))?;
        let comment = folded(&self.rest()[1..length]);
        self.at += length + 1;
        Ok(comment)
    }

    /// Reads a comment up to the end of its line.
    fn line_comment(&mut self) -> String {
        let comment = folded(self.rest()[1..].lines().next().unwrap_or_default());
        self.skip_line();
        comment
    }

    /// Reads a variation with those in it, without its parentheses. Comments to the end of a line become comments in
    /// braces: the text has one line.
    fn variation(&mut self) -> Result<String, String> {
        let (start, mut open, mut text) = (self.at, 0_usize, String::new());
        loop {
            let Some(length) = self.rest().find(['(', ')', '{', ';']) else {
                self.at = start;
                return Err(self.wrong("a variation without an end"));
            };
            text += &self.rest()[..length];
            self.at += length;
            match self.rest().as_bytes()[0] {
                b'{' => text.extend(["{", &self.comment()?, "}"]),
                b';' => text.extend(["{", &self.line_comment().replace('}', ")"), "} "]),
                parenthesis => {
                    self.at += 1;
                    open = if parenthesis == b'(' { open + 1 } else { open - 1 };
                    if open == 0 {
                        return Ok(folded(&text[1..]));
                    }
                    text.push(char::from(parenthesis));
                }
            }
        }
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '[' | '$');
        let mut after_first = self.rest().char_indices().skip(1);
        self.at += after_first.find(|&(_, c)| ends(c)).map_or(self.rest().len(), |(end, _)| end);
        &self.text[start..self.at]
    }
}

/// Returns a word without the number of a move: `12.`, `12...`, or `12.e4` as some programs write it.
fn without_number(word: &str) -> &str {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if bare.starts_with('.') { bare.trim_start_matches('.') } else { word }
}

/// Splits a word into the move and its annotation, of which either may be missing: `e4!`, `$14`, `!?`. An annotation that
/// the standard does not have is left out.
fn without_suffix(word: &str) -> (&str, Option<u16>) {
    if let Some(nag) = word.strip_prefix('$') {
        return ("", nag.parse().ok());
    }
    let mv = word.trim_end_matches(['!', '?']);
    let suffix = &word[mv.len()..];
    let found = SUFFIXES.into_iter().zip(1..).find(|&(known, _)| known == suffix);
    (mv, found.map(|(_, nag)| nag))
}

/// Returns a text in one line, with single blanks.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses `[Name "value"]`, with `\"` and `\\` in the value, at the start of a line. Returns the name, the value and the
/// length of the tag in bytes. A quotation mark ends the value only before the bracket.
fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let (name, value) = line.strip_prefix('[')?.trim_start().split_once(char::is_whitespace)?;
    let value = value.trim_start().strip_prefix('"')?;
    let (mut plain, mut escaped) = (String::new(), false);
    for (at, c) in value.char_indices() {
        if c == '"'
            && !escaped
            && let Some(rest) = value[at + 1..].trim_start().strip_prefix(']')
        {
            return Some((name.into(), plain, line.len() - rest.len()));
        }
        if c != '\\' || escaped {
            plain.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}
