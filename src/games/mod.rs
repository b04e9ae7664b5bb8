//! The games: a folder each, with its rules, its notation and its judgement. They import the core and know
//! nothing of the search; `registry.rs` holds the table of them.

pub mod connect4;
pub mod kalah;
pub mod nim;
