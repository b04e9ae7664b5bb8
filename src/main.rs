//! The binary: logs to stderr, arguments by clap, the rest by [`secateur::cli`].

use secateur::cli::{self, interrupt, read::read};
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::begin();
    // Nobody else sets a logger in this process; without one there would be no logs, and that is all.
    let _ = env_logger::Builder::from_env(env_logger::Env::new().filter_or("SECATEUR_LOG", "warn")).try_init();
    ExitCode::from(cli::run(read(std::env::args_os()).unwrap_or_else(|error| error.exit())))
}
