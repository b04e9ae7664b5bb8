//! The line protocol on standard input and output, without a subcommand.

use super::output::{FileKind, Output};
use super::setup::GameArgs;
use super::{Failure, Status};
use secateurs::protocol::{ServeError, Settings, serve};
use secateurs::store::paths;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Runs the protocol until `quit` or the end of the input. At a terminal a greeting mentions `help`.
pub(super) fn run(game: GameArgs, log: Option<PathBuf>, out: &mut Output<'_>) -> Result<Status, Failure> {
    game.check_options()?;
    let values: Vec<PathBuf> = game.options().iter().map(|(_, value)| value.into()).collect();
    paths::check(&paths::listed("--option", &values), &[("--protocol-log", log.as_deref())])?;
    FileKind::Dialogue.check("--protocol-log", log.as_deref())?;
    let settings = Settings {
        game: game.name().map(Into::into),
        outside: game.outside().cloned(),
        options: game.options().to_vec(),
        log,
    };
    let input = io::stdin();
    if input.is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(out, "Secateurs {version} waits for commands: `help` lists them, `quit` leaves")?;
        out.flush()?;
    }
    match serve(&settings, input, out) {
        Ok(()) => Ok(Status::Done),
        Err(ServeError::Refused(error)) => Err(error.into()),
        Err(ServeError::Output(error)) => Err(error.into()),
        Err(error @ ServeError::Thread(_)) => Err(Failure::Stopped(error.to_string())),
    }
}
