//! All tests of the crate that need no process of their own, in one program: it is compiled and linked once.
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

#[cfg(feature = "cli")]
mod annotate;
#[cfg(unix)]
mod arena;
mod book;
mod certificate;
mod chess;
mod chess_endings;
mod chess_tables;
#[cfg(feature = "cli")]
mod cli;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod client;
mod common;
#[cfg(all(feature = "cli", unix))]
mod compare;
mod conformance;
mod connect4;
mod cyclic;
mod draughts;
mod endgame;
mod kalah;
#[cfg(all(unix, feature = "cli"))]
mod kgp;
mod layers;
#[cfg(feature = "cli")]
mod learn;
mod literature;
#[cfg(feature = "cli")]
mod matches;
mod nim;
mod oracle;
mod othello;
mod oware;
mod parsers;
#[cfg(feature = "cli")]
mod play;
#[cfg(feature = "cli")]
mod positions;
mod programs;
mod proof;
mod protocol;
mod published;
#[cfg(all(unix, feature = "cli"))]
mod regress;
#[cfg(all(unix, feature = "cli"))]
mod report;
mod retrograde;
mod selfplay;
mod solve;
#[cfg(feature = "cli")]
mod tables;
mod threads;
mod tree;
#[cfg(feature = "cli")]
mod tune;
mod values;
#[cfg(feature = "cli")]
mod views;
mod xiangqi;
