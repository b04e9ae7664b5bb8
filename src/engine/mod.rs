//! Type erasure, by two traits with one generic implementation each: [`Board`] (a position with its history) and
//! [`Engine`] (a search set up over it).

mod board;
mod game_board;
mod plies;
mod search;
mod tree;

pub use board::{Analysis, Board, Play, StaticEvaluation, Text};
pub use game_board::GameBoard;
pub use plies::{Plies, seen_before};
pub use search::Engine;
pub use tree::{GameNode, MoveHint, MoveOrder, TreeNode};
