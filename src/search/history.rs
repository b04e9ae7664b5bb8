//! Move ordering from earlier cut-offs: killer moves by ply, and the history of every move code. The history survives
//! from one search to the next of the same game, with the [table](super::Table).

use super::continuation::{Continuation, aged, bonus, shift};
use crate::core::Side;
use crate::core::heuristics::KILLER_SCORE;
use crate::core::score::MAX_PLY;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// A code that no move has.
const NONE: u16 = u16::MAX;

/// Killers (Akl and Newborn 1977) and history (Schaeffer 1983) with gravity, by side to move.
pub struct History {
    killers: Vec<[[u16; 2]; 2]>,
    values: Vec<i16>,
    codes: usize,
    /// The history of pairs of moves.
    pub(super) continuation: Continuation,
}

impl History {
    pub(super) fn new(codes: usize, kinds: usize) -> Self {
        Self {
            killers: vec![[[NONE; 2]; 2]; usize::from(MAX_PLY) + 1],
            values: vec![0; 2 * codes],
            codes,
            continuation: Continuation::new(kinds),
        }
    }

    /// Ages the history for a new search: clears the killers and reduces the values.
    fn age(&mut self) {
        self.killers.fill([[NONE; 2]; 2]);
        aged(&mut self.values);
        self.continuation.age();
    }

    /// Returns the addition to a move's rank: killer and history.
    #[inline]
    pub(super) fn rank(&self, side: Side, ply: usize, code: u16) -> i32 {
        let [first, second] = self.killers[ply][side.index()];
        let killer = if first == code || second == code { KILLER_SCORE } else { 0 };
        killer + self.value(side, code)
    }

    /// Returns the history value of a move, within ±[`HISTORY_SCORE`](crate::core::heuristics::HISTORY_SCORE).
    #[inline]
    fn value(&self, side: Side, code: u16) -> i32 {
        i32::from(self.values[side.index() * self.codes + usize::from(code)])
    }

    /// Records that `code` caused a cut-off at `ply` with `depth` remaining plies, after `tried` had not.
    pub(super) fn cutoff(&mut self, side: Side, ply: usize, depth: i32, code: u16, tried: impl Iterator<Item = u16>) {
        let killers = &mut self.killers[ply][side.index()];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        let (bonus, own) = (bonus(depth), side.index() * self.codes);
        shift(&mut self.values[own + usize::from(code)], bonus);
        for code in tried {
            shift(&mut self.values[own + usize::from(code)], -bonus);
        }
    }
}

/// The number of attempts to lock the histories, which are locked for microseconds.
const PATIENCE: usize = 200;

/// The interval between them.
const INTERVAL: Duration = Duration::from_micros(50);

/// The histories of the threads of the last search.
#[derive(Default)]
pub(super) struct Histories(Mutex<Stored>);

#[derive(Default)]
struct Stored {
    /// The salt of the searches that stored them.
    salt: u64,
    threads: Vec<Option<History>>,
}

impl Histories {
    /// Takes the history with which a thread begins: its last one, aged, if that was of a search with the same salt and
    /// numbers of codes and kinds, else an empty one.
    pub(super) fn take(&self, salt: u64, thread: usize, (codes, kinds): (usize, usize)) -> History {
        let found = self.stored().and_then(|mut stored| {
            if stored.salt == salt { stored.threads.get_mut(thread).and_then(Option::take) } else { None }
        });
        found.filter(|history| history.codes == codes && history.continuation.kinds() == kinds).map_or_else(
            || History::new(codes, kinds),
            |mut history| {
                history.age();
                history
            },
        )
    }

    /// Stores the history of a thread for the next search.
    pub(super) fn keep(&self, salt: u64, thread: usize, history: History) {
        let Some(mut stored) = self.stored() else { return };
        if stored.salt != salt {
            *stored = Stored { salt, threads: Vec::new() };
        }
        if stored.threads.len() <= thread {
            stored.threads.resize_with(thread + 1, || None);
        }
        stored.threads[thread] = Some(history);
    }

    pub(super) fn clear(&self) {
        if let Some(mut stored) = self.stored() {
            *stored = Stored::default();
        }
    }

    /// Locks the histories; `None` if they stay locked: a forked process has copied the lock from a thread that it does
    /// not have.
    fn stored(&self) -> Option<MutexGuard<'_, Stored>> {
        for _ in 0..PATIENCE {
            match self.0.try_lock() {
                Ok(stored) => return Some(stored),
                Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
                Err(TryLockError::WouldBlock) => thread::sleep(INTERVAL),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::heuristics::HISTORY_SCORE;

    #[test]
    fn a_history_survives_aged_in_the_same_game_until_it_is_cleared() {
        let histories = Histories::default();
        let mut history = histories.take(1, 1, (4, 2));
        history.cutoff(Side::First, 3, 10, 2, [].into_iter());
        let value = history.value(Side::First, 2);
        assert!(value > 0);
        histories.keep(1, 1, history);
        let history = histories.take(1, 1, (4, 2));
        assert_eq!(history.value(Side::First, 2), value / 2);
        assert_eq!(history.rank(Side::First, 3, 2), value / 2, "killers are forgotten");
        for (salt, thread, codes) in [(2, 1, 4), (1, 0, 4), (1, 1, 5)] {
            histories.keep(1, 1, histories.take(1, 1, (4, 2)));
            let mut known = History::new(4, 2);
            known.cutoff(Side::First, 3, 10, 2, [].into_iter());
            histories.keep(1, 1, known);
            assert_eq!(histories.take(salt, thread, (codes, 2)).value(Side::First, 2), 0, "{salt} {thread} {codes}");
        }
        let mut known = History::new(4, 2);
        known.cutoff(Side::First, 3, 10, 2, [].into_iter());
        histories.keep(1, 0, known);
        histories.clear();
        assert_eq!(histories.take(1, 0, (4, 2)).value(Side::First, 2), 0);
    }

    #[test]
    fn histories_that_stay_locked_are_done_without() {
        let histories = Histories::default();
        let mut history = History::new(4, 2);
        history.cutoff(Side::First, 3, 10, 2, [].into_iter());
        histories.keep(1, 0, history);
        let locked = histories.0.lock().unwrap();
        assert_eq!(histories.take(1, 0, (4, 2)).value(Side::First, 2), 0);
        histories.keep(1, 0, History::new(4, 2));
        drop(locked);
        assert!(histories.take(1, 0, (4, 2)).value(Side::First, 2) > 0);
    }

    #[test]
    fn gravity_keeps_values_in_range() {
        let mut history = History::new(4, 2);
        for _ in 0..10_000 {
            history.cutoff(Side::First, 3, 200, 1, [2].into_iter());
        }
        let best = history.rank(Side::First, 3, 1) - KILLER_SCORE;
        let worst = history.rank(Side::First, 3, 2);
        assert!(best > HISTORY_SCORE / 2 && best <= HISTORY_SCORE, "{best}");
        assert!((-HISTORY_SCORE..-HISTORY_SCORE / 2).contains(&worst), "{worst}");
        assert_eq!(history.rank(Side::Second, 3, 1), 0);
    }
}
