//! Reads games in Portable Game Notation.

use super::game::{PgnGame, PgnMove};
use super::words::{DASHES, LETTERS, annotated, known_result, numbered, quoted, result};
use super::{FEN, GAME_TYPE, OPTIONS, RESULTS, UNFINISHED, VARIANT};
use crate::core::error::Quoted;
use crate::registry::Setup;

/// The tags on which the moves depend.
const NEEDED: [&str; 5] = [FEN, "SetUp", VARIANT, GAME_TYPE, OPTIONS];

/// A game, or a tag of one, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} has {reason}")]
pub struct PgnError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it, after "has".
    pub reason: String,
}

/// Iterates over the games of a text; without a tag that names their game, they are of the game `here`. After a game that
/// cannot be read comes the next one that begins with a tag. A comment between two games belongs to the second one if a
/// blank line stands before it.
pub fn games<'a>(text: &'a str, here: &'a Setup) -> impl Iterator<Item = Result<PgnGame, PgnError>> {
    let mut reader = Reader { text, at: 0, counted: (0, 1), is_begun: false, here };
    std::iter::from_fn(move || reader.game())
}

/// What is wrong with a comment that nothing closes.
pub(super) const UNCLOSED: &str = "a comment without an end";

#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    /// The offset of what has not been read.
    at: usize,
    /// An offset and the number of its line, from 1.
    counted: (usize, usize),
    /// Whether a game has been read.
    is_begun: bool,
    /// The game without tags.
    here: &'a Setup,
}

impl<'a> Reader<'a> {
    /// Returns the next game: up to its result, the first tag of another one, or the end of the text.
    fn game(&mut self) -> Option<Result<PgnGame, PgnError>> {
        self.skip_space();
        let mut game = PgnGame { line: self.line(), ..PgnGame::default() };
        let begun = self.comments(&mut game);
        if self.is_begun && self.is_prose(&PgnGame::default()) {
            self.at = self.next_start(self.text.len()).unwrap_or(self.text.len());
            game = PgnGame { line: self.line(), ..PgnGame::default() };
        }
        if self.rest().is_empty() {
            return None;
        }
        self.is_begun = true;
        let read = begun.and_then(|()| self.read(&mut game)).map(|()| self.last_comments(&mut game));
        if !game.is_ended {
            game.result = game.tag("Result").map_or(UNFINISHED, known_result);
        }
        if read.is_err() {
            self.at = self.next_start(self.text.len()).unwrap_or(self.text.len());
        }
        let read = match game.bad_tags.first() {
            // What is not a game may look like a tag.
            Some(bad) if game.tags.is_empty() && !self.begins(&game) => read.and(Err(bad.clone())),
            _ => read,
        };
        let is_empty = game.tags.is_empty() && game.moves.is_empty() && !game.is_ended;
        match read {
            // Comments behind the last game.
            Ok(()) if is_empty && self.rest().is_empty() => None,
            read => Some(read.map(|()| game)),
        }
    }

    /// Whether a game without tags begins with a legal move.
    fn begins(&self, game: &PgnGame) -> bool {
        game.moves.first().is_some_and(|first| PgnGame::default().has_next(&first.mv, self.here))
    }

    /// Whether text that is no game comes next, as it may between games: it begins with a word that is no move.
    fn is_prose(mut self, game: &PgnGame) -> bool {
        let starts = |c: char| c.is_alphabetic();
        let (is_word, word) = (self.rest().starts_with(starts), self.word());
        is_word && !game.has_next(self.annotated(word, game).0, self.here)
    }

