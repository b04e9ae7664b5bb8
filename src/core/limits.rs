//! When a search must end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of one search; whichever is reached first ends it. Without any, it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations to at most this depth, plies.
    pub depth: Option<u8>,
    /// At most this many nodes (positions made by a move and entered).
    pub nodes: Option<u64>,
    /// At most this much time.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<ClockLimits>,
}

impl Limits {
    /// A search to a depth, plies.
    #[must_use]
    pub fn depth(depth: u8) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Whether the search ends by itself.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        *self != Self::default()
    }
}

/// A tournament clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockLimits {
    /// Time left until the flag falls.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
    /// What is lost between the manager's clock and ours on every move.
    pub overhead: Duration,
}

/// A flag that stops a search from another thread; clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is down.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag for good.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    #[inline]
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
