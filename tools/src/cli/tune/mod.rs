//! `secateurs tune`: fits the weights of an evaluation to the games of recorded matches or to positions of self-play,
//! and tunes search parameters.

pub(super) mod search;

use self::search::SearchArgs;
use super::numbers::{real, share};
use super::output::{Output, check_kind};
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress};
use crate::lab::positions::targets::Blend;
use crate::lab::positions::{FittedParameters, PositionsPlan, fit_positions};
use crate::lab::{self, FitPlan, FittedWeights, Target};
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

/// What `--positions` excludes. An argument that needs it excludes the same: clap does not require an argument that
/// another one excludes.
const NOT_WITH_POSITIONS: [&str; 3] = ["search", "target", "keep"];

/// The arguments of `tune`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    /// Records of matches of one game, written by `match --record`; with --positions, files written by `selfplay`
    #[arg(value_name = "RECORDS", required_unless_present = "search")]
    pub(super) records: Vec<PathBuf>,
    /// Quantity that the evaluation is fitted to
    #[arg(long, value_enum, default_value_t = Target::Margin)]
    target: Target,
    /// Keep these weights unchanged
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    keep: Vec<String>,
    /// Share of the openings that is held out, with all games from them, to validate the fit
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = real("a number from 0 to less than 1", |share| (0.0..1.0).contains(&share)))]
    held_out: f64,
    /// Seed of their selection; with --search, of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Fit to the positions of `selfplay`, by results and scores; --game names the game
    #[arg(long, conflicts_with_all = NOT_WITH_POSITIONS)]
    pub(super) positions: bool,
    /// Share of the result in what is fitted to; the rest is from the scores of the searches
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share, requires = "positions", conflicts_with_all = NOT_WITH_POSITIONS)]
    blend: f64,
    /// Share of the next position's target in that rest, as in TD(lambda); 0: only the score of a position's own search
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share, requires = "positions", conflicts_with_all = NOT_WITH_POSITIONS)]
    lambda: f64,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 40, requires = "positions", conflicts_with_all = NOT_WITH_POSITIONS)]
    epochs: usize,
    /// Standard deviation of the weights around their current values, centi-units
    #[arg(long, value_name = "SIZE", default_value_t = 30.0, value_parser = real("a number above 0", |size| size > 0.0 && size.is_finite()), requires = "positions", conflicts_with_all = NOT_WITH_POSITIONS)]
    spread: f64,
    /// Write the weights to FILE: as the source file of the game, or as the value of its option
    #[arg(long, value_name = "FILE", requires = "positions", conflicts_with_all = NOT_WITH_POSITIONS)]
    output: Option<PathBuf>,
    /// Print a JSON object instead of tables
    #[arg(short, long)]
    pub(super) json: bool,
    /// Search parameters instead of weights.
    #[command(flatten)]
    pub(super) search: SearchArgs,
    /// The game and its options.
    #[command(flatten)]
    pub(super) game: GameArgs,
}

const EXAMPLES: &str = "\
The last line is what the game's option for its weights takes. Errors are standard errors; games from one opening count \
as one witness.

JSON: game, target, games, held_out, positions (training, held_out), weights (name, now, fitted, error or null), loss \
(training, held_out: now and fitted, or null; units of the game, nats for results), scale (now and fitted, centi-units, for \
results; or null), text. With --search: pairs, scores (pairs by the half points of their first player, 0 to 4), \
parameters (name, start, step, value), text.

Examples:
  secateurs match -e \"cmd=secateurs name=A nodes=2000\" -e \"cmd=secateurs name=B nodes=3000\" --record games.jsonl
  secateurs tune games.jsonl
  secateurs tune --target result --json games.jsonl more.jsonl
  secateurs tune --game othello --positions one.ssp two.ssp --output src/games/othello/weights/othello.bin
  secateurs tune --game chess --search --parameters futility_margin,exchange_margin=8 --checkpoint spsa.json";

/// Fits the weights, and shows them.
pub(super) fn run(args: &TuneArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let plan = FitPlan { target: args.target, fixed: args.keep.clone(), held_out: args.held_out, seed: args.seed };
    paths::check_distinct("RECORDS", &args.records)?;
    let tuned = lab::tune(&args.records, &plan)?;
    let clipped = tuned.clipped();
    if !clipped.is_empty() {
        log::warn!(
            "the option has a smaller range than these weights, which are at its end in the last line: {}",
            clipped.join(", ")
        );
    }
    if args.json {
        writeln!(out, "{}", record(&tuned))?
    } else {
        people(&tuned, out)?
    }
    Ok(Status::Done)
}

