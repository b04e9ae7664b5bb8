//! All tests of the core crate that need no process of their own, in one program: it is compiled and linked once.
//! `cargo test --test suite conformance::` runs those of one module.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "all of it is tests"
)]

mod batch;
mod bench;
mod book;
mod bounds;
mod certificate;
mod chess;
mod chess_endings;
mod chess_tables;
mod common;
mod conformance;
mod connect4;
mod cyclic;
mod draughts;
mod endgame;
mod kalah;
mod layers;
mod life;
mod literature;
mod network;
mod nim;
mod oracle;
mod othello;
mod oware;
mod pgn;
mod programs;
mod proof;
mod protocol;
mod published;
mod retrograde;
mod rote_learning;
mod selfplay;
mod solve;
mod study;
mod threads;
mod tree;
mod values;
mod xiangqi;
