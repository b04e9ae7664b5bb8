//! `secateurs train`: trains a network on games of self-play.

use super::output::{FileKind, Output, OutputFile};
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress};
use crate::lab::network::{Epoch, TrainPlan, Trainer};
use crate::report::training::{self, Training, loss};
use secateurs::network::NetworkFile;
use secateurs::registry::Setup;
use secateurs::store::{FileLock, paths};
use secateurs::util::counted::counted;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `train`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// Games of one game, written by `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Write the network to FILE, after each epoch
    #[arg(short, long, value_name = "FILE", required = true)]
    output: PathBuf,
    /// Save the state after each epoch to FILE, and continue from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Also write the loss of each epoch to FILE as a page with curves (HTML)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The settings of the training.
    #[command(flatten)]
    plan: TrainPlan,
    /// Print a JSON object at the end instead of a table
    #[arg(short, long)]
    json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub(super) game: GameArgs,
}

const EXAMPLES: &str = "\
The loss is the mean squared error of the expected result, a number from 0 to 1. Ctrl-C ends the training after the last whole \
epoch; with --checkpoint, the same command continues it.

JSON: game, positions (training, held_out), scale (centi-units that make the odds of a win e to 1), epochs (epoch, training and \
held_out: the loss, held_out null where nothing is; speed: positions per second).

Examples:
  secateurs selfplay --game chess --nodes 200 --positions 20000000 games.ssp
  secateurs train --game chess games.ssp --output chess.net --checkpoint chess.checkpoint
  secateurs analyse --game chess --option EvalFile=chess.net --depth 12";

/// Trains, and shows the loss of each epoch.
pub(super) fn run(args: &TrainArgs, setup: Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let [checkpoint, page] = [&args.checkpoint, &args.report].map(Option::as_deref);
    let outputs = [("--output", Some(&*args.output)), ("--checkpoint", checkpoint), ("--report", page)];
    out.check_paths(&paths::listed("GAMES", &args.games), &outputs)?;
    paths::check_distinct("GAMES", &args.games)?;
    let game = setup.row().name;
    let _locks =
        [Some(&*args.output), checkpoint].into_iter().flatten().map(FileLock::new).collect::<Result<Vec<_>, _>>()?;
    NetworkFile::check_replaced(&args.output, game)?;
    FileKind::Html.check("--report", page)?;
    let page = page.map(OutputFile::new).transpose()?;
    let (stop, saved) = (interrupt::flag(), checkpoint);
    let bar = progress::bar(None, "positions read");
    let read = Trainer::new(setup, &args.games, args.plan, saved, &stop, &mut |count| bar.set_position(count as u64));
    bar.finish_and_clear();
    let Some(mut trainer) = read? else { return Ok(Status::Interrupted) };
    let [training, held_out] = trainer.data().positions();
    if !args.json {
        let scale = trainer.data().scale;
        let training = counted(training, "position");
        writeln!(out, "{game}: {training}, {held_out} held out; scale {scale:.0}\n")?;
        writeln!(out, "epoch  training  held out  positions/s")?;
        trainer.epochs.iter().try_for_each(|epoch| print(epoch, out))?;
    }
    let write = |trainer: &Trainer| {
        trainer.network().write(&args.output)?;
        page.as_ref().map_or(Ok(()), |page| page.write(|file| report_of(trainer, game, file)))
    };
    if !trainer.epochs.is_empty() {
        write(&trainer).map_err(Failure::of_work)?;
    }
    let mut status = Status::Done;
    while trainer.epochs.len() < args.plan.epochs {
        let bar = progress::bar(Some(training as u64), "positions");
        let epoch = trainer.epoch(saved, &stop, &mut |count| bar.set_position(count as u64));
        bar.finish_and_clear();
        let Some(epoch) = epoch.map_err(Failure::of_work)? else {
            status = Status::Interrupted;
            break;
        };
        write(&trainer).map_err(Failure::of_work)?;
        if !args.json {
            print(&epoch, out)?;
        }
    }
    if args.json {
        let positions = json!({"training": training, "held_out": held_out});
        let record =
            json!({"game": game, "positions": positions, "scale": trainer.data().scale, "epochs": trainer.epochs});
        writeln!(out, "{record}")?;
    }
    Ok(status)
}

/// Writes the page of a training.
fn report_of(trainer: &Trainer, game: &str, file: &mut dyn Write) -> io::Result<()> {
    let epochs: Vec<_> = trainer.epochs.iter().map(|epoch| (epoch.training, epoch.held_out, epoch.speed)).collect();
    let (positions, scale, settings) = (trainer.data().positions(), trainer.data().scale, json!(trainer.plan()));
    training::write(&Training { game, positions, scale, settings: &settings, epochs: &epochs }, file)
}

fn print(epoch: &Epoch, out: &mut Output<'_>) -> io::Result<()> {
    let Epoch { epoch, training, held_out, speed } = epoch;
    let held_out = loss(*held_out);
    writeln!(out, "{epoch:5}  {training:8.5}  {held_out:>8}  {speed:11.0}")
}
