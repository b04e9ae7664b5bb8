//! The record of a searched tree: every node that the last iteration entered, or those near the root.
//!
//! All values are for the side to move at the **root**: where that side moves, a node has the largest value of its
//! moves, elsewhere the smallest, and each node's window lies within its parent's. The top nodes are the aspiration
//! windows of the iteration, in order; the moves are below them.

mod naming;
mod room;

pub use naming::NULL_MOVE;
pub use room::Room;

use super::position::Side;
use super::proof::Proof;
use super::report::Bound;
use super::score::Score;
use serde::{Deserialize, Serialize};

/// The last iteration of a search. `M` is the type of a move: a game's own type inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchTree<M = String> {
    /// The side to move at the root; all values are for it.
    pub turn: Side,
    /// The iteration, plies.
    pub depth: u8,
    /// The largest recorded ply; nodes beyond it are only counted.
    pub plies: u8,
    /// The number of nodes entered, without the windows at the root.
    pub entered: u64,
    /// The nodes in the order in which they were entered: each node precedes its descendants.
    pub nodes: Vec<Node<M>>,
}

/// One visit of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node<M = String> {
    /// The move that led to it; `None` at the root.
    pub mv: Option<M>,
    /// The side to move.
    pub turn: Side,
    /// Plies from the root.
    pub ply: u8,
    /// The remaining depth, plies; negative in quiescence search.
    pub depth: i16,
    /// How it was searched.
    pub kind: SearchKind,
    /// Whether this is a re-search of the move searched just before.
    pub again: bool,
    /// Whether it is on the principal variation.
    pub pv: bool,
    /// The window on entry.
    pub window: [Score; 2],
    /// The static value on entry, without any search (Wetherell 1978).
    pub provisional: Score,
    /// The value returned by the search; `None` if it was stopped.
    pub value: Option<Score>,
    /// The proven part of the value.
    pub proof: Proof,
    /// Why the search of the node ended.
    pub end: End<M>,
    /// The number of nodes entered below it.
    pub below: u64,
    /// The number of recorded nodes below it.
    pub recorded: u32,
}

/// How a node was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// With the window that its parent had left.
    Full,
    /// With a null window.
    Null,
    /// With a null window and a reduced depth.
    Reduced,
    /// With a null window and half the depth, to see whether the hash move is better than all others.
    Singular,
    /// Beyond the horizon.
    Quiescence,
}

/// Why the search of a node ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End<M = String> {
    /// The game is over.
    Over,
    /// The horizon: evaluated, not searched.
    Horizon,
    /// The bounds of the rules are exact or outside the window.
    Rules,
    /// An endgame database contains the value.
    Database,
    /// The transposition table contains a sufficient entry.
    Table,
    /// An enhanced transposition cut-off: the table shows that this move fails high.
    Enhanced(M),
    /// The static evaluation, or the search after a null move, is so good that the node fails high.
    Pruned,
    /// A cut-off: this move fails high.
    Cutoff(M),
    /// All moves were searched.
    Moves,
    /// The search was stopped.
    Stopped,
}

impl<M> End<M> {
    /// Returns the name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Horizon => "horizon",
            Self::Rules => "rules",
            Self::Database => "database",
            Self::Table => "table",
            Self::Enhanced(_) => "enhanced",
            Self::Pruned => "pruned",
            Self::Cutoff(_) => "cutoff",
            Self::Moves => "moves",
            Self::Stopped => "stopped",
        }
    }

    /// Returns the move that ended it, if any.
    pub const fn by(&self) -> Option<&M> {
        match self {
            Self::Enhanced(mv) | Self::Cutoff(mv) => Some(mv),
            _ => None,
        }
    }

    /// Returns the same end with its move converted. If the conversion fails, it becomes [`Moves`](Self::Moves).
    pub(crate) fn renamed<N>(&self, name: impl FnOnce(&M) -> Option<N>) -> End<N> {
        match self {
            Self::Over => End::Over,
            Self::Horizon => End::Horizon,
            Self::Rules => End::Rules,
            Self::Database => End::Database,
            Self::Table => End::Table,
            Self::Enhanced(mv) => name(mv).map_or(End::Moves, End::Enhanced),
            Self::Cutoff(mv) => name(mv).map_or(End::Moves, End::Cutoff),
            Self::Moves => End::Moves,
            Self::Pruned => End::Pruned,
            Self::Stopped => End::Stopped,
        }
    }
}

