//! Time and node limits: when a search must stop, and whether another iteration may begin.

use super::shared_search::SharedSearch;
use crate::core::{Limits, StopFlag};
use std::time::Duration;
use web_time::Instant;

/// The maximum number of nodes between two checks of the clock and the stop flag.
const LONGEST_POLL: u64 = 128;

/// The target time between two checks: nodes of some games take a thousand times as long as those of others.
const POLL_TIME: Duration = Duration::from_micros(250);

/// Nodes are slow if fewer than this many separate two checks of the clock: it is then also checked between the moves
/// of a node.
const SLOW_POLL: u64 = 8;

/// The interval at which the first thread publishes the node count of all threads: summing the counts is slow.
const REPORT_TIME: Duration = Duration::from_millis(100);

/// With no more than this on the clock besides the overhead, a move is played within [`AT_ONCE`]: on a busy machine a
/// process may stall for that long.
const NO_TIME: Duration = Duration::from_millis(40);

/// With less than this on the clock besides the overhead, moves take less than planned, so that a clock with an
/// increment stays above [`NO_TIME`].
const LITTLE_TIME: Duration = Duration::from_millis(160);

/// The time limit of a move with next to no time on the clock.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The number of moves to plan for if the moves to go are unknown, and the maximum if they are known.
const HORIZON: u32 = 25;

/// The fraction of the planned time in which iterations begin.
const STARTS: f64 = 0.6;

