//! `secateurs analyse`: searches positions for values and best moves.

use super::engine_args::{EngineArgs, LimitArgs, load_table};
use super::input_lines::{InputLine, PositionArgs};
use super::output::Output;
use super::positions::Batch;
use super::progress::Live;
use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::{Failure, Status, text};
use clap::builder::NonEmptyStringValueParser;
use clap::value_parser;
use secateurs::core::notation::listed_moves;
use secateurs::core::{Bound, Error, Limits, Progress, Report, Request, StopFlag, Ties, micros, score};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::search::Table;
use secateurs::store::paths;
use secateurs::tables;
use secateurs::util::counted::counted;
use secateurs::views::fitting;
use secateurs::views::values;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The depth of a search without other limits, in plies.
const DEFAULT_DEPTH: u8 = 12;

/// The number of moves of a principal variation shown in the table; the last line shows all.
const SHOWN: usize = 12;

/// What `--pgn`, and each argument that needs it, excludes.
const NOT_WITH_PGN: [&str; 8] = ["positions", "file", "mate", "moves", "multipv", "ties", "load_hash", "save_hash"];

/// The arguments of `analyse`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArgs {
    /// The positions [default: startpos].
    #[command(flatten)]
    pub(super) input: PositionArgs,
    /// Annotate the games of FILE (PGN; `-`: standard input): each move with its score, a glyph, and what was better
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_WITH_PGN)]
    pub(super) pgn: Option<PathBuf>,
    /// Do not annotate the first N plies of each game: the opening
    #[arg(long, value_name = "N", default_value_t = 0, requires = "pgn", conflicts_with_all = NOT_WITH_PGN)]
    pub(super) skip: usize,
    /// Also write the annotated games to FILE as a page with boards and graphs (HTML)
    #[arg(long, value_name = "FILE", requires = "pgn", conflicts_with_all = NOT_WITH_PGN)]
    pub(super) html: Option<PathBuf>,
    /// The limits of each search.
    #[command(flatten)]
    limits: LimitArgs<DEFAULT_DEPTH>,
    /// Search for a win within N full moves (of two plies each), without pruning
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    mate: Option<u16>,
    /// Search these moves only; they must be legal in every position
    #[arg(long, value_name = "M,M...", value_parser = NonEmptyStringValueParser::new())]
    moves: Vec<String>,
    /// Search the N best moves, each with its own line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    multipv: u16,
    /// Find all moves that are exactly as good as the best one
    #[arg(long)]
    ties: bool,
    /// The threads and the table of each search.
    #[command(flatten)]
    pub(super) engine: EngineArgs<16>,
    /// Load the table from FILE first; it is then not cleared between positions
    #[arg(long, value_name = "FILE")]
    load_hash: Option<PathBuf>,
    /// Save the table to FILE at the end; it is then not cleared between positions
    #[arg(long, value_name = "FILE")]
    save_hash: Option<PathBuf>,
    /// Print a JSON object per line instead of tables
    #[arg(short, long)]
    pub(super) json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Scores are for the side to move, in units of the game (seeds). The table is cleared before each position, so that \
no result depends on those before it; with --load-hash or --save-hash it is kept, and each search begins with all that \
was loaded and found before. The limit that is reached first ends a search. Ctrl-C ends it as well: what is found by then is \
written, no further position is begun, and the exit code is 130.

The table: depth and the farthest that any line was followed (plies), score, what is proven of it (exact, lower, upper: \
the value of the game itself is the score, at least or at most that, whatever the depth), nodes, time, line.

JSON: position, best_move, score (centi-units; 32000 less the plies to a win), bound (exact, lower, upper), proven \
(exact, lower, upper, or null), mate (moves to a win, negative to a loss, or null), wdl (chances of a win, a draw and a \
loss, per mille, or null), depth, seldepth, nodes, time_us, nps, pv; with --multipv also lines (move, score, bound, \
proven, mate, pv of each); with --ties also ties (the moves). A bad position becomes line, position, error; the others \
are done, and the exit code is 1.

With --pgn the games are written again, each move with a comment: the score for the first player (`[%eval 0.31,12]`, which \
lichess.org and python-chess read) and the move that was better. Moves that lose winning chances have the glyphs of \
lichess.org (?!, ?, ??) and the best line as a variation; the only good move that is not obvious has ! or, if all others \
are blunders, the glyph of an only move. The tags have the accuracy and the average loss of both players. With --json \
each move is a line: game, ply, player, move, san, score, best_move, best_san, best_score, loss (centi-units, each score \
limited to +-1000), lead (what the next best move loses, or null), assessment (good, only, inaccuracy, mistake, blunder, or \
null), win_percent, best_win_percent, accuracy, depth, nodes, time_us, pv; and each game ends with a line: game, players \
(accuracy, average_loss, inaccuracies, mistakes, blunders of each). Games without the tag Variant are chess.

