//! What came in while work runs, mistakes too, to be dealt with in order.

use super::command::Command;
use crate::core::Error;
use std::collections::VecDeque;

/// Commands that may wait,
const MOST: usize = 10_000;

/// and the bytes of their lines, all together.
const MOST_BYTES: usize = 8 << 20;

/// A bounded queue.
#[derive(Default)]
pub struct Waiting {
    /// Each with the length of its line, bytes.
    commands: VecDeque<(usize, Result<Command, Error>)>,
    bytes: usize,
}

impl Waiting {
    /// Puts a command, whose line had so many bytes, behind the others; false if it is one too many.
    #[must_use]
    pub fn push(&mut self, bytes: usize, command: Result<Command, Error>) -> bool {
        let fits = self.commands.len() < MOST && self.bytes + bytes <= MOST_BYTES;
        if fits {
            self.commands.push_back((bytes, command));
            self.bytes += bytes;
        }
        fits
    }

    /// Puts a `stop` right behind the first work that waits and has none yet, a `ponderhit` behind the first search that
    /// ponders and has neither, where nothing overtakes it. Without such work it means nothing and is dropped; false if it is
    /// one too many.
    #[must_use]
    pub fn push_word(&mut self, bytes: usize, word: Command) -> bool {
        let (mut behind, is_hit) = (None, matches!(word, Command::PonderHit));
        for (at, (_, command)) in self.commands.iter().enumerate() {
            match (command, behind) {
                (Ok(Command::Stop), _) => behind = None,
                (Ok(Command::PonderHit), _) if is_hit => behind = None,
                (Ok(Command::PonderHit), Some(_)) => behind = Some(at + 1),
                (_, Some(_)) => break,
                (Ok(command), None) if if is_hit { command.ponders() } else { command.is_work() } => {
                    behind = Some(at + 1)
                }
                _ => {}
            }
        }
        let Some(behind) = behind else { return true };
        if !self.push(bytes, Ok(word)) {
            return false;
        }
        self.commands.make_contiguous()[behind..].rotate_right(1);
        true
    }

    /// The next one; while work runs, only a `stop` or a `ponderhit` for it.
    pub fn pop(&mut self, runs: bool) -> Option<Result<Command, Error>> {
        if runs && !matches!(self.commands.front(), Some((_, Ok(Command::Stop | Command::PonderHit)))) {
            return None;
        }
        let (bytes, command) = self.commands.pop_front()?;
        self.bytes -= bytes;
        Some(command)
    }
}
