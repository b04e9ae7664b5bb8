//! The command line of `secateurs-kgp`, which plays Kalah on a server of the Kalah Game Protocol.

use crate::address::Address;
use crate::client::{Client, End, Fault};
use crate::message::{LONGEST, Message};
use crate::notice::{AnswerEnd, Notice};
use crate::record::Record;
use crate::session::comment;
use crate::settings::{Identity, Settings};
use clap::{Parser, value_parser};
use secateurs::core::error::Quoted;
use secateurs::core::{Limits, Report, StopFlag};
use secateurs::registry::{self, Setup};
use secateurs::util::counted::counted;
use secateurs_tools::cli::engine_args::EngineArgs;
use secateurs_tools::cli::interrupt::Interrupt;
use secateurs_tools::cli::output::{FileKind, Output};
use secateurs_tools::cli::setup::GameArgs;
use secateurs_tools::cli::{Failure, Status, program};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The time for `goodbye` and the records after `SIGTERM`.
const LEAVING: Duration = Duration::from_secs(3);

/// The maximum number of server errors shown: a server may report them for ever.
const MOST_WARNINGS: u32 = 100;

/// The command line.
#[derive(Parser)]
#[command(version, about = "Plays Kalah at a server of the Kalah Game Protocol", after_help = EXAMPLES)]
pub struct Args {
    /// The server: HOST[:PORT] for TCP, ws://HOST[:PORT]/PATH for WebSocket [default: of KGP_HOST and KGP_PORT]
    #[arg(value_name = "HOST")]
    server: Option<String>,
    /// Name of this client (info:name)
    #[arg(long, value_name = "TEXT", default_value = "Secateurs", value_parser = value)]
    name: String,
    /// Its authors (info:authors)
    #[arg(long, value_name = "TEXT", value_parser = value)]
    authors: Option<String>,
    /// What it does (info:description)
    #[arg(long, value_name = "TEXT", value_parser = value)]
    description: Option<String>,
    /// Secret by which the server knows this client again (auth:token)
    #[arg(long, value_name = "TEXT", value_parser = value)]
    token: Option<String>,
    /// Send score, depth and nodes with each move (info:comment)
    #[arg(long)]
    comment: bool,
    /// Stop each search after MS milliseconds, if the server does not stop it before
    #[arg(short = 't', long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Stop each search after this depth
    #[arg(short, long, value_name = "PLIES", value_parser = value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Stop each search after N nodes
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The threads, those of several states together, and the table.
    #[command(flatten)]
    engine: EngineArgs<64>,
    /// Give up after N attempts in a row to connect; 0: never
    #[arg(long, value_name = "N", default_value_t = 10)]
    attempts: u32,
    /// Add the games to FILE (PGN)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Log the protocol dialogue to FILE, each line with its time
    #[arg(long, value_name = "FILE")]
    protocol_log: Option<PathBuf>,
    /// The game and its options.
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Plays on boards of 1 to 12 houses a side, with standard captures, until the server says goodbye. A search continues until the \
server stops it, the value is proven, or a limit is reached; each better move is sent at once. Where the server says how much \
time is left, the clock is a limit; where it says that it counts none, ten seconds are. Several states are searched at a time; the threads are \
those of all searches together.

A line a state: its number, the move, depth, score, nodes, time, and whether the server stopped the search or this client \
yielded. A connection that is lost is made again, after waits of 1, 2, 4 seconds and so on up to a minute.

The protocol does not say which states make a game. Without the option game:id, a state continues the game from whose last \
state the rules lead to it; the moves in between are added. The result is * where the server does not show the end.

Ctrl-C and SIGTERM say goodbye and write the records.

Examples:
  secateurs-kgp localhost
  secateurs-kgp localhost:2671 --name Secateurs --token SECRET --record games.pgn
  secateurs-kgp ws://localhost:8080/socket --comment --threads 2 --hash 256
  secateurs-kgp localhost --movetime 2000 --protocol-log talk.log

Exit codes: 0 the server said goodbye; 1 no connection, or the server refuses this client; 2 an argument cannot be used; 130 \
Ctrl-C; 143 SIGTERM.";

/// Parses a value for the server: it must fit into a message, and a line break would end it.
fn value(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("it is empty".into());
    }
    if text.chars().any(char::is_control) {
        return Err("it has control characters".into());
    }
    if Message::set("info:description", text).to_string().chars().count() > LONGEST {
        return Err(format!("a message has at most {LONGEST} characters"));
    }
    Ok(text.into())
}

