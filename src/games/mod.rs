//! The games, one folder each, with rules, notation and heuristics. They do not import the search; `tests/layers.rs`
//! has the modules that they may import, and `registry` lists the games. [`sowing`] is shared by Kalah and Oware,
//! [`lattice`] by the pictures of boards of squares, and `fen` by notations that describe a board row by row.

pub mod chess;
pub mod connect4;
pub mod draughts;
mod fen;
pub mod kalah;
pub mod lattice;
pub mod nim;
pub mod othello;
pub mod oware;
pub mod sowing;
pub mod xiangqi;
