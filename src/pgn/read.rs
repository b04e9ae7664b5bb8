//! Reads games in Portable Game Notation.

use super::cursor::{COMMAND, Halt, folded};
use super::game::{PgnGame, PgnMove};
use super::words::{FORCED, LETTERS, MARKS, annotated, bracketed, known_result, numbered};
use super::{RESULTS, UNFINISHED};
use crate::core::notation::quoted;
use crate::registry::Setup;
use std::task::Poll;

/// A game, or a tag of one, that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} has {reason}")]
pub struct PgnError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it, after "has".
    pub reason: String,
    /// The tags of the game that were read before.
    pub tags: Vec<(String, String)>,
}

/// Iterates over the games of a text; without a tag that names their game, they are of the game `here`. After a game
/// that cannot be read comes the next one that begins with a tag. A comment between two games belongs to the second one
/// if a blank line stands before it.
pub fn games<'a>(text: &'a str, here: &'a Setup) -> impl Iterator<Item = Result<PgnGame, PgnError>> {
    let mut reader = Reader { text, is_whole: true, at: 0, counted: (0, 1), is_begun: false, here };
    std::iter::from_fn(move || match reader.game(&mut Begun::default()) {
        Poll::Ready(game) => game,
        Poll::Pending => None,
    })
}

#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// Whether no more lines follow the text. Otherwise it ends with a line.
    pub(super) is_whole: bool,
    /// The offset of what has not been read.
    pub(super) at: usize,
    /// An offset and the number of its line, from 1.
    pub(super) counted: (usize, usize),
    /// Whether a game has been read.
    pub(super) is_begun: bool,
    /// The game without tags.
    pub(super) here: &'a Setup,
}

/// A game of which a part has been read.
#[derive(Default)]
pub(super) struct Begun {
    game: PgnGame,
    /// Whether the text before the game, which is none, is left out.
    is_after_prose: bool,
    /// Whether tags or moves come next.
    has_begun: bool,
    /// Why the game cannot be read: what comes before the next one is left out.
    wrong: Option<PgnError>,
    /// What the lines must have before it is worth reading on.
    pub(super) needs: &'static str,
    /// The variations before the first move: there is none that they replace.
    variations: Vec<String>,
    /// The variation that is being read, its offset, and how many of its parentheses are open.
    variation: String,
    opened: usize,
    open: usize,
    /// The last number of a move.
    number: Option<u32>,
    numbers_are_moves: Option<bool>,
    /// Whether a move comes next only after a number.
    follows_move: bool,
    /// The comments behind a blank line, which may belong to the next game, and their offset.
    apart: Option<(usize, PgnGame)>,
    /// The number of the line with the result.
    ended_in: usize,
}

impl<'a> Reader<'a> {
    /// Returns the next game: up to its result, the beginning of another one, or the end of the text. A result alone
    /// between games, as in a line of stars, is none. Pending: more lines are needed, with which the same call goes on.
    pub(super) fn game(&mut self, begun: &mut Begun) -> Poll<Option<Result<PgnGame, PgnError>>> {
        loop {
            let follows = self.is_begun;
            match self.next_game(begun) {
                Poll::Ready(Some(Ok(game))) if follows && game.is_result_alone() => *begun = Begun::default(),
                read => return read,
            }
        }
    }

