//! `secateurs match`: matches between engines.

pub mod contestant;
mod output;
mod screen;

use super::interrupt::Interrupt;
use super::output::Output;
use super::progress;
use super::setup::GameArgs;
use super::{Failure, Status};
use crate::arena::adjudication::{Adjudication, Agreement};
use crate::arena::contestant::number_duplicates;
use crate::arena::export::Occasion;
use crate::arena::journal::Journal;
use crate::arena::openings::{self, RandomWalk, Source};
use crate::arena::referee::Timeouts;
use crate::arena::schedule::{Format, Schedule};
use crate::arena::{Contestant, Decision, Model, Sprt, Stopped, Test, Tournament, sprt};
use crate::client::{Surroundings, Transcript, Watchdog};
use crate::numbers::{agreement, two};
use crate::report::text;
use clap::{ValueEnum, value_parser};
use contestant::{WORDS, Words};
use indicatif::ProgressBar;
use output::Outputs;
use screen::{Both, Screen};
use secateurs::core::Error;
use secateurs::registry::Setup;
use secateurs::store::FreshFile;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What `--openings`, and each argument that needs it, excludes.
const RANDOM_OPENINGS: [&str; 3] = ["random_plies", "random_candidates", "random_nodes"];

/// The arguments of `match`.
#[derive(clap::Args)]
#[command(after_long_help = format!("Words of an engine:\n{}\n\n{NOTES}", indented()), after_help = "More by --help.")]
pub struct MatchArgs {
    /// An engine: words such as "cmd=./engine name=A tc=10+0.1"; at least two
    #[arg(short, long = "engine", value_name = "WORDS", required = true)]
    engines: Vec<Words>,
    /// Words for every engine, applied before its own
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: Words,
    /// Format of the match
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// Number of rounds; in each, two engines that meet play a pair of games from the round's opening [default: 100,
    /// with --sprt at most 20000]
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u32).range(1..=10_000_000))]
    rounds: Option<u32>,
    /// Number of concurrent games
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Pin each of the concurrent games to its own core, starting with the first
    #[arg(long)]
    pin: bool,
    /// Read openings from FILE [default: random moves]: the games of a file `*.pgn` or `*.pdn`; otherwise one per line,
    /// a position (FEN or EPD in chess), optionally `moves` and moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings of the file; random: by the seed
    #[arg(long, value_enum, default_value_t = OrderArg::Sequential, requires = "openings", conflicts_with_all = RANDOM_OPENINGS)]
    order: OrderArg,
    /// Begin with the opening of this number in that order; after the last one comes the first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..), requires = "openings", conflicts_with_all = RANDOM_OPENINGS)]
    start: u32,
    /// Play only the first PLIES plies of each game of a PGN file
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u64).range(1..), requires = "openings", conflicts_with_all = RANDOM_OPENINGS)]
    opening_plies: Option<u64>,
    /// Length of random openings, plies
    #[arg(long, value_name = "PLIES", default_value_t = RandomWalk::default().plies, conflicts_with = "openings")]
    random_plies: usize,
    /// Number of random openings of which the most balanced one is played; 1: without a search
    #[arg(long, value_name = "N", default_value_t = RandomWalk::default().candidates as u32, value_parser = value_parser!(u32).range(1..), conflicts_with = "openings")]
    random_candidates: u32,
    /// Nodes of the search that evaluates each of them
    #[arg(long, value_name = "N", default_value_t = RandomWalk::default().nodes, value_parser = value_parser!(u64).range(1..), conflicts_with = "openings")]
    random_nodes: u64,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop when a sequential test has decided whether the first of two engines is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Error rates of the test: of accepting ELO1 if ELO0 is true, and vice versa
    #[arg(long, value_name = "ALPHA,BETA", value_parser = two, default_value = "0.05,0.05", requires = "sprt")]
    errors: (f64, f64),
    /// Use normalized Elo in the test, which depends little on openings and draws
    #[arg(long, requires = "sprt")]
    normalized: bool,
    /// Test single games instead of pairs with colours exchanged
    #[arg(long, requires = "sprt")]
    trinomial: bool,
    /// Adjudicate as won when both engines report SCORE (centi-units) or more for MOVES moves each, after AFTER plies
    /// [default: 0]; see --twosided
    #[arg(long, value_name = "MOVES,SCORE[,AFTER]", value_parser = agreement)]
    resign: Option<Agreement>,
    /// Whether --resign requires both engines to agree, not only the losing one
    #[arg(long, value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set, requires = "resign")]
    twosided: bool,
    /// Adjudicate as drawn when both engines report at most SCORE (centi-units) for MOVES moves each, after AFTER plies
    /// [default: 0]
    #[arg(long, value_name = "MOVES,SCORE[,AFTER]", value_parser = agreement)]
    draw: Option<Agreement>,
    /// Adjudicate when both engines report the same proven result
    #[arg(long)]
    proven: bool,
    /// Adjudicate as drawn after PLIES plies beyond the opening
    #[arg(long, value_name = "PLIES")]
    length: Option<usize>,
    /// Adjudicate by the endgame databases in FOLDER, where they show the result with best play
    #[arg(long, alias = "tb", value_name = "FOLDER")]
    databases: Option<PathBuf>,
    /// Time by which a limit may be exceeded, milliseconds; an engine may have its own margin
    #[arg(long, alias = "timemargin", value_name = "MS", default_value_t = 10)]
    margin: u64,
    /// Time-out for an engine without a clock, or after its time is up, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = value_parser!(u64).range(1..))]
    hang: u64,
    /// Record the games in FILE, one JSON object per line; a match that FILE contains is resumed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write each game to FILE as PGN when it ends; existing contents are replaced
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Event tag of the games in PGN
    #[arg(long, value_name = "NAME", default_value = Occasion::default().event, requires = "pgn")]
    event: String,
    /// Site tag of the games in PGN; the Date tag is that of each game, UTC
    #[arg(long, value_name = "NAME", default_value = Occasion::default().site, requires = "pgn")]
    site: String,
    /// Write a row to FILE as CSV when a game ends; existing contents are replaced
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the match to FILE as an HTML page at its end, also after Ctrl-C: tables, and every game to step through;
    /// `secateurs report` writes it from a record
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Record the dialogues with the engines in FILE
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    /// Show the dialogues with the engines on stderr, each line with its time
    #[arg(long)]
    debug: bool,
    /// Report the result of the test by the exit code: 0 H1 accepted, 3 H0 accepted, 4 undecided
    #[arg(long, requires = "sprt")]
    exit_code: bool,
    /// Show the whole table after every N games
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    rating_interval: Option<u32>,
    /// Print each game as a JSON object per line, without a table at the end
    #[arg(short, long)]
    json: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The order of openings.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderArg {
    /// As in the file
    Sequential,
    /// Shuffled
    Random,
}

