//! Limits of a search, and the flag that stops it.

use super::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// The limits of one search; the first one reached ends it. Without limits, it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The maximum depth of the iterations, plies.
    pub depth: Option<u8>,
    /// The maximum number of nodes (positions made by a move and entered).
    pub nodes: Option<u64>,
    /// The maximum time.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<ClockLimits>,
    /// The number of full moves, of two plies each, within which a win is searched for, without pruning; the search
    /// ends as soon as one is proven.
    pub mate: Option<u16>,
}

/// Other programs' words for limits and other arguments of a search, each with the word used here: on the command line,
/// in Python and, except for capitals, in the protocol.
const OTHER_WORDS: [(&str, &str); 27] = [
    ("seconds", "time"),
    ("secs", "time"),
    ("st", "time"),
    ("timeout", "time"),
    ("ms", "movetime"),
    ("milliseconds", "movetime"),
    ("plies", "depth"),
    ("ply", "depth"),
    ("lines", "multipv"),
    ("pvs", "multipv"),
    ("num_pvs", "multipv"),
    ("cores", "threads"),
    ("workers", "threads"),
    ("cache", "hash"),
    ("white_clock", "remaining"),
    ("black_clock", "remaining"),
    ("wtime", "remaining"),
    ("btime", "remaining"),
    ("white_inc", "increment"),
    ("black_inc", "increment"),
    ("winc", "increment"),
    ("binc", "increment"),
    ("remaining_moves", "moves_to_go"),
    ("movestogo", "moves_to_go"),
    ("searchmoves", "root_moves"),
    ("moves", "root_moves"),
    ("tc", "clock"),
];

/// Translates another program's word to the one used here: `seconds` to `time`; `None` for an unknown word.
#[must_use]
pub fn meant(word: &str) -> Option<&'static str> {
    OTHER_WORDS.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, ours)| *ours)
}

impl Limits {
    /// Limits a search to a depth, plies.
    #[must_use]
    pub fn depth(depth: u8) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns the plies of the longest win that is searched for with [`Self::mate`].
    pub(crate) fn mate_plies(&self) -> Option<Score> {
        self.mate.map(|moves| 2 * Score::from(moves.max(1)) - 1)
    }

    /// Returns the limits that remain after `nodes` nodes and `time`.
    pub(crate) fn less(&self, nodes: u64, time: Duration) -> Self {
        Self {
            nodes: self.nodes.map(|most| most.saturating_sub(nodes)),
            movetime: self.movetime.map(|most| most.saturating_sub(time)),
            ..self.clone()
        }
    }

    /// Returns whether any limit is set.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        *self != Self::default()
    }

    /// Returns whether time is limited, by a clock or per move.
    pub(crate) fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
    }
}

/// The tournament clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClockLimits {
    /// The time left until the flag falls.
    pub remaining: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The time lost on every move between the manager's clock and the engine's.
    pub overhead: Duration,
}

/// The link between a running search and other threads: they stop it, announce a ponder hit, and read the number of
/// nodes entered. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    bits: AtomicU8,
    nodes: AtomicU64,
}

/// The search must end.
const RAISED: u8 = 1;

/// The opponent's clock is running.
const PONDERING: u8 = 2;

impl StopFlag {
    /// Returns a lowered flag.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a lowered flag for a search in the opponent's time: no time limit applies until [`hit`](Self::hit).
    pub(crate) fn pondering() -> Self {
        Self(Arc::new(Shared { bits: AtomicU8::new(PONDERING), ..Shared::default() }))
    }

    /// Announces that the opponent has played the move pondered on: the engine's clock starts.
    pub(crate) fn hit(&self) {
        self.0.bits.fetch_and(!PONDERING, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn is_pondering(&self) -> bool {
        self.0.bits.load(Ordering::Relaxed) & PONDERING != 0
    }

    /// Raises the flag. It cannot be lowered again.
    pub fn raise(&self) {
        self.0.bits.fetch_or(RAISED, Ordering::Relaxed);
    }

    /// Returns the number of nodes that the running search has entered, which may lag by a few milliseconds; 0 before a
    /// search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.0.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.0.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Returns the place of the flag: a host that shares its memory raises it by the value 1.
    #[must_use]
    pub fn as_ptr(&self) -> *const u8 {
        self.0.bits.as_ptr()
    }

    /// Returns whether the flag is raised.
    #[inline]
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.bits.load(Ordering::Relaxed) & RAISED != 0
    }
}
