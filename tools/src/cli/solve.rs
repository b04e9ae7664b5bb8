//! `secateurs solve`: searches positions for exact values.

use super::engine_args::{EngineArgs, load_table};
use super::input_lines::PositionArgs;
use super::output::Output;
use super::positions::Batch;
use super::progress::Live;
use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::time::TimeArgs;
use super::{Failure, Status, text};
use clap::{ValueEnum, value_parser};
use secateurs::book::Openings;
use secateurs::certificate;
use secateurs::core::score::UNIT;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Claim, Error, Limits, Solution, StopFlag, Uncertified, micros};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::search::Table;
use secateurs::store::{FileLock, paths};
use secateurs::tables;
use secateurs::util::counted::counted;
use secateurs::views::values::{bounds, range};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The arguments of `solve`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// The positions [default: the lines of standard input].
    #[command(flatten)]
    pub(super) input: PositionArgs,
    /// Moves to evaluate in addition to the position
    #[arg(long, value_enum, default_value_t = Moves::Best)]
    moves: Moves,
    /// No line of best play: only the value and the moves
    #[arg(long)]
    no_pv: bool,
    /// The threads and the table of the search.
    #[command(flatten)]
    engine: EngineArgs<64>,
    /// Clear the table before each position
    #[arg(long)]
    fresh: bool,
    /// Give up a position after N nodes
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The time of each position.
    #[command(flatten)]
    time: TimeArgs,
    /// Store the values of the game's own opening book in the table first
    #[arg(long)]
    own_book: bool,
    /// Search each value around V first; for games with margins. Bounds far from the value are easy to prove
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = value_parser!(i32).range(-288..=288))]
    guess: Option<i32>,
    /// Load the table from FILE if it exists, and save it there periodically and at the end
    #[arg(long, value_name = "FILE", conflicts_with = "fresh")]
    checkpoint: Option<PathBuf>,
    /// Save the checkpoint every S seconds
    #[arg(long, value_name = "S", requires = "checkpoint", conflicts_with = "fresh")]
    #[arg(default_value_t = 600, value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Write a proof of the value to FILE, which `secateurs check` verifies; for a single position. Replaces no file
    /// but a certificate of the same game
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print a JSON object per line instead of a table
    #[arg(short, long)]
    json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The moves to evaluate.
#[derive(Clone, Copy, ValueEnum)]
enum Moves {
    /// No moves: only the value, without a line
    None,
    /// The moves that are as good as the best
    Best,
    /// All moves, each with its value
    All,
}

const EXAMPLES: &str = "\
Values are for the side to move: seeds in kalah and oware, discs in othello; in connect4 the score of the public test sets \
(1: it wins with its last stone, 2: with the one before; negative where it loses); elsewhere plies to the win, negative to \
the loss. A search runs until it knows the value, unless a limit ends it; Ctrl-C ends it with what is known by then. From a \
checkpoint it continues where it was.

JSON: position; value; proven (exact, or lower, upper: the value is at least or at most that; both null: no more is known than \
by the rules; value is null too for a win or loss in an unknown number of plies); outcome (win, draw, loss for the side to \
move; null: unknown); lower, upper (the known bounds; null: none); best_moves; moves (move, lower, upper of each; with \
--moves all); pv; complete (whether all that was requested was found); nodes; cpu_us (processor time of the search); \
time_us; for a position that was given up also reason. A bad position becomes line, position, error, and the others are \
solved. The exit code is 1 if a position was bad or a limit ended a search.

Positions are those of the command line and of FILE; without both, the lines of standard input.

A certificate is made by one thread once the value is known; a limit counts for it anew. It takes three times its bytes of \
memory: it is for small games. Where there is none the exit code is 1.

Examples:
  secateurs solve startpos --option Seeds=3
  secateurs solve --json --moves all --hash 1024 --threads 2 --option Capture=empty --file positions.txt
  secateurs solve startpos --option Houses=4 --option Seeds=3 --certificate proof.jsonl
  secateurs solve --game connect4 --json --fresh --moves none < positions.txt
  secateurs solve --game connect4 --own-book --moves all 44453
  secateurs solve startpos --option Seeds=5 --hash 4096 --checkpoint kalah-6-5.sct";

