//! `secateurs analyse`: searches positions for values and best moves.

use super::analysis_record::{AnalysisRecord, BadRecord};
use super::input_lines::{InputLine, PositionArgs};
use super::progress::{self, Live};
use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::time::TimeArgs;
use super::{Failure, Status, interrupt, report, text};
use clap::value_parser;
use indicatif::ProgressBar;
use secateurs::core::counted;
use secateurs::core::{Bound, Error, Limits, Progress, Report, Request, StopFlag, Ties};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::search::{Table, cpu};
use secateurs::store::FileLock;
use secateurs::store::paths;
use secateurs::tables;
use secateurs::views::fitting;
use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// The depth of a search without other limits, in plies.
const DEFAULT_DEPTH: u8 = 12;

/// The number of moves of a principal variation shown in the table; the last line shows all.
const SHOWN: usize = 12;

/// The arguments of `analyse`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The positions [default: startpos].
    #[command(flatten)]
    pub(super) input: PositionArgs,
    /// Annotate the games of FILE (PGN; `-`: standard input): each move with its score, the best move, and the loss
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "file", "mate", "moves", "multipv", "ties", "load_hash", "save_hash"])]
    pub(super) pgn: Option<PathBuf>,
    #[arg(short, long, value_name = "PLIES", value_parser = value_parser!(u8).range(1..), help = depth_help())]
    depth: Option<u8>,
    /// Stop each search after N nodes
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The time of each search.
    #[command(flatten)]
    time: TimeArgs,
    /// Search for a win within N full moves (of two plies each), without pruning
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    mate: Option<u16>,
    /// Search these moves only; they must be legal in every position
    #[arg(long, value_name = "M,M...", value_delimiter = ',')]
    moves: Vec<String>,
    /// Search the N best moves, each with its own line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    multipv: u16,
    /// Find all moves that are exactly as good as the best one
    #[arg(long)]
    ties: bool,
    /// Number of search threads; with 1, a search to a depth or a number of nodes is reproducible
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    pub(super) threads: u16,
    /// Size of the transposition table, MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    pub(super) hash: u64,
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

impl Args {
    /// Returns whether it writes files in addition to its output.
    pub(super) fn leaves_more(&self) -> bool {
        self.save_hash.is_some()
    }
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
lichess.org and python-chess read) and the move that was better. With --json each move is a line: game, ply, player, \
move, san, score, best_move, best_san, best_score, loss (centi-units, each score limited to +-1000), depth, nodes, \
time_us, pv. Games without the tag Variant are chess.

Examples:
  secateurs analyse --depth 16
  secateurs analyse \"<6,9,8,0,5,1,7,0,1,2,0,6,5,1,3> n\" \"startpos moves 3 1\"
  secateurs analyse --option Capture=empty --movetime 500 --json --file positions.txt
  secateurs analyse --multipv 3 --ties --moves 1,2,6 --threads 4
  secateurs analyse --depth 20 --hash 256 --load-hash kalah.sct --save-hash kalah.sct
  secateurs analyse --mate 2 --game nim \"3,4,5 1\"
  secateurs analyse --pgn games.pgn --movetime 500 > annotated.pgn";

/// Analyses the positions of the command line, then those of the file.
pub(super) fn run(args: &Args, setup: Setup, out: &mut impl Write, err: &mut impl Write) -> Result<Status, Failure> {
    paths::check(&[paths::input("--file", args.input.file.as_deref())], &[("--save-hash", args.save_hash.as_deref())])?;
    let positions = args.input.read(false, err)?;
    let bar = progress::bar(positions.count, "positions");
    let (table, board, stop) = (table(args.hash)?, setup.board(STARTPOS)?, interrupt::flag());
    table.touch();
    cpu::too_many(args.threads.into()).inspect(|warning| log::warn!("{warning}"));
    // Two processes would replace each other's entries.
    let _lock = args.save_hash.as_deref().map(FileLock::new).transpose()?;
    if let Some(path) = &args.load_hash
        && tables::load(&table, &*board, path, &stop)?.is_none()
    {
        return Ok(Status::Interrupted);
    }
    let live = Live::new(&bar, &stop, &table);
    let mut analysis = Analysis { args, setup, table, bar, live, out, err, stop: &stop, status: Status::Done };
    positions.each(&stop, |line| Ok(analysis.position(line)?))?;
    analysis.bar.finish_and_clear();
    if let Some(path) = &args.save_hash {
        tables::save(&analysis.table, &*board, path, &StopFlag::new()).map_err(Failure::Unsaved)?;
    }
    Ok(if stop.is_raised() { Status::Interrupted } else { analysis.status })
}

/// The state shared by all positions.
struct Analysis<'a, O, E> {
    args: &'a Args,
    setup: Setup,
    table: Arc<Table>,
    bar: ProgressBar,
    live: Live,
    out: &'a mut O,
    err: &'a mut E,
    stop: &'a StopFlag,
    status: Status,
}

