//! A game tree without static types, to a horizon or to its ends, for procedures that need not be fast.

use crate::core::position::end_by_rule;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Outcome, Position, Side};
use crate::util::random::mixed;
use std::cmp::Reverse;
use std::rc::Rc;

/// A node of a game tree. Positions at the horizon and finished positions are terminal; so are those that the rules end
/// on the line from the root: by repetition, by the clock, or because neither side can win. As in the search, the first
/// repetition below the root ends the game. Win distances are counted from the root, so a nearer win is worth more.
pub trait TreeNode {
    /// Returns the side to move.
    fn turn(&self) -> Side;
    /// Returns the positions after each move, in order; none for a terminal position.
    fn successors(&self) -> Vec<Rc<dyn TreeNode>>;
    /// Returns the value of a terminal position for the side to move; otherwise the static value, within the bounds of
    /// the rules.
    fn value(&self) -> Score;
    /// Returns the hash; equal keys imply equal subtrees. In games that can repeat it depends on the line.
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
    /// The positions before this one, in games that can repeat.
    before: Option<Rc<Line<P>>>,
    /// The outcome, if a rule ends the game on this line although there are legal moves.
    ended: Option<Outcome>,
}

/// A position of a line, with those before it.
struct Line<P> {
    pos: P,
    /// Whether the position is below the root.
    is_below: bool,
    before: Option<Rc<Line<P>>>,
}

/// A long line is dropped without recursion.
impl<P> Drop for Line<P> {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(Ok(mut line)) = next.map(Rc::try_unwrap) {
            next = line.before.take();
        }
    }
}

/// The data that all nodes of a tree share.
struct GameTree<H> {
    heuristics: H,
    depth: u8,
    order: MoveOrder,
}

impl<P: Position, H: Heuristics<P>> GameNode<P, H> {
    /// Returns the root of the tree below a position, `depth` plies deep. `history` are the positions of the game
    /// before it, the oldest first.
    pub fn root<'a>(
        heuristics: H,
        pos: P,
        history: impl Iterator<Item = &'a P>,
        depth: u8,
        order: MoveOrder,
    ) -> Rc<dyn TreeNode> {
        let mut before = None;
        for pos in history.filter(|_| P::CYCLIC) {
            before = Some(Rc::new(Line { pos: pos.clone(), is_below: false, before }));
        }
        let tree = Rc::new(GameTree { heuristics, depth, order });
        Rc::new(Self { tree, pos, ply: 0, code: 0, before, ended: None })
    }

    fn after(&self, mv: P::Move) -> Self {
        let line = || Line { pos: self.pos.clone(), is_below: self.ply > 0, before: self.before.clone() };
        let mut node = Self {
            tree: Rc::clone(&self.tree),
            pos: self.pos.after(mv),
            ply: self.ply + 1,
            code: self.pos.code(mv),
            before: P::CYCLIC.then(|| Rc::new(line())),
            ended: None,
        };
        if !node.pos.is_over() {
            node.ended = end_by_rule(&node.pos, || node.line().map(|line| (&line.pos, line.is_below)));
        }
        node
    }

    /// Iterates over the positions before this one, the last first.
    fn line(&self) -> impl Iterator<Item = &Line<P>> {
        std::iter::successors(self.before.as_deref(), |line| line.before.as_deref())
    }

    /// Returns the legal moves in order; none at the horizon, or where a rule ends the game.
    fn moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        if self.ply < self.tree.depth && self.ended.is_none() {
            self.pos.moves(&mut moves);
        }
        if self.tree.order == MoveOrder::Scored {
            // The sort is stable: moves of equal score stay in order.
            moves.sort_by_cached_key(|&mv| Reverse(self.tree.heuristics.move_score(&self.pos, mv)));
        }
        moves
    }
}

impl<P: Position, H: Heuristics<P>> TreeNode for GameNode<P, H> {
    fn turn(&self) -> Side {
        self.pos.turn()
    }

    fn successors(&self) -> Vec<Rc<dyn TreeNode>> {
        self.moves().into_iter().map(|mv| Rc::new(self.after(mv)) as Rc<dyn TreeNode>).collect()
    }

    fn value(&self) -> Score {
        let (heuristics, pos) = (&self.tree.heuristics, &self.pos);
        let value = if let Some(outcome) = self.ended {
            outcome.score()
        } else if pos.is_over() {
            pos.outcome().score()
        } else {
            heuristics.static_bounds(pos).hold(heuristics.evaluate(pos))
        };
        score::from_node(value, self.ply.into())
    }

    fn key(&self) -> u64 {
        // The value depends on the settled score, the distance to the horizon, and the distance of a win from the root.
        let rest = (self.tree.heuristics.settled(&self.pos) as u64) << 8 | u64::from(self.ply);
        // It also depends on the clock and on the positions that may be repeated.
        let clock = self.pos.clock().map_or(0, |clock| clock.plies.into());
        let line =
            self.line().take(self.pos.reach()).fold(clock, |sum: u64, line| sum.wrapping_add(mixed(line.pos.key())));
        self.pos.key() ^ mixed(rest) ^ if line == 0 { 0 } else { mixed(!line) }
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
