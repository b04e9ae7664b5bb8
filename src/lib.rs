//! Secateur prunes game trees: one alpha-beta search that plays and analyses two-player games of perfect
//! information, behind a line protocol and a Python module.

pub mod bench;
#[cfg(feature = "cli")]
pub mod cli;
pub mod core;
pub mod engine;
pub mod games;
pub mod protocol;
#[cfg(feature = "python")]
mod python;
pub mod registry;
pub mod search;