/// Executes the command line, and returns the exit code.
pub fn run(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    program::run(words, connect)
}

fn connect(args: Args, out: &mut Output<'_>) -> Result<Status, Failure> {
    // The records are completed even if the output is closed.
    out.outlive();
    let log = args.protocol_log.clone();
    out.check_paths(&[], &[("--record", args.record.as_deref()), ("--protocol-log", log.as_deref())])?;
    FileKind::Dialogue.check("--protocol-log", log.as_deref())?;
    let address = address(args.server.as_deref())?;
    let setup = kalah(&args.game)?;
    let record = args.record.as_deref().map(|path| record(path, &address, &args.name)).transpose()?;
    let table = args.engine.table()?;
    if args.token.is_some() && !address.is_local() {
        log::warn!("the token goes to {address} without encryption");
    }
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        movetime: args.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    let client = Client::new(Settings {
        address: address.clone(),
        identity: Identity {
            name: Some(args.name.clone()),
            authors: args.authors.clone(),
            description: args.description.clone(),
            token: args.token.clone(),
        },
        comments: args.comment,
        setup,
        table,
        threads: args.engine.threads(),
        limits,
        attempts: Some(args.attempts).filter(|&attempts| attempts > 0),
        log,
    })?;
    let interrupt = Interrupt::listen();
    let (leaver, (ended, end)) = (client.leaver(), channel::<()>());
    let (on_exit, terminated) = (leaver.clone(), StopFlag::new());
    let is_terminated = terminated.clone();
    interrupt.announce(move || leaver.leave());
    interrupt.at_exit(move || {
        terminated.raise();
        on_exit.leave();
        // The loop ends when the sender is dropped.
        while end.recv_timeout(LEAVING).is_ok() {}
    });
    let played = play(client, &address, record, out);
    drop(ended);
    if is_terminated.is_raised() {
        // The signal thread now ends the process, with the exit code of the signal.
        std::thread::sleep(LEAVING);
    }
    let (end, complete) = played?;
    match end {
        Ok(_) if !complete => Err(Failure::Stopped("the record of the games is incomplete".into())),
        Ok(End::Goodbye) => Ok(Status::Done),
        Ok(End::Left) => Ok(Status::Interrupted),
        Err(Fault::Log(error)) => Err(error.into()),
        Err(fault) => Err(Failure::Stopped(fault.to_string())),
    }
}

/// Plays on another thread while this one records and prints: a slow reader of the output must not delay a move.
/// Returns how the client ended, and whether all games were recorded.
fn play(
    client: Client,
    address: &Address,
    record: Option<Record>,
    out: &mut Output<'_>,
) -> Result<(Result<End, Fault>, bool), Failure> {
    let ((notices, received), leaver) = (channel::<Notice>(), client.leaver());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("client".into());
        let playing = thread.spawn_scoped(scope, move || client.run(&mut |notice| drop(notices.send(notice.clone()))));
        let playing = playing.map_err(|error| Failure::Stopped(format!("cannot start a thread: {error}")))?;
        let shown = show(&received, address, record, out);
        if shown.is_err() {
            leaver.leave();
        }
        let end = playing.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload));
        Ok((end, shown?))
    })
}

