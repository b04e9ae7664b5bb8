//! `secateurs selfplay`: plays games of the engine against itself and records them.

use super::output::Output;
use super::setup::GameArgs;
use super::{Failure, Status, interrupt, progress};
use crate::lab::games::Adjudication;
use crate::lab::positions::play::{Games, GamesFile, GamesPlan};
use secateurs::core::Score;
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
    /// Node limit of each search
    #[arg(short, long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random plies before each game; every second game has one more
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    random_plies: usize,
    /// Reject openings with a score above this, centi-units
    #[arg(long, value_name = "SCORE", default_value_t = 400, value_parser = clap::value_parser!(Score).range(0..))]
    balance: Score,
    /// Score that wins a game if it lasts four plies, centi-units
    #[arg(long, value_name = "SCORE", default_value_t = 1_200, value_parser = clap::value_parser!(Score).range(1..))]
    win: Score,
    /// Plies after which a game is drawn whose score has been within 8 centi-units for twelve plies
    #[arg(long, value_name = "PLIES", default_value_t = 70)]
    draw_ply: usize,
    /// Plies after which every game is drawn
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = clap::value_parser!(u16).range(16..))]
    longest: u16,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
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
    let plan = GamesPlan {
        nodes: args.nodes,
        random_plies: args.random_plies,
        balance: args.balance,
        adjudication: Adjudication { win: args.win, draw_ply: args.draw_ply, longest: args.longest.into() },
        seed: args.seed,
    };
    let stop = interrupt::flag();
    let mut file = GamesFile::open(setup.clone(), &plan, &args.file)?;
    let games = Games::new(setup, plan)?;
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
