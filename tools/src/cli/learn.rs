//! `secateurs learn`: learns the weights of an evaluation by self-play.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress, terminal};
use crate::arena::journal::Journal;
use crate::lab::temporal::Learner;
use crate::lab::temporal::games::{Errors, SelfPlay, SelfPlayPlan};
use secateurs::core::{Error, weights};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::store::checkpoint::{Checkpoint, Kind};
use secateurs::util::counted::counted;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The arguments of `learn`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct LearnArgs {
    /// Number of games, those of a checkpoint included
    #[arg(short, long, value_name = "N", default_value_t = 1000)]
    games: usize,
    /// The parameters of the games and of the learning.
    #[command(flatten)]
    plan: SelfPlayPlan,
    /// Initial weights: `zero`, `now` for the current ones, or a value of the game's option (weights not named keep
    /// their current value)
    #[arg(long, value_name = "WEIGHTS", default_value = "zero", allow_hyphen_values = true)]
    from: String,
    /// Report the state, and write the checkpoint, every N games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Continue from the checkpoint in FILE if it exists, and save it there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Record the games in FILE, for `plausibility`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print JSON lines instead of a table
    #[arg(short, long)]
    json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub(super) game: GameArgs,
}

const EXAMPLES: &str = "\
For games whose evaluation is a sum of weighted features: kalah, and checkers with the option CheckersWeights. Each row has the \
games so far, how far the evaluation missed the end in the games since the last row (root mean square: of the margin, units, or \
of the result, points), and the weights: their mean, later games counting more. The last line is what the game's option for its \
weights takes.

Samuel's rule compares evaluations only with each other: in checkers it needs a weight that is kept.

Everything follows from the arguments: the same ones learn the same, also when a checkpoint is continued. Ctrl-C ends it \
after the last whole game, and the checkpoint is written.

JSON, a line a row: games, loss, leaves (the part of the positions whose search ended in a leaf that has the value), weights, \
last (the weights as they are), text.

Examples:
  secateurs learn --games 2000
  secateurs learn --from seed=-20,mobility=-100 --depth 3 --option Seeds=6
  secateurs learn --rule samuel --checkpoint learned.json --record games.jsonl --json
  secateurs learn --game checkers --option CheckersWeights=man=100 --keep man --rule samuel";

/// The checkpoints; their subject is the header of the journal of games.
const KIND: Kind = Kind { foreign: "is not a checkpoint of learning", other: "is a checkpoint of other learning" };

/// Learns, and shows the weights.
pub(super) fn run(args: &LearnArgs, setup: Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let outputs = [("--checkpoint", args.checkpoint.as_deref()), ("--record", args.record.as_deref())];
    out.check_paths(&[], &outputs)?;
    let mut self_play = begin(setup, args.plan.clone(), &args.from)?;
    let subject = self_play.header();
    let checkpoint =
        args.checkpoint.as_deref().map(|path| open(path, &subject, &mut self_play, args.games)).transpose()?;
    let mut journal = args.record.as_deref().map(|path| Journal::open(path, &subject, usize::MAX)).transpose()?;
    let stop = interrupt::flag();
    let bar = progress::bar(Some(args.games as u64), "games");
    if !args.json {
        write_heading(&self_play, out)?;
    }
    let (mut errors, mut interrupted) = (Errors::default(), false);
    while self_play.learner().games < args.games {
        bar.set_position(self_play.learner().games as u64);
        let Some(played) = self_play.game(&stop)? else {
            interrupted = true;
            break;
        };
        errors += played.errors;
        if let Some((journal, records)) = &mut journal
            && played.record.number >= records.len()
        {
            journal.add(&played.record).map_err(Failure::Unsaved)?;
        }
        let games = self_play.learner().games;
        if games.is_multiple_of(args.every as usize) || games == args.games {
            save(checkpoint.as_ref(), &self_play)?;
            bar.suspend(|| write_row(args, &self_play, &errors, out))?;
            errors = Errors::default();
        }
    }
    bar.finish_and_clear();
    if interrupted {
        save(checkpoint.as_ref(), &self_play)?;
        if errors.positions > 0 {
            write_row(args, &self_play, &errors, out)?;
        }
    }
    let Learner { games, weights, .. } = self_play.learner();
    if *games > 0 && weights.iter().all(|weight| *weight == 0.0) {
        log::warn!("all weights are still 0: --rule samuel needs one that is kept (--keep), or others to begin with");
    }
    if !args.json {
        writeln!(out, "\n{}", self_play.text(&self_play.learner().mean))?;
    }
    Ok(if interrupted { Status::Interrupted } else { Status::Done })
}

