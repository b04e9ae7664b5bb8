//! A searched tree, as it is recorded: every node that the last iteration entered, or those near the root.
//!
//! All values are for the side to move at the **root**: where that side moves a node has the largest value of its moves,
//! elsewhere the smallest, and the windows of the nodes lie within each other. At the top are the aspiration windows of the
//! iteration, one after the other; under each of them are the moves.

use super::error::Error;
use super::position::{Position, Side, move_of};
use super::proof::Proof;
use super::report::Bound;
use super::score::{MAX_PLY, Score};
use serde::{Deserialize, Serialize};

/// The last iteration of a search. `M` is the type of a move: a game's own inside the search, text outside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchTree<M = String> {
    /// The side to move at the root, for which all values are.
    pub turn: Side,
    /// The iteration, plies.
    pub depth: u8,
    /// The farthest ply of which there are nodes; those beyond it are only counted.
    pub plies: u8,
    /// Nodes that were entered, the windows at the root not counted.
    pub entered: u64,
    /// In the order in which they were entered: behind each node are those below it.
    pub nodes: Vec<Node<M>>,
}

/// A position that was entered; once for each time that it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node<M = String> {
    /// The move that led to it; `None` of the root.
    pub mv: Option<M>,
    /// The side to move.
    pub turn: Side,
    /// Plies from the root.
    pub ply: u8,
    /// Plies still to be searched; negative in quiescence search.
    pub depth: i16,
    /// How it was searched.
    pub kind: SearchKind,
    /// Whether the same move was searched just before, and this is the second look at it.
    pub again: bool,
    /// Whether it is on the principal variation.
    pub pv: bool,
    /// The window on entry.
    pub window: [Score; 2],
    /// What the game said of it on entry, without any search (Wetherell 1978).
    pub provisional: Score,
    /// What the search said in the end; `None` where it was stopped before.
    pub value: Option<Score>,
    /// What of that is proven.
    pub proof: Proof,
    /// Why it ended.
    pub end: End<M>,
    /// Nodes that were entered below it.
    pub below: u64,
    /// Nodes of the record below it.
    pub recorded: u32,
}

/// How a node was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// With the window that its parent had left.
    Full,
    /// With a null window: is it better than the best so far?
    Null,
    /// With a null window, and less deep than its brothers.
    Reduced,
    /// Beyond the horizon.
    Quiescence,
}

/// Why a node ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End<M = String> {
    /// The game is over.
    Over,
    /// The horizon: judged, not searched.
    Horizon,
    /// The rules leave nothing to ask.
    Rules,
    /// The value is on record in an endgame database.
    Database,
    /// The transposition table answered.
    Table,
    /// The table knew of this move that it refutes.
    Enhanced(M),
    /// This move was enough: the others were cut off.
    Cutoff(M),
    /// All moves were searched.
    Moves,
    /// The search was stopped.
    Stopped,
}

impl<M> End<M> {
    /// One word for it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Horizon => "horizon",
            Self::Rules => "rules",
            Self::Database => "database",
            Self::Table => "table",
            Self::Enhanced(_) => "enhanced",
            Self::Cutoff(_) => "cutoff",
            Self::Moves => "moves",
            Self::Stopped => "stopped",
        }
    }

    /// The move that ended it, if one did.
    #[must_use]
    pub const fn by(&self) -> Option<&M> {
        match self {
            Self::Enhanced(mv) | Self::Cutoff(mv) => Some(mv),
            _ => None,
        }
    }

    /// The same with a name for its move; without one, all that is known is that moves were searched.
    fn renamed<N>(&self, name: impl FnOnce(&M) -> Option<N>) -> End<N> {
        match self {
            Self::Over => End::Over,
            Self::Horizon => End::Horizon,
            Self::Rules => End::Rules,
            Self::Database => End::Database,
            Self::Table => End::Table,
            Self::Enhanced(mv) => name(mv).map_or(End::Moves, End::Enhanced),
            Self::Cutoff(mv) => name(mv).map_or(End::Moves, End::Cutoff),
            Self::Moves => End::Moves,
            Self::Stopped => End::Stopped,
        }
    }
}

impl SearchKind {
    /// One word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Null => "null",
            Self::Reduced => "reduced",
            Self::Quiescence => "quiescence",
        }
    }
}

