//! `secateurs tune --search`: tunes search parameters by games of the engine against itself.

use super::TuneArgs;
use crate::cli::output::Output;
use crate::cli::{Failure, Status, interrupt, progress};
use crate::lab::spsa::{Spsa, SpsaPlan, Tuned};
use crate::numbers::share;
use secateurs::core::parameters::{PARAMETERS, Parameter};
use secateurs::core::{Error, Tuning};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::store::checkpoint::{Checkpoint, Kind};
use secateurs::util::difference::as_options;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The checkpoints.
const KIND: Kind = Kind { foreign: "is not a checkpoint of tune --search", other: "is a checkpoint of other tuning" };

/// The arguments of `tune --search`.
#[derive(clap::Args)]
#[command(next_help_heading = "Search parameters")]
#[group(requires = "search", conflicts_with_all = ["held_out", "blend", "lambda", "epochs", "spread", "output"])]
pub struct SearchArgs {
    /// Tune search parameters by games of the engine against itself (SPSA); --game names the game
    #[arg(long)]
    pub(in crate::cli) search: bool,
    /// Parameters to tune, as in the option SearchParameters, each with an optional last step; all that the game sets
    /// if omitted
    #[arg(long, value_name = "NAME[=STEP],...", value_delimiter = ',')]
    parameters: Vec<String>,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Node limit of each search
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random plies before each game; every second pair has one more
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    random_plies: usize,
    /// Share of its step by which a parameter moves, in the end, for a point
    #[arg(long, value_name = "SHARE", default_value_t = 0.002, value_parser = share)]
    rate: f64,
    /// Pairs of games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Continue from the checkpoint in FILE if it exists, and save it there after every pair
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// Plays, and shows what the parameters have become.
pub(in crate::cli) fn run(args: &TuneArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    if let Some(path) = args.games.first() {
        // A conflict for clap would lift the requirements of the options.
        return Err(Failure::Usage(format!("--search plays games of its own: it does not take {}", path.display())));
    }
    let SearchArgs { pairs, nodes, random_plies, rate, concurrency, .. } = args.search;
    let plan = SpsaPlan { pairs, nodes, random_plies, rate, seed: args.plan.seed };
    let tuning = setup.board(STARTPOS)?.tuning();
    let mut spsa = Spsa::new(plan, parameters(&args.search.parameters, &tuning).map_err(Failure::Usage)?);
    let checkpoint = args.search.checkpoint.as_deref().map(|path| open(path, setup, &mut spsa)).transpose()?;
    let stop = interrupt::flag();
    let bar = progress::bar(Some(pairs), "pairs");
    bar.set_position(spsa.pairs);
    let done = spsa.run(setup, concurrency.into(), &stop, &mut |spsa| {
        bar.set_position(spsa.pairs);
        bar.set_message(spsa.tuned().to_string());
        checkpoint.as_ref().map_or(Ok(()), |checkpoint| checkpoint.save(spsa))
    })?;
    bar.finish_and_clear();
    show(args, &spsa, out)?;
    Ok(if done { Status::Done } else { Status::Interrupted })
}

/// Returns the parameters to tune.
fn parameters(named: &[String], tuning: &Tuning) -> Result<Vec<Tuned>, String> {
    let tuned = |row: &Parameter| Tuned::new(row.name, (row.get)(tuning));
    if named.is_empty() {
        let set = |row: &&Parameter| (row.get)(tuning) != (row.get)(&Tuning::default()) && *row.range.end() > 1;
        let found: Vec<_> = PARAMETERS.iter().filter(set).map(tuned).collect();
        return if found.is_empty() { Err("the game sets no search parameter".into()) } else { Ok(found) };
    }
    let mut found: Vec<Tuned> = Vec::new();
    for text in named {
        let (name, step) = text.split_once('=').map_or((text.as_str(), None), |(name, step)| (name, Some(step)));
        let row = PARAMETERS.iter().find(|row| row.name == name.trim()).ok_or_else(|| {
            let names: Vec<_> = PARAMETERS.iter().map(|row| row.name).collect();
            format!("there is no search parameter {name:?}; the parameters are {}", names.join(", "))
        })?;
        let mut next = tuned(row);
        if let Some(step) = step {
            let step = step.trim().parse().ok().filter(|step: &f64| step.is_finite() && *step > 0.0);
            next.step = step.ok_or_else(|| format!("the step of {name} in {text:?} is not a number above 0"))?;
        }
        if found.iter().any(|known| known.name == next.name) {
            return Err(format!("{name} is named twice"));
        }
        found.push(next);
    }
    Ok(found)
}

fn show(args: &TuneArgs, spsa: &Spsa, out: &mut Output<'_>) -> std::io::Result<()> {
    let Spsa { pairs, scores, parameters, .. } = spsa;
    if args.json {
        let text = spsa.tuned().to_string();
        return out.json(&json!({"pairs": pairs, "scores": scores, "parameters": parameters, "text": text}));
    }
    writeln!(out, "{pairs} of {} pairs\n", spsa.plan.pairs)?;
    let width = parameters.iter().map(|tuned| tuned.name.len()).max().unwrap_or(0);
    writeln!(out, "{:width$}  {:>8}  {:>8}  {:>8}", "parameter", "now", "tuned", "step")?;
    for Tuned { name, start, value, step } in parameters {
        writeln!(out, "{name:width$}  {start:>8}  {value:>8.2}  {step:>8.2}")?;
    }
    writeln!(out, "\n{}", spsa.tuned())
}

/// Returns the settings on which a tuning depends.
fn subject(setup: &Setup, spsa: &Spsa) -> serde_json::Value {
    let options = setup.options().iter().map(|(row, value)| (row.name.to_owned(), json!(value.to_string())));
    let steps = spsa.parameters.iter().map(|tuned| (tuned.name.clone(), json!([tuned.start, tuned.step])));
    json!({
        "game": setup.row().name,
        "options": options.collect::<serde_json::Map<_, _>>(),
        "plan": as_options(&json!(spsa.plan)),
        "parameters": steps.collect::<serde_json::Map<_, _>>(),
    })
}

/// Opens the checkpoint and resumes what is in it.
fn open(path: &Path, setup: &Setup, spsa: &mut Spsa) -> Result<Checkpoint, Error> {
    let (checkpoint, found) = Checkpoint::open::<Spsa>(path, &KIND, subject(setup, spsa))?;
    if let Some(found) = found {
        if let Some(fault) = found.fault(spsa) {
            return Err(checkpoint.bad(&fault));
        }
        *spsa = found;
    }
    Ok(checkpoint)
}
