//! All tests of the tools that need no process of their own, in one program: it is compiled and linked once.
//! `cargo test -p secateurs-tools --test suite arena::` runs those of one module.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "all of it is tests"
)]

mod annotate;
#[cfg(unix)]
mod arena;
mod cli;
#[cfg(target_os = "linux")]
mod client;
#[path = "../../tests/common/mod.rs"]
mod common;
#[cfg(unix)]
mod compare;
#[cfg(target_os = "linux")]
mod engines;
#[cfg(target_os = "linux")]
mod full_disk;
mod learn;
mod matches;
mod parsers;
mod play;
mod positions;
#[cfg(target_os = "linux")]
mod regress;
#[cfg(unix)]
mod report;
mod tables;
mod train;
mod tune;
mod views;
