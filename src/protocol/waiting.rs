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

    /// The next one.
    pub fn pop(&mut self) -> Option<Result<Command, Error>> {
        let (bytes, command) = self.commands.pop_front()?;
        self.bytes -= bytes;
        Some(command)
    }
}