Examples:
  secateurs analyse --depth 16
  secateurs analyse \"<6,9,8,0,5,1,7,0,1,2,0,6,5,1,3> n\" \"startpos moves 3 1\"
  secateurs analyse --option Capture=empty --movetime 500 --json --file positions.txt
  secateurs analyse --multipv 3 --ties --moves 1,2,6 --threads 4
  secateurs analyse --depth 20 --hash 256 --save-hash kalah.sct
  secateurs analyse --depth 22 --hash 256 --load-hash kalah.sct --save-hash kalah.sct
  secateurs analyse --mate 2 --game nim \"3,4,5 1\"
  secateurs analyse --pgn games.pgn --movetime 500 > annotated.pgn
  secateurs analyse --pgn games.pgn --depth 14 --skip 16 --html games.html > annotated.pgn";

/// Analyses the positions of the command line, then those of the file.
pub(super) fn run(args: &AnalyseArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let (load, save) = (args.load_hash.as_deref(), args.save_hash.as_deref());
    out.check_paths(&[paths::input("--file", args.input.file.as_deref())], &[("--save-hash", save)])?;
    let positions = args.input.read(false, out.err())?;
    let mut batch = Batch::new(out, args.json, positions.count, "positions");
    let (table, board) = (args.engine.table()?, setup.board(STARTPOS)?);
    let Some(_lock) = load_table(&table, &*board, [load, save], &batch.stop)? else { return Ok(Status::Interrupted) };
    let live = Live::new(&batch.bar, &batch.stop, &table);
    let parse = |line: &InputLine| {
        let board = line.board(setup)?;
        Ok((args.request(&*board)?, board))
    };
    batch.each(positions, parse, |batch, text, (request, board)| {
        if load.is_none() && save.is_none() {
            table.clear();
        }
        let search = PositionSearch { board: &*board, request, table: &table, live: &live };
        if args.json {
            let found = search.run(batch, |_, _| Ok(()))?;
            batch.json(&record(text, &search.request, &found))?;
        } else {
            search.table(text, batch)?;
        }
        batch.bar.inc(1);
        Ok(())
    })?;
    let status = batch.finish();
    if let Some(path) = save {
        tables::save(&table, &*board, path, &StopFlag::new()).map_err(Failure::Unsaved)?;
    }
    Ok(status)
}

impl AnalyseArgs {
    /// Returns the limits of each search.
    pub(super) fn limits(&self) -> Limits {
        self.limits.limits(self.mate)
    }

    fn request(&self, board: &dyn Board) -> Result<Request, Error> {
        Ok(Request {
            moves: board.codes_of(&listed_moves(&self.moves.join(",")))?,
            lines: self.multipv.into(),
            threads: self.engine.threads(),
            ties: if self.ties { Ties::All } else { Ties::First },
            ..Request::new(self.limits())
        })
    }
}

/// The search of a position.
struct PositionSearch<'a> {
    board: &'a dyn Board,
    request: Request,
    table: &'a Arc<Table>,
    live: &'a Live,
}

impl PositionSearch<'_> {
    /// Writes a table with a row for each line of a finished iteration as soon as it is available.
    fn table(&self, text: &str, batch: &mut Batch<'_, '_>) -> io::Result<()> {
        let (board, columns) = (self.board, terminal::columns());
        let head = ["depth", "score", "proven", "nodes", "time"].map(String::from);
        let head = format!("{}\n{}", terminal::wrap(text, columns, 2), table_row(&head, "line", columns));
        batch.write(|out| writeln!(out, "{head}"))?;
        let write_row = |batch: &mut Batch<'_, '_>, report: &Report| {
            batch.write(|out| writeln!(out, "{}", row(report, &board.readable_line(&report.pv), columns)))
        };
        let shown = Cell::new(false);
        let found = self.run(batch, |batch, report| match report.bound {
            Bound::Exact => {
                shown.set(true);
                write_row(batch, report)
            }
            Bound::Lower | Bound::Upper => Ok(()),
        })?;
        if !shown.get() {
            found.iter().try_for_each(|report| write_row(batch, report))?;
        }
        batch.write(|out| {
            let mut out = Wrapping::new(out, columns);
            writeln!(out, "{}\n", summary(board, &found[0]))?;
            out.flush()
        })
    }

    /// Searches. If `on_report` fails to write a report, the search stops.
    fn run<'a, 'b>(
        &self,
        batch: &mut Batch<'a, 'b>,
        on_report: impl Fn(&mut Batch<'a, 'b>, &Report) -> io::Result<()>,
    ) -> io::Result<Vec<Report>> {
        let (mut written, stop) = (Ok(()), batch.stop.clone());
        let found = self.board.engine(self.table.clone()).search(&self.request, &stop, &mut |event| match event {
            Progress::Line(report) => {
                self.live.set(format!("depth {} {}", report.depth, values::score(report.score, report.bound)));
                if written.is_ok() {
                    written = on_report(batch, report);
                }
                if written.is_err() {
                    stop.raise();
                }
            }
            Progress::Move { depth, mv, number } => {
                self.live.set(format!("depth {depth}, move {number}: {}", self.board.readable(mv)));
            }
            Progress::Result(_) => {}
        });
        written.map(|()| found)
    }
}

