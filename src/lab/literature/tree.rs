//! Game trees as the literature has them, and the walk through one, which counts.

use super::budget::{Budget, Spent};
use crate::core::score::Score;
use crate::core::{NodeCounts, Side};
use crate::engine::MoveHint;

/// A game tree: positions, their successors, and what the terminal ones are worth.
pub trait GameTree {
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

    /// Plies from the root.
    fn ply(&self, p: &Self::Node) -> u8;

    /// What is known of the move to each of this many successors before it is searched: nothing but their order, unless the
    /// tree is that of a game.
    fn hints(&self, _p: &Self::Node, successors: usize) -> Vec<MoveHint> {
        (0..successors).map(|place| MoveHint { noisy: false, score: -(place as i32) }).collect()
    }
}

/// A procedure on its way through a tree.
pub struct Walk<'a, T: GameTree> {
    /// The tree.
    pub tree: &'a T,
    /// What was done so far.
    pub counts: NodeCounts,
    /// The move at the root that the value rests on, as far as is known.
    pub best: Option<u16>,
    budget: Budget,
    spent: Option<Spent>,
}

impl<'a, T: GameTree> Walk<'a, T> {
    /// Nothing done yet, and as much to do as there is.
    pub fn new(tree: &'a T) -> Self {
        Self::within(tree, Budget::default())
    }

    /// Nothing done yet, and no more to be done than this.
    pub fn within(tree: &'a T, budget: Budget) -> Self {
        Self { tree, counts: NodeCounts::default(), best: None, budget, spent: None }
    }

    /// Enters a position: its successors, or its value if it is terminal. Once the budget is spent every position is terminal
    /// and worth nothing, so that each procedure comes to its end soon; what it returns then means nothing.
    ///
    /// # Errors
    /// The value of a terminal position, for the side to move.
    pub fn enter(&mut self, p: &T::Node) -> Result<Vec<T::Node>, Score> {
        if self.is_spent() {
            return Err(0);
        }
        self.counts.nodes += 1;
        let successors = self.tree.successors(p);
        if successors.is_empty() {
            self.counts.terminal += 1;
            return Err(self.tree.value(p));
        }
        Ok(successors)
    }

    /// Enters a position as if it were terminal: its value by judgement.
    pub fn evaluate(&mut self, p: &T::Node) -> Score {
        if self.is_spent() {
            return 0;
        }
        self.counts.nodes += 1;
        self.counts.terminal += 1;
        self.tree.value(p)
    }

    /// Why there is no value: what there was not enough of.
    pub fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Gives up.
    pub fn give_up(&mut self, spent: Spent) {
        self.spent.get_or_insert(spent);
    }

    fn is_spent(&mut self) -> bool {
        if self.spent.is_none() {
            self.spent = self.budget.spent(self.counts.nodes);
        }
        self.spent.is_some()
    }

    /// The move to `q` is the best so far at `p`: remembered where that is the root.
    pub fn choose(&mut self, p: &T::Node, q: &T::Node) {
        if self.spent.is_none() && self.tree.ply(p) == 0 {
            self.best = Some(self.tree.code(q));
        }
    }

    /// Whether the same side moves in both.
    pub fn same(&self, p: &T::Node, q: &T::Node) -> bool {
        self.tree.turn(p) == self.tree.turn(q)
    }

    /// Notes how an inner position came out that was searched with a window.
    pub fn note(&mut self, value: Score, alpha: Score, beta: Score) {
        if self.spent.is_some() {
            return;
        }
        self.counts.cutoffs += u64::from(self.counts.kinds.add(value, alpha, beta));
    }
}

/// Searches a successor with the window of its parent: turned, and the value negated, if another side moves there.
pub fn across(same: bool, alpha: Score, beta: Score, search: impl FnOnce(Score, Score) -> Score) -> Score {
    if same { search(alpha, beta) } else { -search(-beta, -alpha) }
}