    fn next_game(&mut self, begun: &mut Begun) -> Poll<Option<Result<PgnGame, PgnError>>> {
        let mut read = begun.wrong.take().map_or_else(|| self.read(begun), |wrong| Err(wrong.into()));
        if let Err(Halt::Wrong(wrong)) = &read
            && let Err(more) = self.skip_to_start()
        {
            begun.wrong = Some(wrong.clone());
            read = Err(more);
        }
        let read = match read {
            Ok(()) => Ok(()),
            Err(Halt::Wrong(wrong)) => Err(wrong),
            Err(Halt::More(needs)) => {
                begun.needs = needs;
                return Poll::Pending;
            }
        };
        let mut game = std::mem::take(&mut begun.game);
        if game.moves.is_empty() && !begun.variations.is_empty() {
            game.doubtful_end.push("has a variation but no move: it is left out".into());
        }
        if !game.is_ended {
            game.result = game.tag("Result").map_or(UNFINISHED, known_result);
        }
        if read.is_ok() && self.is_whole {
            self.last_comments(&mut game);
        }
        self.is_begun = true;
        let read = match game.bad_tags.first() {
            // What is not a game may look like a tag.
            Some(bad) if game.tags.is_empty() && !self.begins(&game) => read.and(Err(bad.clone())),
            _ => read,
        };
        let has_none = game.tags.is_empty() && game.moves.is_empty() && game.doubtful_end.is_empty();
        let is_empty = has_none && !game.is_ended;
        Poll::Ready(match read {
            // Comments behind the last game.
            Ok(()) if is_empty && self.rest().is_empty() => None,
            Ok(()) => Some(Ok(game)),
            Err(wrong) => Some(Err(PgnError { tags: game.tags, ..wrong })),
        })
    }

