//! Proofs of root moves and of principal variations: a line cut short by a known value is extended to the end of the
//! game.

use super::alpha_beta::{AlphaBeta, Evidence, Subtrees};
use super::path::newest_first;
use super::value::Value;
use crate::core::position::{end_by_rule, legal_moves, moves_of};
use crate::core::score::{self, MAX_PLY, Score};
use crate::core::{Bounds, Heuristics, Position};
use std::mem;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Returns the bounds of a position for its side to move that the rules and the table prove.
    pub(super) fn proven_bounds_of(&self, pos: &P, ply: usize) -> Bounds {
        if pos.is_over() {
            return Bounds::exactly(score::from_node(pos.outcome().score(), ply as Score));
        }
        let known = self.known_of(pos, ply);
        let entry = self.worker.table.probe(self.key_of(pos));
        entry.map_or(known, |entry| known.and(self.absolute(pos, &entry, ply).bounds()))
    }

    /// Returns the proven bounds of a move for the side that makes it, `ply` plies from the root with the move.
    fn proven_bounds_after(&self, pos: &P, mv: P::Move, ply: usize) -> Bounds {
        let after = pos.after(mv);
        self.proven_bounds_of(&after, ply).seen(after.turn() == pos.turn())
    }

    /// Whether a move is proven to be worth at least `score` for the side that makes it.
    pub(super) fn proves_move_at_least(
        &mut self,
        pos: &P,
        mv: P::Move,
        score: Score,
        ply: usize,
        evidence: Evidence,
    ) -> bool {
        match evidence {
            Evidence::OffPath if self.path.contains(pos.after(mv).key()) => false,
            Evidence::Known | Evidence::OffPath => self.proven_bounds_after(pos, mv, ply).lower >= score,
            Evidence::Search => {
                let nodes = self.worker.tally.nodes;
                self.worker.budget.grant(nodes, nodes / 4 + 10_000);
                let (frame, depth) = (self.frame_at(pos.clone(), ply - 1), i32::from(MAX_PLY) - ply as i32);
                let child = self.enter(&frame, mv, depth);
                let found = self.child(&child, score - 1, score + 1, depth);
                self.reset();
                found.is_ok_and(|value| value.score >= score && value.proof.lower())
            }
        }
    }

    /// Extends a line with this value while a move is known to keep the value: because it ends the game, or because the
    /// rules or the table prove it; with [`Evidence::Search`] also because a search to the end of the game does. A win
    /// of unknown length is extended too: the winner keeps what is proven, the other side plays a move that is not known
    /// to lose sooner. Extension stops when the time is over: with thousands of legal moves, every ply takes a part of a
    /// short clock.
    pub(super) fn extend_line(&mut self, value: Value, line: &mut Vec<u16>, evidence: Evidence) {
        let mut end = LineEnd::new(self.before, &self.root, line);
        while line.len() < usize::from(MAX_PLY) && !self.worker.budget.is_overdue() {
            let (pos, ply) = (&end.pos, line.len() + 1);
            let value = if pos.turn() == self.root.turn() { value } else { value.reversed() };
            let mut found = self.keeping_move(pos, value, ply);
            // A search needs the path to its root, which a line does not have.
            if found.is_none() && evidence == Evidence::Search && !P::CYCLIC {
                let mut moves = legal_moves(pos).into_iter();
                found = moves.find(|&mv| self.proves_move_at_least(pos, mv, value.score, ply, evidence));
            }
            let Some(code) = found.and_then(|mv| end.play(mv)) else { break };
            line.push(code);
        }
    }

    /// Returns a move that is known to keep the value of a position.
    fn keeping_move(&self, pos: &P, value: Value, ply: usize) -> Option<P::Move> {
        let Value { score, proof } = value;
        let moves = legal_moves(pos);
        let bounds = |mv: P::Move| self.proven_bounds_after(pos, mv, ply);
        let find = |wanted: Bounds| {
            for &mv in &moves {
                let Bounds { lower, upper } = bounds(mv);
                if lower >= wanted.lower && upper <= wanted.upper {
                    return Some(mv);
                }
            }
            None
        };
        let at_least = Bounds { lower: score, ..Bounds::NONE };
        if proof.exact() {
            // It is enough that the mover gives nothing away.
            return find(at_least);
        }
        find(Bounds::exactly(score)).or_else(|| match value.is_won()? {
            true => find(at_least),
            // A move that may be the longest defence: the first of equal ones.
            false => {
                let (mut longest, mut most) = (None, (false, Score::MIN));
                for &mv in &moves {
                    let upper = bounds(mv).upper;
                    if longest.is_none() || (upper == score, upper) > most {
                        (longest, most) = (Some(mv), (upper == score, upper));
                    }
                }
                longest
            }
        })
    }
}

/// The end of a line.
struct LineEnd<'a, P> {
    /// The positions of the game before the root.
    before: &'a [P],
    /// The positions before the last one, from the root.
    line: Vec<P>,
    pos: P,
}

impl<'a, P: Position> LineEnd<'a, P> {
    fn new(before: &'a [P], root: &P, line: &[u16]) -> Self {
        let mut end = Self { before, line: Vec::new(), pos: root.clone() };
        for mv in moves_of(root, line) {
            end.push(mv);
        }
        end
    }

    fn push(&mut self, mv: P::Move) {
        let after = self.pos.after(mv);
        self.line.push(mem::replace(&mut self.pos, after));
    }

    /// Plays a move and returns its code; `None` where a rule has ended the game, and if the move repeats a position of
    /// the line: moves that keep the value may go in circles.
    fn play(&mut self, mv: P::Move) -> Option<u16> {
        if self.is_over() {
            return None;
        }
        let code = self.pos.code(mv);
        self.push(mv);
        let repeats = P::CYCLIC && self.line.iter().any(|pos| pos.key() == self.pos.key());
        (!repeats).then_some(code)
    }

    /// Returns whether a rule ends the game in a position with legal moves. At the root a manager may play on.
    fn is_over(&self) -> bool {
        let Some(below) = self.line.len().checked_sub(1) else { return false };
        let mut earlier = newest_first(&self.line);
        earlier.extend(newest_first(self.before));
        end_by_rule(&self.pos, &earlier, below).is_some()
    }
}
