//! The command line: one file per subcommand. Without a subcommand it runs the line protocol.
//!
//! - [`setup`]: the game and its options, the same for every subcommand;
//! - [`analyse`], [`mod@solve`], [`mod@check`], [`mod@tree`], [`mod@matches`], [`play`], [`tune`], [`learn`], [`selfplay`],
//!   [`compare`], [`plausibility`], [`mod@regress`],
//!   [`mod@report`], [`endgame`], [`book`], [`perft`], [`kgp`], [`mod@bench`], [`games`],
//!   [`completions`], [`man`], [`protocol`]: the subcommands;
//! - [`mod@read`]: the parser of the command line; [`input_lines`]: files of positions; [`analysis_record`]: analyses
//!   as JSON; [`text`], [`terminal`], [`progress`]: the format of output; [`interrupt`]: Ctrl-C; [`output`]: closed
//!   pipes.

pub mod analyse;
pub mod analysis_record;
mod annotate;
pub mod bench;
pub mod book;
mod bounds_text;
pub mod check;
pub mod compare;
pub mod completions;
pub mod endgame;
pub mod games;
pub mod input_lines;
pub mod interrupt;
pub mod kgp;
pub mod learn;
pub mod man;
pub mod matches;
pub mod output;
pub mod perft;
pub mod plausibility;
pub mod play;
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
pub mod tree;
pub mod tune;
mod tune_search;

use crate::search::thread::builder;
use clap::{Parser, Subcommand};
use output::Output;
use setup::GameArgs;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

/// The command line.
#[derive(Parser)]
#[command(version, about = "Plays and analyses two-player games of perfect information by alpha-beta search")]
#[command(long_about = "Plays and analyses two-player games of perfect information by alpha-beta search.\n\n\
    Without a subcommand it speaks the line protocol (UCI and UGI) on standard input and output, for tournament \
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
    Analyse(analyse::Args),
    /// Search positions for their exact values
    Solve(solve::Args),
    /// Show the tree of a search: as text, as JSON lines, for Graphviz, or as an HTML page that folds
    Tree(Box<tree::Args>),
    /// Check certificates of exact values by the rules of their games alone
    Check(check::Args),
    /// Count the move paths of a given length, divided by first move
    Perft(perft::Args),
    /// Play engines against each other, with clocks, a referee, statistics and records
    Match(Box<matches::Args>),
    /// Play two git revisions of an engine against each other, and exit with the verdict
    Regress(regress::Args),
    /// Write the record of a match as an HTML page, with every game to step through
    Report(report::Args),
    /// Play against a person, or let two people play, at a terminal or through a pipe
    Play(Box<play::Args>),
    /// Fit the weights of an evaluation to recorded games, or tune search parameters by games
    Tune(Box<tune::Args>),
    /// Compare the search procedures of the literature on positions or synthetic trees
    Compare(Box<compare::Args>),
    /// Learn the plausibility of moves from recorded matches
    Plausibility(plausibility::Args),
    /// Learn the weights of an evaluation by self-play
    Learn(learn::Args),
    /// Play games of the engine against itself, and record their positions for `tune`
    Selfplay(selfplay::Args),
    /// Build, verify and probe endgame databases
    Endgame(Box<endgame::Args>),
    /// Build and inspect opening books of exact values
    Book(Box<book::Args>),
    /// Play Kalah at a server of the Kalah Game Protocol
    Kgp(Box<kgp::Args>),
    /// Search a fixed set of positions of all games; prints `N nodes M nps` at the end
    Bench,
    /// List the games with their options
    Games(games::Args),
    /// Print the script by which a shell completes the command line
    Completions(completions::Args),
    /// Write the manual pages, one for each subcommand
    Man(man::Args),
}