const NOTES: &str = "\
Our rules check every move, clocks are measured at the pipe, and each opening is played twice, with colours \
exchanged. Elo differences have 95 % intervals, made from the points of such pairs.

Ctrl-C ends a match after the games under way, a second one breaks these off; neither, nor any other end, loses a game that is \
recorded.

Examples:
  secateurs match -e \"cmd=./new\" -e \"cmd=./old\" --each \"tc=10+0.1 option.Hash=16\" --record new-old.jsonl
  secateurs match -e \"cmd=secateurs name=A nodes=5000\" -e \"cmd=secateurs name=B nodes=4000\" --sprt 0,10 -c 2
  secateurs match -e \"cmd=./a\" -e \"cmd=./b\" -e \"cmd=./c\" --each \"proto=uci movetime=50\" --format gauntlet --game nim

Exit codes: 0 the match is over, or was decided; 1 it was stopped or failed, and can be resumed; 2 it cannot begin. With \
--exit-code: 0 H1 accepted, 3 H0 accepted, 4 all games are played and nothing is decided.";

fn indented() -> String {
    WORDS.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Runs `match`.
pub(super) fn run(args: &MatchArgs, setup: Setup, out: &mut Output<'_>) -> Result<Status, Failure> {
    let tournament = tournament(args, setup)?;
    let files = [&args.record, &args.pgn, &args.csv, &args.report, &args.transcript];
    if args.exit_code || files.iter().any(|file| file.is_some()) {
        out.outlive();
    }
    play(args, tournament, out, &Interrupt::listen())
}

/// Plays the match that [`tournament`] has planned, with an existing handler of Ctrl-C.
pub(super) fn play(
    args: &MatchArgs,
    mut tournament: Tournament,
    out: &mut Output<'_>,
    interrupt: &Interrupt,
) -> Result<Status, Failure> {
    tournament.surroundings.abort = interrupt.abort.clone();
    // Everything that can fail does so before the first game.
    let header = tournament.header();
    let mut outputs = Outputs::open(args, &header)?;
    let (mut journal, records) = match &args.record {
        Some(path) => {
            let (journal, records) = Journal::open_as(path, &header, &tournament.setup, tournament.schedule.rounds)?;
            (Some(journal), records)
        }
        None => (None, Vec::new()),
    };
    if !records.is_empty() {
        log::info!("{} games are taken over", records.len());
    }
    outputs.take_over(&records);
    // If Ctrl-C ends the process at once, no recorded game is lost.
    let stop = &interrupt.stop;
    let games = tournament.schedule.games();
    // A progress bar would mix with the lines of a dialogue.
    let bar = if args.debug { ProgressBar::hidden() } else { progress::bar(Some(games as u64), "games") };
    bar.set_position(records.len() as u64);
    let shown = bar.clone();
    interrupt.announce(move || shown.suspend(finishing));
    tournament.warn_of_few_openings()?;
    let (mut written, mut exported, mut begun) = (Ok(()), Ok(()), false);
    let played = tournament.play(journal.as_mut(), &records, stop, &mut |record, standings| {
        // Computed only if shown: the interval takes time.
        let line = || text::line(standings, games, tournament.test.as_ref());
        if !bar.is_hidden() {
            bar.set_message(line());
        }
        bar.inc(1);
        begun = true;
        if exported.is_ok() {
            exported = outputs.add(&tournament.setup, record);
        }
        if let Some(player) = record.at_fault() {
            let (name, ending) = (&record.players[player], record.ending.text());
            log::warn!("game {}: {name}: {ending}, {}", record.number + 1, record.detail);
        }
        let interim = args.rating_interval.filter(|&every| standings.games().is_multiple_of(every as usize));
        if written.is_ok() && args.json {
            written = bar.suspend(|| out.json(record));
        } else if written.is_ok() && interim.is_some() && standings.games() < games {
            let table = text::table(standings, tournament.test.as_ref());
            written = bar.suspend(|| writeln!(out, "{}\n{table}", line()).and_then(|()| out.flush()));
        } else if written.is_ok() && bar.is_hidden() && standings.games().is_multiple_of((games / 20).max(1)) {
            written = writeln!(out, "{}", line()).and_then(|()| out.flush());
        }
        if written.is_err() || exported.is_err() {
            stop.raise();
        }
    });
    bar.finish_and_clear();
    // The page is written although the output is closed.
    let games_done = match &played {
        Ok(standings) => standings.games(),
        Err(unfinished) => unfinished.standings.games(),
    };
    let reported = if played.is_ok() || games_done > 0 { outputs.report(&tournament, &header) } else { Ok(()) };
    let failure = tournament.surroundings.transcript.as_ref().and_then(Transcript::failure);
    let transcribed = args.transcript.as_ref().zip(failure);
    let transcribed = transcribed.map_or(Ok(()), |(path, error)| Err(Error::file("write", path, &error)));
    written?;
    let (standings, stopped) = match played {
        Ok(standings) => {
            exported = exported.and_then(|()| outputs.begin(&tournament.setup));
            (standings, None)
        }
        Err(unfinished) => (unfinished.standings, Some(unfinished.why)),
    };
    // The table is shown however the match has ended.
    if !args.json && (stopped.is_none() || standings.games() > 0) {
        write!(out, "{}", text::table(&standings, tournament.test.as_ref()))?;
        for change in journal.iter().flat_map(Journal::changes) {
            writeln!(out, "changed: {change}")?;
        }
    }
    if let (Some(_), Err(error)) = (&stopped, &reported) {
        log::error!("{error}");
    }
    match stopped {
        Some(Stopped::Error(error @ Error::File { .. })) => return Err(Failure::Unsaved(error)),
        Some(other) if begun => return Err(Failure::Stopped(other.to_string())),
        Some(other) => return Err(Failure::Usage(other.to_string())),
        None => exported.and(reported).and(transcribed).map_err(Failure::Unsaved)?,
    }
    let decision = tournament.test.as_ref().map(|test| test.status(&standings).decision);
    Ok(match decision {
        Some(Decision::AcceptH1) if args.exit_code => Status::Done,
        Some(Decision::AcceptH0) if args.exit_code => Status::Rejected,
        _ if stop.is_raised() => Status::SomeBad,
        Some(Decision::Continue) if args.exit_code => Status::Undecided,
        _ => Status::Done,
    })
}

/// Announces that the first Ctrl-C has stopped the match.
fn finishing() {
    // A failure to write to stderr is of no consequence.
    let _ = writeln!(io::stderr(), "stopping after the games in progress; press Ctrl-C again to abort them");
}

/// Returns the match that the arguments describe.
pub(super) fn tournament(args: &MatchArgs, setup: Setup) -> Result<Tournament, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let described =
        args.engines.iter().map(|words| words.contestant(&args.each, &setup).map_err(|error| usage(&error)));
    let described = described.collect::<Result<Vec<_>, _>>()?;
    output::check_paths(args, &described)?;
    let mut contestants: Vec<_> = described.into_iter().map(Contestant::from).collect();
    if contestants.len() < 2 {
        return Err(Failure::Usage("a match needs at least two engines: --engine is given for each".into()));
    }
    number_duplicates(&mut contestants);
    let test = args.sprt.map(|(elo0, elo1)| {
        let model = if args.normalized { Model::Normalized } else { Model::Logistic };
        let named = |error| match error {
            Error::BadValue { name, value, expected } => {
                let argument = if ["alpha", "beta"].contains(&&*name) { "--errors" } else { "--sprt" };
                Failure::Usage(format!("{argument}: {name} is {expected}, not {value}"))
            }
            error => usage(&error),
        };
        let sprt = Sprt::new(elo0, elo1, args.errors.0, args.errors.1, model).map_err(named)?;
        Ok::<_, Failure>(Test { sprt, trinomial: args.trinomial })
    });
    let test = test.transpose()?;
    if test.is_some() && contestants.len() > 2 {
        return Err(Failure::Usage("--sprt is for a match of two engines".into()));
    }
    let openings = match &args.openings {
        Some(path) => {
            let plies = args.opening_plies.map(|plies| usize::try_from(plies).unwrap_or(usize::MAX));
            let openings = openings::load(&setup, path, plies)?;
            let source =
                Source::Lines { openings, shuffled: args.order == OrderArg::Random, start: args.start as usize };
            source.check()?;
            source
        }
        None => Source::Random(RandomWalk {
            plies: args.random_plies,
            candidates: args.random_candidates as usize,
            nodes: args.random_nodes,
        }),
    };
    let adjudication = Adjudication {
        resign: args.resign,
        one_sided: !args.twosided,
        draw: args.draw,
        proven: args.proven,
        length: args.length,
        databases: args.databases.as_ref().map(|folder| folder.to_string_lossy().into_owned()),
    };
    adjudication.check(&setup)?;
    let file = args.transcript.as_deref().map(FreshFile::open).transpose()?;
    let screen = args.debug.then(Screen::start).transpose()?;
    let transcript = (file.is_some() || screen.is_some()).then(|| Transcript::new(Both(file, screen)));
    let watchdog = Watchdog::start().inspect_err(|error| log::warn!("engines are not watched: {error}")).ok();
    Ok(Tournament {
        schedule: Schedule {
            format: args.format,
            engines: contestants.len(),
            rounds: match (args.rounds, args.sprt) {
                (Some(rounds), _) => rounds as usize,
                (None, Some(_)) => sprt::DEFAULT_ROUNDS,
                (None, None) => 100,
            },
        },
        setup,
        contestants,
        openings,
        seed: args.seed,
        adjudication,
        timeouts: Timeouts { margin: Duration::from_millis(args.margin), hang: Duration::from_secs(args.hang) },
        concurrency: args.concurrency.into(),
        pinned: args.pin,
        test,
        surroundings: Surroundings { watchdog: watchdog.map(Arc::new), transcript, ..Surroundings::default() },
        start_handler: None,
    })
}
