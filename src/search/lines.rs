//! Principal variations: a line that knowledge has cut short is followed to the end of the game.

use super::node::proven;
use super::root::Root;
use super::trace::Trace;
use super::value::Value;
use super::worker::Worker;
use crate::core::score::{self, MAX_PLY, Score};
use crate::core::{Bounds, Heuristics, Position, Side};

impl<P: Position, H: Heuristics<P>, T: Trace<P::Move>> Worker<'_, P, H, T> {
    /// Lengthens a line with this value, searched so many plies deep, by what is proven: as long as a move is known to
    /// keep the value, because it ends the game or because the rules or the table prove it. A win whose length is not
    /// known is followed all the same: the winner keeps what is proven, the other side does anything. It ends with the time:
    /// where there are thousands of moves, every ply takes its part of a short clock.
    pub(super) fn lengthen(&mut self, root: &P, value: Value, depth: u8, line: &mut Vec<P::Move>) {
        let Value { score, proof } = value;
        let winner = match score::distance(score) {
            _ if proof.exact() => None,
            Some(1..) if proof.lower() => Some(root.turn()),
            Some(..=-1) if proof.upper() => Some(root.turn().other()),
            _ => None,
        };
        // A line that reached the horizon ends in judgement, of which nothing more is known.
        if line.len() >= usize::from(depth) && !proof.exact() && winner.is_none() {
            return;
        }
        let mut pos = end(root, line);
        while line.len() < usize::from(MAX_PLY) && !self.budget.is_overdue() {
            let ply = line.len() + 1;
            let keeping = self.keeping(root.turn(), &pos, value, ply);
            let Some(mv) = keeping.or_else(|| self.winning(winner?, &pos, score.abs(), ply)) else { break };
            line.push(mv);
            pos = pos.after(mv);
        }
    }

    /// The same, for the last time: what the table has lost is searched again, at no more than a fraction of the cost
    /// of the whole search.
    pub(super) fn complete(&mut self, root: &Root<P>, value: Value, line: &mut Vec<P::Move>) {
        self.budget.grant(self.tally.nodes, self.tally.nodes / 4 + 10_000);
        let mut pos = end(&root.pos, line);
        while value.proof.exact() && line.len() < usize::from(MAX_PLY) && !self.budget.is_overdue() {
            let ply = line.len() + 1;
            let found = self.keeping(root.pos.turn(), &pos, value, ply).or_else(|| {
                let score = if pos.turn() == root.pos.turn() { value.score } else { -value.score };
                legal(&pos).into_iter().find(|&mv| self.has(&pos, mv, score, ply))
            });
            let Some(mv) = found else { break };
            line.push(mv);
            pos = pos.after(mv);
        }
    }

    /// A move that is known to keep the value of a position, which is that of the side `turn`.
    pub(super) fn keeping(&self, turn: Side, pos: &P, value: Value, ply: usize) -> Option<P::Move> {
        let Value { score, proof } = value;
        legal(pos).into_iter().find(|&mv| {
            let Bounds { lower, upper } = self.certain(turn, &pos.after(mv), ply);
            let (enough, most) = (lower >= score, upper <= score);
            // Of a value that is proven it is enough that the mover gives nothing away.
            if !proof.exact() {
                enough && most
            } else if pos.turn() == turn {
                enough
            } else {
                most
            }
        })
    }

    /// A move of the winner's that is known to win no later than `score` says; any move of the other side's.
    fn winning(&self, winner: Side, pos: &P, score: Score, ply: usize) -> Option<P::Move> {
        let holds = |&mv: &P::Move| pos.turn() != winner || self.certain(winner, &pos.after(mv), ply).lower >= score;
        legal(pos).into_iter().find(holds)
    }

    /// What is proven of a position for the side `turn`.
    fn certain(&self, turn: Side, pos: &P, ply: usize) -> Bounds {
        let mut known = self.known(pos, ply);
        if pos.is_over() {
            let score = score::from_node(pos.outcome().score(), ply as Score);
            known = Bounds { lower: score, upper: score };
        } else if let Some(entry) = self.table.probe(self.key(pos)) {
            known = proven(known, self.absolute(pos, &entry, ply));
        }
        if pos.turn() == turn { known } else { Bounds { lower: -known.upper, upper: -known.lower } }
    }

    /// Whether a search to the ends of the game proves that a move keeps this value for the side to move.
    fn has(&mut self, pos: &P, mv: P::Move, score: Score, ply: usize) -> bool {
        let child = pos.after(mv);
        let (key, same) = (self.key(&child), child.turn() == pos.turn());
        let depth = i32::from(MAX_PLY) - ply as i32;
        let found = self.child(&child, key, same, score - 1, score + 1, depth, ply);
        if found.is_err() {
            self.stack.clear();
        }
        found.is_ok_and(|value| value.score >= score && value.proof.lower())
    }
}

/// The legal moves of a position.
fn legal<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// The position at the end of a line.
fn end<P: Position>(root: &P, line: &[P::Move]) -> P {
    line.iter().fold(root.clone(), |pos, &mv| pos.after(mv))
}
