//! The program `secateurs`.

use secateurs_tools::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::begin();
    ExitCode::from(cli::run(std::env::args_os()))
}
