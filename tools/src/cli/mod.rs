//! The command line: one file or folder per subcommand. Without a subcommand it runs the line protocol.
//!
//! - [`setup`]: the game and its options, the same for every subcommand;
//! - [`analyse`], [`mod@solve`], [`mod@check`], [`mod@tree`], [`mod@matches`], [`play`], [`tune`], [`learn`],
//!   [`selfplay`], [`compare`], [`plausibility`], [`mod@regress`], [`mod@report`], [`endgame`], [`book`], [`perft`],
//!   [`mod@bench`], [`games`], [`completions`], [`man`], [`protocol`]: the subcommands;
//! - [`program`]: the frame of a program: its thread, its failures, its exit codes; [`mod@read`]: the parser of the
//!   command line, `hints` for what it cannot use; [`input_lines`]: files of positions; [`text`], [`terminal`],
//!   [`progress`]: the format of output; [`interrupt`]: Ctrl-C; [`output`]: the streams of a command; `positions`:
//!   commands over positions; [`engine_args`]: their limits, threads and tables.

pub mod analyse;
mod annotate;
pub mod bench;
pub mod book;
pub mod check;
pub mod compare;
pub mod completions;
pub mod endgame;
pub mod engine_args;
pub mod games;
mod hints;
pub mod input_lines;
pub mod interrupt;
pub mod learn;
pub mod man;
pub mod matches;
pub mod output;
pub mod perft;
pub mod plausibility;
pub mod play;
mod positions;
pub mod program;
pub mod progress;
pub mod protocol;
pub mod read;
pub mod regress;
pub mod report;
pub mod selfplay;
pub mod setup;
pub mod solve;
pub mod terminal;
pub mod text;
pub mod time;
pub mod train;
pub mod tree;
pub mod tune;

use clap::{Parser, Subcommand};
use output::Output;
pub use program::{Failure, Status};
use secateurs::core::error::Quoted;
use secateurs::registry;
use setup::GameArgs;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// The command line.
#[derive(Parser)]
#[command(
    name = "secateurs",
    version,
    about = "Plays and analyses two-player games of perfect information by alpha-beta search"
)]
#[command(long_about = "Plays and analyses two-player games of perfect information by alpha-beta search.\n\n\
    Without a subcommand it speaks the line protocol (UCI, UGI and Hub) on standard input and output, for tournament \
    managers; `help` there lists the commands.")]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{CODES}"))]
pub struct Cli {
    /// The subcommand; without one, the line protocol.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
    /// Log the protocol dialogue to FILE, each line with its time
    #[arg(long, value_name = "FILE")]
    pub protocol_log: Option<PathBuf>,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Search positions for their value, best move and principal variation
    Analyse(analyse::AnalyseArgs),
    /// Search positions for their exact values
    Solve(solve::SolveArgs),
    /// Show the tree of a search: as text, as JSON lines, for Graphviz, or as an HTML page that folds
    Tree(Box<tree::TreeArgs>),
    /// Check certificates of exact values by the rules of their games alone
    Check(check::CheckArgs),
    /// Count the move paths of a given length, divided by first move
    Perft(perft::PerftArgs),
    /// Play engines against each other, with clocks, a referee, statistics and records
    Match(Box<matches::MatchArgs>),
    /// Play two git revisions of an engine against each other, and exit with the verdict
    Regress(regress::RegressArgs),
    /// Write the record of a match as an HTML page, with every game to step through
    Report(report::ReportArgs),
    /// Play against a person, or let two people play, at a terminal or through a pipe
    Play(Box<play::PlayArgs>),
    /// Fit the weights of an evaluation to games of selfplay, or tune search parameters by games
    Tune(Box<tune::TuneArgs>),
    /// Compare the search procedures of the literature on positions or synthetic trees
    Compare(Box<compare::CompareArgs>),
    /// Learn the plausibility of moves from recorded matches
    Plausibility(plausibility::PlausibilityArgs),
    /// Learn the weights of an evaluation by self-play
    Learn(learn::LearnArgs),
    /// Play games of the engine against itself, and record them for `tune` and `train`
    Selfplay(selfplay::SelfplayArgs),
    /// Train a network on games of `selfplay`, for the option EvalFile
    Train(train::TrainArgs),
    /// Build, verify and probe endgame databases
    Endgame(Box<endgame::EndgameArgs>),
    /// Build and inspect opening books of exact values
    Book(Box<book::BookArgs>),
    /// Search a fixed set of positions of all games; prints `N nodes M nps` at the end
    Bench(bench::BenchArgs),
    /// List the games with their options
    Games(games::GamesArgs),
    /// Print the script by which a shell completes the command line
    Completions(completions::CompletionsArgs),
    /// Write the manual pages, one for each subcommand
    Man(man::ManArgs),
}

impl Command {
    /// Whether the subcommand takes a game outside the registry.
    const fn takes_outside(&self) -> bool {
        matches!(
            self,
            Self::Analyse(_)
                | Self::Solve(_)
                | Self::Tree(_)
                | Self::Perft(_)
                | Self::Compare(_)
                | Self::Match(_)
                | Self::Play(_)
                | Self::Selfplay(_)
                | Self::Train(_)
        )
    }
}

const EXAMPLES: &str = "\
Examples:
  secateurs                                      the line protocol, kalah first
  secateurs --game nim --protocol-log talk.log   the protocol, beginning with nim, recorded
  secateurs analyse --depth 14                   kalah's starting position
  secateurs analyse --json --file positions.txt  a JSON line for each line of a file
  secateurs solve startpos --option Seeds=3
  secateurs tree --depth 6 --output tree.html    what the search has seen
  secateurs perft 8 --option Seeds=6
  secateurs solve startpos --option Houses=4 --option Seeds=3 --certificate proof.jsonl
  secateurs check proof.jsonl
  secateurs endgame build --seeds 18 endgames
  secateurs book build --option Seeds=3 kalah-6-3.sbk
  secateurs play --level 3                       a game against you
  secateurs regress main..HEAD --build make --cmd ./engine -- --each tc=1+0.01
  secateurs report new-old.jsonl --output new-old.html
  secateurs games

