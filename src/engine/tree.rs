//! A game tree without static types, to a horizon or to its ends, for procedures that need not be fast.

use crate::core::random::mixed;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position, Side};
use std::cmp::Reverse;
use std::rc::Rc;

/// A node of a game tree. Positions at the horizon and finished positions are terminal. Win distances are counted from
/// the root, so a nearer win is worth more.
pub trait TreeNode {
    /// Returns the side to move.
    fn turn(&self) -> Side;
    /// Returns the positions after each move, in order; none for a terminal position.
    fn successors(&self) -> Vec<Rc<dyn TreeNode>>;
    /// Returns the value of a terminal position for the side to move; otherwise the static value, within the bounds of
    /// the rules.
    fn value(&self) -> Score;
    /// Returns the hash; equal keys imply equal subtrees.
    fn key(&self) -> u64;
    /// Returns the code of the move that led here; 0 at the root.
    fn code(&self) -> u16;
    /// Returns the number of plies from the root.
    fn ply(&self) -> u8;
    /// Returns the static hints for the move to each successor, in the order of the successors.
    fn hints(&self) -> Vec<MoveHint>;
}

/// The game's static knowledge of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveHint {
    /// Whether it is [noisy](crate::core::MoveOrdering::is_noisy).
    pub noisy: bool,
    /// Its [score](crate::core::MoveOrdering::move_score): higher scores are searched earlier.
    pub score: i32,
}

/// The order in which moves are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrder {
    /// The order in which the game generates them.
    #[default]
    Generated,
    /// By the game's own [score](crate::core::MoveOrdering::move_score), the highest first.
    Scored,
}

/// The only implementation of [`TreeNode`] for games.
pub struct GameNode<P, H> {
    tree: Rc<GameTree<H>>,
    pos: P,
    ply: u8,
    code: u16,
}

/// The data that all nodes of a tree share.
struct GameTree<H> {
    heuristics: H,
    depth: u8,
    order: MoveOrder,
}

impl<P: Position, H: Heuristics<P>> GameNode<P, H> {
    /// Returns the root of the tree below a position, `depth` plies deep.
    pub fn root(heuristics: H, pos: P, depth: u8, order: MoveOrder) -> Rc<dyn TreeNode> {
        Rc::new(Self { tree: Rc::new(GameTree { heuristics, depth, order }), pos, ply: 0, code: 0 })
    }

    /// Returns the legal moves in order; none at the horizon.
    fn moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        if self.ply < self.tree.depth {
            self.pos.moves(&mut moves);
        }
        if self.tree.order == MoveOrder::Scored {
            // The sort is stable: moves of equal score stay in order.
            moves.sort_by_key(|&mv| Reverse(self.tree.heuristics.move_score(&self.pos, mv)));
        }
        moves
    }
}

impl<P: Position, H: Heuristics<P>> TreeNode for GameNode<P, H> {
    fn turn(&self) -> Side {
        self.pos.turn()
    }

    fn successors(&self) -> Vec<Rc<dyn TreeNode>> {
        let after = |mv| {
            let (pos, code) = (self.pos.after(mv), self.pos.code(mv));
            Rc::new(Self { tree: Rc::clone(&self.tree), pos, ply: self.ply + 1, code }) as Rc<dyn TreeNode>
        };
        self.moves().into_iter().map(after).collect()
    }

    fn value(&self) -> Score {
        let (heuristics, pos) = (&self.tree.heuristics, &self.pos);
        let value = if pos.is_over() {
            pos.outcome().score()
        } else {
            heuristics.static_bounds(pos).hold(heuristics.evaluate(pos))
        };
        score::from_node(value, self.ply.into())
    }

    fn key(&self) -> u64 {
        // The value depends on the settled score, the distance to the horizon, and the distance of a win from the root.
        let rest = (self.tree.heuristics.settled(&self.pos) as u64) << 8 | u64::from(self.ply);
        self.pos.key() ^ mixed(rest)
    }

    fn code(&self) -> u16 {
        self.code
    }

    fn ply(&self) -> u8 {
        self.ply
    }

    fn hints(&self) -> Vec<MoveHint> {
        let heuristics = &self.tree.heuristics;
        let hint =
            |mv| MoveHint { noisy: heuristics.is_noisy(&self.pos, mv), score: heuristics.move_score(&self.pos, mv) };
        self.moves().into_iter().map(hint).collect()
    }
}
