//! A type-erased tree: the procedures are compiled once, not for each tree. They need not be fast.

use super::tree::GameTree;
use secateurs::core::Side;
use secateurs::core::score::Score;
use secateurs::engine::{MoveHint, TreeNode};
use std::rc::Rc;

/// Any tree, including a [game's](secateurs::engine::Analysis::tree).
#[derive(Clone)]
pub struct Erased(Rc<dyn TreeNode>);

impl Erased {
    /// Erases the type of a tree.
    #[must_use]
    pub fn new<T: GameTree<Node: 'static> + Clone + 'static>(tree: &T) -> Self {
        Self(Rc::new(ErasedNode { p: tree.root(), tree: Rc::new(tree.clone()) }))
    }
}

impl From<Rc<dyn TreeNode>> for Erased {
    fn from(root: Rc<dyn TreeNode>) -> Self {
        Self(root)
    }
}

/// A position together with its [`GameTree`].
struct ErasedNode<T: GameTree> {
    tree: Rc<T>,
    p: T::Node,
}

impl<T: GameTree<Node: 'static> + 'static> TreeNode for ErasedNode<T> {
    fn turn(&self) -> Side {
        self.tree.turn(&self.p)
    }

    fn successors(&self) -> Vec<Rc<dyn TreeNode>> {
        let successors = self.tree.successors(&self.p).into_iter();
        successors.map(|p| Rc::new(Self { tree: Rc::clone(&self.tree), p }) as Rc<dyn TreeNode>).collect()
    }

    fn value(&self) -> Score {
        self.tree.value(&self.p)
    }

    fn key(&self) -> u64 {
        self.tree.key(&self.p)
    }

    fn code(&self) -> u16 {
        self.tree.code(&self.p)
    }

    fn ply(&self) -> u8 {
        self.tree.ply(&self.p)
    }

    fn hints(&self) -> Vec<MoveHint> {
        self.tree.hints(&self.p, self.tree.successors(&self.p).len())
    }
}

impl GameTree for Erased {
    type Node = Rc<dyn TreeNode>;

    fn root(&self) -> Self::Node {
        Rc::clone(&self.0)
    }

    fn turn(&self, p: &Self::Node) -> Side {
        p.turn()
    }

    fn successors(&self, p: &Self::Node) -> Vec<Self::Node> {
        p.successors()
    }

    fn value(&self, p: &Self::Node) -> Score {
        p.value()
    }

    fn key(&self, p: &Self::Node) -> u64 {
        p.key()
    }

    fn code(&self, p: &Self::Node) -> u16 {
        p.code()
    }

    fn ply(&self, p: &Self::Node) -> u8 {
        p.ply()
    }

    fn hints(&self, p: &Self::Node, _successors: usize) -> Vec<MoveHint> {
        p.hints()
    }
}
