//! `secateurs compare`: compares the search procedures of the literature, and Secateurs' own search, on the same
//! positions or trees.

mod show;

use super::input_lines::{InputLine, PositionArgs};
use super::output::Output;
use super::positions::Batch;
use super::setup::GameArgs;
use super::time::TimeArgs;
use super::{Failure, Status};
use crate::lab::compare::{self, ComparisonPlan, ComparisonRow, Contender, NODES};
use crate::lab::plausibility::CategoryCounts;
use crate::lab::synthetic;
use clap::{ValueEnum, value_parser};
use secateurs::core::Error;
use secateurs::core::error::Quoted;
use secateurs::core::score::{Score, WIN};
use secateurs::engine::MoveOrder;
use secateurs::literature::procedure::Settings;
use secateurs::literature::uniform::Uniform;
use secateurs::registry::Setup;
use show::{Form, Shown};
use std::path::PathBuf;

/// The default depth of a comparison on positions, in plies.
const DEFAULT_DEPTH: u8 = 6;

/// The arguments of `compare`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct CompareArgs {
    /// The positions [default: startpos].
    #[command(flatten)]
    pub(super) input: PositionArgs,
    /// Search synthetic trees instead: width, depth (plies), seed, order (probability that the best move is the first,
    /// 0 to 1), same (probability that the same side moves again)
    #[arg(long, value_name = "NAME=VALUE,...", value_parser = synthetic::read, conflicts_with_all = ["positions", "file"])]
    pub(super) tree: Option<Uniform>,
    /// Search K trees, with this seed and the following ones; rows are sums over all
    #[arg(long, value_name = "K", default_value_t = 1, requires = "tree", conflicts_with_all = ["positions", "file", "depth", "order"], value_parser = value_parser!(u64).range(1..))]
    trees: u64,
    #[arg(short, long, value_name = "PLIES,...", value_delimiter = ',', conflicts_with = "tree", help = depth_help())]
    depth: Vec<u8>,
    /// Procedures to compare [default: all that are applicable]
    #[arg(short, long, value_name = "NAME,...", value_delimiter = ',', value_parser = contender)]
    procedures: Vec<Contender>,
    /// Order of the moves: as generated, or by the game's static rank
    #[arg(long, value_enum, default_value_t = OrderArg::Moves, conflicts_with = "tree")]
    order: OrderArg,
    /// Give up each run after N nodes
    #[arg(short, long, value_name = "N", default_value_t = NODES, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// The time of each run.
    #[command(flatten)]
    time: TimeArgs,
    /// Capacity of the tables, positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().table as u64, value_parser = value_parser!(u64).range(1..=1 << 28))]
    table: u64,
    /// Use fail-hard alpha-beta in the variants with a table or killers
    #[arg(long)]
    hard: bool,
    /// First guess of aspiration, mtdf and dfpn, centi-units [default: the static evaluation; 0 for trees]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, value_parser = score)]
    guess: Option<Score>,
    /// Half the first window of aspiration, centi-units
    #[arg(long, value_name = "CP", default_value_t = Settings::default().window, value_parser = value_parser!(i32).range(1..=i64::from(WIN)))]
    window: Score,
    /// Capacity of the stack of `stack`, positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().stack as u64, value_parser = value_parser!(u64).range(1..=1 << 20))]
    stack: u64,
    /// Let dfpn determine only whether the value is at least CP, not the value itself
    #[arg(long, value_name = "CP", allow_hyphen_values = true, value_parser = score)]
    at_least: Option<Score>,
    /// Plausibility below which floyd does not follow a line [default: by depth, 1 / moves ^ depth]
    #[arg(long, value_name = "P", value_parser = threshold)]
    threshold: Option<f64>,
    /// Plausibilities of moves, as learned by `secateurs plausibility`
    #[arg(long, value_name = "FILE")]
    plausibilities: Option<PathBuf>,
    /// Size of the table of `secateurs`, MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    hash: u64,
    /// Print a JSON object per row instead of tables
    #[arg(short, long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values instead of tables
    #[arg(long)]
    csv: bool,
    /// List the procedures with their sources
    #[arg(long)]
    list: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The order of the moves.
#[derive(Clone, Copy, ValueEnum)]
enum OrderArg {
    /// As generated
    Moves,
    /// By the game's static rank
    Rank,
}

const EXAMPLES: &str = "\
All search the same tree: to the horizon, and there the evaluation; synthetic trees have the value of their root drawn first. \
Not the same are greedy (one ply), floyd (lines as long as they are plausible) and secateurs, the search that plays (all its \
iterations from an empty table, the root once for each window, and beyond the horizon where the game wants it).

