//! Records the tree of the last iteration: as many complete plies as fit.

use super::{Entered, StaticValue, Trace};
use crate::core::tree::{self, End, Node, Room, SearchKind, SearchTree};
use crate::core::{Proof, Score, Side};
use crate::search::value::Value;

/// Records a search by one thread.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    room: Room,
    turn: Side,
    /// The move and search kind of the node entered next.
    next: Option<(u16, SearchKind)>,
    current: Iteration,
    last: Option<Iteration>,
}

#[derive(Clone, Debug)]
struct Iteration {
    depth: u8,
    plies: u8,
    entered: u64,
    nodes: Vec<Node<u16>>,
    /// The number of recorded nodes, by ply.
    counts: Vec<usize>,
    /// The indices of the open nodes, by ply; empty outside the windows of the root, where nothing is recorded.
    open: Vec<usize>,
    /// The moves entered last on the line to the node entered last, by ply.
    moves: Vec<Option<u16>>,
}

impl Recorder {
    pub(crate) fn new(turn: Side, room: Room) -> Self {
        Self { room, turn, next: None, current: Iteration::new(0, room.plies()), last: None }
    }

    /// Returns the tree of the iteration of depth `depth`, that of the last report, with this principal variation.
    pub(crate) fn tree(self, depth: u8, line: &[u16]) -> SearchTree<u16> {
        let Self { turn, mut current, last, .. } = self;
        if let Some(last) = last.filter(|last| last.depth == depth && depth > 0 && current.depth != depth) {
            current = last;
        }
        current.finish(0);
        let plies = current.farthest().min(current.plies);
        let Iteration { depth, entered, nodes, .. } = current;
        let mut tree = SearchTree { turn, depth, plies, entered, nodes };
        follow(&mut tree, line);
        tree
    }

    /// Converts a score to that of the side to move at the root.
    fn seen(&self, turn: Side, score: Score) -> Score {
        if turn == self.turn { score } else { -score }
    }

    fn proven(&self, turn: Side, proof: Proof) -> Proof {
        if turn == self.turn { proof } else { proof.reversed() }
    }

    fn close(&mut self, ply: usize, value: Option<Value>, end: End<u16>) {
        // Nodes beyond the last recorded ply are not open.
        if self.current.open.len() <= ply {
            return;
        }
        self.current.finish(ply + 1);
        let Some(at) = self.current.open.pop() else { return };
        let turn = self.current.nodes[at].turn;
        let score = value.map(|value| self.seen(turn, value.score));
        let proof = value.map_or(Proof::NONE, |value| self.proven(turn, value.proof));
        let below = self.current.entered - self.current.nodes[at].below;
        let recorded = (self.current.nodes.len() - at - 1) as u32;
        let node = &mut self.current.nodes[at];
        let end = if node.end == End::Database && end == End::Rules { End::Database } else { end };
        *node = Node { value: score, proof, end, below, recorded, ..node.clone() };
    }
}

impl Trace for Recorder {
    fn iteration(&mut self, depth: u8) {
        let next = Iteration::new(depth, self.room.plies());
        self.last = Some(std::mem::replace(&mut self.current, next));
    }

    fn next(&mut self, mv: u16, kind: SearchKind) {
        self.next = Some((mv, kind));
    }

    fn enter(&mut self, node: &Entered, static_value: &dyn Fn() -> StaticValue) {
        let &Entered { turn, ply, depth, window: [alpha, beta] } = node;
        if ply > 0 && self.current.open.is_empty() {
            return;
        }
        self.current.finish(ply);
        let next = if ply == 0 { None } else { self.next };
        self.current.entered += u64::from(ply > 0);
        if ply > usize::from(self.current.plies) {
            return;
        }
        let StaticValue { score, from_database } = static_value();
        let (low, high) = (self.seen(turn, alpha), self.seen(turn, beta));
        let mv = next.map(|(mv, _)| mv);
        let node = Node {
            mv,
            turn,
            ply: ply as u8,
            depth: depth as i16,
            kind: next.map_or(SearchKind::Full, |(_, kind)| kind),
            again: self.current.note(ply, mv),
            pv: false,
            window: [low.min(high), low.max(high)],
            provisional: self.seen(turn, score),
            value: None,
            proof: Proof::NONE,
            // Until the node is left: whether a database has its value.
            end: if from_database { End::Database } else { End::Stopped },
            // Until the node is left: the number of nodes entered before it.
            below: self.current.entered,
            recorded: 0,
        };
        self.current.push(node, self.room.nodes());
    }

    fn leave(&mut self, ply: usize, value: Value, end: End<u16>) {
        self.close(ply, Some(value), end);
    }

    fn stopped(&mut self, value: Option<Value>) {
        self.close(0, value, End::Stopped);
    }
}

impl Iteration {
    fn new(depth: u8, plies: u8) -> Self {
        Self { depth, plies, entered: 0, nodes: Vec::new(), counts: Vec::new(), open: Vec::new(), moves: Vec::new() }
    }

    /// Notes the move to a node that is entered. Returns whether its parent entered the same move just before.
    fn note(&mut self, ply: usize, mv: Option<u16>) -> bool {
        let before = self.moves.get(ply).copied();
        self.moves.truncate(ply);
        self.moves.resize(ply, None);
        self.moves.push(mv);
        ply > 0 && before == Some(mv)
    }

    /// Returns the largest recorded ply.
    fn farthest(&self) -> u8 {
        self.counts.iter().rposition(|&count| count > 0).unwrap_or(0) as u8
    }

    fn push(&mut self, node: Node<u16>, most: usize) {
        let ply = usize::from(node.ply);
        if self.counts.len() <= ply {
            self.counts.resize(ply + 1, 0);
        }
        self.counts[ply] += 1;
        self.open.push(self.nodes.len());
        self.nodes.push(node);
        // The windows of the root are not counted.
        while self.nodes.len() > most + self.counts[0] {
            self.shorten();
        }
    }

    /// Removes the last recorded ply.
    fn shorten(&mut self) {
        self.plies = self.farthest().saturating_sub(1);
        self.counts.truncate(usize::from(self.plies) + 1);
        self.open.truncate(usize::from(self.plies) + 1);
        let before = tree::keep(&mut self.nodes, self.plies);
        for at in &mut self.open {
            *at = before[*at];
        }
    }

    /// Closes the open nodes from this ply on, which will never be left.
    fn finish(&mut self, ply: usize) {
        while self.open.len() > ply
            && let Some(at) = self.open.pop()
        {
            let recorded = (self.nodes.len() - at - 1) as u32;
            let node = &mut self.nodes[at];
            node.below = self.entered - node.below;
            node.recorded = recorded;
            node.end = End::Stopped;
        }
    }
}

/// Marks the principal variation of the last window.
fn follow(tree: &mut SearchTree<u16>, line: &[u16]) {
    let mut next = tree.roots().last();
    let mut line = line.iter();
    while let Some(at) = next {
        tree.nodes[at].pv = true;
        let mv = line.next().copied();
        next = mv.and_then(|mv| tree.children(at).filter(|&child| tree.nodes[child].mv == Some(mv)).last());
    }
}
