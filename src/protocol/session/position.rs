//! The position of a dialogue.

use super::Session;
use crate::core::{Error, MissingOption};
use crate::engine::Board;

impl Session {
    /// Sets up a position, `startpos` or the game's notation, and plays moves. What needs an option that is not set is
    /// ignored: the manager could not read the moves.
    ///
    /// # Errors
    /// An unreadable position, incompatible options, or an illegal move; there is no [board](Self::board) then until a
    /// valid position follows.
    pub fn set_position(&mut self, text: &str, moves: &str) -> Result<(), Error> {
        self.place(text, moves).1
    }

    /// Does the same. Also describes what is ignored in a position that is not the last one.
    pub(crate) fn place(&mut self, text: &str, moves: &str) -> (Option<String>, Result<(), Error>) {
        let mut note = None;
        let placed = self.play(text, moves, &mut note);
        self.is_refused = placed.is_err();
        (note, placed)
    }

    /// Rejects a position whose command cannot be parsed.
    pub(crate) fn refuse_position(&mut self) {
        self.is_refused = true;
    }

    /// Sets up a position. Managers send the whole game with every move, so only the moves after those of the last
    /// position are played.
    fn play(&mut self, text: &str, moves: &str, note: &mut Option<String>) -> Result<(), Error> {
        if text.is_empty() {
            return Err(Error::bad_command("position", "it takes startpos or fen and a position, then moves"));
        }
        let known = self.set_up.as_ref().filter(|(start, _)| start == text);
        let (mut board, left) = match known.and_then(|(_, played)| further(played, moves)) {
            Some(left) => (self.board.boxed(), left),
            None => (self.playable(text, note)?, moves),
        };
        for mv in left.split_whitespace() {
            board.play(mv)?;
        }
        self.board = board;
        self.is_chosen = true;
        self.set_up = Some((text.to_owned(), moves.to_owned()));
        Ok(())
    }

    /// Sets up the position before the first move, without what needs an option that is not set.
    fn playable(&self, text: &str, note: &mut Option<String>) -> Result<Box<dyn Board>, Error> {
        let board = self.parse(text)?;
        let missing = board.missing_option();
        if self.set_up.as_ref().is_none_or(|(start, _)| start != text) {
            let needed = missing.as_ref().map(|MissingOption { name, value, needed_by, .. }| {
                format!("{needed_by} need the option {name}={value}: they are ignored")
            });
            let notes: Vec<_> = board.passed_over(text).into_iter().chain(needed).collect();
            *note = (!notes.is_empty()).then(|| notes.join("; "));
        }
        missing.map_or(Ok(board), |missing| self.parse(&missing.without))
    }

    /// Sets up the position before the first move.
    pub(super) fn parse(&self, text: &str) -> Result<Box<dyn Board>, Error> {
        match &self.outside {
            Some(setup) => setup.board(text),
            None => self.row.parse(self.options_of(self.row), text),
        }
    }

    /// Takes over a position of the game with its history. It has the options of the board.
    pub fn set_board(&mut self, board: Box<dyn Board>) {
        (self.board, self.is_refused, self.set_up) = (board, false, None);
    }
}

/// Returns the moves after those already played; `None` if the list does not begin with them.
fn further<'a>(played: &str, moves: &'a str) -> Option<&'a str> {
    let left = moves.strip_prefix(played)?;
    let is_whole = played.is_empty() || left.is_empty() || left.starts_with(char::is_whitespace);
    is_whole.then_some(left)
}
