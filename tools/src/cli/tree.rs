//! `secateurs tree`: shows the tree of the search of a position.

use super::engine_args::{HashArgs, LimitArgs};
use super::output::{FileKind, Output, OutputFile};
use super::progress::{self, Live};
use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::{Failure, Status, hints, interrupt};
use clap::builder::NonEmptyStringValueParser;
use clap::{ValueEnum, value_parser};
use secateurs::core::notation::listed_moves;
use secateurs::core::score::MAX_PLY;
use secateurs::core::tree::Room;
use secateurs::core::{Progress, Request, StopFlag};
use secateurs::protocol::tree::DEPTH;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::views::values;
use secateurs::views::{self, Form};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `tree`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TreeArgs {
    /// Position: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(value_name = "POSITION", default_value = STARTPOS)]
    pub(super) position: String,
    /// The limits of the search.
    #[command(flatten)]
    limits: LimitArgs<DEPTH>,
    /// Search these moves only
    #[arg(long, value_name = "M,M...", value_parser = NonEmptyStringValueParser::new())]
    moves: Vec<String>,
    /// Show at most PLIES plies of the tree
    #[arg(long, value_name = "PLIES", default_value_t = MAX_PLY, hide_default_value = true, value_parser = value_parser!(u8).range(1..))]
    plies: u8,
    /// Show as many whole plies as contain at most N nodes
    #[arg(long, value_name = "N", default_value_t = Room::NODES as u64, value_parser = value_parser!(u64).range(1..))]
    limit: u64,
    /// The table.
    #[command(flatten)]
    hash: HashArgs<16>,
    /// Format of the tree [default: by the extension of FILE, or else text]
    #[arg(short, long, value_enum)]
    format: Option<TreeFormat>,
    /// Write to FILE: .txt, .jsonl, .dot or .html
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The format of a tree.
#[derive(Clone, Copy, ValueEnum)]
enum TreeFormat {
    /// A table, indented by ply
    Text,
    /// A JSON object per line
    Json,
    /// The language of Graphviz
    Dot,
    /// An HTML page that folds and unfolds
    Html,
}

const EXAMPLES: &str = "\
The tree is that of the last iteration, searched by one thread from an empty table: its aspiration windows one after the \
other, under each of them the moves in the order in which they were searched. All values are for the side to move at the \
root, in units of the game; `win 3` and `loss 3` are 3 plies from the root, and a window is written alpha .. beta. \
docs/tree.md explains it.

Examples:
  secateurs tree --depth 3 --plies 2
  secateurs tree --depth 10 --output kalah.html
  secateurs tree --game nim \"1,2 1\" --option Theory=false --depth 3
  secateurs tree --depth 4 --format dot | dot -Tsvg > kalah.svg";

/// Searches, and writes the tree.
pub(super) fn run(args: &TreeArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&[], &[("--output", args.output.as_deref())])?;
    let room = Room::new(usize::try_from(args.limit).unwrap_or(usize::MAX), args.plies)?;
    let form = match (args.format, &args.output) {
        (Some(TreeFormat::Text), _) | (None, None) => Form::Text,
        (Some(TreeFormat::Json), _) => Form::Json,
        (Some(TreeFormat::Dot), _) => Form::Dot,
        (Some(TreeFormat::Html), _) => Form::Html,
        (None, Some(path)) => Form::from_path(path)?,
    };
    FileKind::of_tree(form).check("--output", args.output.as_deref())?;
    let board = hints::board(setup, &args.position)?;
    let request = Request {
        moves: board.codes_of(&listed_moves(&args.moves.join(",")))?,
        ..Request::new(args.limits.limits(None))
    };
    let file = args.output.as_deref().map(OutputFile::new).transpose()?;
    let table = args.hash.table()?;
    let stop = interrupt::flag();
    let bar = progress::bar(Some(1), "trees");
    let live = Live::new(&bar, &stop, &table);
    let (_, tree) = board.engine(Arc::clone(&table)).record(&request, room, &stop, &mut |event| {
        if let Progress::Line(report) = event {
            live.set(format!("depth {} {}", report.depth, values::score(report.score, report.bound)));
        }
    });
    drop(live);
    bar.finish_and_clear();
    // The first Ctrl-C ends the search; what it has found is shown. The second ends the process.
    let tree = board.named(&tree, &StopFlag::new());
    if let Some(file) = file {
        file.write(|out| views::write(form, &tree, &*board, out)).map_err(Failure::Unsaved)?;
    } else {
        let mut out = BufWriter::new(out);
        match form {
            Form::Text => {
                let columns = terminal::columns();
                views::write_table(&tree, &*board, columns, &mut Wrapping::new(&mut out, columns))?;
            }
            _ => views::write(form, &tree, &*board, &mut out)?,
        }
        out.flush()?;
    }
    Ok(if stop.is_raised() { Status::Interrupted } else { Status::Done })
}