/// Records and prints what happens. Returns whether all games were recorded.
fn show(
    notices: &Receiver<Notice>,
    address: &Address,
    mut record: Option<Record>,
    out: &mut Output<'_>,
) -> Result<bool, Failure> {
    let (mut complete, mut answers, mut warnings) = (true, 0_u64, 0_u32);
    for notice in notices {
        warnings += u32::from(matches!(notice, Notice::Refused { .. } | Notice::Fault(_)));
        if let Some(Err(error)) = record.as_mut().map(|record| record.note(&notice)) {
            if complete {
                writeln!(out.err(), "warning: {error}")?;
            }
            complete = false;
        } else if matches!(notice, Notice::Answered { .. } | Notice::Ended) {
            // Each answer also writes what the last one could not.
            complete = true;
        }
        answers += u64::from(matches!(notice, Notice::Answered { .. }));
        match notice {
            Notice::Refused { .. } | Notice::Fault(_) if warnings > MOST_WARNINGS => {
                if warnings == MOST_WARNINGS + 1 {
                    writeln!(
                        out.err(),
                        "warning: there are more than {MOST_WARNINGS} of these; the log has the others"
                    )?;
                }
            }
            notice => write(&notice, address, out)?,
        }
    }
    let games = record.map(|record| format!(" in {}", counted(record.count(), "game"))).unwrap_or_default();
    writeln!(out, "{}{games}", counted(answers, "answer"))?;
    Ok(complete)
}

/// Prints a notice in one line.
fn write(notice: &Notice, address: &Address, out: &mut Output<'_>) -> io::Result<()> {
    match notice {
        Notice::Connected { version: [major, minor, patch] } => {
            writeln!(out, "connected to {address}, version {major}.{minor}.{patch} of the protocol")?;
        }
        Notice::Server(name) => writeln!(out, "the server is {name}")?,
        Notice::Waits { reason, wait } => writeln!(out.err(), "{reason}; next attempt in {} s", wait.as_secs())?,
        Notice::Answered { number, id, end, report, time } => {
            let number = id.map_or_else(|| format!("#{}", number & u64::from(u32::MAX)), |id| id.to_string());
            let end = if *end == AnswerEnd::Stopped { "stopped" } else { "yielded" };
            writeln!(out, "state {number}: {}, {:.3} s, {end}", answer(report.as_deref()), time.as_secs_f64())?;
        }
        Notice::Refused { reason } => writeln!(out.err(), "warning: {reason}")?,
        Notice::Fault(text) => writeln!(out.err(), "warning: the server reports {text}")?,
        Notice::State { .. } | Notice::Moved { .. } | Notice::Ended => return Ok(()),
    }
    out.flush()
}

fn answer(report: Option<&Report>) -> String {
    let best = report.and_then(|report| Some((report.best()?, report)));
    best.map_or_else(|| "no move".into(), |(best, report)| format!("move {best}, {}", comment(report)))
}

/// Parses the address of the server. The default comes from the environment, where tournaments put it.
fn address(given: Option<&str>) -> Result<Address, Failure> {
    if let Some(given) = given {
        return Ok(given.parse()?);
    }
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let host = variable("KGP_HOST").ok_or_else(|| Failure::Usage("no HOST, and KGP_HOST is not set".into()))?;
    let mut address: Address = host.parse()?;
    if let Some(port) = variable("KGP_PORT").filter(|_| address.path.is_none()) {
        let port: Option<u16> = port.parse().ok().filter(|&port| port > 0);
        address.port = port.ok_or_else(|| Failure::Usage("KGP_PORT is not a number from 1 to 65535".into()))?;
    }
    Ok(address)
}

/// Returns the setup of Kalah with those options that do not change the rules.
fn kalah(game: &GameArgs) -> Result<Setup, Failure> {
    if let Some(name) = game.name().filter(|name| *name != registry::NAMES[0]) {
        return Err(Failure::Usage(format!("the game of the protocol is {}, not {name}", registry::NAMES[0])));
    }
    let setup = game.setup()?;
    let capture = setup.options().text("Capture");
    if capture != "standard" {
        return Err(Failure::Usage(format!("captures are standard in the protocol, not {}", Quoted::new(capture))));
    }
    Ok(setup)
}

fn record(path: &Path, address: &Address, name: &str) -> Result<Record, Failure> {
    let plain = Setup::named(registry::NAMES[0])?;
    Ok(Record::open(path, plain, &address.to_string(), name)?)
}
