//! `secateurs book`: opening books built by exact search, for any game.

use super::engine_args::{EngineArgs, load_table};
use super::output::Output;
use super::progress::{self, Live};
use super::setup::GameArgs;
use super::{Failure, Status, hints, interrupt};
use clap::{Subcommand, value_parser};
use secateurs::book::build::{BookPlan, BuildStep};
use secateurs::book::{Book, BookSubject, Builder, Contents, LARGEST, moves_of};
use secateurs::core::Error;
use secateurs::core::StopFlag;
use secateurs::engine::Board;
use secateurs::registry::STARTPOS;
use secateurs::store::bounded;
use secateurs::tables;
use secateurs::util::counted::counted;
use secateurs::views::values::bounds;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments of `book`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct BookArgs {
    #[command(subcommand)]
    action: Action,
}

/// The actions of `book`.
#[derive(Subcommand)]
enum Action {
    /// Build a book from the game's start, or continue it
    #[command(after_help = EXAMPLES)]
    Build(Build),
    /// Verify books, and show their start and their number of entries
    Info(Info),
    /// Show the book entries of positions
    Probe(Probe),
}

#[derive(clap::Args)]
struct Build {
    /// The book file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Include all positions after fewer than N plies, for the values of all their moves
    #[arg(long)]
    complete: bool,
    /// Include positions after fewer than N plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = value_parser!(u8).range(1..))]
    plies: u8,
    /// Include at most N positions
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = value_parser!(u32).range(1..))]
    entries: u32,
    /// The threads and the table of the search.
    #[command(flatten)]
    engine: EngineArgs<256>,
    /// Load the table from FILE if it exists, and save it there at the end
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Save the book every S seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    #[command(flatten)]
    game: GameArgs,
}

#[derive(clap::Args)]
struct Info {
    /// The book files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Probe {
    /// The book file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Positions: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(value_name = "POSITION", required = true)]
    positions: Vec<String>,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
A book has the exact values and all best moves of the positions that begin a game: those in whose line one side has kept to \
best moves, whatever the other has played. A complete book has all positions after fewer than N plies: the file has the \
values of those after exactly N plies, from which they follow, with all best moves. A build can be stopped or killed at \
any time: the same command continues after the last saved position. A new file depends on nothing but the start, \
--complete, --plies and --entries.

info writes a JSON object for each file: file, game, options, complete, entries (the positions stored), plies (those of the \
last position). A file that cannot be used is reported, and the others are shown. probe writes one for each position: \
position, value (as the game counts it), moves (the best ones); or position, error.

Examples:
  secateurs book build --option Seeds=3 --plies 8 kalah-6-3.sbk
  secateurs book build --game connect4 --complete --plies 8 --entries 200000 --threads 2 connect4.sbk
  secateurs book info kalah-6-3.sbk
  secateurs book probe --option Seeds=3 kalah-6-3.sbk \"startpos moves 4\"";

/// Runs the action.
pub(super) fn run(args: &BookArgs, outer: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    match &args.action {
        Action::Build(args) => build(args, outer, out),
        Action::Info(args) => info(&args.files, out),
        Action::Probe(args) => probe(args, outer, out),
    }
}

fn build(args: &Build, outer: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let checkpoint = args.checkpoint.as_deref();
    out.check_paths(&[], &[("FILE", Some(&args.file)), ("--checkpoint", checkpoint)])?;
    let setup = args.game.with(outer)?.setup()?;
    let (start, stop) = (setup.board(STARTPOS)?, interrupt::flag());
    let plan = BookPlan {
        plies: args.plies,
        entries: args.entries as usize,
        threads: args.engine.threads(),
        complete: args.complete,
    };
    let mut builder = Builder::new(&args.file, BookSubject::new(&*start), plan, Duration::from_secs(args.every))?;
    let table = args.engine.table()?;
    let load = checkpoint.filter(|path| path.exists());
    let Some(_lock) = load_table(&table, &*start, [load, checkpoint], &stop)? else { return Ok(Status::Interrupted) };
    let bar = progress::bar(None, "positions");
    let live = Live::new(&bar, &stop, &table);
    let built = builder.build(&*start, &table, &stop, &mut |step| match step {
        BuildStep::Entries(count) => {
            bar.set_position(count as u64);
            live.set(String::new());
        }
        BuildStep::Search(board, known) => live.set(bounds(board, known.bounds)),
    });
    bar.finish_and_clear();
    let whole = built.map_err(Failure::of_work)?;
    if let Some(path) = checkpoint {
        tables::save(&table, &*start, path, &StopFlag::new()).map_err(Failure::Unsaved)?;
    }
    writeln!(out, "{}", counted(builder.contents().entries.count(), "position"))?;
    if whole {
        Ok(Status::Done)
    } else {
        Err(Failure::Interrupted("stopped; the same command continues after the last position".into()))
    }
}

fn info(files: &[PathBuf], out: &mut Output<'_>) -> Result<Status, Failure> {
    let mut status = Status::Done;
    for file in files {
        let contents = read(file).and_then(|contents| {
            let plies = contents.plies(&*contents.start()?).map_err(|error| named(file, error))?;
            Ok((contents, plies))
        });
        match contents {
            Ok((Contents { subject, entries }, plies)) => {
                let record = json!({
                    "file": file.display().to_string(), "game": subject.game, "options": subject.options,
                    "complete": subject.complete.is_some(), "entries": entries.count(), "plies": plies,
                });
                out.json(&record)?;
            }
            Err(error) => {
                status = Status::SomeBad;
                out.report(error);
            }
        }
    }
    Ok(status)
}

fn probe(args: &Probe, outer: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let setup = args.game.with(outer)?.setup()?;
    let (mut book, contents) = (Book::default(), read(&args.file)?);
    let start = contents.start()?;
    book.add(&contents, &*start).map_err(|error| named(&args.file, error))?;
    let subject = &contents.subject;
    let requested = BookSubject { complete: subject.complete, ..BookSubject::new(&*setup.board(STARTPOS)?) };
    let (file, plies) = (args.file.display(), contents.plies(&*start)?);
    let missing = |position: &str, board: &dyn Board| {
        let reason = if requested != *subject {
            format!("it is {subject}")
        } else if board.outcome().is_some() {
            "the game is over there".into()
        } else {
            let range = if subject.complete.is_some() { "fewer than" } else { "at most" };
            format!("its positions come after {range} {plies} plies")
        };
        format!("{position}: {file} does not have it: {reason}")
    };
    let mut status = Status::Done;
    for position in &args.positions {
        let found = hints::board(&setup, position).map_err(|error| error.to_string()).and_then(|board| {
            let entry = book.probe(&*board).ok_or_else(|| missing(position, &*board))?;
            let value = board.count(board.settled() + entry.value);
            Ok(json!({"position": position, "value": value, "moves": moves_of(&*board, &entry)}))
        });
        match found {
            Ok(record) => out.json(&record)?,
            Err(error) => {
                status = Status::SomeBad;
                out.json(&json!({"position": position, "error": error}))?;
                out.report(error);
            }
        }
    }
    Ok(status)
}

/// Returns an error in the entries of a book with the name of its file.
fn named(file: &Path, error: Error) -> Error {
    match error {
        Error::BadFile(_, reason) => Error::bad_file(file, reason),
        error => error,
    }
}

/// Reads a book file.
fn read(file: &Path) -> Result<Contents, Error> {
    Contents::read(file, &bounded::bytes(file, LARGEST)?)
}
