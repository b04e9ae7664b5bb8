//! The binary: logs to stderr, arguments by clap, the rest by [`secateur::cli`].

use clap::Parser;
use secateur::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Nobody else sets a logger in this process; without one there would be no logs, and that is all.
    let _ = env_logger::Builder::from_env(env_logger::Env::new().filter_or("SECATEUR_LOG", "warn")).try_init();
    ExitCode::from(cli::run(Cli::parse()))
}
