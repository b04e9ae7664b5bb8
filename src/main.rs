//! The binary: logs to stderr, arguments by clap, everything else by [`secateurs::cli`].

use secateurs::cli::{self, interrupt};
use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::begin();
    interrupt::ignore_file_size_signal();
    // No other code sets a logger in this process; a failure would only disable logging.
    let logs = env_logger::Env::new().filter_or("SECATEURS_LOG", "warn");
    let _ = env_logger::Builder::from_env(logs).format_target(false).try_init();
    ExitCode::from(cli::run(std::env::args_os()))
}
