//! `secateurs plausibility`: learns from recorded matches how often moves of each category are played.

use super::output::{FileKind, Output};
use super::{Failure, Status};
use crate::lab::plausibility::CategoryCounts;
use secateurs::literature::plausibility::{Category, Plausibilities};
use secateurs::store::{FileLock, Replacement, paths};
use secateurs::util::counted::counted;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `plausibility`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct PlausibilityArgs {
    /// Records of matches of one game, written by `match --record`
    #[arg(value_name = "RECORDS", required = true)]
    records: Vec<PathBuf>,
    /// Write the result to FILE, for `compare --plausibilities`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a JSON object, the same as in the file, instead of the table
    #[arg(short, long)]
    json: bool,
}

const EXAMPLES: &str = "\
A category is the only move, or a quiet or a forcing move and its place in the game's static order; the last place has all \
further ones. The table: positions that offered a move of the category, those where one was played, the likelihood (played + 1 \
by offered + 2), and what `compare` begins with where nothing was learned.

Examples:
  secateurs match -e \"cmd=secateurs name=A nodes=2000\" -e \"cmd=secateurs name=B nodes=2000\" --record games.jsonl
  secateurs plausibility games.jsonl --output kalah.json
  secateurs compare --procedures floyd,secateurs --plausibilities kalah.json";

/// Learns, shows and saves the plausibilities.
pub(super) fn run(args: &PlausibilityArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&paths::listed("RECORDS", &args.records), &[("--output", args.output.as_deref())])?;
    paths::check_distinct("RECORDS", &args.records)?;
    FileKind::Plausibilities.check("--output", args.output.as_deref())?;
    let _lock = args.output.as_deref().map(FileLock::new).transpose()?;
    let learned = CategoryCounts::from_records(&args.records)?;
    if let Some(path) = &args.output {
        if let Ok(there) = CategoryCounts::load(path) {
            Replacement::check_game(path, ("is learned from games of", &there.game), ("these are of", &learned.game))?;
        }
        learned.save(path).map_err(Failure::Unsaved)?;
    }
    if args.json {
        out.json(&learned)?;
        return Ok(Status::Done);
    }
    let (now, start) = (learned.plausibilities(), Plausibilities::default());
    writeln!(out, "{}: {}, {}", learned.game, counted(learned.games, "game"), counted(learned.positions, "position"))?;
    writeln!(out, "  category     offered    played  likelihood   start")?;
    for category in Category::all() {
        let name = category.to_string();
        let Some(tally) = learned.categories.iter().find(|tally| tally.category == name) else { continue };
        let (likelihood, begun) = (now.likelihood(category), start.likelihood(category));
        writeln!(out, "  {name:<10}  {:>8}  {:>8}  {likelihood:>10.4}  {begun:>6.3}", tally.offered, tally.played)?;
    }
    Ok(Status::Done)
}