/// Solves the positions.
pub(super) fn run(args: &SolveArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let checkpoint = args.checkpoint.as_deref();
    if setup.own_start().is_some() && checkpoint.or(args.certificate.as_deref()).is_some() {
        let reason = "there are no certificates and checkpoints of a game in Python";
        return Err(Failure::Usage(reason.into()));
    }
    let outputs = [("--checkpoint", checkpoint), ("--certificate", args.certificate.as_deref())];
    out.check_paths(&[paths::input("--file", args.input.file.as_deref())], &outputs)?;
    let mut positions = args.input.read(true, out.err())?;
    if args.certificate.is_some() {
        positions = positions.only("--certificate")?;
    }
    let mut batch = Batch::new(out, args.json, positions.count, "positions");
    let _certificate = args.certificate.as_deref().map(FileLock::new).transpose()?;
    if let Some(path) = &args.certificate {
        certificate::check_file(path, setup.row().name)?;
    }
    let (table, board) = (args.engine.table()?, setup.board(STARTPOS)?);
    let load = checkpoint.filter(|path| path.exists());
    let Some(_lock) = load_table(&table, &*board, [load, checkpoint], &batch.stop)? else {
        return Ok(Status::Interrupted);
    };
    let openings = match args.own_book {
        true => Openings::for_board(&*board)?,
        false => Openings::default(),
    };
    if args.own_book && openings.is_empty() {
        log::warn!("--own-book: {} has no book for these options", board.game());
    }
    if !openings.store(&table) {
        log::warn!("--own-book: a table of {} MiB has room for a part of the book only; 32 MiB hold it", table.mib());
    }
    let live = Live::new(&batch.bar, &batch.stop, &table);
    let save = |path: &Path| tables::save(&table, &*board, path, &StopFlag::new()).map_err(Failure::Unsaved);
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        let saver = checkpoint.map(|path| {
            let every = Duration::from_secs(args.every);
            thread::Builder::new().name("checkpoint".into()).spawn_scoped(scope, move || {
                while wait.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    if let Err(failure) = save(path) {
                        log::error!("{failure}");
                    }
                }
                save(path).map(drop)
            })
        });
        let saver = saver.transpose().map_err(Failure::no_thread)?;
        let worked = batch.each(
            positions,
            |line| line.board(setup),
            |batch, text, board| {
                if args.fresh {
                    table.clear();
                    openings.store(&table);
                }
                solve(args, text, &*board, &table, &live, batch)?;
                batch.bar.inc(1);
                Ok(())
            },
        );
        drop(done);
        let saved = saver.map(|saver| saver.join().unwrap_or(Ok(())));
        worked.and(saved.unwrap_or(Ok(())))
    })?;
    Ok(batch.finish())
}

/// Solves a position, and writes its value and its certificate.
fn solve(
    args: &SolveArgs,
    text: &str,
    board: &dyn Board,
    table: &Arc<Table>,
    live: &Live,
    batch: &mut Batch<'_, '_>,
) -> Result<(), Failure> {
    live.set(String::new());
    let request = args.request();
    let solution = board.engine(table.clone()).solve(&request, &batch.stop, &mut |known| {
        live.set(bounds(board, known.bounds));
    });
    if !solution.complete {
        batch.status = Status::SomeBad;
    }
    if let Some(reason) = solution.refused {
        log::warn!("{text}: {reason}");
    }
    let reason = args.reason(&solution, &batch.stop);
    if args.json {
        batch.json(&args.record(text, board, &solution, reason.as_deref()))?;
    } else {
        batch.write(|out| args.write(text, board, &solution, reason.as_deref(), out))?;
    }
    let Some(path) = &args.certificate else { return Ok(()) };
    live.set("the certificate".into());
    let mut engine = board.engine(table.clone());
    let prove = |on_claim: &mut dyn FnMut(&Claim)| match solution.refused {
        Some(reason) => Err(reason.into()),
        None if !solution.is_solved() => Err(Uncertified::Stopped),
        None => engine.certify(&request, &batch.stop, on_claim),
    };
    let written = match certificate::save(path, board.game(), board.options(), prove) {
        Err(Error::Uncertified(Uncertified::Stopped)) if batch.stop.is_raised() => {
            log::warn!("{}: not written, it was stopped", path.display());
            return Ok(());
        }
        written => written.map_err(Failure::Unsaved)?,
    };
    log::info!("{}: {} lines, {} bytes", path.display(), written.lines, written.bytes);
    Ok(())
}