    fn read(&mut self, game: &mut PgnGame) -> Result<(), PgnError> {
        // Before the first move there is none that they replace.
        let mut variations = Vec::new();
        let (mut number, mut numbers_are_moves) = (None, None);
        let mut awaits_move = true;
        loop {
            self.skip_space();
            let rest = self.rest();
            match rest.as_bytes().first() {
                None => return Ok(()),
                Some(b'[') if !game.moves.is_empty() || self.begins_header(game) => return Ok(()),
                Some(b'[') => self.tag(game)?,
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                // An escaped line.
                Some(b'%') if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
                Some(b'(') => {
                    let variation = self.variation()?;
                    game.moves.last_mut().map_or(&mut variations, |last| &mut last.variations).push(variation);
                }
                Some(b'"') if let Some((mv, length)) = quoted(rest) => {
                    let (line, variations) = (self.line(), std::mem::take(&mut variations));
                    game.moves.push(PgnMove { mv, line, variations, ..PgnMove::default() });
                    self.at += length;
                }
                Some(b')') => return Err(self.wrong("a parenthesis that no other opens")),
                Some(b'}') => return Err(self.wrong("a brace that no other opens")),
                Some(_) => {
                    let line = self.line();
                    let word = self.word_or_result();
                    if self.is_result(word, game) {
                        (game.result, game.is_ended) = (known_result(word), true);
                        if game.result == UNFINISHED && word != UNFINISHED && game.tag("Result") != Some(word) {
                            let doubt = format!("ends with {word}, which PGN does not have: it becomes {UNFINISHED}");
                            game.doubtful_end.push(doubt);
                        }
                        return self.after_result(game);
                    }
                    let (with_period, word) = numbered(word);
                    awaits_move |= with_period.is_some();
                    let (mv, nags) = if awaits_move { annotated(word) } else { self.annotated(word, game) };
                    // The period after a number may be missing (8.2.2.1). Any other number is taken for a move: it would be
                    // lost otherwise.
                    let bare = mv.parse().ok().filter(|bare: &u32| {
                        number.is_none_or(|number: u32| (number..=number.saturating_add(1)).contains(bare))
                            && !*numbers_are_moves.get_or_insert_with(|| game.has_numbers(self.here))
                    });
                    number = with_period.or(bare).or(number);
                    awaits_move = bare.is_some() || awaits_move && mv.is_empty();
                    // `exd6 e.p.`: the square tells it.
                    if !mv.is_empty() && bare.is_none() && (mv != "e.p." || game.moves.is_empty()) {
                        let variations = std::mem::take(&mut variations);
                        game.moves.push(PgnMove { mv: mv.into(), line, variations, ..PgnMove::default() });
                    }
                    if let Some(last) = game.moves.last_mut() {
                        let known = |nag: &u16| last.nags.contains(nag);
                        let new: Vec<_> = nags.into_iter().filter(|nag| !known(nag)).collect();
                        last.nags.extend(new);
                    }
                }
            }
        }
    }

    /// Reads the comments that come next.
    fn comments(&mut self, game: &mut PgnGame) -> Result<(), PgnError> {
        loop {
            self.skip_space();
            match self.rest().as_bytes().first() {
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                _ => return Ok(()),
            }
        }
    }

    /// Reads the comments at the end of the text: no other game follows to which they would belong.
    fn last_comments(&mut self, game: &mut PgnGame) {
        let (mut end, mut last) = (*self, PgnGame::default());
        if end.comments(&mut last).is_ok() && end.rest().is_empty() {
            game.add_comment(&last.comment);
            self.at = end.at;
        }
    }