/// The limits of one thread.
pub(super) struct Budget<'a> {
    start: Instant,
    stop: StopFlag,
    shared: &'a SharedSearch,
    number: usize,
    /// The node limit of all threads together.
    nodes: u64,
    /// The node limit of this thread.
    own: u64,
    /// The time limit, from when our clock started.
    hard: Option<Duration>,
    /// The planned time: [`allows_iteration`](Self::allows_iteration) starts no iteration late in it.
    soft: Option<Duration>,
    /// When our clock started, as the threads share it; `None` while the opponent's runs.
    clock: Option<Duration>,
    next_look: u64,
    poll: u64,
    last_look: Duration,
    /// When the node count is published next.
    next_report: Duration,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &Limits, stop: &StopFlag, shared: &'a SharedSearch, number: usize) -> Self {
        let (mut soft, mut hard) = (None, limits.movetime);
        if let Some(clock) = limits.clock {
            let usable = clock.remaining.saturating_sub(clock.overhead);
            let to_go = clock.moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
            // Never more than the remaining time: an increment comes only after the move.
            let share = (usable / to_go + clock.increment * 3 / 4).min(usable * 4 / 5);
            let most = if to_go == 1 { usable * 9 / 10 } else { (share * 3).min(usable * 2 / 3) };
            let scale = scale(usable);
            let most = most.mul_f64(scale).max(AT_ONCE);
            soft = Some(share.mul_f64(scale).min(most));
            hard = Some(hard.map_or(most, |time| time.min(most)));
        }
        Self {
            start: Instant::now(),
            stop: stop.clone(),
            shared,
            number,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            own: u64::MAX,
            hard,
            soft,
            clock: (!stop.is_pondering()).then_some(Duration::ZERO),
            next_look: 0,
            poll: 1,
            last_look: Duration::ZERO,
            next_report: Duration::ZERO,
        }
    }

    /// Moves the start of the search to an earlier time.
    pub(super) fn since(self, start: Instant) -> Self {
        Self { start, ..self }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the nodes of all threads, of which this one has entered `own`.
    pub(super) fn nodes(&self, own: u64) -> u64 {
        own + self.others()
    }

    /// Whether the search must end before this thread enters another node after `nodes`.
    #[inline]
    pub(super) fn exhausted(&mut self, nodes: u64) -> bool {
        nodes >= self.next_look && self.look(nodes)
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> bool {
        let now = self.elapsed();
        self.poll = next_poll(self.poll, now.saturating_sub(self.last_look));
        self.last_look = now;
        self.shared.count(self.number, nodes);
        // Summing the nodes of many threads is slow: only done if there is a limit.
        let allowed = if self.nodes == u64::MAX { u64::MAX } else { self.nodes.saturating_sub(self.others()) };
        let allowed = allowed.min(self.own);
        if self.number == 0 && now >= self.next_report {
            self.stop.set_nodes(self.nodes(nodes));
            self.next_report = now + REPORT_TIME;
        }
        self.next_look = (nodes + self.poll).min(allowed);
        let over = nodes >= allowed || self.stop.is_raised() || self.is_late(now);
        self.ends(over)
    }

    /// Whether the search must end: this thread has reached a limit, and then ends the search for all threads, or
    /// another has.
    fn ends(&self, over: bool) -> bool {
        if over {
            self.shared.done().raise();
        }
        over || self.shared.done().is_raised()
    }

    /// Whether the search must end between two moves of a node. Only slow nodes check it: those of a game in
    /// Python may take seconds.
    #[inline]
    pub(super) fn exhausted_between_moves(&mut self) -> bool {
        self.poll < SLOW_POLL && self.look_between_moves()
    }

    #[cold]
    fn look_between_moves(&mut self) -> bool {
        let now = self.elapsed();
        let over = self.stop.is_raised() || self.is_late(now);
        self.ends(over)
    }

    fn others(&self) -> u64 {
        self.shared.others(self.number)
    }

    fn is_late(&mut self, now: Duration) -> bool {
        if self.clock.is_none() && !self.stop.is_pondering() {
            self.clock = Some(self.shared.clock(now));
        }
        self.clock.is_some_and(|clock| {
            self.hard.is_some_and(|hard| {
                // Another thread may have seen the clock start after this one read the time.
                now.saturating_sub(clock) >= hard
            })
        })
    }

    /// Whether time is up: optional work is then skipped.
    pub(super) fn is_overdue(&mut self) -> bool {
        let now = self.elapsed();
        self.is_late(now)
    }

    /// Allows this thread at most `more` nodes beyond `nodes`: other threads may still be running.
    pub(super) fn grant(&mut self, nodes: u64, more: u64) {
        self.own = self.own.min(nodes.saturating_add(more));
        self.next_look = 0;
    }

    /// Whether the search is limited by a running game clock, so that an easy move may be played early.
    pub(super) fn is_clocked(&self) -> bool {
        self.soft.is_some() && self.clock.is_some()
    }

    /// Whether another iteration, which will cost more than the last one, may begin if the planned time is multiplied
    /// by `factor`. Time spent pondering counts.
    pub(super) fn allows_iteration(&self, factor: f64) -> bool {
        self.stop.is_pondering() || self.soft.is_none_or(|soft| self.elapsed() < soft.mul_f64(STARTS * factor))
    }
}

/// Returns the fraction of the planned time to use, 0 to 1, with this much on the clock besides the overhead.
fn scale(usable: Duration) -> f64 {
    let range = (LITTLE_TIME - NO_TIME).as_secs_f64();
    (usable.saturating_sub(NO_TIME).as_secs_f64() / range).min(1.0)
}

/// Returns the number of nodes until the next check of a clock, if `poll` nodes since the last one took this time. It
/// grows at most twofold but shrinks at once: the next nodes may be as expensive as the last.
#[must_use]
pub fn next_poll(poll: u64, took: Duration) -> u64 {
    let took = took.as_nanos().max(1);
    let fitting = u64::try_from(u128::from(poll) * POLL_TIME.as_nanos() / took).unwrap_or(u64::MAX);
    fitting.min(2 * poll).clamp(1, LONGEST_POLL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ClockLimits;

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = ClockLimits {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
            overhead: Duration::from_millis(10),
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn hard(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Duration {
        let (limits, shared) = (limits(remaining, increment, moves_to_go), SharedSearch::new(1));
        let budget = Budget::new(&limits, &StopFlag::new(), &shared, 0);
        budget.hard.unwrap()
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 10, 11, 50, 1_000, 60_000, u64::MAX / 4_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let spent = hard(remaining, increment, to_go) + Duration::from_millis(10);
                    let left = Duration::from_millis(remaining.max(11));
                    assert!(spent <= left, "{remaining} {increment} {to_go:?}: {spent:?}");
                }
            }
        }
    }

    #[test]
    fn with_little_left_a_move_is_played_at_once() {
        for remaining in 0..=50 {
            for (increment, to_go) in [(0, None), (5, None), (1_000, None), (0, Some(1)), (5, Some(3))] {
                assert!(hard(remaining, increment, to_go) <= AT_ONCE, "{remaining} {increment} {to_go:?}");
            }
        }
        assert!(hard(100, 5, None) > Duration::from_millis(5));
        assert!(hard(170, 5, None) > Duration::from_millis(30));
    }

    #[test]
    fn an_increment_keeps_the_clock_above_a_stall() {
        // 1+0.01, every move using the planned time, on an idle machine.
        let (shared, mut clock) = (SharedSearch::new(1), 1_000.0);
        for _ in 0..500 {
            let budget = Budget::new(&limits(clock as u64, 10, None), &StopFlag::new(), &shared, 0);
            clock += 10.0 - budget.soft.unwrap().as_secs_f64() * 1_000.0;
        }
        assert!((100.0..200.0).contains(&clock), "{clock}");
    }

    #[test]
    fn a_short_clock_outlives_a_busy_machine() {
        // 0.1+0.005, every move using its whole time. The machine takes an additional millisecond per move, or 12 ms in
        // one of 16 moves on average.
        for seed in 0..100 {
            let mut random = crate::util::random::Random(seed);
            let mut clock = Duration::from_millis(100);
            for number in 1..=200 {
                let stall = if random.draw().is_multiple_of(16) { 12 } else { 1 };
                let left = u64::try_from(clock.as_millis()).unwrap();
                let spent = hard(left, 5, None) + Duration::from_millis(stall);
                assert!(spent < clock, "seed {seed}, move {number}: {spent:?} of {clock:?}");
                clock = clock - spent + Duration::from_millis(5);
            }
        }
    }

    #[test]
    fn whichever_thread_sees_a_limit_ends_the_search_for_all() {
        let limited = Limits { movetime: Some(Duration::ZERO), ..Limits::default() };
        for (limits, raised) in [(limited, false), (Limits::default(), true)] {
            let (shared, stop) = (SharedSearch::new(3), StopFlag::new());
            let budget = |number| Budget::new(&limits, &stop, &shared, number);
            let (mut helper, mut leader) = (budget(2), Budget::new(&Limits::default(), &StopFlag::new(), &shared, 0));
            assert!(!leader.exhausted(0));
            if raised {
                stop.raise();
            }
            assert!(helper.exhausted(0) && (1..=LONGEST_POLL).any(|nodes| leader.exhausted(nodes)));
        }
    }

    #[test]
    fn our_clock_runs_for_all_threads_from_the_same_moment() {
        let limits = Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() };
        let (shared, stop) = (SharedSearch::new(2), StopFlag::pondering());
        let [mut one, mut other] = [0, 1].map(|number| Budget::new(&limits, &stop, &shared, number));
        stop.hit();
        assert!(!one.exhausted(0));
        std::thread::sleep(Duration::from_millis(30));
        assert!(other.exhausted(0), "it has not waited for a core until now");
    }

    #[test]
    fn a_clock_that_another_thread_saw_later_is_no_fault() {
        let limits = Limits { movetime: Some(Duration::from_secs(60)), ..Limits::default() };
        let (shared, stop) = (SharedSearch::new(2), StopFlag::pondering());
        let mut budget = Budget::new(&limits, &stop, &shared, 1);
        stop.hit();
        shared.clock(Duration::from_secs(3600));
        assert!(!budget.exhausted(0));
    }

    #[test]
    fn only_a_clock_that_runs_is_overdue() {
        let movetime = |time| Limits { movetime: Some(time), ..Limits::default() };
        for (limits, stop, overdue) in [
            (movetime(Duration::ZERO), StopFlag::new(), true),
            (movetime(Duration::ZERO), StopFlag::pondering(), false),
            (movetime(Duration::from_secs(60)), StopFlag::new(), false),
            (Limits::depth(1), StopFlag::new(), false),
        ] {
            assert_eq!(Budget::new(&limits, &stop, &SharedSearch::new(1), 0).is_overdue(), overdue, "{limits:?}");
        }
    }

    #[test]
    fn what_is_granted_to_one_thread_is_not_used_up_by_others() {
        let shared = SharedSearch::new(2);
        let [mut leader, mut helper] =
            [0, 1].map(|number| Budget::new(&Limits::default(), &StopFlag::new(), &shared, number));
        leader.grant(100, 1_000);
        assert!(!helper.exhausted(1_000_000) && !leader.exhausted(1_000));
        assert_eq!((1_000..2_000).find(|&nodes| leader.exhausted(nodes)), Some(1_100));
    }

    #[test]
    fn node_limits_are_exact() {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let shared = SharedSearch::new(1);
        let mut budget = Budget::new(&limits, &StopFlag::new(), &shared, 0);
        assert_eq!((0..2_000).find(|&nodes| budget.exhausted(nodes)), Some(1_000));
    }
}