impl SolveArgs {
    fn request(&self) -> SolveRequest {
        SolveRequest {
            limits: Limits { nodes: self.nodes, movetime: self.time.limit(), ..Limits::default() },
            threads: self.engine.threads(),
            moves: match self.moves {
                Moves::None => Valued::None,
                Moves::Best => Valued::Best,
                Moves::All => Valued::All,
            },
            pv: !self.no_pv,
            guess: self.guess.map(|units| units * UNIT),
            ..SolveRequest::default()
        }
    }

    /// Returns why a position was given up; `None` if it was not.
    fn reason(&self, solution: &Solution, stop: &StopFlag) -> Option<String> {
        if solution.complete {
            return None;
        }
        let most = self.nodes.filter(|&most| solution.nodes >= most);
        Some(match (solution.refused, most) {
            (Some(reason), _) => reason.to_string(),
            (None, _) if stop.is_raised() => "the search was stopped".into(),
            (None, Some(most)) => format!("the limit of {} is reached", counted(most, "node")),
            (None, None) => "the limit of time is reached".into(),
        })
    }
    /// Returns the JSON of a solved position.
    fn record(&self, position: &str, board: &dyn Board, solution: &Solution, reason: Option<&str>) -> Value {
        let ends = |bounds| board.count_ends(bounds);
        let [lower, upper] = ends(solution.bounds);
        let mut record = json!({
            "position": position,
            "value": solution.proof().bound([lower, upper]),
            "proven": solution.proof().name(),
            "outcome": solution.bounds.outcome(),
            "lower": lower,
            "upper": upper,
            "best_moves": solution.best_moves().collect::<Vec<_>>(),
            "pv": solution.pv,
            "complete": solution.complete,
            "nodes": solution.nodes,
            "cpu_us": solution.cpu.as_nanos() as f64 / 1000.0,
            "time_us": micros(solution.time),
        });
        if matches!(self.moves, Moves::All) {
            let moves = solution.moves.iter().map(|(mv, bounds)| (mv, ends(*bounds)));
            record["moves"] =
                moves.map(|(mv, [lower, upper])| json!({"move": mv, "lower": lower, "upper": upper})).collect();
        }
        if let Some(reason) = reason {
            record["reason"] = reason.into();
        }
        record
    }

    /// Writes a solved position for people.
    fn write(
        &self,
        position: &str,
        board: &dyn Board,
        solution: &Solution,
        reason: Option<&str>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let is_by_rules = !solution.is_solved() && solution.bounds == board.static_evaluation().bounds;
        let known = match bounds(board, solution.bounds) {
            range if is_by_rules => format!("unknown, {range} by the rules"),
            range => range,
        };
        let outcome = solution.bounds.outcome().map_or_else(String::new, |outcome| format!(" ({outcome})"));
        let shown = |(mv, bounds): &(String, _)| format!("{} {}", board.readable(mv), range(board.count_ends(*bounds)));
        let moves = match self.moves {
            Moves::All => solution.moves.iter().map(shown).collect::<Vec<_>>().join(", "),
            Moves::Best | Moves::None => {
                solution.best_moves().map(|mv| board.readable(mv)).collect::<Vec<_>>().join(" ")
            }
        };
        let (nodes, time) = (counted(solution.nodes, "node"), text::time(solution.time));
        let mut out = Wrapping::new(out, terminal::columns());
        writeln!(out, "{position}\n  value {known}{outcome}, {nodes}, {time}")?;
        if !moves.is_empty() {
            writeln!(out, "  moves {moves}")?;
        }
        if !solution.pv.is_empty() {
            writeln!(out, "  line  {}", board.readable_line(&solution.pv).join(" "))?;
        }
        if let (Some(reason), false) = (reason, solution.is_solved()) {
            writeln!(out, "  given up: {reason}")?;
        }
        if solution.is_solved() && !solution.complete {
            let missing = match self.moves {
                Moves::All => "all moves were valued and the line was found",
                Moves::Best | Moves::None => "all best moves and the line were found",
            };
            writeln!(out, "  incomplete: the search ended before {missing}")?;
        }
        out.flush()
    }
}
