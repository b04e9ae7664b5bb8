//! What comes next in a text: another game, a tag, a result, or something that is none of them.

use super::RESULTS;
use super::cursor::{COMMAND, Halt, parse_tag};
use super::game::PgnGame;
use super::read::Reader;
use super::words::{numbered, result};

impl<'a> Reader<'a> {
    /// Whether a game without tags begins with a legal move.
    pub(super) fn begins(&self, game: &PgnGame) -> bool {
        game.moves.first().is_some_and(|first| PgnGame::default().has_next(&first.mv, self.here))
    }

    /// Whether text that is no game comes next, as it may between games: it begins with a word that is no move, and
    /// with no sign of a game.
    pub(super) fn is_prose(mut self) -> bool {
        let game = PgnGame::default();
        let starts = |c: char| !"0123456789[](){};%\"$…".contains(c);
        let (is_word, word) = (self.rest().starts_with(starts), self.word());
        is_word && result(word).is_none() && !game.has_next(self.annotated(word, &game).0, self.here)
    }

    /// Whether text that is no game comes before the first one: its first word has no digit, as most moves have, and a
    /// tag comes behind it.
    pub(super) fn is_heading(&self) -> Result<bool, Halt> {
        if { *self }.word().contains(|c: char| c.is_ascii_digit()) {
            return Ok(false);
        }
        let start = self.next_start(self.text.len());
        if start.is_none() && !self.is_whole { Err(Halt::More("[")) } else { Ok(start.is_some()) }
    }

    /// Whether another game comes next: a tag after moves, or the number of a first move after a blank line.
    pub(super) fn begins_another(&self, game: &PgnGame, is_apart: bool) -> Result<bool, Halt> {
        Ok(match self.rest().strip_prefix("1.") {
            _ if self.rest().starts_with(COMMAND) => false,
            _ if self.rest().starts_with('[') && game.moves.is_empty() => self.begins_header(game),
            _ if self.rest().starts_with('[') => self.is_first_tag(is_apart)?,
            // `1... e5` is a second move.
            Some(rest) => is_apart && !rest.trim_start_matches(' ').starts_with(['.', '…']),
            None => false,
        })
    }

    /// Whether the tags of another game come next, after those of one without moves: a tag that it has, after a blank
    /// line.
    fn begins_header(&self, game: &PgnGame) -> bool {
        let tag = || self.rest().lines().next().and_then(parse_tag);
        self.is_apart(self.at) && tag().is_some_and(|(name, ..)| game.tag(&name).is_some())
    }

    /// Whether text in brackets, after moves, is the first tag of another game: it begins a line, after a blank one or
    /// as the tag `Event`, or the moves behind it are not later ones.
    pub(super) fn is_first_tag(&self, is_apart: bool) -> Result<bool, Halt> {
        if !self.begins_line() || !self.begins_name() {
            return Ok(false);
        }
        if is_apart || self.rest().starts_with("[Event ") {
            return Ok(true);
        }
        let mut lines = self.rest().lines();
        if lines.next().and_then(parse_tag).is_none() {
            return Ok(false);
        }
        match lines.find(|line| !line.trim().is_empty() && !line.starts_with('[')) {
            None if !self.is_whole => Err(Halt::More("")),
            behind => Ok(behind.and_then(|line| numbered(line.trim_start()).0).is_none_or(|number| number <= 1)),
        }
    }

    /// Whether text in brackets is no tag of the game, but what annotators write so: clocks, such as `[0:05]`,
    /// evaluations, variations.
    pub(super) fn is_remark(&self, game: &PgnGame) -> bool {
        if game.moves.is_empty() {
            let name = || self.rest().lines().next().and_then(parse_tag).map(|(name, ..)| name);
            let is_tag = || name().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            !game.tags.is_empty() && !self.begins_name() && !is_tag()
        } else {
            !self.begins_line() || !self.begins_name()
        }
    }

    /// Whether a star marks an only move, as books of draughts do: it is directly behind a move, and others follow.
    pub(super) fn is_star(&self) -> Result<bool, Halt> {
        let behind = Self { at: self.at + 1, ..*self };
        let is_glued = self.text[..self.at].ends_with(char::is_alphanumeric);
        Ok(is_glued && !behind.is_at_end()? && numbered(behind.rest().trim_start()).0 != Some(1))
    }

    /// Whether a word, just read, is the result: one of PGN; or the last word, if the tag has the same, such as `0-0`
    /// for a game that both sides lose, or if it is a result in other notation and no legal move. A legal move behind
    /// its number is none.
    pub(super) fn is_result(&self, word: &str, game: &PgnGame, is_numbered: bool) -> Result<bool, Halt> {
        let is_of_tag = game.tag("Result") == Some(word);
        let may_be = is_of_tag || result(word).is_some();
        let is_move = || (is_numbered || !is_of_tag) && game.has_next(word, self.here);
        Ok(RESULTS.contains(&word) || may_be && self.is_at_end()? && !is_move())
    }

    /// Returns a result in parentheses that ends the game.
    pub(super) fn bracketed_result(&self) -> Result<Option<&'a str>, Halt> {
        let inner = self.rest()[1..].split_once(')').map(|(inner, _)| inner).filter(|inner| RESULTS.contains(inner));
        let behind = inner.map(|inner| Self { at: self.at + inner.len() + 2, ..*self }.is_at_end()).transpose()?;
        Ok(inner.filter(|_| behind == Some(true)))
    }

    /// Whether only comments come before a blank line or the next game.
    pub(super) fn is_at_end(mut self) -> Result<bool, Halt> {
        loop {
            self.skip_space();
            if self.is_apart(self.at) {
                return Ok(true);
            }
            match self.first()? {
                None | Some(b'[') => return Ok(true),
                Some(b'{') => match self.comment() {
                    Err(Halt::Wrong(_)) => return Ok(false),
                    read => drop(read?),
                },
                Some(b';') => drop(self.line_comment()),
                Some(_) => return Ok(false),
            }
        }
    }
}