/// Returns the JSON of a search for `request`, which returned these lines: at least one, the best first.
fn record(position: &str, request: &Request, found: &[Report]) -> Value {
    let report = &found[0];
    let mut record = json!({
        "position": position,
        "best_move": report.best(),
        "score": report.score,
        "bound": report.bound.name(),
        "proven": report.proof.name(),
        "mate": score::mate(report.score),
        "wdl": report.wdl,
        "depth": report.depth,
        "seldepth": report.seldepth,
        "nodes": report.nodes,
        "time_us": micros(report.time),
        "nps": report.nps(),
        "pv": report.pv,
    });
    if request.lines > 1 {
        record["lines"] = found.iter().map(line).collect();
    }
    if request.ties != Ties::First {
        record["ties"] = json!(report.ties);
    }
    record
}

/// Returns the JSON of one of the best moves.
fn line(report: &Report) -> Value {
    json!({
        "move": report.best(),
        "score": report.score,
        "bound": report.bound.name(),
        "proven": report.proof.name(),
        "mate": score::mate(report.score),
        "pv": report.pv,
    })
}

/// The widths of the columns before the line.
const WIDTHS: [usize; 5] = [7, 15, 6, 10, 10];

/// The columns that are dropped, in this order, while fewer than [`ROOM`] characters remain for the line.
const SPARE: [usize; 3] = [4, 2, 3];

/// The minimum width of the line in characters: its first moves.
const ROOM: usize = 12;

/// Returns a row: depths, score, proof, nodes, time, and as many moves of the line as fit.
fn row(report: &Report, pv: &[String], columns: Option<usize>) -> String {
    let cells = [
        format!("{}/{}", report.depth, report.seldepth),
        values::score(report.score, report.bound),
        report.proof.name().unwrap_or_default().into(),
        report.nodes.to_string(),
        text::time(report.time),
    ];
    let line = |moves: usize| {
        let more = if pv.len() > moves { " ..." } else { "" };
        table_row(&cells, &(pv[..moves].join(" ") + more), columns)
    };
    let most = pv.len().min(SHOWN);
    let fits = |moves: &usize| columns.is_none_or(|columns| line(*moves).chars().count() <= columns);
    line((1..=most).rev().find(fits).unwrap_or(most.min(1)))
}

/// Returns a row of the table without the columns that would leave too little space for the line.
fn table_row(cells: &[String; 5], line: &str, columns: Option<usize>) -> String {
    let shown = fitting(WIDTHS, 2, &SPARE, columns.map(|columns| columns.saturating_sub(2 + ROOM)));
    let cells = cells.iter().zip(WIDTHS).zip(shown).filter(|(_, shown)| *shown);
    cells.map(|((cell, width), _)| format!("{cell:>width$}  ")).collect::<String>() + line
}

/// Returns the result in a sentence, then the equal moves, and the line if no row could show it whole.
fn summary(board: &dyn Board, report: &Report) -> String {
    let score = values::score_and_proof(report.score, report.bound, report.proof);
    let mut summary = match report.best().map(|best| board.readable(best)) {
        Some(best) => format!("best move {best}, {score}, {}, {} nodes/s", counted(report.nodes, "node"), report.nps()),
        None => format!("game over, {score}"),
    };
    if !report.ties.is_empty() {
        let ties: Vec<_> = report.ties.iter().map(|mv| board.readable(mv)).collect();
        summary += &format!("\nequally good {}", ties.join(" "));
    }
    if report.pv.len() > SHOWN {
        summary += &format!("\nline {}", board.readable_line(&report.pv).join(" "));
    }
    summary
}
