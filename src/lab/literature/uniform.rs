//! Synthetic trees of known shape: every inner position has the same number of successors.
//!
//! On these the literature measures: with perfectly ordered moves alpha-beta meets w^ceil(d/2) + w^floor(d/2) - 1 terminal
//! positions of w^d (Slagle and Dixon 1969), fewer it cannot.

use super::tree::GameTree;
use crate::core::Side;
use crate::core::random::{mixed, unit};
use crate::core::score::Score;

/// A uniform tree, the same for the same seed.
///
/// Values are drawn from the root down, so that the value of the root is known before: of the successors of a position with
/// value v one has the value -v, the others are worth more to their side to move. Where the best one stands is a
/// matter of `order`.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// Successors of an inner position, at least 1.
    pub width: usize,
    /// Plies from the root to the terminal positions.
    pub depth: u8,
    /// What it is drawn from.
    pub seed: u64,
    /// How often the best successor is the first one, from 0 (by chance alone) to 1 (always).
    pub order: f64,
    /// How often the turn stays with the side that moved, from 0 to 1.
    pub same: f64,
}

/// A position of a uniform tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// What its part of the tree is drawn from.
    seed: u64,
    value: Score,
    turn: Side,
    ply: u8,
    index: u16,
}

/// The largest value of a terminal position.
const MOST: Score = 1000;

impl GameTree for Uniform {
    type Node = Spot;

    fn root(&self) -> Spot {
        let seed = mixed(self.seed);
        let value = (mixed(seed) % (2 * MOST as u64 + 1)) as Score - MOST;
        Spot { seed, value, turn: Side::First, ply: 0, index: 0 }
    }

    fn turn(&self, p: &Spot) -> Side {
        p.turn
    }

    fn successors(&self, p: &Spot) -> Vec<Spot> {
        if p.ply >= self.depth {
            return Vec::new();
        }
        let draw = |what: u64| mixed(p.seed ^ mixed(what));
        let best = if unit(draw(1)) < self.order { 0 } else { draw(2) as usize % self.width };
        let successor = |index: usize| {
            let seed = draw(3 + index as u64);
            let same = unit(mixed(seed ^ 1)) < self.same;
            // What the move is worth to the side to move here: the value, or less.
            let less = if index == best { 0 } else { (mixed(seed ^ 2) % (MOST + 1) as u64) as Score };
            let ours = (p.value - less).max(-MOST);
            let (value, turn) = if same { (ours, p.turn) } else { (-ours, p.turn.other()) };
            Spot { seed, value, turn, ply: p.ply + 1, index: index as u16 }
        };
        (0..self.width).map(successor).collect()
    }

    fn value(&self, p: &Spot) -> Score {
        p.value
    }

    fn key(&self, p: &Spot) -> u64 {
        // No position is met twice.
        p.seed
    }

    fn code(&self, p: &Spot) -> u16 {
        p.index
    }

    fn ply(&self, p: &Spot) -> u8 {
        p.ply
    }
}

impl Uniform {
    /// The value of a position, drawn with it.
    #[must_use]
    pub const fn known(p: &Spot) -> Score {
        p.value
    }

    /// The fewest terminal positions that alpha-beta can meet, where turns alternate.
    #[must_use]
    pub const fn least(&self) -> u64 {
        let (width, depth) = (self.width as u64, self.depth as u32);
        width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1
    }
}
