//! The line protocol: text in, text out, for every game. `protocol.md` is its specification; every transcript in it is
//! run as a test.
//!
//! - [`command`]: parses a line into a [`Command`](command::Command), or an error that names the mistake;
//! - [`go`], [`solve`], [`tree`]: parse the arguments of `go`, `solve` and `tree`;
//! - [`options`]: the options that belong to no game;
//! - [`learning`]: the file of learned positions;
//! - [`random_moves`]: random moves in place of the best, for weak engines;
//! - [`session`]: the state of a dialogue: the game, its options, the board, the transposition table;
//! - [`hub`]: the Hub protocol of draughts programs; [`mod@format`]: the lines of a search in either protocol;
//! - [`reply`]: formats reports, options and boards as lines;
//! - [`mod@line`]: reads lines of bounded length;
//! - [`task`]: work beside the dialogue: a search, an exact search, a search tree, a perft, the benchmark, saving and
//!   loading the table;
//! - `threads`: the threads that read lines and do the work;
//! - [`waiting`]: the commands that wait for running work;
//! - [`serve`](mod@serve): the loop that connects them;
//! - [`log`]: the log of a dialogue, with times.

pub mod command;
pub mod format;
pub mod go;
pub mod hub;
pub mod learning;
pub mod line;
pub mod log;
pub mod options;
pub mod random_moves;
pub mod reply;
pub mod serve;
pub mod session;
pub mod solve;
pub mod task;
mod threads;
pub mod tree;
pub mod waiting;

pub use serve::{ServeError, Settings, serve};
