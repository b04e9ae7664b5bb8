//! `secateurs selfplay`: plays games of the engine against itself and records them.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress};
use crate::lab::positions::play::{Games, GamesFile, GamesPlan};
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `selfplay`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SelfplayArgs {
    /// File to append the games to
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of positions to play, counting those already in the file
    #[arg(short, long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// The other parameters of the games.
    #[command(flatten)]
    plan: GamesPlan,
    /// The game and its options.
    #[command(flatten)]
    pub(super) game: GameArgs,
}

const EXAMPLES: &str = "\
A file has games: the position after the opening, the moves, and the score of each search, less than five bytes a position in chess. \
`tune` and `train` take as many files of one game as you like. Run one process a core, each with a seed and a file of its own.

If FILE exists, the games continue after its last one; an incomplete last game is removed. Ctrl-C ends it after the last whole \
game.

Examples:
  secateurs selfplay --game chess --positions 2000000 --seed 1 one.ssp
  secateurs train --game chess one.ssp two.ssp --output chess.net";

/// Plays, and prints the counts.
pub(super) fn run(args: &SelfplayArgs, setup: Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.outlive();
    let stop = interrupt::flag();
    let mut file = GamesFile::open(setup.clone(), &args.plan, &args.file)?;
    let games = Games::new(setup, args.plan)?;
    let bar = progress::bar(Some(args.positions), "positions");
    let mut status = Status::Done;
    while file.positions() < args.positions {
        bar.set_position(file.positions());
        let Some(game) = games.play(file.next, &stop).map_err(Failure::of_work)? else {
            status = Status::Interrupted;
            break;
        };
        file.add(&game).map_err(Failure::of_work)?;
    }
    bar.finish_and_clear();
    let (count, total) = (file.count, file.positions());
    let [wins, draws, losses] = count.results;
    let (games, positions) = (counted(count.games, "game"), counted(count.positions, "position"));
    writeln!(
        out,
        "{games} ({wins} won by the first player, {draws} drawn, {losses} lost), {positions}; {total} in the file"
    )?;
    Ok(status)
}