impl<M> Node<M> {
    /// What the value says: a bound where it is not inside the window and nothing more is proven.
    #[must_use]
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
    /// The windows at the root, in their order: the places of their nodes.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        self.row(0, self.nodes.len())
    }

    /// Whether the nodes fit together: what comes from outside may not.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut ends = vec![self.nodes.len()];
        self.nodes.iter().enumerate().all(|(at, node)| {
            ends.truncate(usize::from(node.ply) + 1);
            let end = at + 1 + node.recorded as usize;
            let inside = ends.len() == usize::from(node.ply) + 1 && ends.last().is_some_and(|&last| end <= last);
            // The next node lies below this one if, and only if, some do.
            let next = self.nodes.get(at + 1).filter(|_| at + 1 < end);
            let below = next.is_none_or(|next| next.ply == node.ply + 1);
            let behind = self.nodes.get(end).is_none_or(|next| next.ply <= node.ply);
            ends.push(end);
            inside && below && behind && node.ply < u8::MAX && node.mv.is_some() == (node.ply > 0)
        })
    }

    /// Whether every node that was entered is recorded.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        (self.nodes.len() - self.roots().count()) as u64 == self.entered
    }

    /// The nodes right below one.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> {
        self.row(at + 1, at + 1 + self.nodes.get(at).map_or(0, |node| node.recorded as usize))
    }

    /// Nodes beside each other, from one place up to another.
    fn row(&self, first: usize, end: usize) -> impl Iterator<Item = usize> {
        let inside = move |&at: &usize| at < end;
        let next = move |at: &usize| Some(at + 1 + self.nodes[*at].recorded as usize).filter(inside);
        std::iter::successors(Some(first).filter(inside), next)
    }
}

impl<M> SearchTree<M> {
    /// Those nodes of it for which there is room.
    #[must_use]
    pub fn within(mut self, room: Room) -> Self {
        let fits = |plies: u8, nodes: &[Node<M>]| {
            nodes.iter().filter(|node| node.ply > 0 && node.ply <= plies).count() <= room.nodes
        };
        let mut plies = self.plies.min(room.plies);
        while plies > 0 && !fits(plies, &self.nodes) {
            plies -= 1;
        }
        keep(&mut self.nodes, plies);
        Self { plies, ..self }
    }
}

/// Keeps the nodes up to a ply. Returns how many of those before each place, and of all, are kept.
pub fn keep<M>(nodes: &mut Vec<Node<M>>, plies: u8) -> Vec<usize> {
    let mut before = Vec::with_capacity(nodes.len() + 1);
    let mut shown = 0;
    for node in &*nodes {
        before.push(shown);
        shown += usize::from(node.ply <= plies);
    }
    before.push(shown);
    for (at, node) in nodes.iter_mut().enumerate() {
        node.recorded = (before[at + 1 + node.recorded as usize] - before[at + 1]) as u32;
    }
    nodes.retain(|node| node.ply <= plies);
    before
}

impl SearchTree<u16> {
    /// The same tree with names for the codes of its moves, each where it is played.
    pub fn renamed<P: Position, N>(&self, root: &P, name: impl Fn(&P, P::Move) -> N) -> SearchTree<N> {
        let mut path = vec![root.clone()];
        let nodes = self.nodes.iter().map(|node| {
            path.truncate(usize::from(node.ply).max(1));
            let parent = &path[path.len() - 1];
            let played = node.mv.and_then(|code| move_of(parent, code));
            let mv = played.map(|mv| name(parent, mv));
            if let Some(mv) = played {
                path.push(parent.after(mv));
            }
            let pos = &path[path.len() - 1];
            Node {
                mv,
                end: node.end.renamed(|&code| move_of(pos, code).map(|mv| name(pos, mv))),
                turn: node.turn,
                ply: node.ply,
                depth: node.depth,
                kind: node.kind,
                again: node.again,
                pv: node.pv,
                window: node.window,
                provisional: node.provisional,
                value: node.value,
                proof: node.proof,
                below: node.below,
                recorded: node.recorded,
            }
        });
        let nodes = nodes.collect();
        SearchTree { turn: self.turn, depth: self.depth, plies: self.plies, entered: self.entered, nodes }
    }
}

/// How much of a tree is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    nodes: usize,
    plies: u8,
}

impl Room {
    /// So many nodes are recorded where nobody says how many.
    pub const NODES: usize = 10_000;

    /// A tree may take so much memory, bytes.
    pub const MEMORY: usize = 1 << 30;

    /// What a node takes at most, bytes: its own record and two short moves, and beside it twice what the search keeps.
    pub const BYTES: usize = size_of::<Node>() + 2 * 32 + 2 * size_of::<Node<u64>>();

    /// Room for at most so many nodes, the windows at the root not counted, down to so many plies from the root. Where there
    /// are more nodes the farthest ply is left out, then the next: what is recorded is whole.
    ///
    /// # Errors
    /// [`Error::TreeTooLarge`]: so many nodes may take more than [`MEMORY`](Self::MEMORY).
    pub fn new(nodes: usize, plies: u8) -> Result<Self, Error> {
        let most = Self::MEMORY / Self::BYTES;
        if nodes > most {
            let mib = |nodes: usize| (nodes as u128 * Self::BYTES as u128).div_ceil(1 << 20);
            return Err(Error::TreeTooLarge {
                requested: nodes,
                needed: mib(nodes),
                most,
                allowed: Self::MEMORY >> 20,
            });
        }
        Ok(Self { nodes, plies })
    }

    /// The most nodes.
    #[must_use]
    pub const fn nodes(self) -> usize {
        self.nodes
    }

    /// The farthest ply.
    #[must_use]
    pub const fn plies(self) -> u8 {
        self.plies
    }
}

impl Default for Room {
    fn default() -> Self {
        Self { nodes: Self::NODES, plies: MAX_PLY }
    }
}
