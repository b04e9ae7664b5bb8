//! [`Path`]: the keys of the positions from the game's last irreversible move to the node that is being searched, and what
//! ends a game by them. Games that are not [cyclic](Position::CYCLIC) leave it empty and never look at it.

use super::alpha_beta::AlphaBeta;
use super::frame::Frame;
use super::value::Value;
use crate::core::position::FOLD;
use crate::core::{Heuristics, Position, Score, score};

/// Keys of positions: those of the game up to the root, then those that the search has entered.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// The place of the root.
    root: usize,
}

impl Path {
    /// The keys of a game, the root's last.
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

    /// Back to the root, after a search that was cut off.
    pub(super) fn clear(&mut self) {
        self.keys.truncate(self.root + 1);
    }

    /// Whether a position is on it.
    pub(super) fn contains(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }

    /// How many plies ago the last position occurred before, no more than `reach`: in the search since the root, or for
    /// the third time if only in the game. In the search one repetition stands for all: whoever could do better by a
    /// second time could have done so by the first.
    #[inline]
    fn repetition(&self, reach: usize) -> Option<usize> {
        let (&key, before) = self.keys.split_last()?;
        let first = before.len().saturating_sub(reach);
        let mut found = None;
        let mut times = 1;
        for (index, _) in before.iter().enumerate().skip(first).rev().filter(|&(_, &other)| other == key) {
            times += 1;
            found = found.or(Some(before.len() - index));
            if index > self.root || times == FOLD {
                return found;
            }
        }
        None
    }
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// The value of a position below the root that ends the game by the line that led to it: by repetition, by the clock of
    /// moves without progress, or by itself, where nobody can win any more. Only the last of these says anything about the
    /// position on other lines: it alone is proven.
    #[inline(always)]
    pub(super) fn end_by_rule(&self, frame: &Frame<'_, P, H>) -> Option<Value> {
        let pos = &frame.pos;
        if pos.is_drawn() {
            return Some(Value::exact(0));
        }
        let clock = pos.clock();
        if let Some(clock) = clock
            && clock.is_out()
            // The last move may have ended the game: a win outranks the clock.
            && !pos.is_over()
        {
            return Some(Value::guess(0));
        }
        if !P::CYCLIC {
            return None;
        }
        let reach = clock.map_or(usize::MAX, |clock| clock.plies.into());
        let length = self.path.repetition(reach)?;
        let mut cycle = frame.positions().skip(1).chain(self.before.iter().rev()).take(length);
        let outcome = pos.repeated(&mut cycle)?;
        Some(Value::guess(score::from_node(outcome.score(), frame.ply as Score)))
    }
}