The table: value (for the side to move), move, nodes (positions entered, again each time), terminal ones among them, positions \
whose other moves were cut off, positions that a table answered, inner positions with a value within the window, above and \
below (PV, cut, all: Knuth and Moore's types 1, 2, 3), time, and the nodes as a part of those of minimax, or of alpha-beta where \
minimax is not there. A value unlike that of the others is marked by !; a count that a procedure does not take is a dash \
(null in JSON, empty in CSV): hits without a table, PV, cut and all without a window.

JSON and CSV: subject, depth, procedure, value (centi-units, or null), bound (exact, lower, upper, or null), move, nodes, terminal, \
cutoffs, hits, pv, cut, all, searches (from the root: windows, questions, iterations), time_us, share, agrees, runs, given_up.

Ctrl-C ends it with what there is, with exit code 130; the exit code is 1 after a bad position and where values differ.

Examples:
  secateurs compare --list
  secateurs compare --depth 8 --option Houses=4 --option Seeds=3
  secateurs compare --depth 2,4,6,8 --procedures alpha-beta,negascout,mtdf,secateurs --order rank --csv
  secateurs compare --game nim --option Theory=false --depth 12 --nodes 1000000
  secateurs compare --tree width=4,depth=8,seed=1,order=0.9,same=0.1 --trees 20
  secateurs compare --procedures floyd,secateurs --threshold 1e-4 --plausibilities kalah.json";

/// Compares on the positions of the command line, then on those of the file; or on trees.
pub(super) fn run(args: &CompareArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    if args.list {
        show::list(out)?;
        return Ok(Status::Done);
    }
    let plan = plan(args, setup)?;
    let form = if args.json { Form::Json } else { Form::table_or_csv(args.csv) };
    if let Some(tree) = &args.tree {
        return on_trees(args, &plan, tree, form, out);
    }
    let positions = args.input.read(false, out.err())?;
    let depths = if args.depth.is_empty() { &[DEFAULT_DEPTH][..] } else { &args.depth };
    let runs = (depths.len() * plan.contenders.len()) as u64;
    let mut batch = Batch::new(out, false, positions.count.map(|count| count * runs), "runs");
    let mut shown = Shown::new(form, depths);
    let parse = |line: &InputLine| line.board(setup);
    batch.each(positions, parse, |batch, text, board| {
        for &depth in depths {
            let bar = &batch.bar;
            bar.set_message(format!("depth {depth}"));
            let rows = compare::position(&plan, &*board, text, depth, &batch.stop, &mut |_| bar.inc(1))?;
            batch.write(|out| shown.rows(&rows, Some(&*board), out))?;
        }
        Ok(())
    })?;
    end(&mut batch, shown)
}

fn on_trees(
    args: &CompareArgs,
    plan: &ComparisonPlan,
    tree: &Uniform,
    form: Form,
    out: &mut Output<'_>,
) -> Result<Status, Failure> {
    let mut batch = Batch::new(out, false, args.trees.checked_mul(plan.contenders.len() as u64), "runs");
    let bar = &batch.bar;
    let mut rows = compare::trees(plan, tree, args.trees, &batch.stop, &mut |_| bar.inc(1))?;
    if let [first, ..] = &rows[..]
        && first.runs > 1
    {
        let subject = format!("{} and the next seeds: {} trees together", first.subject, first.runs);
        rows.iter_mut().for_each(|row: &mut ComparisonRow| row.subject.clone_from(&subject));
    }
    let mut shown = Shown::new(form, &[tree.depth]);
    batch.write(|out| shown.rows(&rows, None, out))?;
    end(&mut batch, shown)
}

/// Writes the sums, and returns the final status.
fn end(batch: &mut Batch<'_, '_>, mut shown: Shown) -> Result<Status, Failure> {
    batch.write(|out| shown.end(out))?;
    if shown.differ {
        batch.status = Status::SomeBad;
    }
    Ok(batch.finish())
}

/// Returns the plan of the command line.
fn plan(args: &CompareArgs, setup: &Setup) -> Result<ComparisonPlan, Error> {
    let of_trees = |contender: &Contender| args.tree.is_none() || contender.is_exact();
    let contenders =
        if args.procedures.is_empty() { Contender::all().filter(of_trees).collect() } else { args.procedures.clone() };
    let learned = args.plausibilities.as_deref().map(|path| {
        let learned = CategoryCounts::load(path)?;
        learned.check(path, setup.row().name).map(|()| learned.plausibilities())
    });
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let settings = Settings {
        table: size(args.table),
        soft: !args.hard,
        window: args.window,
        stack: size(args.stack),
        least: args.at_least,
        plausibilities: learned.transpose()?.unwrap_or_default(),
        ..Settings::default()
    };
    let order = match args.order {
        OrderArg::Moves => MoveOrder::Generated,
        OrderArg::Rank => MoveOrder::Scored,
    };
    let (nodes, time) = (args.nodes, args.time.limit());
    let (guess, threshold, hash) = (args.guess, args.threshold, size(args.hash));
    Ok(ComparisonPlan { contenders, settings, guess, threshold, order, nodes, time, hash })
}

fn contender(text: &str) -> Result<Contender, Error> {
    text.trim().parse()
}

fn score(text: &str) -> Result<Score, String> {
    let found = text.parse().ok().filter(|score| (-WIN..=WIN).contains(score));
    found.ok_or_else(|| format!("{} is not a whole number from -{WIN} to {WIN}", Quoted::new(text)))
}

fn threshold(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|threshold| (1e-300..=1.0).contains(threshold));
    found.ok_or_else(|| format!("{} is not a number above 0, at most 1", Quoted::new(text)))
}

fn depth_help() -> String {
    format!("Plies to the horizon: 0 to 255; several are compared one after the other [default: {DEFAULT_DEPTH}]")
}
