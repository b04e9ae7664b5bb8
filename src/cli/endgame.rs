//! `secateur endgame`: endgame databases, for any game that supports them.

use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress, text};
use crate::core::databases::{Databases, Needs};
use crate::core::score::UNIT;
use crate::core::{Bounds, Error, Score, micros};
use crate::engine::Board;
use crate::registry::{GAMES, Setup};
use clap::{Subcommand, value_parser};
use indicatif::ProgressBar;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The arguments of `endgame`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

impl Args {
    /// Returns whether it writes files, or reports a result by its exit code.
    pub(super) fn leaves_more(&self) -> bool {
        matches!(self.action, Action::Build(_) | Action::Verify(_))
    }
}

/// The actions of `endgame`.
#[derive(Subcommand)]
enum Action {
    /// Build the missing layers of a database in FOLDER
    #[command(after_help = EXAMPLES)]
    Build(Build),
    /// List the databases of FOLDER, each verified by its checksums
    Info(Stored),
    /// Check random positions of every layer against their successors, small ones against plain recursion
    Verify(Verify),
    /// Show the values of positions and of their moves
    #[command(after_help = EXAMPLES)]
    Probe(Probe),
}

/// A folder of databases.
#[derive(clap::Args)]
struct Stored {
    /// Folder of the databases
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Print JSON instead of text
    #[arg(short, long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    stored: Stored,
    /// Build all positions up to this size: kalah counts the seeds in play
    #[arg(long, visible_alias = "seeds", value_name = "N")]
    size: usize,
    /// Number of threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    stored: Stored,
    /// Number of positions to check per layer
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    samples: u64,
    /// Seed of their selection
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct Probe {
    #[command(flatten)]
    stored: Stored,
    /// Positions: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(value_name = "POSITION", required = true)]
    positions: Vec<String>,
}

const EXAMPLES: &str = "\
A build can be stopped or killed at any time: the same command goes on after the last finished layer. Searches use the \
databases through a game option that names the folder (kalah: KalahEndgames). A folder may hold databases of several \
sets of rules. Values are margins at the end of the game, for the side to move.

JSON: build: game, rules, size, positions, built, disk (bytes, about), time_us. info, a line for each layer: game, rules, \
size, positions, overflow (values without a code of their own), bytes. verify: game, samples. probe, a line for each \
position: position, value (centi-units), moves (move and value of each); or position, error.

Examples:
  secateur endgame build --seeds 20 --option Capture=empty endgames
  secateur endgame info endgames
  secateur endgame verify --samples 100000 endgames
  secateur endgame probe --option Capture=empty endgames \"<6,20,14,1,0,2,0,3,1,0,1,3,0,2,1> s\"
  secateur analyse --option KalahEndgames=endgames --option Capture=empty --depth 40";

/// Runs the action.
pub(super) fn run(
    args: &Args,
    outer: &GameArgs,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<Status, Failure> {
    let stored = match &args.action {
        Action::Build(args) => &args.stored,
        Action::Info(stored) => stored,
        Action::Verify(args) => &args.stored,
        Action::Probe(args) => &args.stored,
    };
    let setup = stored.game.inside(outer).setup()?;
    let databases = setup.row().databases.ok_or_else(|| {
        let games: Vec<_> = GAMES.iter().filter(|row| row.databases.is_some()).map(|row| row.name).collect();
        Failure::Usage(format!(
            "{} has no endgame databases; there are some for {}",
            setup.row().name,
            games.join(", ")
        ))
    })?;
    match &args.action {
        Action::Build(args) => build(args, &setup, databases, out),
        Action::Info(stored) => info(stored, &setup, databases, out),
        Action::Verify(args) => verify(args, &setup, databases, out),
        Action::Probe(args) => probe(args, setup, databases, out, err),
    }
}

fn build(args: &Build, setup: &Setup, databases: &dyn Databases, out: &mut impl Write) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    let size = args.size;
    let needs = databases.needs(setup.options(), folder, size)?;
    let (game, stop) = (setup.row().name, interrupt::flag());
    if !json {
        writeln!(out, "{game} {}, up to {size} {}: {}", needs.rules, databases.unit(), plan(&needs))?;
        out.flush()?;
    }
    let threads = args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let (start, bar) = (Instant::now(), progress::bar(Some(needs.missing), "positions"));
    let built = AtomicU64::new(0);
    let done = databases.build(setup.options(), folder, size, threads, &stop, &|positions| {
        let all = positions + built.fetch_add(positions, Ordering::Relaxed);
        bar.inc(positions);
        if !bar.is_hidden() {
            bar.set_message(speed(all, start.elapsed()));
        }
    });
    bar.finish_and_clear();
    let finished = done.map_err(|error| match error {
        Error::File { .. } => Failure::Unsaved(error),
        _ => error.into(),
    })?;
    if !finished {
        return Err(Failure::Interrupted("stopped; the same command goes on after the last finished layer".into()));
    }
    let (time, built) = (start.elapsed(), built.into_inner());
    if *json {
        let record = json!({
            "game": game, "rules": needs.rules, "size": size, "positions": needs.positions, "built": built,
            "disk": needs.disk, "time_us": micros(time),
        });
        writeln!(out, "{record}")?;
    } else {
        writeln!(out, "{built} positions built in {}, {}", text::time(time), speed(built, time))?;
    }
    Ok(Status::Done)
}

/// Describes the resources of a build.
fn plan(needs: &Needs) -> String {
    let mib = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
    let free = needs.free.map(|free| format!(" ({} are free)", mib(free))).unwrap_or_default();
    let (positions, missing) = (needs.positions, needs.missing);
    let (disk, memory) = (mib(needs.disk), mib(needs.memory));
    format!("{positions} positions, {missing} of them to be built: about {disk} of disk{free}, {memory} of memory")
}

fn speed(positions: u64, time: Duration) -> String {
    format!("{:.1} million a second", positions as f64 / time.as_secs_f64().max(1e-6) / 1e6)
}

fn info(stored: &Stored, setup: &Setup, databases: &dyn Databases, out: &mut impl Write) -> Result<Status, Failure> {
    let layers = databases.info(&stored.folder)?;
    let game = setup.row().name;
    if stored.json {
        for layer in &layers {
            let record = json!({
                "game": game, "rules": layer.rules, "size": layer.size, "positions": layer.positions,
                "overflow": layer.overflow, "bytes": layer.bytes,
            });
            writeln!(out, "{record}")?;
        }
        return Ok(Status::Done);
    }
    for layers in layers.chunk_by(|one, other| one.rules == other.rules) {
        writeln!(
            out,
            "{game} {}\n  {:>5}  {:>14}  {:>12}  overflow",
            layers[0].rules,
            databases.unit(),
            "positions",
            "bytes"
        )?;
        for layer in layers {
            let share = 100.0 * layer.overflow as f64 / layer.positions as f64;
            writeln!(out, "  {:>5}  {:>14}  {:>12}  {share:>7.3}%", layer.size, layer.positions, layer.bytes)?;
        }
        let (positions, bytes) =
            layers.iter().fold((0, 0), |all, layer| (all.0 + layer.positions, all.1 + layer.bytes));
        writeln!(out, "  {:>5}  {positions:>14}  {bytes:>12}", "all")?;
    }
    Ok(Status::Done)
}

fn verify(args: &Verify, setup: &Setup, databases: &dyn Databases, out: &mut impl Write) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    let (stop, bar): (_, ProgressBar) = (interrupt::flag(), progress::bar(None, "positions"));
    let checked = databases.verify(folder, args.samples, args.seed, &stop, &|positions| bar.inc(positions));
    bar.finish_and_clear();
    let checked = checked?;
    if stop.is_raised() {
        return Err(Failure::Interrupted(format!("stopped; {checked} positions were right")));
    }
    if *json {
        writeln!(out, "{}", json!({"game": setup.row().name, "samples": checked}))?;
    } else {
        writeln!(out, "checksums and {checked} positions are right")?;
    }
    Ok(Status::Done)
}

