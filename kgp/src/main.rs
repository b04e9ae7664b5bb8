//! The program `secateurs-kgp`.

use std::process::ExitCode;

fn main() -> ExitCode {
    secateurs_tools::cli::begin();
    ExitCode::from(secateurs_kgp::command::run(std::env::args_os()))
}
