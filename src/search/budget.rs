//! Time and nodes: when a search has to stop, and when another iteration is not worth beginning.

use crate::core::{Limits, StopFlag};
use std::time::{Duration, Instant};

/// The clock and the flag are looked at every so many nodes.
const POLL: u64 = 512;

/// Without a number of moves to go, the game is expected to last this many more.
const HORIZON: u32 = 25;

/// One search's allowance.
pub struct Budget {
    start: Instant,
    stop: StopFlag,
    nodes: u64,
    /// Not to be exceeded.
    hard: Option<Duration>,
    /// No iteration begins after it.
    soft: Option<Duration>,
    /// The next count of nodes at which to look.
    poll: u64,
}

impl Budget {
    /// An allowance that begins now.
    #[must_use]
    pub fn new(limits: &Limits, stop: &StopFlag) -> Self {
        let (mut soft, mut hard) = (None, limits.movetime);
        if let Some(clock) = limits.clock {
            let usable = clock.remaining.saturating_sub(clock.overhead);
            let to_go = clock.moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
            // Never more than is there: an increment comes only after the move.
            let share = (usable / to_go + clock.increment * 3 / 4).min(usable * 4 / 5);
            let most = if to_go == 1 { usable * 9 / 10 } else { (share * 3).min(usable * 2 / 3) };
            soft = Some(share.min(most));
            hard = Some(hard.map_or(most, |time| time.min(most)));
        }
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        Self { start: Instant::now(), stop: stop.clone(), nodes, hard, soft, poll: 0 }
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end before it enters another node, `nodes` having been entered.
    #[inline]
    pub fn exhausted(&mut self, nodes: u64) -> bool {
        if nodes < self.poll {
            return false;
        }
        self.poll = (nodes + POLL).min(self.nodes);
        nodes >= self.nodes || self.stop.is_raised() || self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether time is kept for a whole game, so that an easy move may be played early.
    #[must_use]
    pub fn is_clocked(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether another iteration is worth beginning: it will cost more than the last one did.
    #[must_use]
    pub fn allows_iteration(&self) -> bool {
        self.soft.is_none_or(|soft| self.elapsed() < soft * 3 / 5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ClockLimits;

    fn hard(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Duration {
        let clock = ClockLimits {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
            overhead: Duration::from_millis(10),
        };
        let budget = Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, &StopFlag::new());
        budget.hard.unwrap()
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 10, 11, 50, 1_000, 60_000, u64::MAX / 4_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let spent = hard(remaining, increment, to_go) + Duration::from_millis(10);
                    let left = Duration::from_millis(remaining.max(10));
                    assert!(spent <= left, "{remaining} {increment} {to_go:?}: {spent:?}");
                }
            }
        }
    }

    #[test]
    fn node_limits_are_exact() {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let mut budget = Budget::new(&limits, &StopFlag::new());
        assert_eq!((0..2_000).find(|&nodes| budget.exhausted(nodes)), Some(1_000));
    }
}
