//! A tree with its moves in the notation that people read.

use crate::core::SearchTree;
use crate::engine::Board;
use std::borrow::Cow;

/// Returns the tree with its moves in standard algebraic notation, if the game has it.
#[must_use]
pub fn readable<'a>(tree: &'a SearchTree, board: &dyn Board) -> Cow<'a, SearchTree> {
    if board.moves().first().is_none_or(|mv| board.san(mv).is_none()) {
        return Cow::Borrowed(tree);
    }
    let mut tree = tree.clone();
    // The positions on the path to a node; `None` after a move, such as a null move, that does not belong to the game.
    let mut path: Vec<Option<Box<dyn Board>>> = Vec::new();
    for node in &mut tree.nodes {
        path.truncate(node.ply.into());
        let mut here = None;
        match (&mut node.mv, path.last()) {
            (None, _) => here = Some(board.boxed()),
            (Some(mv), Some(Some(before))) => {
                let mut after = before.boxed();
                here = after.play(mv).is_ok().then_some(after);
                *mv = before.readable(mv);
            }
            (Some(_), _) => {}
        }
        if let Some(here) = &here {
            node.end = node.end.renamed(|mv| Some(here.readable(mv)));
        }
        path.push(here);
    }
    Cow::Owned(tree)
}
