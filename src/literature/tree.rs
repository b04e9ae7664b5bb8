//! The walk through a game tree, which counts nodes.

use super::budget::{Budget, Meter, Spent};
use crate::core::NodeCounts;
use crate::core::score::Score;
use crate::engine::TreeNode;
use std::rc::Rc;

/// A position of a game tree. The procedures need not be fast: they are compiled once, not for each kind of tree.
pub type Node = Rc<dyn TreeNode>;

/// The state of a procedure in a tree.
pub struct Walk {
    /// The counts so far.
    pub counts: NodeCounts,
    /// The best root move so far.
    pub best: Option<u16>,
    meter: Meter,
    spent: Option<Spent>,
}

impl Walk {
    /// Creates a walk with these limits.
    pub fn new(budget: Budget) -> Self {
        Self { counts: NodeCounts::default(), best: None, meter: Meter::new(budget), spent: None }
    }

    /// Enters a position and returns its successors. Once the budget is spent, every position counts as terminal with
    /// value 0, so that the procedure ends soon; its result is then meaningless.
    ///
    /// # Errors
    /// The value of a terminal position, for the side to move.
    pub(crate) fn enter(&mut self, p: &Node) -> Result<Vec<Node>, Score> {
        if self.is_spent() {
            return Err(0);
        }
        self.counts.nodes += 1;
        let successors = p.successors();
        if successors.is_empty() {
            self.counts.terminal += 1;
            return Err(p.value());
        }
        Ok(successors)
    }

    /// Enters a position as if it were terminal and returns its static evaluation.
    pub(crate) fn evaluate(&mut self, p: &Node) -> Score {
        if self.is_spent() {
            return 0;
        }
        self.counts.nodes += 1;
        self.counts.terminal += 1;
        p.value()
    }

    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Gives up: the budget counts as spent.
    pub(crate) fn give_up(&mut self, spent: Spent) {
        self.spent.get_or_insert(spent);
    }

    fn is_spent(&mut self) -> bool {
        if self.spent.is_none() {
            self.spent = self.meter.spent(self.counts.nodes);
        }
        self.spent.is_some()
    }

    /// Records the move to `q` as the best so far at `p`, if `p` is the root.
    pub(crate) fn choose(&mut self, p: &Node, q: &Node) {
        if self.spent.is_none() && p.ply() == 0 {
            self.best = Some(q.code());
        }
    }

    /// Whether the same side is to move in both.
    pub(crate) fn same(&self, p: &Node, q: &Node) -> bool {
        p.turn() == q.turn()
    }

    /// Counts the result of an inner position that was searched with a window.
    pub(crate) fn note(&mut self, value: Score, alpha: Score, beta: Score) {
        if self.spent.is_some() {
            return;
        }
        self.counts.cutoffs += u64::from(self.counts.kinds.add(value, alpha, beta));
    }
}

/// Searches a successor with the window of its parent. If the other side is to move there, the window is negated and
/// swapped, and the value negated.
pub(crate) fn across(same: bool, alpha: Score, beta: Score, search: impl FnOnce(Score, Score) -> Score) -> Score {
    if same { search(alpha, beta) } else { -search(-beta, -alpha) }
}
