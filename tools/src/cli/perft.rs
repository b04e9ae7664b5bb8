//! `secateurs perft`: counts move paths, divided by first move.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, hints, interrupt, progress, text};
use secateurs::core::{micros, nps};
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

/// The arguments of `perft`.
#[derive(clap::Args)]
#[command(after_help = "Paths that end before DEPTH do not count.\n
JSON: position, depth, total, moves (move and count of each), time_us, nps.\n\nExamples:
  secateurs perft 8
  secateurs perft 6 --option Seeds=6 --option Capture=empty
  secateurs perft 5 --game nim \"3,4,5 1 moves 2-3\"")]
pub struct PerftArgs {
    /// Length of the paths, plies: 0 to 255
    depth: u8,
    /// Initial position: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(default_value = "startpos")]
    pub(super) position: String,
    /// Print a JSON object instead of lines
    #[arg(short, long)]
    json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Prints `move: count` per line, then the total, the time and the speed; or all of it as JSON.
pub(super) fn run(args: &PerftArgs, setup: &Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let start = Instant::now();
    let board = hints::board(setup, &args.position)?;
    let stop = interrupt::flag();
    let all = board.moves().len();
    let bar = progress::bar(Some(all as u64), "moves");
    let (mut paths, mut done, mut written, mut moves) = (0, 0, Ok(()), Vec::new());
    let total = board.divide(args.depth, &stop, &mut |mv, count| {
        paths += count;
        done += 1;
        if args.json {
            moves.push(json!({"move": mv, "count": count}));
        } else if written.is_ok() {
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
        let paths = counted(paths, "path");
        return Err(Failure::Interrupted(format!("stopped; {done} of {all} moves were counted: {paths}")));
    };
    bar.finish_and_clear();
    let time = start.elapsed();
    if args.json {
        let (position, depth, time_us, nps) = (&args.position, args.depth, micros(time), nps(total, time));
        out.json(&json!({
            "position": position, "depth": depth, "total": total, "moves": moves, "time_us": time_us, "nps": nps
        }))?;
        return Ok(Status::Done);
    }
    writeln!(out, "total {total} in {}, {} nodes/s", text::time(time), nps(total, time))?;
    Ok(Status::Done)
}