/// Fits the weights to positions of self-play, and shows what is gained.
pub(super) fn run_positions(args: &TuneArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&paths::listed("RECORDS", &args.records), &[("--output", args.output.as_deref())])?;
    paths::check_distinct("RECORDS", &args.records)?;
    let _lock = args.output.as_deref().map(FileLock::new).transpose()?;
    if let Some(path) = &args.output {
        check_replaced(path, setup)?;
    }
    let TuneArgs { blend, lambda, epochs, spread, held_out, seed, .. } = *args;
    let blend = Blend { result: blend, lambda };
    let plan = PositionsPlan { blend, epochs, spread, held_out, seed };
    let stop = interrupt::flag();
    let bar = progress::bar(Some(epochs as u64), "epochs");
    let fitted = fit_positions(setup, &args.records, &plan, &stop, &mut |epoch| bar.set_position(epoch as u64))?;
    bar.finish_and_clear();
    let FittedParameters { positions: [training, held], scale, loss, .. } = &fitted;
    let file = file_of(setup, &fitted)?;
    if let Some(path) = &args.output {
        Replacement::write_whole(path, &file).map_err(Failure::Unsaved)?;
    }
    if args.json {
        let record = json!({
            "game": setup.row().name,
            "positions": {"training": training, "held_out": held},
            "scale": scale,
            "loss": json_of(*loss, *held),
            "parameters": fitted.parameters,
        });
        writeln!(out, "{record}")?;
    } else {
        let (training, parameters) = (counted(training, "position"), counted(fitted.parameters.len(), "parameter"));
        writeln!(out, "{}: {training}, {held} held out; {parameters}", setup.row().name)?;
        print_loss(out, *loss, *held, (&format!("nats; scale {scale:.0}"), 8, 5))?;
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

/// Returns the fitted weights as the game keeps them in a file.
fn file_of(setup: &Setup, fitted: &FittedParameters) -> Result<Vec<u8>, Failure> {
    if let Some(file) = setup.board(STARTPOS)?.source(&fitted.parameters) {
        return Ok(file);
    }
    let fitted = fitted.names.iter().zip(&fitted.parameters);
    let rounded: Vec<_> = fitted.map(|(&(name, _), &weight)| (name, weights::rounded(weight))).collect();
    Ok((weights::write(&rounded) + "\n").into_bytes())
}

fn people(tuned: &FittedWeights, out: &mut impl Write) -> io::Result<()> {
    let ([games, held], [positions, more]) = (tuned.games, tuned.positions);
    writeln!(out, "{}: {games} games, {held} of them held out; {positions} positions, {more} held out\n", tuned.game)?;
    let width = tuned.weights.iter().map(|row| row.name.len()).max().unwrap_or(0).max(8);
    writeln!(out, "{:width$}  {:>8}  {:>8}  {:>8}", "weight", "now", "fitted", "error")?;
    for row in &tuned.weights {
        let error = row.error.map_or("-".into(), |error| format!("{error:.2}"));
        writeln!(out, "{:width$}  {:>8}  {:>8.2}  {error:>8}", row.name, row.now, row.fitted)?;
    }
    if let Some([now, fitted]) = tuned.scale {
        writeln!(out, "{:width$}  {now:>8.0}  {fitted:>8.0}", "scale")?;
    }
    let what = if tuned.scale.is_some() { "nats" } else { "root mean square, units" };
    print_loss(out, tuned.loss, more, (what, width, 4))?;
    writeln!(out, "\n{}", tuned.text())
}

/// Prints the loss in the training positions and in those held out, if any, in this unit, width and number of digits.
fn print_loss(
    out: &mut impl Write,
    loss: [[f64; 2]; 2],
    held: usize,
    (what, width, digits): (&str, usize, usize),
) -> io::Result<()> {
    writeln!(out, "\n{:width$}  {:>8}  {:>8}    ({what})", "loss", "now", "fitted")?;
    for (name, [now, fitted]) in ["training", "held out"].iter().zip(loss).take(if held > 0 { 2 } else { 1 }) {
        writeln!(out, "{name:width$}  {now:>8.digits$}  {fitted:>8.digits$}")?;
    }
    Ok(())
}

/// Returns the loss for JSON, without that of the positions held out if there are none.
fn json_of(loss: [[f64; 2]; 2], held: usize) -> Value {
    let [training, held_out] = loss.map(pair);
    json!({"training": training, "held_out": (held > 0).then_some(held_out)})
}

fn pair([now, fitted]: [f64; 2]) -> Value {
    json!({"now": now, "fitted": fitted})
}

fn record(tuned: &FittedWeights) -> Value {
    json!({
        "game": tuned.game,
        "target": tuned.target,
        "games": tuned.games[0],
        "held_out": tuned.games[1],
        "positions": {"training": tuned.positions[0], "held_out": tuned.positions[1]},
        "weights": tuned.weights,
        "loss": json_of(tuned.loss, tuned.positions[1]),
        "scale": tuned.scale.map(pair),
        "text": tuned.text(),
    })
}