    /// Reads the comments behind the result up to a blank line, and other text on its line that is no game.
    fn after_result(&mut self, game: &mut PgnGame) -> Result<(), PgnError> {
        let line = self.line();
        loop {
            self.skip_space();
            match self.rest().as_bytes().first() {
                // It belongs to the next game.
                Some(b'{' | b';') if self.is_apart() => return Ok(()),
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                Some(_) if self.line() == line && self.is_prose(&PgnGame::default()) => {
                    let text = self.rest().lines().next().unwrap_or_default();
                    game.doubtful_end
                        .push(format!("has text behind its result, {}: it is left out", Quoted::part(text)));
                    self.skip_line();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the tags of another game come next, after those of one without moves: a tag that it has, after a blank line.
    fn begins_header(&self, game: &PgnGame) -> bool {
        let tag = || self.rest().lines().next().and_then(parse_tag);
        self.is_apart() && tag().is_some_and(|(name, ..)| game.tag(&name).is_some())
    }

    /// Whether a blank line stands before what comes next.
    fn is_apart(&self) -> bool {
        let before = &self.text[..self.at];
        before[before.trim_end().len()..].matches('\n').count() > 1
    }

    /// Whether a word, just read, is the result: one of PGN; or the last word, if the tag has the same, such as `0-0` for a
    /// game that both sides lose, or if it is a result in other notation and no legal move.
    fn is_result(&self, word: &str, game: &PgnGame) -> bool {
        let is_last = || game.tag("Result") == Some(word) || result(word).is_some() && !game.has_next(word, self.here);
        RESULTS.contains(&word) || self.is_at_end() && is_last()
    }

    /// Splits a word after a move into the move and its annotations. Where moves are letters, no letter is an annotation.
    fn annotated(&self, word: &'a str, game: &PgnGame) -> (&'a str, Vec<u16>) {
        let (mv, mut nags) = annotated(word);
        let letter =
            LETTERS.into_iter().find(|(letter, _)| *letter == mv && !game.has_moves(self.here, char::is_alphabetic));
        nags.extend(letter.map(|(_, nag)| nag));
        (if letter.is_some() { "" } else { mv }, nags)
    }

    /// Whether only comments come before the next game.
    fn is_at_end(mut self) -> bool {
        self.comments(&mut PgnGame::default()).is_ok() && matches!(self.rest().as_bytes().first(), None | Some(b'['))
    }

    /// Returns the offset where the next game begins before `end`: the first tag after a blank line, or a tag `Event`.
    fn next_start(&self, end: usize) -> Option<usize> {
        let (mut at, mut is_blank) = (self.at, false);
        // What begins within a line is no start.
        for line in self.text[at..end].split_inclusive('\n') {
            let is_start = at > self.at && (is_blank || line.starts_with("[Event "));
            if is_start && self.text[at..].lines().next().is_some_and(|line| parse_tag(line).is_some()) {
                return Some(at);
            }
            is_blank = line.trim().is_empty();
            at += line.len();
        }
        None
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the number of the current line, from 1.
    fn line(&mut self) -> usize {
        let (start, line) = if self.counted.0 <= self.at { self.counted } else { (0, 1) };
        self.counted = (self.at, line + self.text[start..self.at].matches('\n').count());
        self.counted.1
    }

    fn wrong(&mut self, reason: &str) -> PgnError {
        PgnError { line: self.line(), reason: reason.into() }
    }

    fn skip_space(&mut self) {
        // A byte order mark stands before the first game of some files; CP/M and old disks end them with Ctrl-Z and NULs.
        let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}' | '\0');
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_space).len();
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Reads `[Name "value"]`. More tags or moves may follow on its line; a tag that cannot be read takes all of it.
    fn tag(&mut self, game: &mut PgnGame) -> Result<(), PgnError> {
        let line = self.rest().lines().next().unwrap_or_default();
        if let Some((name, value, length)) = parse_tag(line) {
            game.tag_lines.push(self.line());
            game.tags.push((name, value));
            self.at += length;
            return Ok(());
        }
        let bad = self.wrong(&format!("a bad tag, {}", Quoted::part(line.trim_end())));
        let name = line[1..].trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if NEEDED.iter().any(|needed| needed.eq_ignore_ascii_case(name)) {
            return Err(bad);
        }
        game.bad_tags.push(bad);
        self.skip_line();
        Ok(())
    }

    /// Reads a comment; line ends and repeated blanks become single blanks. The end of a comment in a later game is not its
    /// own. A comment may have a game in it, but not two.
    fn comment(&mut self) -> Result<String, PgnError> {
        let end = self.rest().find('}').filter(|&end| {
            let end = self.at + end;
            self.next_start(end).is_none_or(|start| {
                let opens_another = self.text[start..end].contains('{');
                !opens_another && Reader { at: start, ..*self }.next_start(end).is_none()
            })
        });
        let length = end.ok_or_else(|| self.wrong(UNCLOSED))?;
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
    fn variation(&mut self) -> Result<String, PgnError> {
        let (start, mut open, mut text) = (self.at, 0_usize, String::new());
        loop {
            let length = self.rest().find(['(', ')', '{', ';']);
            let Some(length) = length.filter(|length| self.next_start(self.at + length).is_none()) else {
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

    /// Reads a word. The piece of a promotion in parentheses belongs to it: `e8(Q)`.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '[' | '$' | '*');
        loop {
            let mut after_first = self.rest().char_indices().skip(1);
            self.at += after_first.find(|&(_, c)| ends(c)).map_or(self.rest().len(), |(end, _)| end);
            let word = &self.text[start..self.at];
            let promotes = word.starts_with(|c| ('a'..='h').contains(&c)) && word.ends_with(['1', '8']);
            match self.rest().as_bytes() {
                [b'(', b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n', b')', ..] if promotes => self.at += 2,
                _ => return word,
            }
        }
    }

    /// Reads a word, or a result with blanks in it, such as `1 - 0`.
    fn word_or_result(&mut self) -> &'a str {
        let (start, word) = (self.at, self.word());
        let mut after = *self;
        after.skip_space();
        if after.rest().starts_with(DASHES) {
            after.word();
            after.skip_space();
            after.word();
            let whole = &self.text[start..after.at];
            if result(whole).is_some() {
                *self = after;
                return whole;
            }
        }
        word
    }
}

/// Returns a text in one line, with single blanks.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses `[Name "value"]`, with `\"` and `\\` in the value, at the start of a line. Returns the name, the value and the
/// length of the tag in bytes. A quotation mark ends the value only before the bracket. Other programs write `\` and `"` as
/// they are: `\` before another character is one, and where all marks are escaped the last one of the line ends the value.
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