Each subcommand has its own --help.";

const CODES: &str = "\
Exit codes:
  0    done
  1    some position was bad and is named, or was given up; all others were done. Or writing failed
  2    nothing to be done: an argument, a game, an option or a file that cannot be used or has nothing in it
  130  ended by Ctrl-C (a match: 1); the first lets a search end and what it has found so far be written, the second ends
       all at once

Environment:
  SECATEURS_LOG  which logs go to stderr: error, warn (the default), info, debug, trace, off";

/// The environment variable for the logs.
const LOG: &str = "SECATEURS_LOG";

/// Prepares the process: Ctrl-C, the limit of file sizes, and logs to stderr.
pub fn begin() {
    interrupt::begin();
    interrupt::ignore_file_size_signal();
    // No other code sets a logger in this process; a failure would only disable logging.
    let wanted = std::env::var(LOG).ok().filter(|wanted| !wanted.is_empty()).unwrap_or_else(|| "warn".into());
    let is_level = wanted.parse::<log::LevelFilter>().is_ok();
    // The logger also takes modules with levels.
    let is_known = is_level || wanted.contains("secateurs");
    let mut logger = env_logger::Builder::new();
    logger.parse_filters(if is_known { &wanted } else { "warn" });
    logger.format(|out, record| {
        let (level, style) = (record.level(), out.default_level_style(record.level()));
        writeln!(out, "[{style}{level:<5}{style:#}] {}", output::safe(record.args()))
    });
    let _ = logger.try_init();
    if !is_known {
        let wanted = Quoted::new(&wanted);
        log::warn!("{LOG} is error, warn, info, debug, trace or off, not {wanted}");
    }
}

/// Executes the command line. Results go to standard output, errors to standard error. Returns the exit code.
pub fn run(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    program::run(words, dispatch)
}

/// Executes the command line on this thread, with these streams.
pub fn code(cli: Cli, out: &mut impl Write, err: &mut impl Write) -> u8 {
    program::code(cli, dispatch, out, err)
}

fn dispatch(cli: Cli, out: &mut Output<'_>) -> Result<Status, Failure> {
    let Cli { command, game, protocol_log } = cli;
    let Some(command) = command else {
        return protocol::run(game, protocol_log, out);
    };
    if protocol_log.is_some() {
        return Err(Failure::Usage("--protocol-log records the line protocol: it goes without a subcommand".into()));
    }
    if let Some(game) = setup::outside()
        && !command.takes_outside()
    {
        return Err(Failure::Usage(format!(
            "{game} is a game in Python, for analyse, solve, tree, perft, compare, match, play, selfplay, train and the protocol; \
             here the game is one that `secateurs games` lists"
        )));
    }
    match command {
        Command::Analyse(args) => match &args.pgn {
            Some(path) => annotate::run(&args, path, &args.game.with(&game)?, out),
            None => analyse::run(&args, &args.game.with(&game)?.or_game_of(&args.input.positions).setup()?, out),
        },
        Command::Solve(args) => {
            solve::run(&args, &args.game.with(&game)?.or_game_of(&args.input.positions).setup()?, out)
        }
        Command::Tree(args) => tree::run(&args, &args.game.with(&game)?.or_game_of([&args.position]).setup()?, out),
        Command::Match(args) => matches::run(&args, args.game.with(&game)?.setup()?, out),
        Command::Regress(args) => regress::run(&args, &game, out),
        Command::Play(args) => {
            let game = args.game.with(&game)?;
            let wanted = game.clone();
            // A game without a tag for it is chess.
            let game = if args.load.is_some() && game.is_empty() {
                game.or(registry::find("chess")?)
            } else {
                game.or_game_of(&args.position)
            };
            play::run(&args, game.setup()?, &wanted, out)
        }
        Command::Learn(args) => learn::run(&args, args.game.with(&game)?.setup()?, out),
        Command::Selfplay(args) => selfplay::run(&args, args.game.with(&game)?.setup()?, out),
        Command::Train(args) => train::run(&args, args.game.with(&game)?.setup()?, out),
        Command::Endgame(args) => endgame::run(&args, &game, out),
        Command::Book(args) => book::run(&args, &game, out),
        Command::Compare(args) if args.tree.is_some() && !(game.is_empty() && args.game.is_empty()) => {
            Err(Failure::Usage("a synthetic tree is of no game: --tree takes no --game and no --option".into()))
        }
        Command::Compare(args) => {
            compare::run(&args, &args.game.with(&game)?.or_game_of(&args.input.positions).setup()?, out)
        }
        Command::Perft(args) => perft::run(&args, &args.game.with(&game)?.or_game_of([&args.position]).setup()?, out),
        Command::Tune(args) if args.search.search => tune::search::run(&args, &args.game.with(&game)?.setup()?, out),
        Command::Tune(args) => tune::run(&args, &args.game.with(&game)?.setup()?, out),
        _ if !game.is_empty() => Err(Failure::Usage(
            "bench, games, completions and man cover all games, check, plausibility and report know theirs from the \
             files: they take no --game and no --option"
                .into(),
        )),
        Command::Bench(args) => bench::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::Plausibility(args) => plausibility::run(&args, out),
        Command::Report(args) => report::run(&args, out),
        Command::Games(args) => games::run(&args, out),
        Command::Completions(args) => completions::run(&args, out),
        Command::Man(args) => man::run(&args, out),
    }
}
