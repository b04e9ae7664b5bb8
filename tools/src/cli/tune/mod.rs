//! `secateurs tune`: fits the weights of an evaluation to positions of self-play, and tunes search parameters.

pub(super) mod search;

use self::search::SearchArgs;
use super::output::{Output, check_kind};
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress};
use crate::lab::positions::{FittedParameters, PositionsPlan, fit_positions};
use secateurs::core::weights;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::store::paths;
use secateurs::store::{FileLock, Replacement};
use secateurs::util::counted::counted;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The number of bytes that show whether a file is a value of the option.
const BEGINNING: usize = 8;

/// The arguments of `tune`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    /// Files of games, written by `selfplay`; --game names the game
    #[arg(value_name = "GAMES", required_unless_present = "search")]
    pub(super) games: Vec<PathBuf>,
    /// The settings of the fit.
    #[command(flatten)]
    pub(super) plan: PositionsPlan,
    /// Write the weights to FILE: as the source file of the game, or as the value of its option
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a JSON object instead of tables
    #[arg(short, long)]
    pub(super) json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Search parameters instead of weights.
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

const EXAMPLES: &str = "\
The last line is what the game's option for its weights takes, where they have names.

JSON: game, positions (training, held_out), scale (the score, centi-units, that makes the odds of a win e to 1), loss \
(training, held_out: now and fitted, or null; nats), parameters, text (or null). With --search: pairs, scores (pairs by \
the half points of their first player, 0 to 4), parameters (name, start, step, value), text.

Examples:
  secateurs selfplay --nodes 100 --seed 1 --positions 200000 games.ssp
  secateurs tune games.ssp
  secateurs tune --game othello one.ssp two.ssp --output src/games/othello/weights/othello.bin
  secateurs tune --game chess --search --parameters futility_margin,exchange_margin=8 --checkpoint spsa.json";

/// Fits the weights to positions of self-play, and shows what is gained.
pub(super) fn run(args: &TuneArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&paths::listed("GAMES", &args.games), &[("--output", args.output.as_deref())])?;
    paths::check_distinct("GAMES", &args.games)?;
    let _lock = args.output.as_deref().map(FileLock::new).transpose()?;
    if let Some(path) = &args.output {
        check_replaced(path, setup)?;
    }
    let stop = interrupt::flag();
    let bar = progress::bar(Some(args.plan.epochs as u64), "epochs");
    let fitted = fit_positions(setup, &args.games, &args.plan, &stop, &mut |epoch| bar.set_position(epoch as u64))?;
    bar.finish_and_clear();
    let clipped = fitted.clipped();
    if !clipped.is_empty() {
        let names = clipped.join(", ");
        log::warn!("the option has a smaller range than these weights, which are at its end in the last line: {names}");
    }
    if let Some(path) = &args.output {
        let source = setup.board(STARTPOS)?.source(&fitted.parameters);
        let file = source.unwrap_or_else(|| (fitted.text() + "\n").into_bytes());
        Replacement::write_whole(path, &file).map_err(Failure::Unsaved)?;
    }
    if args.json {
        writeln!(out, "{}", record(setup, &fitted))?;
    } else {
        people(setup, &fitted, out)?;
    }
    Ok(if stop.is_raised() { Status::Interrupted } else { Status::Done })
}

/// Refuses to replace a file that is not one of weights of the game: a source file has their size, and a value of the
/// option begins as theirs does.
fn check_replaced(path: &Path, setup: &Setup) -> Result<(), Failure> {
    let board = setup.board(STARTPOS)?;
    let source = board.source(&board.parameters());
    let value = weights::write(&board.weights());
    let is_weights = |found: &[u8]| match &source {
        Some(source) => path.metadata().is_ok_and(|file| file.len() == source.len() as u64),
        None => found.starts_with(value.get(..BEGINNING).unwrap_or(&value).as_bytes()),
    };
    let kind = format!("weights of {}", setup.row().name);
    Ok(check_kind(&kind, is_weights, "--output would replace it", Some(path))?)
}

/// Prints the weights that have names, and the loss in the training positions and in those held out, if any.
fn people(setup: &Setup, fitted: &FittedParameters, out: &mut impl Write) -> io::Result<()> {
    let FittedParameters { parameters, names, positions: [training, held], scale, loss } = fitted;
    let (training, count) = (counted(training, "position"), counted(parameters.len(), "parameter"));
    writeln!(out, "{}: {training}, {held} held out; {count}", setup.row().name)?;
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(8);
    if !names.is_empty() {
        writeln!(out, "\n{:width$}  {:>8}  {:>8}", "weight", "now", "fitted")?;
    }
    for ((name, now), own) in names.iter().zip(parameters) {
        writeln!(out, "{name:width$}  {now:>8}  {own:>8.2}")?;
    }
    writeln!(out, "\n{:width$}  {:>8}  {:>8}    (nats; scale {scale:.0})", "loss", "now", "fitted")?;
    for (name, [now, fitted]) in ["training", "held out"].iter().zip(loss).take(if *held > 0 { 2 } else { 1 }) {
        writeln!(out, "{name:width$}  {now:>8.5}  {fitted:>8.5}")?;
    }
    if names.is_empty() { Ok(()) } else { writeln!(out, "\n{}", fitted.text()) }
}

fn record(setup: &Setup, fitted: &FittedParameters) -> Value {
    let FittedParameters { parameters, names, positions: [training, held], scale, loss } = fitted;
    let [of_training, of_held] = loss.map(|[now, fitted]| json!({"now": now, "fitted": fitted}));
    json!({
        "game": setup.row().name,
        "positions": {"training": training, "held_out": held},
        "scale": scale,
        "loss": {"training": of_training, "held_out": (*held > 0).then_some(of_held)},
        "parameters": parameters,
        "text": (!names.is_empty()).then(|| fitted.text()),
    })
}
