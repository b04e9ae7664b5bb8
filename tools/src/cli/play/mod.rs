//! `secateurs play`: a game against a person, at a terminal or through a pipe.
//!
//! - [`session`]: the game loop and its output; [`execute`]: the effects of commands;
//! - [`command`]: the commands and their parser; [`moves`]: the parser of typed moves; [`input`]: lines and Ctrl-C;
//! - [`seats`]: the players of the sides; [`level`]: the strength of the engine;
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
pub mod words;

use super::engine_args::EngineArgs;
use super::output::Output;
use super::setup::GameArgs;
use super::terminal::{self, Wrapping};
use super::{Failure, Status, hints};
use clap::ValueEnum;
use game_line::GameLine;
use input::Input;
use record::{Loaded, Recorder};
use seats::Side;
use secateurs::core::{Error, Style};
use secateurs::opponent::{DEFAULT, Opponent, Strength};
use secateurs::protocol::options::fresh_seed;
use secateurs::registry::Setup;
use session::Session;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// The arguments of `play`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// Side that you play [default: first, or that of the loaded game]
    #[arg(long, value_enum)]
    side: Option<Side>,
    #[arg(short, long, value_name = "N", group = "strength", value_parser = level::LevelParser, help = level_help())]
    level: Option<Strength>,
    /// Limit the search depth, in plies, instead of a level
    #[arg(short, long, value_name = "PLIES", group = "strength", value_parser = level::depth())]
    depth: Option<Strength>,
    /// Limit the time for each move, in seconds, instead of a level
    #[arg(long, value_name = "S", group = "strength", value_parser = level::seconds)]
    time: Option<Strength>,
    /// Limit the time for each move, in milliseconds, instead of a level
    #[arg(short = 't', long, value_name = "MS", group = "strength", value_parser = level::milliseconds())]
    movetime: Option<Strength>,
    /// Limit the nodes for each move, instead of a level
    #[arg(short, long, value_name = "N", group = "strength", value_parser = level::nodes())]
    nodes: Option<Strength>,
    /// Position to start from: `startpos` or the game's notation, optionally `moves` and moves
    #[arg(value_name = "POSITION", conflicts_with = "load")]
    pub(super) position: Option<String>,
    /// Continue the last game of FILE, written by `save` or --record
    #[arg(long, value_name = "FILE")]
    pub(super) load: Option<PathBuf>,
    /// Append the game to FILE as PGN; rewrites FILE after every move
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Seed of random choices: the same moves get the same replies
    #[arg(long, value_name = "N", conflicts_with = "debug")]
    seed: Option<u64>,
    /// Play the first of equal moves, and show the info lines of the search
    #[arg(long)]
    debug: bool,
    /// Play without opening books
    #[arg(long)]
    no_book: bool,
    /// The threads and the table of the engine.
    #[command(flatten)]
    engine: EngineArgs<64>,
    /// When to use colours; `always` also draws the board as on a terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    color: Colour,
    /// Draw the board in ASCII
    #[arg(long)]
    ascii: bool,
    /// The game and its options.
    #[command(flatten)]
    pub game: GameArgs,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal with colours, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

const EXAMPLES: &str = "\
Type a move, or `help`. Ctrl-C makes the engine move at once. Ctrl-D quits.

In a pipe, each line of the input is a move or a command. The output ends with the result or the position.

Examples:
  secateurs play                                     kalah, you begin, level 5
  secateurs play --side second --level 8 --game connect4
  secateurs play --option Houses=4 --option Seeds=3 --record games.pgn
  secateurs play --side both --game nim              two people
  secateurs play --side none --movetime 500          the engine against itself
  secateurs play --load games.pgn --record games.pgn
  printf '3 1\\nhint\\n' | secateurs play --seed 1";

/// Runs `play`; `wanted` are the game and the options that were given.
pub(super) fn run(args: &PlayArgs, setup: Setup, wanted: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.check_paths(&[], &[("--record", args.record.as_deref())])?;
    let (loaded, texts) = match &args.load {
        Some(path) => {
            let (loaded, texts) = record::load(path, &setup, wanted.options())?;
            let found = loaded.setup.row().name;
            if let Some(wanted) = wanted.name().filter(|wanted| *wanted != found) {
                return Err(Error::bad_file(path, format!("has a game of {found}, not of {wanted}")).into());
            }
            (loaded, Some((path, texts)))
        }
        None => {
            let board = hints::board(&setup, args.position.as_deref().unwrap_or(secateurs::registry::STARTPOS))?;
            let played = board.history();
            // The moves of the command line can be undone as well.
            let mut line = GameLine::new(setup.board(&board.start())?);
            played.iter().try_for_each(|mv| line.play(mv, String::new()))?;
            (Loaded { setup, line, seats: None, strength: None }, None)
        }
    };
    let Loaded { setup, line, seats, strength: loaded } = loaded;
    let seats = args.side.or(seats).unwrap_or(Side::First);
    let mut recorder = args.record.as_deref().map(Recorder::open).transpose()?;
    if let (Some(recorder), Some((path, texts))) = (&mut recorder, texts) {
        recorder.resume(path, texts);
    }
    let seed = if args.debug { None } else { Some(args.seed.unwrap_or_else(fresh_seed)) };
    let mut thinker = Opponent::new(args.engine.hash.table()?, args.engine.threads(), seed)?;
    thinker.begin(setup.row(), !args.no_book)?;
    let strength = args.level.or(args.depth).or(args.time).or(args.movetime).or(args.nodes);
    let input = Input::open().map_err(Failure::no_thread)?;
    let style = style(args);
    let session = Session {
        out: &mut Wrapping::new(out, style.columns),
        style,
        prompts: input.is_terminal && io::stdout().is_terminal(),
        input,
        setup,
        line,
        seats,
        strength: strength.or(loaded).unwrap_or(Strength::Level(DEFAULT)),
        thinker,
        recorder,
        book: !args.no_book,
        debug: args.debug,
        paused: false,
        warned: false,
        saved: Vec::new(),
    };
    session.run()
}

/// Returns the capabilities of standard output.
fn style(args: &PlayArgs) -> Style {
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
    format!("Level of the engine [default: {DEFAULT}, or that of the loaded game]")
}
