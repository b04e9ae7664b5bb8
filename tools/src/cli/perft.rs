//! `secateurs perft`: counts move paths, divided by first move.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, hints, interrupt, progress, text};
use secateurs::core::nps;
use secateurs::registry::Setup;
use std::io::Write;
use std::time::Instant;

/// The arguments of `perft`.
#[derive(clap::Args)]
#[command(after_help = "Paths that end before DEPTH do not count.\n\nExamples:
  secateurs perft 8
  secateurs perft 6 --option Seeds=6 --option Capture=empty
  secateurs perft 5 --game nim \"3,4,5 1 moves 2-3\"")]
pub struct PerftArgs {
    /// Length of the paths, plies: 0 to 255
    depth: u8,
    /// Initial position: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(default_value = "startpos")]
    pub(super) position: String,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Prints `move: count` per line, then the total, the time and the speed.
pub(super) fn run(args: &PerftArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let start = Instant::now();
    let board = hints::board(setup, &args.position)?;
    let stop = interrupt::flag();
    let bar = progress::bar(Some(board.moves().len() as u64), "moves");
    let (mut counted, mut written) = (0, Ok(()));
    let total = board.divide(args.depth, &stop, &mut |mv, count| {
        counted += count;
        if written.is_ok() {
            written = bar.suspend(|| writeln!(out, "{mv}: {count}"));
            if written.is_err() {
                stop.raise();
            }
        }
        bar.inc(1);
    });
    written?;
    let Some(total) = total else {
        bar.finish_and_clear();
        return Err(Failure::Interrupted(format!("stopped; {counted} paths were counted")));
    };
    bar.finish_and_clear();
    let time = start.elapsed();
    writeln!(out, "total {total} in {}, {} nodes/s", text::time(time), nps(total, time))?;
    Ok(Status::Done)
}
