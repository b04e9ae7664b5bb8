//! `secateurs check`: verifies certificates.

use super::output::{self, Output};
use super::{Failure, Status, input_lines};
use secateurs::certificate::{self, Proven};
use secateurs::core::Error;
use secateurs::store::regular;
use secateurs::util::counted::counted;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

/// The arguments of `check`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Certificates; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print a JSON object per file
    #[arg(short, long)]
    json: bool,
}

const EXAMPLES: &str = "\
The file alone is checked: each claim against the moves that it names and the positions after them, down to finished \
games, without search or evaluation. For a bad file the first bad line is printed with the reason; the other files are \
still checked, and the exit code is 1; one that cannot be read, or is not a regular file, ends it with 2.

JSON: file, lines, game, options, position, value; or file, error.

Examples:
  secateurs solve startpos --option Houses=4 --option Seeds=3 --certificate proof.jsonl
  secateurs check proof.jsonl";

/// Checks each file.
pub(super) fn run(args: &CheckArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    if args.files.iter().filter(|path| input_lines::is_stdin(path)).count() > 1 {
        return Err(Failure::Usage("standard input, -, is given twice: it has one certificate".into()));
    }
    out.outlive();
    let mut status = Status::Done;
    for path in &args.files {
        let unreadable = |error| Error::file("read", path, &error);
        input_lines::say_if_typed(path, "a certificate", out.err());
        let checked = if input_lines::is_stdin(path) {
            certificate::check(path, std::io::stdin().lock())
        } else {
            regular::check(path)?;
            certificate::check(path, BufReader::new(File::open(path).map_err(unreadable)?))
        };
        match checked {
            Ok(proven) if args.json => {
                let Proven { lines, game, options, position, value, .. } = &proven;
                let options: BTreeMap<_, _> = options.iter().map(|(name, value)| (name, value)).collect();
                let file = path.to_string_lossy();
                out.json(&json!({
                    "file": file, "lines": lines, "game": game, "options": options, "position": position, "value": value
                }))?;
            }
            Ok(proven) => {
                writeln!(out, "{}: proven in {}", output::shown(path), counted(proven.lines, "line"))?;
                let options = proven.options.iter().map(|(name, value)| format!(" {name}={value}"));
                writeln!(out, "  game     {}{}", proven.game, options.collect::<String>())?;
                writeln!(out, "  position {}\n  value    {}", proven.position, proven.value)?;
            }
            Err(error) => {
                status = Status::SomeBad;
                if args.json {
                    out.json(&json!({"file": path.to_string_lossy(), "error": error.to_string()}))?;
                } else {
                    out.report(error);
                }
            }
        }
    }
    Ok(status)
}
