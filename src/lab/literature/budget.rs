//! What a procedure may use up. The papers need none: whoever runs their procedures on large trees does.

use crate::core::StopFlag;
use std::time::Instant;

/// Stop flag and clock are looked at once in so many positions.
const POLL: u64 = 1 << 10;

/// What there is for one run.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Positions that may be entered.
    pub nodes: u64,
    /// When the time is over.
    pub deadline: Option<Instant>,
    /// Ends the run from elsewhere.
    pub stop: StopFlag,
}

/// What there was not enough of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Spent {
    /// Positions.
    #[error("given up: out of nodes")]
    Nodes,
    /// Time.
    #[error("given up: out of time")]
    Time,
    /// Somebody raised the flag.
    #[error("stopped")]
    Stopped,
    /// The tree is deeper than the stack may be.
    #[error("the tree is deeper than a stack of {0} positions")]
    Stack(usize),
    /// There is no room for what has to be remembered.
    #[error("given up: more than {0} positions to remember")]
    Table(usize),
}

impl Default for Budget {
    /// No end to it.
    fn default() -> Self {
        Self { nodes: u64::MAX, deadline: None, stop: StopFlag::new() }
    }
}

impl Budget {
    /// So many positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// What is spent once so many positions have been entered.
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
