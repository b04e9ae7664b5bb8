//! A move of a node, followed through the moves that it forces.

use super::node::{Prover, settled};
use crate::core::score::Score;
use crate::core::{Bounds, Heuristics, Position};

/// A move to be searched, with the position after it and after the moves that it forces.
#[derive(Clone)]
pub(super) struct Child<P: Position> {
    pub(super) pos: P,
    pub(super) key: u64,
    /// The bounds by the rules and the table, for the side to move there.
    pub(super) known: Bounds,
    pub(super) rank: i32,
    pub(super) mv: P::Move,
    pub(super) code: u16,
    /// Whether the side to move there is to move at the parent too.
    pub(super) same: bool,
    /// The distance from the root, plies.
    pub(super) ply: usize,
    /// What is known of the value for the side to move at the parent, apart from the value of `pos`.
    pub(super) limits: Bounds,
}

impl<P: Position> Child<P> {
    /// Returns the bounds of the value for the side to move at the parent.
    #[inline]
    pub(super) fn ours(&self) -> Bounds {
        self.limits.hold_both(self.known.seen(self.same))
    }
}

impl<P: Position, H: Heuristics<P>> Prover<'_, P, H> {
    /// Makes a move and those that it forces, as far as their bounds leave the question open.
    #[inline]
    pub(super) fn followed(&self, pos: &P, mv: P::Move, alpha: Score, ply: usize) -> Child<P> {
        let after = pos.after(mv);
        let same = after.turn() == pos.turn();
        let (known, limits) = (self.facts_for(&after, same, !same, alpha, ply + 1), Bounds::NONE);
        let mut child =
            Child { pos: after, key: 0, known, rank: 0, mv, code: pos.code(mv), same, ply: ply + 1, limits };
        while settled(child.ours(), alpha).is_none()
            && let Some(forced) = self.heuristics.forced_move(&child.pos)
        {
            let next = child.pos.after(forced);
            child.limits = child.ours();
            child.same = next.turn() == pos.turn();
            child.ply += 1;
            child.known = self.facts_for(&next, child.same, true, alpha, child.ply);
            child.pos = next;
        }
        child
    }
}
