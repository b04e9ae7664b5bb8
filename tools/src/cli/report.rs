//! `secateurs report`: the record of a match as a page.

use super::{Failure, Status};
use crate::arena::journal::{self, Journal};
use crate::report::{self, Report};
use secateurs::core::Error;
use secateurs::store::paths;
use secateurs::store::regular;
use secateurs::store::replacement::Replacement;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The arguments of `report`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Record of a match, as `match --record` and `secateurs.match` write it
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// Write the page to FILE instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    /// Returns whether it writes a file.
    pub(super) fn leaves_more(&self) -> bool {
        self.output.is_some()
    }
}

const EXAMPLES: &str = "\
The page is one HTML file that needs no other: tables, the Elo difference over the games, and every game to step through \
with its scores. Each game is checked by the rules first; a damaged record is refused.

Examples:
  secateurs report new-old.jsonl --output new-old.html
  secateurs match -e cmd=./new -e cmd=./old --each tc=10+0.1 --report new-old.html";

/// Writes the page.
pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Status, Failure> {
    paths::check(&[("RECORD", Some(&args.record))], &[("--output", args.output.as_deref())])?;
    regular::check(&args.record)?;
    let (header, records) = Journal::load(&args.record)?;
    report::names(&header, &args.record)?;
    let setup = journal::setup(&header).map_err(|error| Error::bad_file(&args.record, error.to_string()))?;
    let page = Report { header: &header, setup: &setup, records: &records, planned: None, test: None };
    let Some(path) = &args.output else {
        let mut out = BufWriter::new(out);
        report::write(&page, &mut out)?;
        out.flush()?;
        return Ok(Status::Done);
    };
    let unwritable = |error| Error::file("write", path, &error);
    let mut file = BufWriter::new(Replacement::new(path).map_err(unwritable)?);
    let written = report::write(&page, &mut file);
    let written = written.and_then(|()| file.into_inner().map_err(|error| error.into_error())?.commit());
    written.map_err(|error| Failure::Unsaved(unwritable(error)))?;
    Ok(Status::Done)
}