fn probe(
    args: &Probe,
    mut setup: Setup,
    databases: &dyn Databases,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    setup.set(databases.option(), &folder.to_string_lossy())?;
    // Check the other options.
    setup.row().start(setup.options())?;
    let mut status = Status::Done;
    for position in &args.positions {
        let found = setup.board(position).map_err(|error| error.to_string()).and_then(|board| {
            let known =
                value(&*board).ok_or_else(|| format!("{position}: no database of {} has it", folder.display()))?;
            moves(&*board).map(|moves| (known, moves)).map_err(|error| error.to_string())
        });
        match found {
            Ok((value, moves)) if *json => {
                let moves: Vec<_> = moves.iter().map(|(mv, value)| json!({"move": mv, "value": value})).collect();
                writeln!(out, "{}", json!({"position": position, "value": value, "moves": moves}))?;
            }
            Ok((value, moves)) => {
                writeln!(out, "{position}\n  value {:+}", f64::from(value) / f64::from(UNIT))?;
                for (mv, worth) in moves {
                    let shown =
                        worth.map_or("unknown".into(), |worth| format!("{:+}", f64::from(worth) / f64::from(UNIT)));
                    writeln!(out, "  {mv:>5} {shown}{}", if worth == Some(value) { "  best" } else { "" })?;
                }
            }
            Err(error) => {
                status = Status::SomeBad;
                if *json {
                    writeln!(out, "{}", json!({"position": position, "error": error}))?;
                } else {
                    // If stderr is closed, the exit code still reports the error.
                    let _ = writeln!(err, "error: {error}");
                }
            }
        }
    }
    Ok(status)
}

/// Returns the value for the side to move, if it is known exactly.
fn value(board: &dyn Board) -> Option<Score> {
    let Bounds { lower, upper } = board.static_evaluation().bounds;
    (lower == upper).then_some(lower)
}

/// Returns each move with its value for the side that plays it.
fn moves(board: &dyn Board) -> Result<Vec<(String, Option<Score>)>, Error> {
    let worth = |mv: String| {
        let mut after = board.boxed();
        after.play(&mv)?;
        let sign = if after.turn() == board.turn() { 1 } else { -1 };
        Ok((mv, value(&*after).map(|value| sign * value)))
    };
    board.moves().into_iter().map(worth).collect()
}
