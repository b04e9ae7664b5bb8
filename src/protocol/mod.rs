//! The line protocol: text in, text out, for every game. `protocol.md` is its specification; every transcript in it is
//! run as a test.
//!
//! - [`command`]: parses a line into a [`Command`](command::Command), or an error that describes the mistake;
//! - [`go`], [`solve`], [`tree`]: the arguments of `go`, `solve` and `tree`, and the searches that they request;
//! - [`options`]: the options that belong to no game;
//! - `learning`: the file of learned positions;
//! - [`session`]: the state of a dialogue: the game, its options, the board, the transposition table;
//! - `writer`: the lines of a dialogue in any protocol; [`reply`]: those of UCI and UGI, with options and boards;
//!   [`hub`]: those of the Hub protocol of draughts programs;
//! - `task`: work beside the dialogue: a search, a book's answer, an exact search, a search tree, a perft, the benchmark,
//!   saving and loading the table, waiting for its memory; `running`: the task that runs, as the dialogue sees it;
//! - `waiting`: the commands that wait for running work;
//! - [`input`]: lines of bounded length, and the threads of a dialogue; [`serve`](mod@serve): the loop that connects all
//!   these; [`inline`]: the same without threads;
//! - [`log`]: the log of a dialogue, with times.

pub mod command;
pub mod go;
pub mod hub;
pub mod inline;
pub mod input;
mod learning;
pub mod log;
pub mod options;
pub mod reply;
mod running;
pub mod serve;
pub mod session;
pub mod solve;
mod task;
pub mod tree;
mod waiting;
mod writer;

pub use serve::{ServeError, Settings, serve};