impl SearchKind {
    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Null => "null",
            Self::Reduced => "reduced",
            Self::Singular => "singular",
            Self::Quiescence => "quiescence",
        }
    }
}

impl<M> Node<M> {
    /// Returns the meaning of the value: a bound if it is outside the window and nothing more is proven.
    pub fn bound(&self) -> Bound {
        match self.value {
            _ if self.proof.exact() => Bound::Exact,
            Some(value) if value <= self.window[0] => Bound::Upper,
            Some(value) if value >= self.window[1] => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

impl<M> SearchTree<M> {
    /// Iterates over the indices of the root windows, in order.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        self.row(0, self.nodes.len())
    }

    /// Returns whether the nodes are consistent; a tree from outside the program may not be.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut ends = vec![self.nodes.len()];
        self.nodes.iter().enumerate().all(|(at, node)| {
            ends.truncate(usize::from(node.ply) + 1);
            let end = at + 1 + node.recorded as usize;
            let inside = ends.len() == usize::from(node.ply) + 1 && ends.last().is_some_and(|&last| end <= last);
            // The next node lies below this one if, and only if, this one has descendants.
            let next = self.nodes.get(at + 1).filter(|_| at + 1 < end);
            let below = next.is_none_or(|next| next.ply == node.ply + 1);
            let behind = self.nodes.get(end).is_none_or(|next| next.ply <= node.ply);
            ends.push(end);
            inside && below && behind && node.ply < u8::MAX && node.mv.is_some() == (node.ply > 0)
        })
    }

    /// Returns whether every node entered is recorded.
    pub(crate) fn is_whole(&self) -> bool {
        (self.nodes.len() - self.roots().count()) as u64 == self.entered
    }

    /// Iterates over the indices of a node's children.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        self.row(at + 1, at + 1 + self.nodes.get(at).map_or(0, |node| node.recorded as usize))
    }

    /// Iterates over siblings, from the index `first` to below `end`.
    fn row(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let inside = move |&at: &usize| at < end;
        let next = move |at: &usize| Some(at + 1 + self.nodes[*at].recorded as usize).filter(inside);
        std::iter::successors(Some(first).filter(inside), next)
    }
}

impl<M: Clone> SearchTree<M> {
    /// Returns the tree reduced to the plies that fit.
    #[must_use]
    pub fn within(&self, room: Room) -> Self {
        let mut counts = vec![0; usize::from(u8::MAX) + 1];
        for node in &self.nodes {
            counts[usize::from(node.ply)] += 1;
        }
        let (mut plies, mut below) = (0, 0);
        for ply in 1..=self.plies.min(room.plies()) {
            below += counts[usize::from(ply)];
            if below > room.nodes() {
                break;
            }
            plies = ply;
        }
        self.cut(plies)
    }

    fn cut(&self, plies: u8) -> Self {
        let before = kept(&self.nodes, plies);
        let mut nodes = Vec::with_capacity(before[self.nodes.len()]);
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.ply <= plies) {
            nodes.push(Node { recorded: recorded(&before, at, node), ..node.clone() });
        }
        Self { plies, nodes, ..*self }
    }
}

/// Keeps the nodes up to a ply. Returns, for each index and for the length, the number of kept nodes before it.
pub(crate) fn keep<M>(nodes: &mut Vec<Node<M>>, plies: u8) -> Vec<usize> {
    let before = kept(nodes, plies);
    for (at, node) in nodes.iter_mut().enumerate() {
        node.recorded = recorded(&before, at, node);
    }
    nodes.retain(|node| node.ply <= plies);
    before
}

/// Returns, for each index and for the length, the number of nodes before it that lie within these plies.
fn kept<M>(nodes: &[Node<M>], plies: u8) -> Vec<usize> {
    let mut before = Vec::with_capacity(nodes.len() + 1);
    let mut shown = 0;
    for node in nodes {
        before.push(shown);
        shown += usize::from(node.ply <= plies);
    }
    before.push(shown);
    before
}

/// Returns how many of the nodes below a node are kept.
fn recorded<M>(before: &[usize], at: usize, node: &Node<M>) -> u32 {
    (before[at + 1 + node.recorded as usize] - before[at + 1]) as u32
}
