//! When a search must end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
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
    /// Iterations to at most so many full moves of two plies each, until the side to move is proven to win.
    pub mate: Option<u16>,
}

impl Limits {
    /// A search to a depth, plies.
    #[must_use]
    pub fn depth(depth: u8) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// What is left of it after so many nodes and so much time.
    #[must_use]
    pub fn less(&self, nodes: u64, time: Duration) -> Self {
        Self {
            nodes: self.nodes.map(|most| most.saturating_sub(nodes)),
            movetime: self.movetime.map(|most| most.saturating_sub(time)),
            ..self.clone()
        }
    }

    /// Whether the search ends by itself.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        *self != Self::default()
    }

    /// Whether a clock runs, the mover's or that of one move.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
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

/// What another thread can tell a running search: to stop, and that the move pondered on has been played; and what it can
/// learn from it: how many nodes it has entered. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    bits: AtomicU8,
    nodes: AtomicU64,
}

/// The search must end.
const RAISED: u8 = 1;

/// The opponent's clock runs, not ours.
const PONDERING: u8 = 2;

impl StopFlag {
    /// A flag that is down.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is down, for a search in the opponent's time: until [`hit`](Self::hit) no limit of time is in force.
    #[must_use]
    pub fn pondering() -> Self {
        Self(Arc::new(Shared { bits: AtomicU8::new(PONDERING), ..Shared::default() }))
    }

    /// The opponent has played the move pondered on: from now on our clock runs.
    pub fn hit(&self) {
        self.0.bits.fetch_and(!PONDERING, Ordering::Relaxed);
    }

    /// Whether the search runs in the opponent's time.
    #[inline]
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.0.bits.load(Ordering::Relaxed) & PONDERING != 0
    }

    /// Raises the flag for good.
    pub fn raise(&self) {
        self.0.bits.fetch_or(RAISED, Ordering::Relaxed);
    }

    /// The nodes that the search under way has entered, as it said last: some thousandths of a second ago. 0 before a search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.0.nodes.load(Ordering::Relaxed)
    }

    /// Says how many nodes the search has entered so far.
    pub fn set_nodes(&self, nodes: u64) {
        self.0.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    #[inline]
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.bits.load(Ordering::Relaxed) & RAISED != 0
    }
}
