//! Game trees as in the literature, and the walk through one, which counts nodes.

use super::budget::{Budget, Meter, Spent};
use secateurs::core::score::Score;
use secateurs::core::{NodeCounts, Side};
use secateurs::engine::MoveHint;

/// A game tree: positions, their successors, and the values of terminal positions.
pub trait GameTree {
    /// A position.
    type Node: Clone;

    /// Returns the root.
    fn root(&self) -> Self::Node;

    /// Returns the side to move.
    fn turn(&self, p: &Self::Node) -> Side;

    /// Returns the positions after each move, in order; none for a terminal position.
    fn successors(&self, p: &Self::Node) -> Vec<Self::Node>;

    /// Returns f(p), the value of a terminal position for the side to move.
    fn value(&self, p: &Self::Node) -> Score;

    /// Returns the key of a position: equal keys mean equal subtrees.
    fn key(&self, p: &Self::Node) -> u64;

    /// Returns the code of the move that led to the position, as stored in killers.
    fn code(&self, p: &Self::Node) -> u16;

    /// Returns the distance from the root, in plies.
    fn ply(&self, p: &Self::Node) -> u8;

    /// Returns what is known, before a search, of the move to each of `successors` successors: only their order, unless
    /// the tree is that of a game.
    fn hints(&self, _p: &Self::Node, successors: usize) -> Vec<MoveHint> {
        (0..successors).map(|place| MoveHint { noisy: false, score: -(place as i32) }).collect()
    }
}

/// The state of a procedure in a tree.
pub struct Walk<'a, T: GameTree> {
    /// The tree.
    pub tree: &'a T,
    /// The counts so far.
    pub counts: NodeCounts,
    /// The best root move so far.
    pub best: Option<u16>,
    meter: Meter,
    spent: Option<Spent>,
}

impl<'a, T: GameTree> Walk<'a, T> {
    /// Creates a walk without limits.
    pub fn new(tree: &'a T) -> Self {
        Self::within(tree, Budget::default())
    }

    /// Creates a walk with these limits.
    pub fn within(tree: &'a T, budget: Budget) -> Self {
        Self { tree, counts: NodeCounts::default(), best: None, meter: Meter::new(budget), spent: None }
    }

    /// Enters a position and returns its successors. Once the budget is spent, every position counts as terminal with
    /// value 0, so that each procedure ends soon; its result is then meaningless.
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

    /// Enters a position as if it were terminal and returns its static evaluation.
    pub fn evaluate(&mut self, p: &T::Node) -> Score {
        if self.is_spent() {
            return 0;
        }
        self.counts.nodes += 1;
        self.counts.terminal += 1;
        self.tree.value(p)
    }

    /// Returns the limit that was reached, if one was.
    pub fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Gives up: the budget counts as spent.
    pub fn give_up(&mut self, spent: Spent) {
        self.spent.get_or_insert(spent);
    }

    fn is_spent(&mut self) -> bool {
        if self.spent.is_none() {
            self.spent = self.meter.spent(self.counts.nodes);
        }
        self.spent.is_some()
    }

    /// Records the move to `q` as the best so far at `p`, if `p` is the root.
    pub fn choose(&mut self, p: &T::Node, q: &T::Node) {
        if self.spent.is_none() && self.tree.ply(p) == 0 {
            self.best = Some(self.tree.code(q));
        }
    }

    /// Whether the same side is to move in both.
    pub fn same(&self, p: &T::Node, q: &T::Node) -> bool {
        self.tree.turn(p) == self.tree.turn(q)
    }

    /// Counts the result of an inner position that was searched with a window.
    pub fn note(&mut self, value: Score, alpha: Score, beta: Score) {
        if self.spent.is_some() {
            return;
        }
        self.counts.cutoffs += u64::from(self.counts.kinds.add(value, alpha, beta));
    }
}

/// Searches a successor with the window of its parent. If the other side is to move there, the window is negated and
/// swapped, and the value negated.
pub fn across(same: bool, alpha: Score, beta: Score, search: impl FnOnce(Score, Score) -> Score) -> Score {
    if same { search(alpha, beta) } else { -search(-beta, -alpha) }
}
