//! `secateurs endgame`: endgame databases, for any game that supports them.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, hints, interrupt, progress, text};
use clap::{Subcommand, value_parser};
use indicatif::ProgressBar;
use secateurs::core::databases::{self, BuildPlan, Databases, Needs, TableDetail, TableInfo};
use secateurs::core::error::harmless;
use secateurs::core::score::UNIT;
use secateurs::core::{Bound, Bounds, Error, Score, micros, score};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use secateurs::util::parallel::cores;
use secateurs::views::values;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The arguments of `endgame`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct EndgameArgs {
    #[command(subcommand)]
    action: Action,
}

/// The actions of `endgame`.
#[derive(Subcommand)]
enum Action {
    /// Build the missing tables of a database in FOLDER
    #[command(after_help = EXAMPLES)]
    Build(Build),
    /// List the databases of FOLDER, each verified by its checksums
    Info(Stored),
    /// Check random positions of every table against their successors
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
    /// Build all positions up to this size: kalah and oware count the seeds in play, draughts the pieces
    #[arg(long, visible_aliases = ["seeds", "pieces"], value_name = "N")]
    size: usize,
    /// Store the number of plies to the end of the game as well (draughts)
    #[arg(long)]
    distances: bool,
    /// Number of threads [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

#[derive(clap::Args)]
struct Verify {
    #[command(flatten)]
    stored: Stored,
    /// Number of positions to check per table
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
A build can be stopped or killed at any time: the same command continues after the last finished table. Searches use the \
databases through a game option that names the folder (KalahEndgames, CheckersEndgames, ...). A folder may hold databases \
of several games and sets of rules.

Values are for the side to move. Those of kalah are margins at the end of the game; oware has bounds of margins, which \
are equal or leave the value open to repetitions. Those of draughts are wins, draws and losses, with the plies to the end \
where distances are stored; draws by repetition or by a clock are left out of account.

JSON: build: game, rules, size, positions, built, disk (bytes, about), time_us. info, a line for each table: game, rules, \
size, positions, bytes; kalah: overflow (values without a code of their own); oware: open (positions whose bounds \
differ); draughts: material (that of the side to move first), wins, draws, losses, longest (plies, or null). verify: \
game, samples. probe, a line for each position: position, value (centi-units; null for a win or loss in an unknown number \
of plies, and for an open one), outcome (win, draw, loss), moves (move, value and outcome of each); or position, error.

Examples:
  secateurs endgame build --seeds 20 --option Capture=empty endgames
  secateurs endgame build --game checkers --pieces 4 --distances endgames
  secateurs endgame info --game checkers endgames
  secateurs endgame verify --samples 100000 endgames
  secateurs endgame probe --option Capture=empty endgames \"<6,20,14,1,0,2,0,3,1,0,1,3,0,2,1> s\"
  secateurs endgame probe --game checkers endgames \"W:WK19,K23:B12,K28\"
  secateurs analyse --option KalahEndgames=endgames --option Capture=empty --depth 40";

/// Runs the action.
pub(super) fn run(args: &EndgameArgs, outer: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    if matches!(args.action, Action::Build(_) | Action::Verify(_)) {
        out.outlive();
    }
    let stored = match &args.action {
        Action::Build(args) => &args.stored,
        Action::Info(stored) => stored,
        Action::Verify(args) => &args.stored,
        Action::Probe(args) => &args.stored,
    };
    let setup = stored.game.with(outer)?.setup()?;
    let databases = setup.databases()?;
    match &args.action {
        Action::Build(args) => build(args, &setup, databases, out),
        Action::Info(stored) => info(stored, &setup, databases, out),
        Action::Verify(args) => verify(args, &setup, databases, out),
        Action::Probe(args) => probe(args, setup, databases, out),
    }
}

fn build(args: &Build, setup: &Setup, databases: &dyn Databases, out: &mut Output<'_>) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    let plan = BuildPlan { size: args.size, distances: args.distances };
    let needs = databases.needs(setup.options(), folder, plan)?;
    let (game, stop) = (setup.row().name, interrupt::flag());
    if !json {
        let title = title(game, &needs.rules);
        writeln!(out, "{title}, up to {} {}: {}", plan.size, databases.unit(), describe(&needs))?;
        out.flush()?;
    }
    let threads = args.threads.map_or_else(cores, usize::from);
    let (start, bar) = (Instant::now(), progress::bar(Some(needs.missing), "positions"));
    let built = AtomicU64::new(0);
    let progress = |positions| {
        let all = positions + built.fetch_add(positions, Ordering::Relaxed);
        bar.inc(positions);
        if !bar.is_hidden() {
            bar.set_message(speed(all, start.elapsed()));
        }
    };
    let done =
        databases.build(setup.options(), plan, &databases::Build { folder, threads, stop: &stop, progress: &progress });
    bar.finish_and_clear();
    let finished = done.map_err(Failure::of_work)?;
    if !finished {
        return Err(Failure::Interrupted("stopped; the same command continues after the last finished table".into()));
    }
    let (time, built) = (start.elapsed(), built.into_inner());
    if *json {
        let record = json!({
            "game": game, "rules": needs.rules, "size": plan.size, "positions": needs.positions, "built": built,
            "disk": needs.disk, "time_us": micros(time),
        });
        out.json(&record)?;
    } else {
        let positions = counted(built, "position");
        writeln!(out, "{positions} built in {}, {}", text::time(time), speed(built, time))?;
    }
    Ok(Status::Done)
}

/// Returns a game with its rules: `kalah Houses=6 Capture=standard`, `checkers`.
fn title(game: &str, rules: &str) -> String {
    format!("{game} {rules}").trim_end().into()
}

/// Describes the resources of a build.
fn describe(needs: &Needs) -> String {
    let mib = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
    let free = needs.free.map(|free| format!(" ({} MiB are free)", free >> 20)).unwrap_or_default();
    let (positions, missing) = (needs.positions, needs.missing);
    let (disk, memory) = (mib(needs.disk), mib(needs.memory));
    let positions = counted(positions, "position");
    format!("{positions}, {missing} of them to be built: about {disk} of disk{free}, {memory} of memory")
}

fn speed(positions: u64, time: Duration) -> String {
    format!("{:.1} million a second", positions as f64 / time.as_secs_f64().max(1e-6) / 1e6)
}

fn info(stored: &Stored, setup: &Setup, databases: &dyn Databases, out: &mut Output<'_>) -> Result<Status, Failure> {
    let tables = databases.info(&stored.folder)?;
    let game = setup.row().name;
    if stored.json {
        for table in &tables {
            out.json(&record(game, table))?;
        }
        return Ok(Status::Done);
    }
    for tables in tables.chunk_by(|one, other| one.rules == other.rules) {
        let heads: String = tables[0].details.iter().map(|(name, _)| format!("  {name:>12}")).collect();
        writeln!(out, "{}", title(game, &tables[0].rules))?;
        writeln!(out, "  {:>6}  {:>14}  {:>12}{heads}", databases.unit(), "positions", "bytes")?;
        for table in tables {
            let details = table.details.iter().map(|(_, detail)| format!("  {:>12}", shown(detail, table.positions)));
            let TableInfo { size, positions, bytes, .. } = table;
            writeln!(out, "  {size:>6}  {positions:>14}  {bytes:>12}{}", details.collect::<String>())?;
        }
        writeln!(out, "  {:>6}  {}", "all", total(tables))?;
    }
    Ok(Status::Done)
}

/// Returns a table as JSON.
fn record(game: &str, table: &TableInfo) -> Value {
    let TableInfo { rules, size, positions, bytes, details } = table;
    let mut record = json!({"game": game, "rules": rules, "size": size, "positions": positions, "bytes": bytes});
    for (name, detail) in details {
        record[name] = match detail {
            TableDetail::Text(text) => json!(text),
            TableDetail::Count(count) | TableDetail::Share(count) => json!(count),
            TableDetail::Longest(plies) => json!(plies),
        };
    }
    record
}

/// Returns a detail of a table with so many positions as text.
fn shown(detail: &TableDetail, positions: u64) -> String {
    match detail {
        TableDetail::Text(text) => text.clone(),
        TableDetail::Count(count) => count.to_string(),
        TableDetail::Share(count) => format!("{:.3}%", 100.0 * *count as f64 / positions as f64),
        TableDetail::Longest(plies) => plies.map_or_else(|| "-".into(), |plies| plies.to_string()),
    }
}

/// Returns the sums over tables, and the longest distance of all if every one is known.
fn total(tables: &[TableInfo]) -> String {
    let sum = |number: fn(&TableInfo) -> u64| tables.iter().map(number).sum::<u64>();
    let positions = sum(|table| table.positions);
    let total = |column: usize| {
        let details = tables.iter().filter_map(|table| Some(&table.details.get(column)?.1));
        let all = details.cloned().reduce(|all, detail| match (all, detail) {
            (TableDetail::Count(all), TableDetail::Count(count)) => TableDetail::Count(all + count),
            (TableDetail::Share(all), TableDetail::Share(count)) => TableDetail::Share(all + count),
            (TableDetail::Longest(all), TableDetail::Longest(plies)) => {
                TableDetail::Longest(all.zip(plies).map(|(all, plies)| all.max(plies)))
            }
            _ => TableDetail::Text(String::new()),
        });
        format!("  {:>12}", all.map_or_else(String::new, |all| shown(&all, positions)))
    };
    let details: String = (0..tables[0].details.len()).map(total).collect();
    format!("{positions:>14}  {:>12}{details}", sum(|table| table.bytes))
}

fn verify(args: &Verify, setup: &Setup, databases: &dyn Databases, out: &mut Output<'_>) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    let (stop, bar): (_, ProgressBar) = (interrupt::flag(), progress::bar(None, "positions"));
    let checked = databases.verify(folder, args.samples, args.seed, &stop, &|positions| bar.inc(positions));
    bar.finish_and_clear();
    let checked = checked?;
    if stop.is_raised() {
        return Err(Failure::Interrupted(format!("stopped; {} were right", counted(checked, "position"))));
    }
    if *json {
        out.json(&json!({"game": setup.row().name, "samples": checked}))?;
    } else {
        let positions = if checked == 0 { String::new() } else { format!(" and {}", counted(checked, "position")) };
        writeln!(out, "checksums{positions} are right")?;
    }
    Ok(Status::Done)
}

fn probe(args: &Probe, mut setup: Setup, databases: &dyn Databases, out: &mut Output<'_>) -> Result<Status, Failure> {
    let Stored { folder, json, .. } = &args.stored;
    setup.set(databases.option(), &folder.to_string_lossy())?;
    // Check the other options.
    setup.row().start(setup.options())?;
    let mut status = Status::Done;
    for position in &args.positions {
        let found = hints::board(&setup, position).map_err(|error| error.to_string()).and_then(|board| {
            let known =
                value(&*board).ok_or_else(|| format!("{position}: no database in {} covers it", folder.display()))?;
            moves(&*board).map(|moves| (known, moves)).map_err(|error| error.to_string())
        });
        match found {
            Ok((known, moves)) if *json => {
                let moves: Vec<_> = moves
                    .iter()
                    .map(|(mv, known)| json!({"move": mv, "value": exact(*known), "outcome": known.outcome()}))
                    .collect();
                let (value, outcome) = (exact(known), known.outcome());
                out.json(&json!({"position": position, "value": value, "outcome": outcome, "moves": moves}))?;
            }
            Ok((known, moves)) => {
                writeln!(out, "{}\n  value {}", harmless(position), words(known))?;
                for (mv, worth) in moves {
                    writeln!(out, "  {mv:>5} {}{}", words(worth), if worth == known { "  best" } else { "" })?;
                }
            }
            Err(error) => {
                status = Status::SomeBad;
                if *json {
                    out.json(&json!({"position": position, "error": error}))?;
                } else {
                    out.report(error);
                }
            }
        }
    }
    Ok(status)
}

/// Returns the bounds for the side to move, if the game is over or the databases know the position.
fn value(board: &dyn Board) -> Option<Bounds> {
    if board.moves().is_empty() {
        return board.outcome().map(|outcome| Bounds::exactly(outcome.score()));
    }
    let evaluated = board.static_evaluation();
    let (bounds, is_recorded) = (evaluated.bounds, evaluated.is_recorded);
    (is_recorded || exact(bounds).is_some() || bounds.outcome().is_some()).then_some(bounds)
}

/// Returns the value, if it is known exactly.
fn exact(bounds: Bounds) -> Option<Score> {
    bounds.is_exact().then_some(bounds.lower)
}

/// Describes a value.
fn words(bounds: Bounds) -> String {
    match exact(bounds) {
        Some(value) if score::is_decisive(value) => values::score(value, Bound::Exact),
        Some(value) => format!("{:+}", f64::from(value) / f64::from(UNIT)),
        None => match bounds.ends() {
            [Some(lower), Some(upper)] if !score::is_decisive(lower) && !score::is_decisive(upper) => {
                let [lower, upper] = [lower, upper].map(|bound| f64::from(bound) / f64::from(UNIT));
                format!("{lower:+} to {upper:+}")
            }
            _ => bounds.outcome().unwrap_or("unknown").into(),
        },
    }
}

/// Returns each move with its value for the side that plays it, win distances counted from before the move.
fn moves(board: &dyn Board) -> Result<Vec<(String, Bounds)>, Error> {
    let worth = |mv: String| {
        let mut after = board.boxed();
        after.play(&mv)?;
        let bounds = value(&*after).unwrap_or(Bounds::NONE);
        Ok((mv, bounds.seen(after.turn() == board.turn()).from_node(1)))
    };
    board.moves().into_iter().map(worth).collect()
}
