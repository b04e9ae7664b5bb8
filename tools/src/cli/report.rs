//! `secateurs report`: the record of a match as a page.

use super::output::{FileKind, Output, OutputFile};
use super::{Failure, Status};
use crate::arena::journal::{self, Journal};
use crate::report::{self, Report};
use secateurs::core::Error;
use secateurs::store::regular;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The arguments of `report`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// Record of a match, as `match --record` and `secateurs.match` write it
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// Write the page to FILE instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
The page is one HTML file that needs no other: tables, the Elo difference over the games, and every game to step through \
with its scores. Each game is checked by the rules first; a damaged record is refused.

Examples:
  secateurs report new-old.jsonl --output new-old.html
  secateurs match -e cmd=./new -e cmd=./old --each tc=10+0.1 --report new-old.html";

/// Writes the page.
pub(super) fn run(args: &ReportArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&[("RECORD", Some(&args.record))], &[("--output", args.output.as_deref())])?;
    FileKind::Html.check("--output", args.output.as_deref())?;
    regular::check(&args.record)?;
    let (header, records) = Journal::load(&args.record)?;
    report::names(&header, &args.record)?;
    let setup = journal::setup(&header).map_err(|error| Error::bad_file(&args.record, error.to_string()))?;
    let page = Report { header: &header, setup: &setup, records: &records, planned: None, test: None };
    if let Some(path) = &args.output {
        OutputFile::new(path)?.write(|out| report::write(&page, out)).map_err(Failure::Unsaved)?;
    } else {
        let mut out = BufWriter::new(out);
        report::write(&page, &mut out)?;
        out.flush()?;
    }
    Ok(Status::Done)
}
