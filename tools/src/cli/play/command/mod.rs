//! The commands at the prompt, parsed by clap.

use super::level;
use super::seats::Side;
use crate::cli::hints;
use crate::cli::read::number;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgAction, CommandFactory, Parser, value_parser};
use secateurs::core::error::Quoted;
use secateurs::core::score::MAX_PLY;
use secateurs::opponent::Strength;
use secateurs::util::suggestion::did_you_mean;
use std::convert::Infallible;
use std::num::NonZeroU8;
use std::path::PathBuf;

/// A command at the prompt. Everything after its name is one argument, so that file names may contain blanks.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(multicall = true, infer_subcommands = true, disable_help_subcommand = true, disable_help_flag = true)]
#[command(help_template = "{all-args}{after-help}", after_help = format!("{MOVES}\n\n{KEYS}"))]
pub enum Command {
    /// Show the move that the engine would play, and the line that it expects
    Hint,
    /// Undo your last move, or your last N moves
    ///
    /// The replies of the engine are undone as well.
    #[command(visible_aliases = ["u", "back"])]
    Undo {
        /// Number of moves
        #[arg(value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
        count: u16,
    },
    /// Redo the last undone move, or the last N undone moves
    #[command(visible_alias = "forth")]
    Redo {
        /// Number of moves
        #[arg(value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
        count: u16,
    },
    /// Let the engine move for you
    ///
    /// If the engine plays both sides, `go` resumes the game after Ctrl-C or `undo`.
    #[command(visible_alias = "play")]
    Go,
    /// List the legal moves
    #[command(visible_alias = "legal", after_long_help = MOVES)]
    Moves,
    /// Show the board
    #[command(visible_alias = "show")]
    Board,
    /// List the moves of the game
    History,
    /// Show the static evaluation and the value found by a search
    #[command(visible_alias = "evaluate")]
    Eval,
    /// Show the tree of a search to depth PLIES (default 3), or write it to FILE
    ///
    /// The extension of FILE selects the format: .html for a page that folds, .txt, .jsonl, or .dot for Graphviz.
    /// docs/tree.md describes them.
    #[command(override_usage = "tree [PLIES] [FILE]")]
    Tree {
        /// Depth, and the file
        #[arg(hide = true, default_value = "3", value_parser = tree)]
        tree: (u8, Option<PathBuf>),
    },
    /// Set the level of the engine
    #[command(visible_alias = "levels")]
    Level {
        /// Level; without it, show the strength of the engine
        #[arg(value_name = "N", value_parser = level::LevelParser)]
        strength: Option<Strength>,
    },
    /// Limit the engine to a search depth of PLIES
    Depth {
        /// Depth from 1 to 255; without it, show the strength of the engine
        #[arg(value_name = "PLIES", value_parser = level::depth())]
        strength: Option<Strength>,
    },
    /// Limit the engine to a time for each move
    #[command(visible_alias = "seconds")]
    Time {
        /// Seconds such as 0.5, or milliseconds such as 500ms; without it, show the strength of the engine
        #[arg(value_name = "SECONDS", value_parser = level::seconds)]
        strength: Option<Strength>,
    },
    /// Limit the engine to N nodes a move
    #[command(visible_alias = "positions")]
    Nodes {
        /// Number of nodes; without it, show the strength of the engine
        #[arg(value_name = "N", value_parser = level::nodes())]
        strength: Option<Strength>,
    },
    /// Swap sides with the engine
    #[command(visible_alias = "switch")]
    Swap,
    /// Choose the side that you play
    Side {
        /// Side; without it, show the players
        #[arg(ignore_case = true)]
        side: Option<Side>,
    },
    /// Resign the game
    ///
    /// `undo` takes the resignation back.
    #[command(visible_alias = "surrender")]
    Resign,
    /// Start another game: new, new chess, new nim heaps=1,3,5,7
    ///
    /// A GAME starts with its default options. Without GAME, the options that are not given keep their values. `help
    /// options` lists the options of the current game.
    #[command(visible_alias = "restart", override_usage = "new [GAME] [NAME=VALUE]...")]
    New {
        /// Game and options
        #[arg(hide = true, default_value = "")]
        words: String,
    },
    /// Save the game to FILE as PGN
    ///
    /// `save FILE replace` overwrites an existing file.
    #[command(override_usage = "save <FILE> [replace]")]
    Save {
        /// File, and whether to overwrite it
        #[arg(hide = true, value_name = "FILE", value_parser = destination)]
        to: (PathBuf, bool),
    },
    /// Load the last game of a PGN file
    ///
    /// A game without the tag Variant is one of the current game or, if it is none, chess.
    Load {
        /// File written by `save`, --record or `secateurs match --pgn`
        file: PathBuf,
    },
    /// Show this list, or the help on a topic
    #[command(visible_aliases = ["?", "h"])]
    Help {
        /// A command, or `options` for the options of the game
        topic: Option<String>,
    },
    /// Quit, as Ctrl-D does
    #[command(visible_aliases = ["q", "exit", "bye"])]
    Quit,
}

