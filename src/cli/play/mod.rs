//! `secateur play`: a game against a person, at a terminal or through a pipe.
//!
//! - [`session`]: the loop: whose turn it is, what is said; [`execute`]: what commands do;
//! - [`command`]: the table of commands; [`moves`]: moves as people type them; [`input`]: lines and Ctrl-C;
//! - [`seats`]: who plays which side; [`level`]: how strong the engine plays; [`thinking`]: the engine at the board;
//! - [`game_line`]: the game so far; [`record`]: games in files; [`words`]: values and results in words.

pub mod command;
pub mod execute;
pub mod game_line;
pub mod input;
pub mod level;
pub mod moves;
pub mod record;
pub mod seats;
pub mod session;
pub mod thinking;
pub mod words;

use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::{Failure, Status};
use crate::core::Style;
use crate::protocol::options::fresh_seed;
use crate::registry::Setup;
use clap::{ValueEnum, value_parser};
use game_line::GameLine;
use input::Input;
use level::{DEFAULT, LEVELS, Strength};
use record::{Loaded, Recorder};
use seats::Side;
use session::Session;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;
use thinking::Thinker;

/// The arguments of `play`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Which side you play [default: first, or as the game of --load was played]
    #[arg(long, value_enum)]
    side: Option<Side>,
    #[arg(short, long, value_name = "N", group = "strength", value_parser = value_parser!(u8).range(1..=LEVELS.len() as i64), help = level_help())]
    level: Option<u8>,
    /// Let the engine search to this depth instead, plies
    #[arg(short, long, value_name = "PLIES", group = "strength", value_parser = value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Let the engine think so many milliseconds instead
    #[arg(short = 't', long, value_name = "MS", group = "strength", value_parser = value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Let the engine look at so many positions instead
    #[arg(short, long, value_name = "N", group = "strength", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Begin here: `startpos` or the game's notation, then perhaps `moves` and moves
    #[arg(long, value_name = "POSITION", conflicts_with = "load")]
    position: Option<String>,
    /// Take up the last game of FILE, which `save` or --record has written
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Keep the game in FILE as PGN, behind those that are there; it is written after every move
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw among equal moves by this number: the same moves get the same answers
    #[arg(long, value_name = "N", conflicts_with = "debug")]
    seed: Option<u64>,
    /// Play the first of equal moves, and show what the search says
    #[arg(long)]
    debug: bool,
    /// Play without the books of exact values
    #[arg(long)]
    no_book: bool,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The size of the transposition table, MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = value_parser!(u64).range(1..))]
    hash: u64,
    /// When the board has colours; `always` draws it as on a terminal wherever it goes
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    /// Draw the board with the characters of ASCII
    #[arg(long)]
    ascii: bool,
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal that has them, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

const EXAMPLES: &str = "\
Type a move, or help. Ctrl-C while the engine thinks lets it move at once; Ctrl-D leaves.

Through a pipe the commands are lines of the input; at its end the result or the position is told.

Examples:
  secateur play                                     kalah, you begin, level 5
  secateur play --side second --level 8 --game connect4
  secateur play --option Houses=4 --option Seeds=3 --record games.pgn
  secateur play --side both --game nim              two people
  secateur play --side none --movetime 500          the engine against itself
  secateur play --load games.pgn --record games.pgn
  printf '3 1\\nhint\\n' | secateur play --seed 1";

impl Args {
    /// Whether it writes a file beside its output.
    pub(super) fn leaves_more(&self) -> bool {
        self.record.is_some()
    }
}

/// Plays.
pub(super) fn run(args: &Args, setup: Setup, out: &mut impl Write) -> Result<Status, Failure> {
    let (loaded, before) = match &args.load {
        Some(path) => {
            let (loaded, before) = record::load(path, &setup)?;
            (loaded, Some((path, before)))
        }
        None => {
            let board = setup.board(args.position.as_deref().unwrap_or(crate::registry::STARTPOS))?;
            let played = board.history();
            // Moves of the command line can be taken back as well.
            let mut line = GameLine::new(setup.row().parse(setup.options(), &board.start())?);
            played.iter().try_for_each(|mv| line.play(mv, String::new()))?;
            (Loaded { setup, line, seats: None, strength: None }, None)
        }
    };
    let Loaded { setup, line, seats, strength: loaded } = loaded;
    let seats = args.side.or(seats).unwrap_or(Side::First);
    let mut recorder = args.record.as_deref().map(Recorder::open).transpose()?;
    if let (Some(recorder), Some((path, before))) = (&mut recorder, before) {
        recorder.take_up(path, before);
    }
    let seed = if args.debug { None } else { Some(args.seed.unwrap_or_else(fresh_seed)) };
    let mut thinker = Thinker::new(args.hash, args.threads.into(), seed)?;
    thinker.begin(setup.row(), !args.no_book)?;
    let input = Input::open();
    let style = style(args);
    let session = Session {
        out: &mut Wrapping::new(out, style.columns),
        style,
        prompts: input.is_terminal && io::stdout().is_terminal(),
        input,
        setup,
        line,
        seats,
        strength: strength(args).or(loaded).unwrap_or(Strength::Level(DEFAULT)),
        thinker,
        recorder,
        book: !args.no_book,
        debug: args.debug,
        paused: false,
        warned: false,
        saved: Vec::new(),
    };
    session.run()?;
    Ok(Status::Done)
}

/// How strong the engine is to play, if the command line says so.
fn strength(args: &Args) -> Option<Strength> {
    let level = args.level.map(|level| Strength::Level(level.into()));
    let time = args.movetime.map(|ms| Strength::Time(Duration::from_millis(ms)));
    level.or(args.depth.map(Strength::Depth)).or(time).or(args.nodes.map(Strength::Nodes))
}

/// What standard output can show.
fn style(args: &Args) -> Style {
    let out = io::stdout();
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let terminal = out.is_terminal() && !is_dumb || args.color == Colour::Always;
    let colour = match args.color {
        Colour::Auto => anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never,
        Colour::Always => true,
        Colour::Never => false,
    };
    let unicode = terminal && !args.ascii && supports_unicode::supports_unicode();
    Style { unicode, colour, columns: terminal::columns() }
}

fn level_help() -> String {
    format!(
        "How strong the engine plays: 1 for beginners to {} [default: {DEFAULT}, or as in the game of --load]",
        LEVELS.len()
    )
}