/// Creates the self-play with the requested initial weights.
fn begin(setup: Setup, plan: SelfPlayPlan, from: &str) -> Result<SelfPlay, Failure> {
    let mut start = setup.board(STARTPOS)?.weights();
    let mut self_play = SelfPlay::new(setup, plan)?;
    match from {
        "now" => return Ok(self_play),
        "zero" => {
            let free = start.iter_mut().zip(self_play.fixed()).filter(|(_, fixed)| !**fixed);
            free.for_each(|((_, value), _)| *value = 0);
        }
        text => weights::read(text, &mut start)
            .map_err(|expected| Failure::Usage(format!("--from is zero, now, or {expected}")))?,
    }
    self_play.start_from(&start)?;
    Ok(self_play)
}

/// Returns whether the columns of the table fit; otherwise each row names its weights.
fn is_table(self_play: &SelfPlay, columns: Option<usize>) -> bool {
    let width = 17 + 12 * self_play.names().len();
    columns.is_none_or(|columns| width <= columns)
}

fn write_heading(self_play: &SelfPlay, out: &mut impl Write) -> io::Result<()> {
    if is_table(self_play, terminal::columns()) {
        write!(out, "{:>8}  {:>7}", "games", "loss")?;
        self_play.names().iter().try_for_each(|name| write!(out, "  {name:>10}"))?;
        writeln!(out)?;
    }
    write_weights(self_play, self_play.learner().games, None, out)
}

/// Writes a row of the table; on narrow terminals, on several lines.
fn write_weights(self_play: &SelfPlay, games: usize, loss: Option<f64>, out: &mut impl Write) -> io::Result<()> {
    let columns = terminal::columns();
    let (mean, loss) = (&self_play.learner().mean, loss.map(|loss| format!("{loss:.3}")));
    if is_table(self_play, columns) {
        write!(out, "{games:>8}  {:>7}", loss.unwrap_or_default())?;
        mean.iter().try_for_each(|weight| write!(out, "  {weight:>10.2}"))?;
        return writeln!(out);
    }
    let loss = loss.map(|loss| format!(", loss {loss}")).unwrap_or_default();
    let named = self_play.names().iter().zip(mean).map(|(name, weight)| format!("{name}={weight:.2}"));
    let named = named.collect::<Vec<_>>().join(" ");
    writeln!(out, "{}{loss}\n{}", counted(games, "game"), terminal::wrap(&format!("  {named}"), columns, 2))
}

fn write_row(args: &LearnArgs, self_play: &SelfPlay, errors: &Errors, out: &mut impl Write) -> io::Result<()> {
    let Learner { games, mean, weights, .. } = self_play.learner();
    if args.json {
        let named = |weights: &[f64]| -> serde_json::Map<String, Value> {
            self_play.names().iter().zip(weights).map(|(name, weight)| ((*name).to_owned(), json!(weight))).collect()
        };
        let (loss, leaves) = (errors.loss(), errors.leaf_share());
        let (averaged, last, text) = (named(mean), named(weights), self_play.text(mean));
        let line =
            json!({"games": games, "loss": loss, "leaves": leaves, "weights": averaged, "last": last, "text": text});
        writeln!(out, "{line}")?;
    } else {
        write_weights(self_play, *games, Some(errors.loss()), out)?;
    }
    out.flush()
}

fn save(checkpoint: Option<&Checkpoint>, self_play: &SelfPlay) -> Result<(), Failure> {
    checkpoint.map_or(Ok(()), |checkpoint| checkpoint.save(self_play.learner()).map_err(Failure::Unsaved))
}

/// Opens the checkpoint and resumes what is in it; a new one is written at once.
fn open(path: &Path, subject: &Value, self_play: &mut SelfPlay, games: usize) -> Result<Checkpoint, Error> {
    let (checkpoint, found) = Checkpoint::open::<Learner>(path, &KIND, subject.clone())?;
    let Some(learner) = found else {
        checkpoint.save(self_play.learner())?;
        return Ok(checkpoint);
    };
    if let Some(fault) = learner.fault(self_play.names().len()) {
        return Err(checkpoint.bad(&fault));
    }
    if learner.games > games {
        let held = learner.games;
        return Err(Error::bad_file(path, format!("holds {held} games: resume it with at least {held}, not {games}")));
    }
    self_play.resume(learner);
    Ok(checkpoint)
}
