//! Type erasure, by traits with one generic implementation each: [`Board`] (a position with its history), [`Engine`] (a
//! search set up over it), [`TreeNode`] (a position of its game tree) and [`Plies`] (the first plies of that tree).

mod board;
mod game_board;
mod plies;
mod search;
mod tree;

pub use board::{Analysis, Board, Play, StaticEvaluation, Text};
pub use game_board::GameBoard;
pub use plies::Plies;
pub(crate) use plies::seen_before;
pub use search::Engine;
pub use tree::{GameNode, MoveHint, MoveOrder, TreeNode};
