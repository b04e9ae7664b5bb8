//! The commands received while work runs, in order, including invalid ones.

use super::command::Command;
use crate::core::Error;
use std::collections::VecDeque;
use std::path::Path;

/// The maximum number of waiting commands.
const MOST: usize = 10_000;

/// The maximum total length of their lines in bytes.
const MOST_BYTES: usize = 8 << 20;

/// Why a command does not wait.
pub(super) const FULL: &str = "too many commands wait for the search to end; this one is ignored";

/// A bounded queue.
#[derive(Default)]
pub(super) struct Waiting {
    /// Each command with the length of its line in bytes.
    commands: VecDeque<(usize, Result<Command, Error>)>,
    bytes: usize,
    /// How many searches did not fit, each number with that of the commands still in front of them.
    refused: VecDeque<(usize, usize)>,
}

impl Waiting {
    /// Returns whether work waits.
    pub(super) fn has_work(&self) -> bool {
        self.commands.iter().any(|(_, command)| command.as_ref().is_ok_and(Command::is_work))
    }

    /// Returns whether the next command is a word for the work before it: `stop` or `ponderhit`.
    pub(super) fn has_word(&self) -> bool {
        matches!(self.commands.front(), Some((_, Ok(Command::Stop | Command::PonderHit))))
    }

    /// Returns the files that waiting commands save.
    pub(super) fn saves(&self) -> impl Iterator<Item = &Path> {
        self.commands.iter().filter_map(|(_, command)| match command {
            Ok(Command::SaveHash(path)) => Some(&**path),
            _ => None,
        })
    }

    /// Appends a command with the length of its line in bytes. Returns false if the queue is full.
    pub(super) fn push(&mut self, bytes: usize, command: Result<Command, Error>) -> bool {
        let fits = self.commands.len() < MOST && self.bytes + bytes <= MOST_BYTES;
        if fits {
            self.commands.push_back((bytes, command));
            self.bytes += bytes;
        }
        fits
    }

    /// Notes a search for which there was no room: it is refused in its turn, after the commands that wait.
    pub(super) fn refuse(&mut self) {
        let in_front = self.commands.len();
        match self.refused.back_mut() {
            Some((others, count)) if *others == in_front => *count += 1,
            _ => self.refused.push_back((in_front, 1)),
        }
    }

    /// Inserts a `stop` after the first waiting work that has none, or a `ponderhit` after the first waiting pondering
    /// search that has neither; no other command can come between. Without such work it is dropped. Returns false if
    /// the queue is full.
    pub(super) fn push_word(&mut self, bytes: usize, word: Command) -> bool {
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
        self.refused.iter_mut().filter(|(in_front, _)| *in_front >= behind).for_each(|(in_front, _)| *in_front += 1);
        true
    }

    /// Removes the next command; while work runs, only a `stop` or `ponderhit` that applies to it.
    pub(super) fn pop(&mut self, runs: bool) -> Option<Result<Command, Error>> {
        let is_refused = matches!(self.refused.front(), Some((0, _)));
        if runs && (is_refused || !self.has_word()) {
            return None;
        }
        if let Some((0, count)) = self.refused.front_mut() {
            *count -= 1;
            if *count == 0 {
                self.refused.pop_front();
            }
            return Some(Err(Error::bad_command("go", FULL)));
        }
        let (bytes, command) = self.commands.pop_front()?;
        self.bytes -= bytes;
        self.refused.iter_mut().for_each(|(in_front, _)| *in_front -= 1);
        Some(command)
    }
}
