//! A dialogue on one thread, for hosts without threads, such as a worker of a browser.

use super::serve::{Dialogue, ServeError, Settings};
use super::task::Task;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, channel};

/// A dialogue whose work ends before the next line is read. A search without a limit does not end: only the host can
/// stop it, by ending its thread.
pub struct InlineDialogue<W> {
    dialogue: RefCell<Dialogue<W>>,
    tasks: Receiver<Task>,
}

impl<W: Write> InlineDialogue<W> {
    /// Begins a dialogue.
    ///
    /// # Errors
    /// [`ServeError::Refused`] for an invalid setting.
    pub fn new(settings: &Settings, output: W) -> Result<Self, ServeError> {
        let (sender, tasks) = channel();
        Ok(Self { dialogue: RefCell::new(Dialogue::new(settings, output, sender)?), tasks })
    }

    /// Executes a line to its end. Returns false after `quit`.
    ///
    /// # Errors
    /// Those of the output.
    pub fn execute(&self, line: &str) -> io::Result<bool> {
        self.dialogue.borrow_mut().receive(Ok(line.into()))?;
        while let Ok(task) = self.tasks.try_recv() {
            let written = Cell::new(Ok(()));
            task.complete(&|output| {
                let result = self.dialogue.borrow_mut().work(output);
                written.set(written.replace(Ok(())).and(result));
            });
            written.into_inner()?;
        }
        Ok(!self.dialogue.borrow().has_quit)
    }
}
