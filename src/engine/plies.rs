//! The positions of the first plies of a game, with the values that follow from those of the last ply.

use super::{Board, GameBoard};
use crate::core::position::{legal_moves, outcome_of};
use crate::core::{Bounds, Evaluation, Pictures, Position, Records, Score};
use std::collections::HashMap;

/// The positions of the first plies, ply by ply, in the order in which the moves, tried in the game's order, first
/// reach them. Only the first of [symmetric](Records::symmetric_key) positions in a ply is included; finished positions
/// are not.
pub trait Plies {
    /// Returns the number of positions of the last ply.
    fn count(&self) -> usize;
    /// Returns the positions of the last ply, without history.
    fn last(&self) -> Vec<Box<dyn Board>>;
    /// Calls `found` with each position, without history, and its value without the settled score, from the first ply
    /// to the last. `last` are these values of the last ply, in its order.
    fn visit(&self, last: &[i16], found: &mut dyn FnMut(&dyn Board, Score));
}

/// The only implementation of [`Plies`].
pub struct GamePlies<G: Pictures + Records> {
    start: GameBoard<G>,
    plies: Vec<Ply<G::Position>>,
}

struct Ply<P> {
    /// The positions, each with the number of its legal moves; 0 in the last ply.
    positions: Vec<(P, usize)>,
    /// The results of their legal moves, in the game's order.
    moves: Vec<After>,
}

/// The result of a move.
enum After {
    /// The end of the game, with this value for the side that moves.
    End(Score),
    /// A position of the next ply, with the settled score after this move: symmetric positions may differ in it.
    Position { index: usize, same: bool, settled: Score },
}

impl<G: Pictures + Records> GamePlies<G> {
    #[inline(never)]
    pub(super) fn new(start: GameBoard<G>, plies: u8, most: usize) -> Option<Self> {
        let is_over = end(start.position()).is_some();
        let mut found = vec![Ply::new(if is_over { Vec::new() } else { vec![start.position().clone()] })];
        let mut left = most;
        for _ in 0..plies {
            let next = found.last_mut()?.expand(start.game(), left)?;
            left -= next.len();
            found.push(Ply::new(next));
        }
        Some(Self { start, plies: found })
    }
}

impl<G: Pictures + Records> Plies for GamePlies<G> {
    fn count(&self) -> usize {
        self.plies.last().map_or(0, |ply| ply.positions.len())
    }

    fn last(&self) -> Vec<Box<dyn Board>> {
        let mut boards: Vec<Box<dyn Board>> = Vec::with_capacity(self.count());
        if let Some(ply) = self.plies.last() {
            for (pos, _) in &ply.positions {
                boards.push(Box::new(self.start.at(pos.clone())));
            }
        }
        boards
    }

    fn visit(&self, last: &[i16], found: &mut dyn FnMut(&dyn Board, Score)) {
        let heuristics = self.start.game().heuristics();
        let mut values = vec![last.iter().copied().map(Score::from).collect::<Vec<_>>()];
        for ply in self.plies[..self.plies.len() - 1].iter().rev() {
            values.push(ply.values(&values[values.len() - 1], |pos| heuristics.settled(pos)));
        }
        values.reverse();
        for (of_ply, ply) in values.iter().zip(&self.plies) {
            for (index, (pos, _)) in ply.positions.iter().enumerate() {
                found(&self.start.at(pos.clone()), of_ply[index]);
            }
        }
    }
}

impl<P: Position> Ply<P> {
    fn new(positions: Vec<P>) -> Self {
        Self { positions: positions.into_iter().map(|pos| (pos, 0)).collect(), moves: Vec::new() }
    }

    /// Makes all moves, and returns the positions of the next ply; `None` if these are more than `most`.
    fn expand<G: Records<Position = P>>(&mut self, game: &G, most: usize) -> Option<Vec<P>> {
        let (heuristics, mut next) = (game.heuristics(), Vec::new());
        // A map that grows rehashes all keys.
        let mut indices = HashMap::with_capacity(3 * self.positions.len());
        for (pos, moves) in &mut self.positions {
            let legal = legal_moves(pos);
            *moves = legal.len();
            for mv in legal {
                let after = pos.after(mv);
                let same = after.turn() == pos.turn();
                self.moves.push(match end(&after) {
                    Some(value) => After::End(seen_before(value, same)),
                    None => {
                        let index = *indices.entry(game.symmetric_key(&after)).or_insert(next.len());
                        let settled = heuristics.settled(&after);
                        if index == most {
                            return None;
                        }
                        if index == next.len() {
                            next.push(after);
                        }
                        After::Position { index, same, settled }
                    }
                });
            }
        }
        Some(next)
    }

    /// Returns the values that follow from those of the next ply, without the settled scores.
    fn values(&self, next: &[Score], settled: impl Fn(&P) -> Score) -> Vec<Score> {
        let mut rest = &self.moves[..];
        let value = |(pos, moves): &(P, usize)| {
            let (own, others) = rest.split_at(*moves);
            rest = others;
            let seen = own.iter().map(|after| match *after {
                After::End(value) => value,
                After::Position { index, same, settled } => seen_before(settled + next[index], same),
            });
            seen.max().unwrap_or_default() - settled(pos)
        };
        self.positions.iter().map(value).collect()
    }
}

/// Returns the value of a finished position for its side to move; `None` if the game continues.
fn end<P: Position>(pos: &P) -> Option<Score> {
    outcome_of(pos).map(|outcome| outcome.score())
}

/// Returns a value after a move for the side that made it; `same` if it moves again.
pub(crate) fn seen_before(value: Score, same: bool) -> Score {
    Bounds::exactly(value).from_node(1).seen(same).lower
}