impl Command {
    /// Returns whether it promises files or a verdict by its exit code, for which it continues when its output is
    /// closed.
    fn leaves_more(&self) -> bool {
        match self {
            Self::Analyse(args) => args.leaves_more(),
            Self::Solve(args) => args.leaves_more(),
            Self::Tree(args) => args.leaves_more(),
            Self::Match(args) => args.leaves_more(),
            Self::Report(args) => args.leaves_more(),
            Self::Endgame(args) => args.leaves_more(),
            Self::Book(args) => args.leaves_more(),
            Self::Learn(args) => args.leaves_more(),
            Self::Plausibility(args) => args.leaves_more(),
            Self::Play(args) => args.leaves_more(),
            Self::Regress(_) | Self::Check(_) | Self::Selfplay(_) | Self::Man(_) | Self::Kgp(_) => true,
            Self::Perft(_) | Self::Tune(_) | Self::Compare(_) | Self::Bench | Self::Games(_) | Self::Completions(_) => {
                false
            }
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  secateurs                                      the line protocol, kalah first
  secateurs --game nim --protocol-log talk.log   the protocol, beginning with nim, recorded
  secateurs analyse --depth 14                   kalah's starting position
  secateurs analyse --json --file positions.txt  a JSON line for each line of a file
  echo startpos | secateurs solve --option Seeds=3
  secateurs tree --depth 6 --output tree.html    what the search has seen
  secateurs perft 8 --option Seeds=6
  echo startpos | secateurs solve --option Houses=4 --option Seeds=3 --certificate proof.jsonl
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
  2    nothing to be done: an argument, a game, an option or a file that cannot be used
  130  ended by Ctrl-C (a match: 1); the first lets a search end and what it has found so far be written, the second ends
       all at once

Environment:
  SECATEURS_LOG  which logs go to stderr: error, warn (the default), info, debug, trace, off";

/// The reason why a subcommand ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request is invalid: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The work could not be completed: exit code 1.
    #[error("{0}")]
    Stopped(String),
    /// Ctrl-C has stopped the work: exit code 130.
    #[error("{0}")]
    Interrupted(String),
    /// The result could not be saved: exit code 1.
    #[error("{0}")]
    Unsaved(crate::core::Error),
    /// The output failed: exit code 1; or 0, without a message, if it was closed and nothing else was promised.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Returns the failure to start a thread.
    fn no_thread(error: io::Error) -> Self {
        Self::Stopped(format!("cannot start a thread: {error}"))
    }

    /// Returns the failure of work that has begun: that a file cannot be written is no mistake of the command.
    fn of_work(error: crate::core::Error) -> Self {
        match error {
            crate::core::Error::File { .. } => Self::Unsaved(error),
            _ => error.into(),
        }
    }
}

impl From<crate::core::Error> for Failure {
    fn from(error: crate::core::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// The result of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything was done: exit code 0.
    Done,
    /// Some input was invalid and was reported; the rest was done: exit code 1.
    SomeBad,
    /// A sequential test has accepted H0: exit code 3.
    Rejected,
    /// A sequential test is undecided: exit code 4.
    Undecided,
    /// Ctrl-C has stopped the work early; the results so far are written: exit code 130.
    Interrupted,
}

/// Executes the command line on a thread with the [stack](crate::search::STACK) that exact search needs. Results
/// go to standard output, errors to standard error. Returns the exit code.
pub fn run(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match read::read(words) {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    let thread = builder("main");
    match thread.and_then(|thread| thread.spawn(|| code(cli, &mut io::stdout().lock(), &mut io::stderr()))) {
        Ok(thread) => thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)),
        Err(error) => {
            report(&mut io::stderr(), Failure::no_thread(error));
            1
        }
    }
}

/// Prints a usage error, the help or the version, and returns the exit code.
fn explain(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
            report(&mut io::stderr(), Failure::Output(failure));
            1
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}

/// Executes the command line on this thread, with these streams.
pub fn code(cli: Cli, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let goes_on = cli.command.as_ref().is_some_and(Command::leaves_more);
    match dispatch(cli, &mut Output::new(out, goes_on), err) {
        Ok(Status::Done) => 0,
        Ok(Status::SomeBad) => 1,
        Ok(Status::Rejected) => 3,
        Ok(Status::Undecided) => 4,
        Ok(Status::Interrupted) => interrupt::CODE,
        // `secateurs ... | head -1`: a closed pipe means that the reader has seen enough.
        Err(Failure::Output(error)) if !goes_on && error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            report(err, &failure);
            match failure {
                Failure::Usage(_) => 2,
                Failure::Interrupted(_) => interrupt::CODE,
                Failure::Stopped(_) | Failure::Unsaved(_) | Failure::Output(_) => 1,
            }
        }
    }
}

/// Writes an error to stderr. If stderr is closed, the exit code still reports the error.
fn report(err: &mut impl Write, error: impl Display) {
    let _ = writeln!(err, "error: {error}");
}

fn dispatch(cli: Cli, out: &mut impl Write, err: &mut impl Write) -> Result<Status, Failure> {
    let Cli { command, game, protocol_log } = cli;
    let Some(command) = command else {
        return protocol::run(game, protocol_log, out);
    };
    if protocol_log.is_some() && !matches!(command, Command::Kgp(_)) {
        return Err(Failure::Usage(
            "--protocol-log records a protocol: it goes without a subcommand, or with kgp".into(),
        ));
    }
    match command {
        Command::Analyse(args) => match &args.pgn {
            Some(path) => annotate::run(&args, path, &args.game.inside(&game), out, err),
            None => analyse::run(&args, args.game.inside(&game).setup()?, out, err),
        },
        Command::Solve(args) => solve::run(&args, args.game.inside(&game).setup()?, out, err),
        Command::Tree(args) => tree::run(&args, &args.game.inside(&game).setup()?, out),
        Command::Match(args) => matches::run(&args, args.game.inside(&game).setup()?, out),
        Command::Regress(args) => regress::run(&args, &game, out, err),
        Command::Play(args) => play::run(&args, args.game.inside(&game).setup()?, out),
        Command::Learn(args) => learn::run(&args, args.game.inside(&game).setup()?, out),
        Command::Selfplay(args) => selfplay::run(&args, args.game.inside(&game).setup()?, out),
        Command::Endgame(args) => endgame::run(&args, &game, out, err),
        Command::Book(args) => book::run(&args, &game, out, err),
        Command::Compare(args) => compare::run(&args, &args.game.inside(&game).setup()?, out, err),
        Command::Perft(args) => perft::run(&args, args.game.inside(&game).setup()?, out),
        Command::Tune(args) if args.search.search => tune_search::run(&args, &args.game.inside(&game).setup()?, out),
        Command::Tune(args) if args.positions => tune::run_positions(&args, &args.game.inside(&game).setup()?, out),
        Command::Bench
        | Command::Games(_)
        | Command::Check(_)
        | Command::Tune(_)
        | Command::Plausibility(_)
        | Command::Report(_)
        | Command::Completions(_)
        | Command::Man(_)
            if !game.is_empty() =>
        {
            Err(Failure::Usage(
                "bench, games, completions and man cover all games, check, tune, plausibility and report know theirs \
                 from the files: they take no --game and no --option"
                    .into(),
            ))
        }
        Command::Kgp(args) => kgp::run(&args, &args.game.inside(&game), protocol_log, out, err),
        Command::Bench => bench::run(out),
        Command::Check(args) => check::run(&args, out, err),
        Command::Tune(args) if !args.game.is_empty() => {
            Err(Failure::Usage("--game and --option go with --positions and --search: matches name their game".into()))
        }
        Command::Tune(args) => tune::run(&args, out),
        Command::Plausibility(args) => plausibility::run(&args, out),
        Command::Report(args) => report::run(&args, out),
        Command::Games(args) => games::run(&args, out),
        Command::Completions(args) => completions::run(&args, out),
        Command::Man(args) => man::run(&args, out),
    }
}
