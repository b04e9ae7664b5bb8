//! [`Running`]: the task that runs, as the dialogue sees it: which commands apply to it, and whether its final lines have
//! to wait.

use super::task::Task;
use crate::core::StopFlag;

/// A running task.
pub(super) struct Running {
    /// Stops the task, or ends its pondering.
    pub(super) stop: StopFlag,
    is_endless: bool,
    /// Whether `stop` applies to the task: not to `isready`, nor once the final lines are written.
    is_stoppable: bool,
    /// Whether the task has to clean up when the dialogue is over.
    pub(super) cleans_up: bool,
    /// The final lines of a task that come before they may be written.
    held: Option<String>,
    /// Whether its final lines are written.
    pub(super) is_closed: bool,
    /// Whether the task has ended, and only its final lines wait.
    pub(super) has_ended: bool,
}

impl Running {
    /// Returns the state of a task that begins.
    pub(super) fn new(task: &Task) -> Self {
        let &Task { ref stop, is_endless, is_stoppable, cleans_up, .. } = task;
        let stop = stop.clone();
        Self { stop, is_endless, is_stoppable, cleans_up, held: None, is_closed: false, has_ended: false }
    }

    /// Returns whether the final lines must wait for `stop` or `ponderhit`.
    pub(super) fn waits(&self) -> bool {
        !self.stop.is_raised() && (self.is_endless || self.stop.is_pondering())
    }

    /// Returns whether a `stop` applies: the task takes it and is not stopped yet.
    pub(super) fn can_stop(&self) -> bool {
        self.is_stoppable && !self.stop.is_raised()
    }

    /// Returns whether a `ponderhit` applies: the task ponders and is not stopped.
    pub(super) fn can_be_hit(&self) -> bool {
        self.can_stop() && self.stop.is_pondering()
    }

    /// Returns whether final lines have come that must not be written yet.
    pub(super) fn holds_lines(&self) -> bool {
        self.held.is_some()
    }

    /// Takes the final lines, and returns them if they need not wait.
    pub(super) fn close(&mut self, lines: String) -> Option<String> {
        self.held = Some(lines);
        self.release()
    }

    /// Returns the final lines if they have come and need not wait any longer.
    pub(super) fn release(&mut self) -> Option<String> {
        if self.waits() {
            return None;
        }
        let lines = self.held.take()?;
        (self.is_stoppable, self.is_closed) = (false, true);
        Some(lines)
    }
}
