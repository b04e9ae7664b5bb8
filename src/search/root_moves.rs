//! [`RootMoves`]: the moves of the root that are searched. Moves are codes.

use super::alpha_beta::{Evidence, Facts, Subtrees};
use crate::core::score::Score;
use std::cmp::Reverse;

/// The moves to be searched, and what is known of the position without a search.
#[derive(Clone)]
pub(super) struct RootMoves {
    /// The moves, the best known first.
    pub(super) list: Vec<RootMove>,
    /// What the game knows of the position.
    pub(super) facts: Facts,
    /// Whether moves equal to the best are searched for.
    pub(super) seeks_ties: bool,
}

#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) code: u16,
    /// Its index among the searched moves in the game's order.
    pub(super) place: usize,
    /// The nodes entered below it so far.
    pub(super) nodes: u64,
    /// The score of the last iteration in which the move was best, and its line.
    pub(super) score: Score,
    pub(super) pv: Vec<u16>,
}

impl RootMoves {
    /// Creates the moves, the most promising first.
    pub(super) fn new(search: &mut dyn Subtrees<'_>, seeks_ties: bool) -> Self {
        let facts = search.facts();
        let score = facts.static_value.score;
        let mut ranked: Vec<_> = search.ranked().into_iter().enumerate().collect();
        // All moves are needed: for thousands of moves one sort is faster than repeated selection.
        ranked.sort_by_key(|&(_, (_, rank))| Reverse(rank));
        let moves =
            ranked.into_iter().map(|(place, (code, _))| RootMove { code, place, nodes: 0, score, pv: vec![code] });
        Self { list: moves.collect(), facts, seeks_ties }
    }

    /// Moves the move at `index` forward to the place `first`.
    pub(super) fn bring_forward(&mut self, first: usize, index: usize) {
        self.list[first..=index].rotate_right(1);
    }

    /// Moves these moves to the front, in this order.
    pub(super) fn bring_to_front(&mut self, codes: impl DoubleEndedIterator<Item = u16>) {
        for code in codes.rev() {
            if let Some(index) = self.list.iter().position(|root| root.code == code) {
                self.bring_forward(0, index);
            }
        }
    }

    /// Whether the value of a line is that of the position itself.
    pub(super) fn is_of_position(&self, line: usize) -> bool {
        line == 0 && !self.facts.is_restricted
    }

    /// Returns the index of a move that is proven to be worth at least `score`. The move `first` is tried first, then
    /// the others in the game's order.
    pub(super) fn proven(
        &self,
        search: &mut dyn Subtrees<'_>,
        score: Score,
        first: Option<u16>,
        evidence: Evidence,
    ) -> Option<usize> {
        let mut order: Vec<_> = (0..self.list.len()).collect();
        order.sort_by_key(|&index| (Some(self.list[index].code) != first, self.list[index].place));
        order.into_iter().find(|&index| search.proves_at_least(self.list[index].place, score, evidence))
    }
}
