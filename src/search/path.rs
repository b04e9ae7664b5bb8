//! [`Path`]: the keys of the positions since the last irreversible move, and the ends of the game that depend on them.
//! Games that are not [cyclic](Position::CYCLIC) leave it empty and never read it.

use super::value::Value;
use crate::core::{Outcome, Position, Score, position, score};

/// Keys of positions: those of the game up to the root, then those that the search has entered.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    keys: Vec<u64>,
    root: usize,
}

impl Path {
    /// Creates the path of a game, whose last key is the root's.
    pub(super) fn new(keys: Vec<u64>) -> Self {
        Self { root: keys.len().saturating_sub(1), keys }
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    pub(super) fn clear(&mut self) {
        self.keys.truncate(self.root + 1);
    }

    /// Whether the last position occurred among the `reach` positions before it.
    #[inline]
    pub(super) fn returns(&self, reach: usize) -> bool {
        let Some((key, before)) = self.keys.split_last() else { return false };
        before[before.len().saturating_sub(reach)..].contains(key)
    }

    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }

    /// Whether some position has occurred so often in the game up to the root that its next occurrence, the one
    /// numbered `fold`, may end the game: a proof found without this path does not hold here. The keys do not tell
    /// whether that repetition counts.
    pub(super) fn may_repeat(&self, fold: usize) -> bool {
        let game = &self.keys[..self.keys.len().min(self.root + 1)];
        if fold <= 2 {
            return game.len() > 1;
        }
        let mut game = game.to_vec();
        game.sort_unstable();
        game.chunk_by(|one, other| one == other).any(|same| same.len() + 1 >= fold)
    }

    /// Returns how many plies ago, at most `reach`, the last position occurred before: once in the search below the
    /// root, or one time less than `fold` in the game. In the search one repetition is enough: a side that gains from a
    /// second one gains from the first.
    #[inline]
    fn repetition(&self, reach: usize, fold: usize) -> Option<usize> {
        let (&key, before) = self.keys.split_last()?;
        let first = before.len().saturating_sub(reach);
        let mut found = None;
        let mut times = 1;
        for index in (first..before.len()).rev() {
            if before[index] != key {
                continue;
            }
            times += 1;
            found = found.or(Some(before.len() - index));
            if index > self.root || times == fold {
                return found;
            }
        }
        None
    }

    /// Returns the value of a node at which a rule ends the game: repetition, the move clock, or that neither side can
    /// win. Only the last of these holds on other lines too, so only its value is proven. The node is the last position
    /// of the path, `ply` plies below the root; `before` yields the earlier positions, the most recent first.
    /// `position::end_by_rule` has the same rules for games that are not searched.
    #[inline(always)]
    pub(super) fn end_by_rule<'p, P: Position, I: Iterator<Item = &'p P>>(
        &self,
        pos: &P,
        ply: usize,
        before: impl FnOnce() -> I,
    ) -> Option<Value> {
        if pos.is_drawn() {
            return Some(Value::exact(0));
        }
        let clock = pos.clock();
        if let Some(clock) = clock
            && clock.is_out()
            // The last move may have ended the game: a win takes precedence over the clock.
            && !pos.is_over()
        {
            return Some(Value::guess(0));
        }
        if !P::CYCLIC {
            return None;
        }
        let length = self.repetition(pos.reach(), P::FOLD)?;
        let outcome = pos.repeated(&mut before().take(length))?;
        Some(Value::guess(score::from_node(outcome.score(), ply as Score)))
    }
}

/// Returns positions in reverse order.
pub(super) fn newest_first<P>(line: &[P]) -> Vec<&P> {
    line.iter().rev().collect()
}

/// Returns the outcome if a rule has ended the game at a root although there are legal moves. `before` are the
/// positions of the game before it, the oldest first.
pub(super) fn root_ended_by_rule<P: Position>(before: &[P], root: &P) -> Option<Outcome> {
    if root.is_over() { None } else { position::end_by_rule(root, &newest_first(before), 0) }
}
