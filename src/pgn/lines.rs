//! Reads games from lines as they come.

use super::PgnGame;
use super::read::{Begun, PgnError, Reader};
use crate::registry::Setup;
use std::task::Poll;

/// A reader of the next game of a text whose lines are given one by one: it needs no line behind the game, unless that
/// has no result.
pub struct LineReader<'a> {
    text: String,
    /// The offsets of the lines.
    starts: Vec<usize>,
    at: usize,
    counted: (usize, usize),
    is_begun: bool,
    begun: Begun,
    here: &'a Setup,
}

impl<'a> LineReader<'a> {
    /// Returns a reader; a game without a tag that names it is one of `here`. `is_begun`: a game was read before, and
    /// what comes next may be text that is none.
    #[must_use]
    pub fn new(here: &'a Setup, is_begun: bool) -> Self {
        let (text, starts, begun) = (String::new(), Vec::new(), Begun::default());
        Self { text, starts, at: 0, counted: (0, 1), is_begun, begun, here }
    }

    /// Takes the next line with its end, an empty one at the end of the text, and returns the game when it has all its
    /// lines, as [`games`](super::games) does; `None` if there is no other game. The numbers of lines count those that
    /// were given.
    pub fn add(&mut self, line: &str) -> Poll<Option<Result<PgnGame, PgnError>>> {
        let is_whole = line.is_empty();
        if !is_whole {
            self.starts.push(self.text.len());
            self.text += line;
            if !line.contains(self.begun.needs) {
                return Poll::Pending;
            }
        }
        let Self { text, at, counted, is_begun, here, .. } = self;
        let mut reader = Reader { text, is_whole, at: *at, counted: *counted, is_begun: *is_begun, here };
        let game = reader.game(&mut self.begun);
        (self.at, self.counted) = (reader.at, reader.counted);
        game
    }

    /// Returns the number of the lines up to the end of the game; `None` if what follows it begins within a line.
    #[must_use]
    pub fn used(&self) -> Option<usize> {
        let end = self.text[..self.at].trim_end_matches([' ', '\t']).len();
        match self.starts.binary_search(&end) {
            Ok(line) => Some(line),
            Err(line) => self.text[self.at..].trim().is_empty().then_some(line),
        }
    }
}
