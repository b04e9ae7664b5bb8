//! A game as a tree: to a horizon, or to its ends.

use super::plausibility::{Category, categories};
use super::tree::Tree;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position, Side};
use std::cmp::Reverse;

/// A game to a horizon: positions so many plies from the root, and finished ones, are terminal. Values are counted from the
/// root: a win is worth the less the farther it is.
pub struct Horizon<P, H> {
    /// The judgement at the horizon.
    pub heuristics: H,
    /// The position.
    pub pos: P,
    /// Plies to the horizon.
    pub depth: u8,
    /// In which order the moves are.
    pub order: Order,
}

/// In which order a game's moves are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the game makes them.
    #[default]
    Moves,
    /// By the game's own [rank](Heuristics::rank), the most promising first.
    Rank,
}

/// A position of a game, with its way from the root.
#[derive(Clone)]
pub struct At<P> {
    /// The position.
    pub pos: P,
    /// Plies from the root.
    pub ply: u8,
    /// The code of the last move.
    code: u16,
}

impl<P: Position, H: Heuristics<P>> Tree for Horizon<P, H> {
    type Node = At<P>;

    fn root(&self) -> At<P> {
        At { pos: self.pos.clone(), ply: 0, code: 0 }
    }

    fn turn(&self, p: &At<P>) -> Side {
        p.pos.turn()
    }

    fn successors(&self, p: &At<P>) -> Vec<At<P>> {
        let moves = if p.ply < self.depth { self.moves(&p.pos) } else { Vec::new() };
        let after = |mv| At { pos: p.pos.after(mv), ply: p.ply + 1, code: p.pos.code(mv) };
        moves.into_iter().map(after).collect()
    }

    fn value(&self, p: &At<P>) -> Score {
        let value = if p.pos.is_over() {
            p.pos.outcome().score()
        } else {
            self.heuristics.known(&p.pos).hold(self.heuristics.evaluate(&p.pos))
        };
        score::from_node(value, p.ply.into())
    }

    fn key(&self, p: &At<P>) -> u64 {
        // The value depends on what is banked, on the horizon's distance, and on how far a win is.
        let rest = (self.heuristics.banked(&p.pos) as u64) << 8 | u64::from(p.ply);
        p.pos.key() ^ crate::core::random::mixed(rest)
    }

    fn code(&self, p: &At<P>) -> u16 {
        p.code
    }

    fn ply(&self, p: &At<P>) -> u8 {
        p.ply
    }

    fn categories(&self, p: &At<P>, _successors: &[At<P>]) -> Vec<Category> {
        categories(&self.heuristics, &p.pos, &self.moves(&p.pos))
    }
}

impl<P: Position, H: Heuristics<P>> Horizon<P, H> {
    /// The legal moves in order.
    fn moves(&self, pos: &P) -> Vec<P::Move> {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        if self.order == Order::Rank {
            // Stable: equals stay in order.
            moves.sort_by_key(|&mv| Reverse(self.heuristics.rank(pos, mv)));
        }
        moves
    }
}
