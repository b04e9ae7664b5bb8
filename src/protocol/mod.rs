//! The line protocol: text in, text out, any game. `protocol.md` is its specification, and every transcript in
//! it is run as a test.
//!
//! - [`command`]: a line becomes a [`Command`](command::Command), or an error that names what is wrong with it;
//! - [`go`], [`solve`], [`tree`]: the same for the words behind `go`, `solve` and `tree`;
//! - [`options`]: the options that belong to no game;
//! - [`learning`]: what it remembers beyond its end;
//! - [`random_moves`]: random moves in place of the best, for weak engines;
//! - [`session`]: what a dialogue remembers: the game, its options, the board, the table;
//! - [`reply`]: reports, options and boards become lines;
//! - [`mod@line`]: lines of bounded length;
//! - [`task`]: what runs beside the dialogue: a search, exact or not, its tree, a perft, the benchmark, work on the table;
//! - [`waiting`]: what came in while such work runs;
//! - [`serve`](mod@serve): the loop that ties them together;
//! - [`log`]: a dialogue in a file, with times.

pub mod command;
pub mod go;
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
pub mod tree;
pub mod waiting;

pub use serve::{Settings, serve};
