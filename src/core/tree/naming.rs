//! The moves of a recorded tree: codes while the search records it, then text.

use super::{End, Node, SearchTree};
use crate::core::limits::StopFlag;
use crate::core::position::{Position, move_of};

/// The code of a null move in a recorded tree; no move of a game has it.
pub const NULL_MOVE: u16 = u16::MAX;

impl SearchTree<u16> {
    /// Returns the tree with its move codes converted, whatever the position.
    pub(crate) fn with_names<N>(&self, name: impl Fn(&u16) -> N) -> SearchTree<N> {
        let nodes = self
            .nodes
            .iter()
            .map(|node| node.with_move(node.mv.as_ref().map(&name), node.end.renamed(|mv| Some(name(mv)))));
        SearchTree {
            turn: self.turn,
            depth: self.depth,
            plies: self.plies,
            entered: self.entered,
            nodes: nodes.collect(),
        }
    }

    /// Returns the tree with its move codes converted, each at the position where it is played. `null` returns the
    /// position after a null move, and its name. The line to each node is played again; if the flag is raised
    /// meanwhile, the tree has only the windows of the root.
    pub(crate) fn renamed<P: Position, N>(
        &self,
        root: &P,
        name: impl Fn(&P, P::Move) -> N,
        null: impl Fn(&P) -> Option<(P, N)>,
        stop: &StopFlag,
    ) -> SearchTree<N> {
        let (mut path, mut nodes) = (vec![root.clone()], Vec::new());
        for node in &self.nodes {
            if node.ply > 0 && stop.is_raised() {
                return self.cut(0).renamed(root, name, null, stop);
            }
            path.truncate(usize::from(node.ply).max(1));
            let parent = &path[path.len() - 1];
            let played = match node.mv {
                Some(NULL_MOVE) => null(parent),
                code => code.and_then(|code| move_of(parent, code)).map(|mv| (parent.after(mv), name(parent, mv))),
            };
            let (after, mv) = played.unzip();
            path.extend(after);
            let pos = &path[path.len() - 1];
            nodes.push(node.with_move(mv, node.end.renamed(|&code| move_of(pos, code).map(|mv| name(pos, mv)))));
        }
        SearchTree { turn: self.turn, depth: self.depth, plies: self.plies, entered: self.entered, nodes }
    }
}

impl Node<u16> {
    /// Returns the node with its moves converted.
    fn with_move<N>(&self, mv: Option<N>, end: End<N>) -> Node<N> {
        Node {
            mv,
            end,
            turn: self.turn,
            ply: self.ply,
            depth: self.depth,
            kind: self.kind,
            again: self.again,
            pv: self.pv,
            window: self.window,
            provisional: self.provisional,
            value: self.value,
            proof: self.proof,
            below: self.below,
            recorded: self.recorded,
        }
    }
}
