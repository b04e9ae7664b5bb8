//! `secateurs completions`: prints the script by which a shell completes the command line.

use super::output::Output;
use super::{Cli, Failure, Status};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// The arguments of `completions`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
The script goes where the shell looks for completions; a new shell then completes subcommands, options and their values.

Examples:
  secateurs completions bash > ~/.local/share/bash-completion/completions/secateurs
  secateurs completions fish > ~/.config/fish/completions/secateurs.fish
  secateurs completions zsh > ~/.zfunc/_secateurs      with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc";

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    // The library panics if its output fails, and this one does not.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "secateurs", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}