impl<O: Write, E: Write> Analysis<'_, O, E> {
    /// Analyses a position or reports its error.
    fn position(&mut self, line: &InputLine) -> io::Result<()> {
        let text = &line.text;
        match line.board(&self.setup).and_then(|board| Ok((request(self.args, board.as_ref())?, board))) {
            Ok((request, board)) if self.args.json => {
                let found = self.search(board.as_ref(), &request, |_, _| Ok(()))?;
                self.json(&AnalysisRecord::new(text, &request, &found))?;
            }
            Ok((request, board)) => self.table(text, board.as_ref(), &request)?,
            Err(error) => {
                self.status = Status::SomeBad;
                self.bad(line, &error)?;
            }
        }
        self.bar.inc(1);
        Ok(())
    }

    /// Writes a table with a row for each line of a finished iteration as soon as it is available.
    fn table(&mut self, text: &str, board: &dyn Board, request: &Request) -> io::Result<()> {
        let columns = terminal::columns();
        let head = ["depth", "score", "proven", "nodes", "time"].map(String::from);
        let head = format!("{}\n{}", terminal::wrap(text, columns, 2), table_row(&head, "line", columns));
        self.bar.suspend(|| writeln!(self.out, "{head}"))?;
        let bar = self.bar.clone();
        let shown = Cell::new(false);
        let found = self.search(board, request, |out, report| match report.bound {
            Bound::Exact => {
                shown.set(true);
                bar.suspend(|| writeln!(out, "{}", row(report, &board.readable_line(&report.pv), columns)))
            }
            Bound::Lower | Bound::Upper => Ok(()),
        })?;
        if !shown.get() {
            self.bar.suspend(|| {
                found
                    .iter()
                    .try_for_each(|line| writeln!(self.out, "{}", row(line, &board.readable_line(&line.pv), columns)))
            })?;
        }
        self.bar.suspend(|| {
            let mut out = Wrapping::new(&mut *self.out, columns);
            writeln!(out, "{}\n", summary(board, &found[0]))?;
            out.flush()
        })
    }

    /// Reports an invalid position, in JSON or on stderr.
    fn bad(&mut self, line: &InputLine, error: &Error) -> io::Result<()> {
        if self.args.json {
            return self.json(&BadRecord { line: line.number, position: &line.text, error: error.to_string() });
        }
        self.bar.suspend(|| report(self.err, format_args!("{}{error}", line.place())));
        Ok(())
    }

    fn json(&mut self, record: &impl serde::Serialize) -> io::Result<()> {
        let record = serde_json::to_string(record)?;
        self.bar.suspend(|| writeln!(self.out, "{record}"))
    }

    /// Searches from a cleared table, unless table files are given. If `each` fails to write a report, the search
    /// stops.
    fn search(
        &mut self,
        board: &dyn Board,
        request: &Request,
        each: impl Fn(&mut O, &Report) -> io::Result<()>,
    ) -> io::Result<Vec<Report>> {
        if self.args.load_hash.is_none() && self.args.save_hash.is_none() {
            self.table.clear();
        }
        let mut written = Ok(());
        let found = board.engine(self.table.clone()).search(request, self.stop, &mut |event| {
            let report = match event {
                Progress::Line(report) => report,
                Progress::Move { depth, mv, number } => {
                    return self.live.say(format!("depth {depth}, move {number}: {}", board.readable(mv)));
                }
                Progress::Result(_) => return,
            };
            self.live.say(format!("depth {} {}", report.depth, text::score(report.score, report.bound)));
            if written.is_ok() {
                written = each(self.out, report);
            }
            if written.is_err() {
                self.stop.raise();
            }
        });
        written.map(|()| found)
    }
}

/// Returns the search request of the command line.
fn request(args: &Args, board: &dyn Board) -> Result<Request, Error> {
    Ok(Request {
        moves: board.codes_of(&args.moves)?,
        lines: args.multipv.into(),
        threads: args.threads.into(),
        ties: if args.ties { Ties::All } else { Ties::First },
        ..Request::new(limits(args))
    })
}

pub(super) fn limits(args: &Args) -> Limits {
    let time = args.time.limit();
    let limited = args.nodes.is_some() || time.is_some() || args.mate.is_some();
    Limits {
        depth: args.depth.or(if limited { None } else { Some(DEFAULT_DEPTH) }),
        nodes: args.nodes,
        movetime: time,
        mate: args.mate,
        clock: None,
    }
}

pub(super) fn table(mib: u64) -> Result<Arc<Table>, Error> {
    Table::new(usize::try_from(mib).unwrap_or(usize::MAX)).map(Arc::new)
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
        text::score(report.score, report.bound),
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
    let score = text::score(report.score, report.bound) + text::proven(report.proof);
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

fn depth_help() -> String {
    format!("Search to this depth, plies: 1 to 255 [default: {DEFAULT_DEPTH}, if there is no other limit]")
}
