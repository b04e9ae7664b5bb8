//! A tree whose type is forgotten: the procedures are compiled once for all games, not once for each. They are not there to be
//! fast.

use super::plausibility::Category;
use super::tree::Tree;
use crate::core::Side;
use crate::core::score::Score;
use std::rc::Rc;

/// Any tree.
pub struct Erased<'a>(Rc<dyn Place<'a> + 'a>);

impl<'a> Erased<'a> {
    /// The same tree, of no type of its own.
    #[must_use]
    pub fn new<T: Tree>(tree: &'a T) -> Self {
        Self(Rc::new(Here { tree, p: tree.root() }))
    }
}

/// A position that knows its tree; what it tells is what a [`Tree`] tells of it.
pub trait Place<'a> {
    /// The side to move.
    fn turn(&self) -> Side;
    /// The positions after each move.
    fn successors(&self) -> Vec<Rc<dyn Place<'a> + 'a>>;
    /// What it is worth if it is terminal.
    fn value(&self) -> Score;
    /// What it is known by.
    fn key(&self) -> u64;
    /// The move that led to it.
    fn code(&self) -> u16;
    /// Plies from the root.
    fn ply(&self) -> u8;
    /// What kind of move leads to each of its successors.
    fn categories(&self) -> Vec<Category>;
}

/// The one implementation.
struct Here<'a, T: Tree> {
    tree: &'a T,
    p: T::Node,
}

impl<'a, T: Tree> Place<'a> for Here<'a, T> {
    fn turn(&self) -> Side {
        self.tree.turn(&self.p)
    }

    fn successors(&self) -> Vec<Rc<dyn Place<'a> + 'a>> {
        let Self { tree, ref p } = *self;
        tree.successors(p).into_iter().map(|p| Rc::new(Self { tree, p }) as Rc<dyn Place<'a> + 'a>).collect()
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

    fn categories(&self) -> Vec<Category> {
        self.tree.categories(&self.p, &self.tree.successors(&self.p))
    }
}

impl<'a> Tree for Erased<'a> {
    type Node = Rc<dyn Place<'a> + 'a>;

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

    fn categories(&self, p: &Self::Node, _successors: &[Self::Node]) -> Vec<Category> {
        p.categories()
    }
}
