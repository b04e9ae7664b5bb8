//! Synthetic trees of known shape: every inner position has the same number of successors.
//!
//! The literature measures on these trees: with perfect move ordering alpha-beta enters w^ceil(d/2) + w^floor(d/2) - 1
//! of the w^d terminal positions, the minimum (Slagle and Dixon 1969).

use super::tree::Node;
use crate::core::Side;
use crate::core::score::Score;
use crate::engine::{MoveHint, TreeNode};
use crate::util::random::{mixed, unit};
use std::rc::Rc;

/// A uniform tree, determined by its parameters.
///
/// Values are drawn from the root down, so that the value of the root is known in advance: of the successors of a
/// position with value v one has the value -v, and the others are worth at least as much to their side to move. `order`
/// decides the place of the best one.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// The number of successors of an inner position, at least 1.
    pub width: usize,
    /// Plies from the root to the terminal positions.
    pub depth: u8,
    /// The random seed.
    pub seed: u64,
    /// The probability that the best successor is placed first, from 0 (at random) to 1 (always).
    pub order: f64,
    /// The probability that the side that moved is to move again, from 0 to 1.
    pub same: f64,
}

struct UniformNode {
    tree: Uniform,
    seed: u64,
    value: Score,
    turn: Side,
    ply: u8,
    index: u16,
}

/// The largest value of a terminal position.
const MOST: Score = 1000;

impl TreeNode for UniformNode {
    fn turn(&self) -> Side {
        self.turn
    }

    fn successors(&self) -> Vec<Node> {
        let Uniform { width, depth, order, same, .. } = self.tree;
        if self.ply >= depth {
            return Vec::new();
        }
        let draw = |what: u64| mixed(self.seed ^ mixed(what));
        let best = if unit(draw(1)) < order { 0 } else { draw(2) as usize % width };
        let successor = |index: usize| -> Node {
            let seed = draw(3 + index as u64);
            let same = unit(mixed(seed ^ 1)) < same;
            // The value of the move to the side to move here: the value of the position, or less.
            let less = if index == best { 0 } else { (mixed(seed ^ 2) % (MOST + 1) as u64) as Score };
            let ours = (self.value - less).max(-MOST);
            let (value, turn) = if same { (ours, self.turn) } else { (-ours, self.turn.other()) };
            Rc::new(Self { tree: self.tree, seed, value, turn, ply: self.ply + 1, index: index as u16 })
        };
        (0..width).map(successor).collect()
    }

    fn value(&self) -> Score {
        self.value
    }

    fn key(&self) -> u64 {
        // The tree has no transpositions.
        self.seed
    }

    fn code(&self) -> u16 {
        self.index
    }

    fn ply(&self) -> u8 {
        self.ply
    }

    fn hints(&self) -> Vec<MoveHint> {
        // Before a search only the order of the successors is known.
        (0..self.tree.width).map(|place| MoveHint { noisy: false, score: -(place as i32) }).collect()
    }
}

impl Uniform {
    /// Returns the root. Every position has its value as it was drawn, terminal or not.
    pub fn root(&self) -> Node {
        let seed = mixed(self.seed);
        let value = (mixed(seed) % (2 * MOST as u64 + 1)) as Score - MOST;
        Rc::new(UniformNode { tree: *self, seed, value, turn: Side::First, ply: 0, index: 0 })
    }

    /// Returns the minimum number of terminal positions that alpha-beta enters, if turns alternate.
    pub const fn least(&self) -> u64 {
        let (width, depth) = (self.width as u64, self.depth as u32);
        width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1
    }
}
