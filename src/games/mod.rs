//! The games, one folder each, with rules, notation and heuristics. They import the core and not the search;
//! `registry.rs` lists them. [`sowing`] is what Kalah and Oware share, [`lattice`] what the pictures of boards of squares
//! do, `weighted` what the evaluations of chess and xiangqi do, `fen` what notations of boards by rows do.

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
mod weighted;
pub mod xiangqi;
