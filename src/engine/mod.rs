//! Type erasure, by traits with one generic implementation each: [`Board`] (a position with its history), [`Engine`] (a
//! search from it), [`TreeNode`] (a position of its game tree) and [`Plies`] (the first plies of that tree).

mod board;
mod game_board;
mod plies;
mod tree;

pub use board::{Analysis, Board, Engine, Play, StaticEvaluation, Text};
pub use game_board::GameBoard;
pub use plies::Plies;
pub(crate) use plies::seen_before;
pub use tree::{GameNode, MoveHint, MoveOrder, TreeNode};