impl Command {
    /// Returns the strength that a command sets.
    pub(crate) fn strength(&self) -> Option<Strength> {
        match self {
            Self::Level { strength }
            | Self::Depth { strength }
            | Self::Time { strength }
            | Self::Nodes { strength } => *strength,
            _ => None,
        }
    }
}

/// The help on typed moves.
const MOVES: &str = "\
Type a move in the notation of the game; `moves` lists the legal moves. Case, blanks and words such as house or column \
do not matter, and a part of a move is enough if it is unique. Several moves on a line are played in sequence as long as \
it is your turn.";

/// The end of the list of commands.
const KEYS: &str = "Ctrl-C makes the engine move at once. `help COMMAND` shows more about a command.";

/// The maximum width of help, on wider terminals and in pipes as well.
const WIDTH: usize = 100;

/// Parses a line whose first word is the name or an alias of a command; `None` for any other line.
pub(crate) fn parse(line: &str) -> Option<Result<Command, String>> {
    Command::command().find_subcommand(&split(line).0)?;
    Some(command(line).map_err(|error| message(&error)))
}

/// Parses a line that is not a move: its first word may abbreviate a command.
///
/// # Errors
/// `mistake`, or that the command is unknown if it resembles a known one.
pub(crate) fn rescue(line: &str, mistake: String) -> Result<Command, String> {
    let (word, _) = split(line);
    if word.len() < 2 || !word.chars().all(char::is_alphabetic) {
        return Err(mistake);
    }
    command(line).map_err(|error| match error.kind() {
        ErrorKind::InvalidSubcommand if similar(&error, &word).is_empty() => mistake,
        _ => message(&error),
    })
}

/// Returns the list of all commands, or the help on one, for lines of at most `columns` columns.
///
/// # Errors
/// A description of the mistake for an unknown topic.
pub(crate) fn help(topic: Option<&str>, columns: Option<usize>, colour: bool) -> Result<String, String> {
    let width = columns.map_or(WIDTH, |columns| columns.min(WIDTH));
    let help = || Arg::new("help").long("help").action(ArgAction::HelpLong).hide(true);
    let mut commands = Command::command().term_width(width).mut_subcommands(|command| command.arg(help()));
    let text = match topic {
        None => commands.render_long_help(),
        Some(topic) => match commands.try_get_matches_from([&topic.to_lowercase(), "--help"]) {
            Err(error) if error.kind() != ErrorKind::DisplayHelp => return Err(message(&error)),
            result => result.err().map(|error| error.render()).unwrap_or_default(),
        },
    };
    Ok(if colour { text.ansi().to_string() } else { text.to_string() })
}

fn command(line: &str) -> Result<Command, Error> {
    let (word, rest) = split(line);
    // What follows `--` is not an option.
    let rest = (!rest.is_empty()).then_some(["--", rest]);
    Command::try_parse_from([word.as_str()].into_iter().chain(rest.into_iter().flatten()))
}

/// Returns the first word in lower case, and the rest of the line.
fn split(line: &str) -> (String, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_lowercase(), rest.trim())
}

/// Describes an error in one line.
fn message(error: &Error) -> String {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand);
            format!("there is no command {}{}", Quoted::part(&word), similar(error, &word))
        }
        ErrorKind::MissingRequiredArgument => format!("missing argument {}", text(ContextKind::InvalidArg)),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = text(ContextKind::InvalidValue);
            let reason = match std::error::Error::source(error) {
                Some(source) => number(source, &value).unwrap_or_else(|| source.to_string()),
                None => {
                    let hint = hints::value(&value).map(|hint| format!("; {hint}")).unwrap_or_default();
                    format!("expected {}{hint}", text(ContextKind::ValidValue))
                }
            };
            format!("invalid value {}: {reason}", Quoted::part(&value))
        }
        _ => format!("unexpected argument {}", Quoted::part(&text(ContextKind::InvalidArg))),
    }
}

/// Returns the commands that an unknown word may mean, as the end of a message: those that it begins, or the most
/// similar one.
fn similar(error: &Error, word: &str) -> String {
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand) else { return String::new() };
    let names = || names.iter().rev().map(String::as_str).filter(|name| name.len() > 2);
    let begun: Vec<_> = names().filter(|name| name.starts_with(word)).collect();
    if begun.is_empty() { did_you_mean(word, names()) } else { format!("; did you mean {}?", begun.join(" or ")) }
}

/// Parses `[PLIES] [FILE]`.
///
/// # Errors
/// The range of the depths.
fn tree(text: &str) -> Result<(u8, Option<PathBuf>), String> {
    let (plies, file) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if !plies.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok((3, Some(text.into())));
    }
    let plies = plies.parse::<NonZeroU8>().map_err(|_| format!("the depth is not from 1 to {MAX_PLY}"))?;
    Ok((plies.get(), Some(file.trim()).filter(|file| !file.is_empty()).map(PathBuf::from)))
}

/// Parses `FILE [replace]`.
fn destination(text: &str) -> Result<(PathBuf, bool), Infallible> {
    let file = text.strip_suffix(" replace");
    Ok((file.map_or(text, str::trim_end).into(), file.is_some()))
}

#[cfg(test)]
mod tests;
