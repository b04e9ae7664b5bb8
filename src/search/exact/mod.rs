//! Exact search: the value of the game itself, without a horizon.
//!
//! The value is narrowed by questions: is it above `alpha`? Each is answered by a null-window search (Pearl 1980; MTD:
//! Plaat et al. 1996) without a horizon or an evaluation: it ends where the rules, a database or the table decide the
//! question. The table carries bounds from one question to the next.
//!
//! - `solver`: the value, then the moves and the line; `team`: the threads; `tasks`: what each of them does;
//!   `shared_proof`: the state that they share;
//! - `question`: a question, and the choice of the next; `node`: its search; `prover`: the state of a thread, and what
//!   it knows of a position without a search;
//! - `certificate`: a proof of the value, position by position.

// A browser has no files for them.
#[cfg(not(target_family = "wasm"))]
mod certificate;
mod node;
mod prover;
mod question;
mod shared_proof;
mod solver;
mod tasks;
mod team;

pub(crate) use solver::exact_entry;
