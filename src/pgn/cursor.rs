//! The place of the reader in its text: lines, words and comments.

use super::game::PgnGame;
use super::read::{PgnError, Reader};
use super::words::{DASHES, before_result, is_space, numbered, result};
use super::{FEN, GAME_TYPE, OPTIONS, VARIANT};
use crate::core::error::Quoted;

/// Why reading does not go on.
pub(super) enum Halt {
    /// What comes next cannot be read.
    Wrong(PgnError),
    /// The text so far ends within something; it goes on in lines of which one has this text.
    More(&'static str),
}

impl From<PgnError> for Halt {
    fn from(error: PgnError) -> Self {
        Self::Wrong(error)
    }
}

/// The tags on which the moves depend.
const NEEDED: [&str; 5] = [FEN, "SetUp", VARIANT, GAME_TYPE, OPTIONS];

/// A byte order mark in UTF-8 that was read as Windows-1252, as Python opens files on Windows.
const MISREAD_MARK: &str = "ï»¿";

/// The beginning of a command in annotations, such as those of clocks.
pub(super) const COMMAND: &str = "[%";

/// What is wrong with a comment that nothing closes.
pub(super) const UNCLOSED: &str = "a comment without an end";

impl<'a> Reader<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space, and returns the next byte; `None` at the end of the text.
    pub(super) fn first(&mut self) -> Result<Option<u8>, Halt> {
        self.skip_space();
        match self.rest().as_bytes().first() {
            None if !self.is_whole => Err(Halt::More("")),
            first => Ok(first.copied()),
        }
    }

    /// Returns the number of the current line, from 1.
    pub(super) fn line(&mut self) -> usize {
        let (start, line) = if self.counted.0 <= self.at { self.counted } else { (0, 1) };
        self.counted = (self.at, line + self.text[start..self.at].matches('\n').count());
        self.counted.1
    }

    pub(super) fn wrong(&mut self, reason: &str) -> PgnError {
        PgnError { line: self.line(), reason: reason.into(), tags: Vec::new() }
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        let unmarked = if self.at == 0 { rest.strip_prefix(MISREAD_MARK) } else { None };
        self.at += rest.len() - unmarked.unwrap_or(rest).trim_start_matches(is_space).len();
    }

    pub(super) fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Skips what comes before the next [start](Self::next_start).
    pub(super) fn skip_to_start(&mut self) -> Result<(), Halt> {
        let start = self.next_start(self.text.len());
        self.at = start.unwrap_or(self.text.len());
        if start.is_none() && !self.is_whole { Err(Halt::More("[")) } else { Ok(()) }
    }

    /// Returns the offset where the next game begins before `end`: the first tag after a blank line, or a tag `Event`.
    pub(super) fn next_start(&self, end: usize) -> Option<usize> {
        let mut at = self.at;
        for line in self.text.get(at..end)?.split_inclusive('\n') {
            // What begins within a line is no start.
            let is_first = at == 0 || self.text[..at].ends_with('\n');
            if is_first && line.starts_with('[') && (self.is_apart(at) || line.starts_with("[Event ")) {
                let line = self.text[at..].lines().next().unwrap_or_default();
                if parse_tag(line).is_some() {
                    return Some(at);
                }
            }
            at += line.len();
        }
        None
    }

    /// Whether a blank line stands before an offset.
    pub(super) fn is_apart(&self, at: usize) -> bool {
        let before = &self.text[..at];
        before[before.trim_end().len()..].matches('\n').count() > 1
    }

    /// Reads `[Name "value"]`, which may end in the next line. More tags or moves may follow on its line; a tag that
    /// cannot be read takes all of it.
    pub(super) fn tag(&mut self, game: &mut PgnGame) -> Result<(), Halt> {
        let mut lines = self.rest().split_inclusive('\n');
        let line = lines.next().unwrap_or_default();
        let mut read = parse_tag(line);
        if read.is_none() && !line.contains(']') {
            let next = match lines.next() {
                None if !self.is_whole => return Err(Halt::More("")),
                next => next.unwrap_or_default(),
            };
            if !next.starts_with('[') {
                let first = line.trim_end();
                let joined = parse_tag(&format!("{first} {next}"));
                read = joined.map(|(name, value, length)| (name, value, length + line.len() - first.len() - 1));
            }
        }
        if let Some((name, value, length)) = read {
            game.tag_lines.push(self.line());
            game.tags.push((name, value));
            self.at += length;
            return Ok(());
        }
        let bad = self.wrong(&format!("a bad tag, {}", Quoted::part(line.trim_end())));
        let name = line[1..].trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if NEEDED.iter().any(|needed| needed.eq_ignore_ascii_case(name)) {
            return Err(bad.into());
        }
        game.bad_tags.push(bad);
        self.skip_line();
        Ok(())
    }

    /// Whether nothing stands before the place in its line.
    pub(super) fn begins_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether the text in brackets that comes next begins as a tag does.
    pub(super) fn begins_name(&self) -> bool {
        self.rest()[1..].trim_start().starts_with(char::is_alphabetic)
    }

    /// Reads text in brackets, other brackets within it included, which has no blank line.
    pub(super) fn remark(&mut self) -> Result<String, Halt> {
        let (mut open, mut goes_on) = (0, !self.is_whole);
        for (at, c) in self.rest().char_indices() {
            open += i32::from(c == '[') - i32::from(c == ']');
            if open == 0 {
                let remark = folded(&self.rest()[..=at]);
                self.at += at + 1;
                return Ok(remark);
            }
            if c == '\n' && self.is_apart(self.at + at + 1) {
                goes_on = false;
                break;
            }
        }
        if goes_on { Err(Halt::More("")) } else { Err(self.wrong("a bracket without an end").into()) }
    }

