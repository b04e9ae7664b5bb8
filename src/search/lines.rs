//! Principal variations: a line cut short by a known value is extended to the end of the game.

use super::alpha_beta::AlphaBeta;
use super::node::proven;
use super::subtrees::Subtrees;
use super::value::Value;
use crate::core::position::{end_by_rule, legal_moves, move_of};
use crate::core::score::{self, MAX_PLY, Score};
use crate::core::{Bounds, Heuristics, Position, Side};
use std::mem;

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Extends a line with this value, searched `depth` plies deep, while a move is known to keep the value: because it
    /// ends the game, or because the rules or the table prove it. A win of unknown length is extended too: the winner
    /// keeps what is proven, the other side plays any move. Extension stops when the time is over: with thousands of
    /// legal moves, every ply takes a part of a short clock.
    pub(super) fn lengthen_line(&mut self, value: Value, depth: u8, line: &mut Vec<u16>) {
        let (Value { score, proof }, root) = (value, &self.root);
        let winner = match score::distance(score) {
            _ if proof.exact() => None,
            Some(1..) if proof.lower() => Some(root.turn()),
            Some(..=-1) if proof.upper() => Some(root.turn().other()),
            _ => None,
        };
        // A line that reached the horizon ends in an evaluation, which proves nothing further.
        if line.len() >= usize::from(depth) && !proof.exact() && winner.is_none() {
            return;
        }
        let mut end = End::of(self.before, root, line);
        while line.len() < usize::from(MAX_PLY) && !self.worker.budget.is_overdue() {
            let ply = line.len() + 1;
            let keeping = self.keeping_of(&end.pos, value, ply);
            let found = keeping.or_else(|| self.winning(winner?, &end.pos, score.abs(), ply));
            let Some(code) = found.and_then(|mv| end.play(mv)) else { break };
            line.push(code);
        }
    }

    /// Extends a returned line once more: positions that the table has lost are searched again, at a fraction of the
    /// cost of the whole search.
    pub(super) fn complete_line(&mut self, value: Value, line: &mut Vec<u16>) {
        self.grant();
        let mut end = End::of(self.before, &self.root, line);
        while value.proof.exact() && line.len() < usize::from(MAX_PLY) && !self.worker.budget.is_overdue() {
            let ply = line.len() + 1;
            let pos = &end.pos;
            let found = self.keeping_of(pos, value, ply).or_else(|| {
                // A search needs the path to its root, which a line does not have.
                if P::CYCLIC {
                    return None;
                }
                let score = if pos.turn() == self.root.turn() { value.score } else { -value.score };
                legal_moves(pos).into_iter().find(|&mv| self.has(pos, mv, score, ply))
            });
            let Some(code) = found.and_then(|mv| end.play(mv)) else { break };
            line.push(code);
        }
    }

    /// Returns a move that is known to keep the value of a position; `value` is for the side to move at the root.
    pub(super) fn keeping_of(&self, pos: &P, value: Value, ply: usize) -> Option<P::Move> {
        let (Value { score, proof }, turn) = (value, self.root.turn());
        legal_moves(pos).into_iter().find(|&mv| {
            let Bounds { lower, upper } = self.certain(turn, &pos.after(mv), ply);
            let (enough, most) = (lower >= score, upper <= score);
            // If the value is proven, it is enough that the mover gives nothing away.
            if !proof.exact() {
                enough && most
            } else if pos.turn() == turn {
                enough
            } else {
                most
            }
        })
    }

    /// Returns a move of the winner that is known to win no later than `score`, or any move of the other side.
    fn winning(&self, winner: Side, pos: &P, score: Score, ply: usize) -> Option<P::Move> {
        let holds = |&mv: &P::Move| pos.turn() != winner || self.certain(winner, &pos.after(mv), ply).lower >= score;
        legal_moves(pos).into_iter().find(holds)
    }

    /// Returns the proven bounds of a position for the side `turn`.
    pub(super) fn certain(&self, turn: Side, pos: &P, ply: usize) -> Bounds {
        let mut known = self.known_of(pos, ply);
        if pos.is_over() {
            let score = score::from_node(pos.outcome().score(), ply as Score);
            known = Bounds { lower: score, upper: score };
        } else if let Some(entry) = self.worker.table.probe(self.key_of(pos)) {
            known = proven(known, self.absolute(pos, &entry, ply));
        }
        if pos.turn() == turn { known } else { Bounds { lower: -known.upper, upper: -known.lower } }
    }

    /// Allows the searches after the main one a fraction of its nodes.
    pub(super) fn grant(&mut self) {
        let nodes = self.worker.tally.nodes;
        self.worker.budget.grant(nodes, nodes / 4 + 10_000);
    }

    /// Whether a search to the end of the game proves that a move has at least this value for the side to move.
    pub(super) fn has(&mut self, pos: &P, mv: P::Move, score: Score, ply: usize) -> bool {
        let frame = self.frame_at(pos.clone(), ply - 1);
        let depth = i32::from(MAX_PLY) - ply as i32;
        let child = self.enter(&frame, mv, depth);
        let found = self.child(&child, score - 1, score + 1, depth);
        self.clear();
        found.is_ok_and(|value| value.score >= score && value.proof.lower())
    }
}

/// Returns the moves of a line of codes, as far as they are legal.
pub(super) fn resolve<P: Position>(root: &P, line: &[u16]) -> Vec<P::Move> {
    let mut pos = root.clone();
    let moves = line.iter().map_while(|&code| {
        let mv = move_of(&pos, code)?;
        pos = pos.after(mv);
        Some(mv)
    });
    moves.collect()
}

/// The end of a line.
struct End<'a, P> {
    /// The positions of the game before the root.
    before: &'a [P],
    /// The positions before the last one, from the root.
    line: Vec<P>,
    /// The last position.
    pos: P,
}

impl<'a, P: Position> End<'a, P> {
    fn of(before: &'a [P], root: &P, line: &[u16]) -> Self {
        let mut end = Self { before, line: Vec::new(), pos: root.clone() };
        for mv in resolve(root, line) {
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
        let line = self.line.iter().enumerate().map(|(ply, pos)| (pos, ply > 0));
        let before = || line.clone().rev().chain(self.before.iter().rev().map(|pos| (pos, false)));
        !self.line.is_empty() && end_by_rule(&self.pos, before).is_some()
    }
}
