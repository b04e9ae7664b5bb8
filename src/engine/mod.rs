//! Types are erased here, twice and no more: [`Board`] (a position with its history) and [`Engine`] (a search
//! set up over it), each a trait with one generic implementation.

mod board;
mod game_board;
mod search;
mod tree;

pub use board::{Analysis, Board, Play, StaticEvaluation, Text};
pub use game_board::GameBoard;
pub use search::Engine;
pub use tree::{GameNode, MoveHint, MoveOrder, TreeNode};
