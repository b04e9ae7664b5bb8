//! [`Running`]: the running task as the dialogue sees it: the commands that apply to it, whether its final lines wait.

use super::task::Task;
use crate::core::StopFlag;

pub(super) struct Running {
    /// Stops the task, or ends its pondering.
    pub(super) stop: StopFlag,
    is_endless: bool,
    /// Whether `stop` applies to the task: not to `isready`, nor once the final lines are written.
    is_stoppable: bool,
    /// Whether the task must clean up when the dialogue is over.
    pub(super) cleans_up: bool,
    /// The final lines, if they have arrived before they may be written.
    held: Option<String>,
    /// Whether its final lines are written.
    pub(super) is_closed: bool,
    /// Whether the task has ended, and only its final lines wait.
    pub(super) has_ended: bool,
}

impl Running {
    pub(super) fn new(task: &Task) -> Self {
        let &Task { ref stop, is_endless, is_stoppable, cleans_up, .. } = task;
        let stop = stop.clone();
        Self { stop, is_endless, is_stoppable, cleans_up, held: None, is_closed: false, has_ended: false }
    }

    /// Returns whether the final lines must wait for `stop` or `ponderhit`.
    pub(super) fn waits(&self) -> bool {
        !self.stop.is_raised() && (self.is_endless || self.stop.is_pondering())
    }

    /// Returns whether a `stop` applies: the task accepts it and has not been stopped.
    pub(super) fn can_stop(&self) -> bool {
        self.is_stoppable && !self.stop.is_raised()
    }

    /// Returns whether a `ponderhit` applies: the task is pondering and has not been stopped.
    pub(super) fn can_be_hit(&self) -> bool {
        self.can_stop() && self.stop.is_pondering()
    }

    /// Returns whether the final lines have arrived but must not be written yet.
    pub(super) fn holds_lines(&self) -> bool {
        self.held.is_some()
    }

    /// Stores the final lines, and returns them if they need not wait.
    pub(super) fn close(&mut self, lines: String) -> Option<String> {
        self.held = Some(lines);
        self.release()
    }

    /// Returns the final lines if they have arrived and need not wait any longer.
    pub(super) fn release(&mut self) -> Option<String> {
        if self.waits() {
            return None;
        }
        let lines = self.held.take()?;
        (self.is_stoppable, self.is_closed) = (false, true);
        Some(lines)
    }
}