    /// Reads the comments that come next.
    pub(super) fn comments(&mut self, game: &mut PgnGame) -> Result<(), Halt> {
        loop {
            match self.first()? {
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                _ => return Ok(()),
            }
        }
    }

    /// Reads a comment; line ends and repeated blanks become single blanks. The end of a comment in a later game is not
    /// its own. A comment may have a game in it, but not two.
    pub(super) fn comment(&mut self) -> Result<String, Halt> {
        let found = self.rest().find('}');
        if found.is_none() && !self.is_whole {
            return Err(Halt::More("}"));
        }
        let end = found.filter(|&end| {
            let end = self.at + end;
            self.next_start(end).is_none_or(|start| {
                let opens_another = self.text[start..end].contains('{');
                !opens_another && Reader { at: start + 1, ..*self }.next_start(end).is_none()
            })
        });
        let length = end.ok_or_else(|| self.wrong(UNCLOSED))?;
        let comment = folded(&self.rest()[1..length]);
        self.at += length + 1;
        Ok(comment)
    }

    /// Reads a comment up to the end of its line.
    pub(super) fn line_comment(&mut self) -> String {
        let comment = folded(self.rest()[1..].lines().next().unwrap_or_default());
        self.skip_line();
        comment
    }

    /// Reads a command of annotations that should be in a comment: `[%clk 0:01:00]`.
    pub(super) fn command(&mut self) -> Option<&'a str> {
        let line = self.rest().lines().next()?;
        let end = line.starts_with(COMMAND).then(|| line.find(']'))?? + 1;
        self.at += end;
        Some(&line[..end])
    }

    /// Reads a word: a glyph with its digits, `$14`, or up to a blank or sign. The piece of a promotion in parentheses
    /// belongs to it: `e8(Q)`.
    pub(super) fn word(&mut self) -> &'a str {
        let start = self.at;
        if let Some(glyph) = self.rest().strip_prefix('$') {
            let behind = glyph.trim_start_matches(|c: char| c.is_ascii_digit());
            self.at = self.text.len() - behind.len();
            return &self.text[start..self.at];
        }
        let ends = |c: char| is_space(c) || matches!(c, '{' | '}' | '(' | ')' | ';' | '[' | '$' | '*');
        loop {
            let mut after_first = self.rest().char_indices().skip(1);
            self.at += after_first.find(|&(_, c)| ends(c)).map_or(self.rest().len(), |(end, _)| end);
            let word = &self.text[start..self.at];
            let promotes = word.starts_with(|c| ('a'..='h').contains(&c)) && word.ends_with(['1', '8']);
            match self.rest().as_bytes() {
                [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', ..] if promotes => self.at += 2,
                _ => {
                    let word = before_result(word);
                    self.at = start + word.len();
                    return word;
                }
            }
        }
    }

    /// Reads a word; or a result or a move of numbers with blanks in it, such as `1 - 0` and `32- 28`, in a line.
    pub(super) fn word_or_result(&mut self) -> &'a str {
        let (start, word) = (self.at, self.word());
        let is_half = numbered(word).1.strip_suffix(HYPHENS).is_some_and(is_number);
        let blanks = self.rest().len() - self.rest().trim_start_matches(' ').len();
        if is_half && blanks > 0 {
            let mut behind = Reader { at: self.at + blanks, ..*self };
            if behind.rest().starts_with(|c: char| c.is_ascii_digit()) {
                behind.word();
                self.at = behind.at;
                return &self.text[start..self.at];
            }
        }
        if self.rest().trim_start_matches(' ').starts_with(DASHES) {
            let end = self.rest().find('\n').map_or(self.text.len(), |length| self.at + length);
            let mut after = Reader { text: &self.text[..end], ..*self };
            for _ in 0..2 {
                after.skip_space();
                after.word();
            }
            let whole = &self.text[start..after.at];
            if result(whole).is_some() {
                self.at = after.at;
                return whole;
            }
        }
        word
    }
}

/// The signs between the squares of a move of draughts.
const HYPHENS: [char; 3] = ['-', 'x', ':'];

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a text in one line, with single blanks.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses `[Name "value"]`, with `\"` and `\\` in the value, at the start of a line. Returns the name, the value and
/// the length of the tag in bytes. A quotation mark ends the value only before the bracket. Other programs write `\`
/// and `"` as they are: `\` before another character is one, and where all marks are escaped the last one of the line
/// ends the value.
pub(super) fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let inner = line.strip_prefix('[')?.trim_start();
    let end = inner.find(|c: char| c.is_whitespace() || c == '"').filter(|&end| end > 0)?;
    let (name, value) = inner.split_at(end);
    let value = value.trim_start().strip_prefix('"')?;
    let (mut plain, mut escaped) = (String::new(), false);
    for (at, c) in value.char_indices() {
        if c == '"'
            && !escaped
            && let Some(rest) = value[at + 1..].trim_start().strip_prefix(']')
        {
            return Some((name.into(), plain, line.len() - rest.len()));
        }
        if escaped && c != '"' && c != '\\' {
            plain.push('\\');
        }
        escaped = c == '\\' && !escaped;
        if !escaped {
            plain.push(c);
        }
    }
    let (raw, rest) = value.rsplit_once("\"]")?;
    Some((name.into(), raw.into(), line.len() - rest.len()))
}
