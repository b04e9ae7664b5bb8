//! Time and nodes: when a search has to stop, and when another iteration is not worth beginning.

use super::crew::Crew;
use crate::core::{Limits, StopFlag};
use std::time::{Duration, Instant};

/// Between two looks at the clock and the flag there are at most so many nodes,
const LONGEST_POLL: u64 = 128;

/// and not much more than this time: nodes of some games take a thousand times as long as those of others.
const POLL_TIME: Duration = Duration::from_micros(250);

/// Without a number of moves to go, the game is expected to last this many more.
const HORIZON: u32 = 25;

/// One thread's allowance.
pub struct Budget<'a> {
    start: Instant,
    stop: StopFlag,
    crew: &'a Crew,
    number: usize,
    /// Of all threads together.
    nodes: u64,
    /// Not to be exceeded, from when our clock runs.
    hard: Option<Duration>,
    /// No iteration begins after it.
    soft: Option<Duration>,
    /// When our clock began to run; none while the opponent's runs.
    clock: Option<Duration>,
    /// The next count of nodes at which to look.
    next_look: u64,
    /// Nodes from one look to the next.
    poll: u64,
    last_look: Duration,
}

impl<'a> Budget<'a> {
    /// An allowance that begins now, for thread `number` of a crew.
    #[must_use]
    pub fn new(limits: &Limits, stop: &StopFlag, crew: &'a Crew, number: usize) -> Self {
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
        Self {
            start: Instant::now(),
            stop: stop.clone(),
            crew,
            number,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            hard,
            soft,
            clock: (!stop.is_pondering()).then_some(Duration::ZERO),
            next_look: 0,
            poll: 1,
            last_look: Duration::ZERO,
        }
    }

    /// The same, for a search that began before.
    #[must_use]
    pub fn since(self, start: Instant) -> Self {
        Self { start, ..self }
    }

    /// Time since the search began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The nodes of all threads, this one having entered so many.
    #[must_use]
    pub fn nodes(&self, own: u64) -> u64 {
        own + self.crew.others(self.number)
    }

    /// Whether the search must end before this thread enters another node, `nodes` having been entered.
    #[inline]
    pub fn exhausted(&mut self, nodes: u64) -> bool {
        nodes >= self.next_look && self.look(nodes)
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> bool {
        let now = self.elapsed();
        let took = (now - self.last_look).as_nanos().max(1);
        self.last_look = now;
        // Grows step by step, shrinks at once: the next nodes may be as dear as the last.
        let fitting = u64::try_from(u128::from(self.poll) * POLL_TIME.as_nanos() / took).unwrap_or(u64::MAX);
        self.poll = fitting.min(2 * self.poll).clamp(1, LONGEST_POLL);
        let allowed = self.nodes.saturating_sub(self.crew.count(self.number, nodes));
        self.next_look = (nodes + self.poll).min(allowed);
        nodes >= allowed || self.stop.is_raised() || self.is_late(now)
    }

    fn is_late(&mut self, now: Duration) -> bool {
        if self.clock.is_none() && !self.stop.is_pondering() {
            self.clock = Some(now);
        }
        self.clock.is_some_and(|clock| self.hard.is_some_and(|hard| now - clock >= hard))
    }

    /// No more than `more` nodes from here on.
    pub fn grant(&mut self, nodes: u64, more: u64) {
        self.nodes = self.nodes.min(self.nodes(nodes).saturating_add(more));
        self.next_look = 0;
    }

    /// Whether time is kept for a whole game, so that an easy move may be played early.
    #[must_use]
    pub fn is_clocked(&self) -> bool {
        self.soft.is_some() && self.clock.is_some()
    }

    /// Whether another iteration is worth beginning: it will cost more than the last one did. What was searched in the
    /// opponent's time counts as searched.
    #[must_use]
    pub fn allows_iteration(&self) -> bool {
        self.stop.is_pondering() || self.soft.is_none_or(|soft| self.elapsed() < soft * 3 / 5)
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
        let (limits, crew) = (Limits { clock: Some(clock), ..Limits::default() }, Crew::new(1));
        let budget = Budget::new(&limits, &StopFlag::new(), &crew, 0);
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
        let crew = Crew::new(1);
        let mut budget = Budget::new(&limits, &StopFlag::new(), &crew, 0);
        assert_eq!((0..2_000).find(|&nodes| budget.exhausted(nodes)), Some(1_000));
    }
}
