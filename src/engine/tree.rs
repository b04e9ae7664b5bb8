//! A game tree without static types, to a horizon or to its ends, for procedures that need not be fast.

use crate::core::position::end_by_rule;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Outcome, Position, Side};
use crate::util::random::mixed;
use crate::util::ranks;
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
    /// Returns the root of the tree below a position, `depth` plies deep. `recent` are the earlier positions
    /// of the game that may be repeated, the last one first.
    pub fn root(heuristics: H, pos: P, recent: &[&P], depth: u8, order: MoveOrder) -> Rc<dyn TreeNode> {
        let mut before = None;
        for &pos in recent.iter().rev() {
            before = Some(Rc::new(Line { pos: pos.clone(), before }));
        }
        let tree = Rc::new(GameTree { heuristics, depth, order });
        Rc::new(Self { tree, pos, ply: 0, code: 0, before, ended: None })
    }

    fn after(&self, mv: P::Move) -> Self {
        let line = || Line { pos: self.pos.clone(), before: self.before.clone() };
        let mut node = Self {
            tree: Rc::clone(&self.tree),
            pos: self.pos.after(mv),
            ply: self.ply + 1,
            code: self.pos.code(mv),
            before: P::CYCLIC.then(|| Rc::new(line())),
            ended: None,
        };
        if !node.pos.is_over() {
            node.ended = end_by_rule(&node.pos, &node.recent(), self.ply.into());
        }
        node
    }

    /// Returns the earlier positions that may be repeated, the last one first; none in a game without cycles.
    fn recent(&self) -> Vec<&P> {
        let (reach, mut recent, mut before) = (self.pos.reach(), Vec::new(), &self.before);
        while recent.len() < reach
            && let Some(line) = before
        {
            recent.push(&line.pos);
            before = &line.before;
        }
        recent
    }

    /// Returns the legal moves in order; none at the horizon, or where a rule ends the game.
    fn moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        if self.ply < self.tree.depth && self.ended.is_none() {
            self.pos.moves(&mut moves);
        }
        if self.tree.order == MoveOrder::Generated {
            return moves;
        }
        let (mut ranks, mut sorted) = (Vec::new(), Vec::new());
        for &mv in &moves {
            ranks.push(self.tree.heuristics.move_score(&self.pos, mv).into());
        }
        for index in ranks::descending(&ranks) {
            sorted.push(moves[index]);
        }
        sorted
    }
}

impl<P: Position, H: Heuristics<P>> TreeNode for GameNode<P, H> {
    fn turn(&self) -> Side {
        self.pos.turn()
    }

    fn successors(&self) -> Vec<Rc<dyn TreeNode>> {
        let mut successors: Vec<Rc<dyn TreeNode>> = Vec::new();
        for mv in self.moves() {
            successors.push(Rc::new(self.after(mv)));
        }
        successors
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
        let mut line: u64 = clock;
        for pos in self.recent() {
            line = line.wrapping_add(mixed(pos.key()));
        }
        self.pos.key() ^ mixed(rest) ^ if line == 0 { 0 } else { mixed(!line) }
    }

    fn code(&self) -> u16 {
        self.code
    }

    fn ply(&self) -> u8 {
        self.ply
    }

    fn hints(&self) -> Vec<MoveHint> {
        let (heuristics, pos, mut hints) = (&self.tree.heuristics, &self.pos, Vec::new());
        for mv in self.moves() {
            hints.push(MoveHint { noisy: heuristics.is_noisy(pos, mv), score: heuristics.move_score(pos, mv) });
        }
        hints
    }
}
