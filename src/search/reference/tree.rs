//! Game trees as the literature has them, and the walk through one, which counts.

use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position, Side};

/// A game tree: positions, their successors, and what the terminal ones are worth.
pub trait Tree {
    /// A position.
    type Node: Clone;

    /// Where it begins.
    fn root(&self) -> Self::Node;

    /// The side to move.
    fn turn(&self, p: &Self::Node) -> Side;

    /// The positions after each move, in order; none of a terminal position.
    fn successors(&self, p: &Self::Node) -> Vec<Self::Node>;

    /// f(p), what a terminal position is worth to the side to move.
    fn value(&self, p: &Self::Node) -> Score;

    /// What the position is known by: equal keys mean equal trees below.
    fn key(&self, p: &Self::Node) -> u64;

    /// The move that led to the position, as killers remember it.
    fn code(&self, p: &Self::Node) -> u16;
}

/// What a procedure did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions entered.
    pub nodes: u64,
    /// Terminal ones among them.
    pub terminal: u64,
    /// Positions whose other moves were cut off.
    pub cutoffs: u64,
    /// Positions that a table answered.
    pub hits: u64,
    /// Inner positions by what they turned out to be.
    pub kinds: Kinds,
}

/// Inner positions of alpha-beta, by where the value fell: Knuth and Moore's types 1, 2 and 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Within the window: on a principal variation, as far as was known.
    pub pv: u64,
    /// Above it: one move refuted.
    pub cut: u64,
    /// Below it: all moves were searched, and none was enough.
    pub all: u64,
}

/// A procedure on its way through a tree.
pub struct Walk<'a, T: Tree> {
    /// The tree.
    pub tree: &'a T,
    /// What was done so far.
    pub counts: Counts,
}

impl<'a, T: Tree> Walk<'a, T> {
    /// Nothing done yet.
    pub fn new(tree: &'a T) -> Self {
        Self { tree, counts: Counts::default() }
    }

    /// Enters a position: its successors, or its value if it is terminal.
    ///
    /// # Errors
    /// The value of a terminal position, for the side to move.
    pub fn enter(&mut self, p: &T::Node) -> Result<Vec<T::Node>, Score> {
        self.counts.nodes += 1;
        let successors = self.tree.successors(p);
        if successors.is_empty() {
            self.counts.terminal += 1;
            return Err(self.tree.value(p));
        }
        Ok(successors)
    }

    /// Whether the same side moves in both.
    pub fn same(&self, p: &T::Node, q: &T::Node) -> bool {
        self.tree.turn(p) == self.tree.turn(q)
    }

    /// Notes how an inner position came out that was searched with a window.
    pub fn note(&mut self, value: Score, alpha: Score, beta: Score) {
        let kinds = &mut self.counts.kinds;
        if value >= beta {
            kinds.cut += 1;
            self.counts.cutoffs += 1;
        } else if value > alpha {
            kinds.pv += 1;
        } else {
            kinds.all += 1;
        }
    }
}

/// Searches a successor with the window of its parent: turned, and the value negated, if another side moves there.
pub fn across(same: bool, alpha: Score, beta: Score, search: impl FnOnce(Score, Score) -> Score) -> Score {
    if same { search(alpha, beta) } else { -search(-beta, -alpha) }
}

/// A game to a horizon: positions so many plies from the root, and finished ones, are terminal. Values are counted from the
/// root: a win is worth the less the farther it is.
pub struct Horizon<P, H> {
    /// The judgement at the horizon.
    pub heuristics: H,
    /// The position.
    pub pos: P,
    /// Plies to the horizon.
    pub depth: u8,
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
        let mut moves = Vec::new();
        if p.ply < self.depth {
            p.pos.moves(&mut moves);
        }
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
}
