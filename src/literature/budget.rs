//! The limits of a procedure. The papers have none; runs on large trees need them.

use crate::core::StopFlag;
use crate::search::budget::next_poll;
use web_time::Instant;

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
    fn default() -> Self {
        Self { nodes: u64::MAX, deadline: None, stop: StopFlag::new() }
    }
}

impl Budget {
    /// Limits the number of positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }
}

/// The checks of a budget during a run. The stop flag and the clock are checked after an interval that begins with one
/// position, for trees whose positions take long, and grows while positions are quick.
pub struct Meter {
    budget: Budget,
    /// The number of positions between two checks.
    interval: u64,
    /// The number of positions at the next check.
    next: u64,
    last: Instant,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { budget, interval: 1, next: 0, last: Instant::now() }
    }

    /// Returns the limit that is reached once `nodes` positions have been entered.
    pub(crate) fn spent(&mut self, nodes: u64) -> Option<Spent> {
        if nodes >= self.budget.nodes {
            return Some(Spent::Nodes);
        }
        if nodes < self.next {
            return None;
        }
        let now = Instant::now();
        self.interval = next_poll(self.interval, now.duration_since(self.last));
        (self.next, self.last) = (nodes + self.interval, now);
        if self.budget.stop.is_raised() {
            return Some(Spent::Stopped);
        }
        self.budget.deadline.is_some_and(|deadline| now >= deadline).then_some(Spent::Time)
    }
}
