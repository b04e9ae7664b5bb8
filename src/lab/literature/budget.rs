//! The limits of a procedure. The papers have none; runs on large trees need them.

use crate::core::StopFlag;
use std::time::Instant;

/// The number of positions between two checks of the stop flag and the clock.
const POLL: u64 = 1 << 10;

/// The limits of one run.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The number of positions that may be entered.
    pub nodes: u64,
    /// The time limit.
    pub deadline: Option<Instant>,
    /// The flag that stops the run.
    pub stop: StopFlag,
}

/// The limit that a run has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// The number of positions.
    #[error("given up: out of nodes")]
    Nodes,
    /// The time.
    #[error("given up: out of time")]
    Time,
    /// The flag was raised.
    #[error("stopped")]
    Stopped,
    /// The tree is deeper than the stack.
    #[error("the tree is deeper than a stack of {0} positions")]
    Stack(usize),
    /// The table is full.
    #[error("given up: more than {0} positions to remember")]
    Table(usize),
}

impl Default for Budget {
    /// No limits.
    fn default() -> Self {
        Self { nodes: u64::MAX, deadline: None, stop: StopFlag::new() }
    }
}

impl Budget {
    /// Limits the number of positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Returns the limit that is reached once `nodes` positions have been entered.
    #[must_use]
    pub fn spent(&self, nodes: u64) -> Option<Spent> {
        if nodes >= self.nodes {
            return Some(Spent::Nodes);
        }
        if !nodes.is_multiple_of(POLL) {
            return None;
        }
        if self.stop.is_raised() {
            return Some(Spent::Stopped);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Spent::Time)
    }
}