    fn read(&mut self, begun: &mut Begun) -> Result<(), Halt> {
        if !begun.has_begun {
            self.begin(begun)?;
        }
        loop {
            let start = self.at;
            match self.token(begun) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(halt) => {
                    if let Halt::More(_) = halt {
                        self.at = start;
                    }
                    return Err(halt);
                }
            }
        }
    }

    /// Reads the comments before the game, and leaves out other text.
    fn begin(&mut self, begun: &mut Begun) -> Result<(), Halt> {
        if !begun.is_after_prose {
            self.first()?;
            if begun.game.line == 0 {
                begun.game.line = self.line();
            }
            self.comments(&mut begun.game)?;
            begun.is_after_prose = self.is_prose() && (self.is_begun || self.is_heading()?);
        }
        if begun.is_after_prose {
            self.skip_to_start()?;
            begun.game = PgnGame { line: self.line(), ..PgnGame::default() };
        }
        begun.has_begun = true;
        Ok(())
    }

    /// Reads what comes next, and returns whether the game ends before it.
    fn token(&mut self, begun: &mut Begun) -> Result<bool, Halt> {
        if begun.game.is_ended {
            return self.after_result(begun);
        }
        if begun.open > 0 {
            return self.variation(begun).map(|()| false);
        }
        let first = self.first()?;
        let has_moves = !begun.game.moves.is_empty();
        let is_apart = begun.apart.is_some() || has_moves && self.is_apart(self.at);
        if let Some(b'{' | b';') = first
            && is_apart
        {
            let at = self.at;
            let comment = if first == Some(b'{') { self.comment()? } else { self.line_comment() };
            begun.apart.get_or_insert_with(|| (at, PgnGame::default())).1.add_comment(&comment);
            return Ok(false);
        }
        let is_over = self.begins_another(&begun.game, is_apart)?;
        let apart = begun.apart.take();
        if is_over {
            self.at = apart.map_or(self.at, |(at, _)| at);
            return Ok(true);
        }
        if let Some((_, comments)) = apart {
            begun.game.add_comment(&comments.comment);
        }
        let Some(first) = first else { return Ok(true) };
        let Begun { game, variations, .. } = begun;
        match first {
            b'[' if let Some(command) = self.command() => game.add_comment(command),
            b'[' if self.rest().starts_with(COMMAND) => return Err(self.wrong("a command without an end").into()),
            b'[' if self.is_remark(game) => game.add_comment(&self.remark()?),
            b'[' => self.tag(game)?,
            b'{' => game.add_comment(&self.comment()?),
            b';' => game.add_comment(&self.line_comment()),
            // An escaped line.
            b'%' if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
            b'(' if let Some((nag, length)) = bracketed(self.rest())
                && let Some(last) = game.moves.last_mut() =>
            {
                last.nags.extend(nag.filter(|nag| !last.nags.contains(nag)));
                self.at += length;
            }
            b'(' if has_moves && let Some(found) = self.bracketed_result()? => {
                (game.result, game.is_ended) = (known_result(found), true);
                self.at += found.len() + 2;
                begun.ended_in = self.line();
            }
            b'(' => {
                (begun.opened, begun.open) = (self.at, 1);
                self.at += 1;
            }
            b'"' if let Some((mv, length)) = quoted(self.rest()) => {
                let (line, variations) = (self.line(), std::mem::take(variations));
                game.moves.push(PgnMove { mv, line, variations, ..PgnMove::default() });
                self.at += length;
            }
            b'*' if let Some(last) = game.moves.last_mut()
                && self.is_star()? =>
            {
                last.nags.push(FORCED);
                self.at += 1;
            }
            b')' => return Err(self.wrong("a parenthesis that no other opens").into()),
            b'}' => return Err(self.wrong("a brace that no other opens").into()),
            _ => {
                let line = self.line();
                let word = self.word_or_result();
                let is_numbered = begun.number.is_some() && !begun.follows_move;
                if self.is_result(word, game, is_numbered)? {
                    (game.result, game.is_ended) = (known_result(word), true);
                    if game.result == UNFINISHED && word != UNFINISHED && game.tag("Result") != Some(word) {
                        let doubt = format!("ends with {word}, which PGN does not have: it becomes {UNFINISHED}");
                        game.doubtful_end.push(doubt);
                    }
                    begun.ended_in = self.line();
                } else {
                    self.played(word, line, begun);
                }
            }
        }
        Ok(false)
    }

    /// Adds a word of the movetext: a number, a move, annotations, or several of them.
    fn played(&self, word: &'a str, line: usize, begun: &mut Begun) {
        let Begun { game, variations, number, numbers_are_moves, follows_move, .. } = begun;
        let (with_period, word) = numbered(word);
        // Two numbers without a move between them are not both those of moves. `0000` is a null move.
        let may_be_number = with_period.is_none() && word != "0000" && (number.is_none() || *follows_move);
        *follows_move &= with_period.is_none();
        let (mv, nags) = if *follows_move { self.annotated(word, game) } else { annotated(word) };
        // The period after a number may be missing (8.2.2.1). Any other number is taken for a move: it would be lost
        // otherwise.
        let bare = mv.parse().ok().filter(|bare: &u32| {
            may_be_number
                && number.is_none_or(|number: u32| (number..=number.saturating_add(1)).contains(bare))
                && !*numbers_are_moves.get_or_insert_with(|| game.has_numbers(self.here))
        });
        *number = with_period.or(bare).or(*number);
        *follows_move = bare.is_none() && (*follows_move || !mv.is_empty());
        // `exd6 e.p.`, `Qh5 +`: the move tells it.
        let is_told = !game.moves.is_empty() && MARKS.contains(&mv) && !game.has_next(mv, self.here);
        if !mv.is_empty() && bare.is_none() && !is_told {
            let variations = std::mem::take(variations);
            // A move in two words is one: `32- 28`.
            game.moves.push(PgnMove { mv: mv.replace(' ', ""), line, variations, ..PgnMove::default() });
        }
        if let Some(last) = game.moves.last_mut() {
            let known = |nag: &u16| last.nags.contains(nag);
            let new: Vec<_> = nags.into_iter().filter(|nag| !known(nag)).collect();
            last.nags.extend(new);
        }
    }

    /// Reads a comment behind the result, a second result behind moves, or other text on its line that is no game;
    /// returns whether none comes next.
    fn after_result(&mut self, begun: &mut Begun) -> Result<bool, Halt> {
        self.skip_space();
        let game = &mut begun.game;
        let is_second = |word: &str| !game.moves.is_empty() && RESULTS.contains(&word);
        let has_dots = |word: &str| word.contains("...") || word.contains('…');
        let is_later = |word: &str| numbered(word).0.is_some_and(|number| number > 1 || has_dots(word));
        let is_on_line = self.line() == begun.ended_in;
        match self.rest().as_bytes().first() {
            // It belongs to the next game.
            Some(b'{' | b';') if self.is_apart(self.at) => return Ok(true),
            Some(b'{') => game.add_comment(&self.comment()?),
            Some(b';') => game.add_comment(&self.line_comment()),
            Some(b'[') if let Some(command) = self.command() => game.add_comment(command),
            Some(&first)
                if is_on_line && (first == b'(' || is_second({ *self }.word()) || self.is_prose())
                    || !self.is_apart(self.at) && is_later({ *self }.word()) =>
            {
                let text = self.rest().lines().next().unwrap_or_default();
                game.text_behind.get_or_insert_with(|| text.to_owned());
                self.skip_line();
            }
            _ => return Ok(true),
        }
        Ok(false)
    }

    /// Reads the comments at the end of the text: no other game follows to which they would belong.
    fn last_comments(&mut self, game: &mut PgnGame) {
        let (mut end, mut last) = (*self, PgnGame::default());
        if end.comments(&mut last).is_ok() && end.rest().is_empty() {
            game.add_comment(&last.comment);
            self.at = end.at;
        }
    }

    /// Splits a word after a move into the move and its annotations. Where moves are letters, no letter is an
    /// annotation.
    pub(super) fn annotated(&self, word: &'a str, game: &PgnGame) -> (&'a str, Vec<u16>) {
        let (mv, mut nags) = annotated(word);
        let letter =
            LETTERS.into_iter().find(|(letter, _)| *letter == mv && !game.has_moves(self.here, char::is_alphabetic));
        nags.extend(letter.map(|(_, nag)| nag));
        (if letter.is_some() { "" } else { mv }, nags)
    }

    /// Reads a part of a variation; the whole one has those in it, without its parentheses. Comments to the end of a
    /// line become comments in braces: the text has one line.
    fn variation(&mut self, begun: &mut Begun) -> Result<(), Halt> {
        let special = self.rest().find(['(', ')', '{', ';', '"']);
        let length = special.unwrap_or(self.rest().len());
        if special.is_none() && self.is_whole || self.next_start(self.at + length).is_some() {
            self.at = begun.opened;
            return Err(self.wrong("a variation without an end").into());
        }
        let text = &mut begun.variation;
        if length > 0 {
            text.push_str(&self.rest()[..length]);
            self.at += length;
            return Ok(());
        }
        match self.rest().as_bytes().first() {
            None => return Err(Halt::More("")),
            Some(b'{') => text.extend(["{", &self.comment()?, "}"]),
            Some(b';') => text.extend(["{", &self.line_comment().replace('}', ")"), "} "]),
            Some(b'"') => {
                let length = quoted(self.rest()).map_or(1, |(_, length)| length);
                text.push_str(&self.rest()[..length]);
                self.at += length;
            }
            Some(&parenthesis) => {
                self.at += 1;
                // Some programs end a variation with a result, which others take for a move: it becomes a comment.
                if parenthesis == b')'
                    && let Some((line, last)) = text.trim_end().rsplit_once(' ')
                    && RESULTS.contains(&last)
                {
                    *text = if last == UNFINISHED { line.into() } else { format!("{line} {{{last}}}") };
                }
                begun.open = if parenthesis == b'(' { begun.open + 1 } else { begun.open - 1 };
                if begun.open > 0 {
                    text.push(char::from(parenthesis));
                } else {
                    let whole = folded(&std::mem::take(text));
                    begun.game.moves.last_mut().map_or(&mut begun.variations, |last| &mut last.variations).push(whole);
                }
            }
        }
        Ok(())
    }
}
