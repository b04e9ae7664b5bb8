//! The commands at the prompt: one table, from which parsing, help and suggestions follow.

use super::level::{LEVELS, Strength};
use super::seats::Side;
use crate::cli::terminal;
use crate::core::error::Quoted;
use crate::core::suggestion::did_you_mean;
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;

/// A command at the prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// No command: one or several moves, or a mistake.
    Moves(String),
    /// Show the move that the engine would play.
    Hint,
    /// Undo this number of decisions.
    Undo(usize),
    /// Redo this number of decisions.
    Redo(usize),
    /// Show the value of the position.
    Eval,
    /// Show the tree of a search: its depth, and a file for it.
    Tree(u8, Option<PathBuf>),
    /// Save the game to a file; the flag allows replacing an existing one.
    Save(PathBuf, bool),
    /// Load the last game of a file.
    Load(PathBuf),
    /// Resign.
    Resign,
    /// Exchange sides.
    Swap,
    /// Set the sides that people play; `None`: show them.
    Side(Option<Side>),
    /// Let the engine move.
    Go,
    /// Set the engine's strength; `None`: show it.
    Strength(Option<Strength>),
    /// List the legal moves.
    List,
    /// Show the board.
    Board,
    /// List the moves so far.
    History,
    /// Start another game: its name, and options as `NAME=VALUE`.
    New(Vec<String>),
    /// Show help, optionally about a topic.
    Help(Option<String>),
    /// Quit.
    Quit,
}

/// The default depth of a tree in plies.
const TREE_DEPTH: u8 = 3;

/// A command: its syntax, its help and its parser.
pub struct CommandRow {
    /// The name.
    pub name: &'static str,
    /// The aliases.
    pub also: &'static [&'static str],
    /// The syntax of the arguments.
    pub takes: &'static str,
    /// The help in one line.
    pub help: &'static str,
    /// Further help: empty or whole lines.
    pub more: &'static str,
    read: fn(&str) -> Result<Command, String>,
}

/// All commands, in the order of `help`.
pub const COMMANDS: &[CommandRow] = &[
    CommandRow {
        name: "hint",
        also: &[],
        takes: "",
        help: "what the engine would play, and what it expects",
        more: "",
        read: |rest| alone(rest, Command::Hint),
    },
    CommandRow {
        name: "undo",
        also: &["u", "back"],
        takes: "[N]",
        help: "take back your last move, or N of them, with all that followed",
        more: "",
        read: |rest| Ok(Command::Undo(count(rest)?)),
    },
    CommandRow {
        name: "redo",
        also: &["forth"],
        takes: "[N]",
        help: "play again what was taken back",
        more: "",
        read: |rest| Ok(Command::Redo(count(rest)?)),
    },
    CommandRow {
        name: "go",
        also: &["play"],
        takes: "",
        help: "let the engine move for you",
        more: "Where the engine plays both sides, `go` goes on after Ctrl-C or undo.",
        read: |rest| alone(rest, Command::Go),
    },
    CommandRow {
        name: "moves",
        also: &["legal"],
        takes: "",
        help: "list the legal moves",
        more: "",
        read: |rest| alone(rest, Command::List),
    },
    CommandRow {
        name: "board",
        also: &["show"],
        takes: "",
        help: "show the board",
        more: "",
        read: |rest| alone(rest, Command::Board),
    },
    CommandRow {
        name: "history",
        also: &[],
        takes: "",
        help: "list the moves of this game",
        more: "",
        read: |rest| alone(rest, Command::History),
    },
    CommandRow {
        name: "eval",
        also: &["evaluate"],
        takes: "",
        help: "what the position is worth, at a glance and after a search",
        more: "",
        read: |rest| alone(rest, Command::Eval),
    },
    CommandRow {
        name: "tree",
        also: &[],
        takes: "[PLIES] [FILE]",
        help: "show the tree of a search, 3 plies deep if nothing is said",
        more: "A FILE is .html, a page that folds and unfolds, or .txt, .jsonl, .dot. docs/tree.md explains it.",
        read: |rest| {
            let (plies, file) = split(rest);
            let (plies, file) = match ranged(plies, 1, 255) {
                Some(plies) => (plies as u8, file),
                None => (TREE_DEPTH, rest),
            };
            Ok(Command::Tree(plies, (!file.is_empty()).then(|| file.into())))
        },
    },
    CommandRow {
        name: "level",
        also: &["levels"],
        takes: "[1..10]",
        help: "how strong the engine plays; `help level` lists the levels",
        more: "",
        read: |rest| {
            strength(
                rest,
                |rest| Some(Strength::Level(ranged(rest, 1, LEVELS.len() as u64)? as usize)),
                "a level is a number from 1 to 10",
            )
        },
    },
    CommandRow {
        name: "depth",
        also: &[],
        takes: "PLIES",
        help: "let the engine search so deep instead",
        more: "",
        read: |rest| {
            strength(
                rest,
                |rest| Some(Strength::Depth(ranged(rest, 1, 255)? as u8)),
                "a depth is a number from 1 to 255",
            )
        },
    },
    CommandRow {
        name: "time",
        also: &["seconds"],
        takes: "SECONDS",
        help: "let the engine think so long instead; 500ms is said as well",
        more: "",
        read: |rest| {
            strength(
                rest,
                |rest| seconds(rest).map(Strength::Time),
                "a time is a number of seconds up to a day, or of ms",
            )
        },
    },
    CommandRow {
        name: "nodes",
        also: &["positions"],
        takes: "N",
        help: "let the engine look at so many positions instead",
        more: "",
        read: |rest| {
            strength(rest, |rest| Some(Strength::Nodes(ranged(rest, 1, u64::MAX)?)), "nodes is a number from 1")
        },
    },
    CommandRow {
        name: "swap",
        also: &["switch"],
        takes: "",
        help: "change sides with the engine",
        more: "",
        read: |rest| alone(rest, Command::Swap),
    },
    CommandRow {
        name: "side",
        also: &[],
        takes: "first|second|both|none",
        help: "which side you play; both: two people, none: the engine by itself",
        more: "",
        read: |rest| match rest {
            "" => Ok(Command::Side(None)),
            _ => Side::from_str(rest, true)
                .map(|side| Command::Side(Some(side)))
                .map_err(|_| format!("a side is first, second, both or none, not {}", Quoted::part(rest))),
        },
    },
    CommandRow {
        name: "resign",
        also: &["surrender"],
        takes: "",
        help: "give the game up; undo takes that back too",
        more: "",
        read: |rest| alone(rest, Command::Resign),
    },
    CommandRow {
        name: "new",
        also: &["restart"],
        takes: "[GAME] [NAME=VALUE ...]",
        help: "begin another game: new houses=4 seeds=3, new nim heaps=1,3,5,7",
        more: "Options that are not named stay as they are; `new GAME` begins with that game's defaults. `help options` \
               lists the options of the game.",
        read: |rest| Ok(Command::New(rest.split_whitespace().map(str::to_owned).collect())),
    },
    CommandRow {
        name: "save",
        also: &[],
        takes: "FILE [replace]",
        help: "write the game in a file, as PGN",
        more: "Another file of that name is left alone unless `replace` is said.",
        read: |rest| {
            let (file, over) = rest.strip_suffix(" replace").map_or((rest, false), |file| (file.trim(), true));
            path(file).map(|file| Command::Save(file, over))
        },
    },
    CommandRow {
        name: "load",
        also: &[],
        takes: "FILE",
        help: "take up the last game of such a file",
        more: "",
        read: |rest| path(rest).map(Command::Load),
    },
    CommandRow {
        name: "help",
        also: &["?", "h"],
        takes: "[COMMAND|moves|options]",
        help: "this list, or more about one thing",
        more: "",
        read: |rest| Ok(Command::Help((!rest.is_empty()).then(|| rest.to_lowercase()))),
    },
    CommandRow {
        name: "quit",
        also: &["q", "exit", "bye"],
        takes: "",
        help: "leave; so does Ctrl-D",
        more: "",
        read: |rest| alone(rest, Command::Quit),
    },
];

/// Parses a line; `None` for a blank one. A line without a command is returned as moves, which the game parses.
///
/// # Errors
/// A description of the mistake in a command's arguments.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let (word, rest) = split(line);
    match row(word) {
        _ if word.is_empty() => Ok(None),
        Some(row) => (row.read)(rest).map(Some),
        None => Ok(Some(Command::Moves(line.trim().into()))),
    }
}

/// Parses a line that is not a move: its first word may abbreviate a command.
///
/// # Errors
/// `mistake`, or that the command is unknown, whichever is more likely.
pub fn rescue(line: &str, mistake: String) -> Result<Command, String> {
    let (word, rest) = split(line);
    let lower = word.to_lowercase();
    if lower.len() < 2 || !lower.chars().all(char::is_alphabetic) {
        return Err(mistake);
    }
    let begun: Vec<&CommandRow> = COMMANDS.iter().filter(|row| row.name.starts_with(&lower)).collect();
    match begun[..] {
        [row] => (row.read)(rest),
        [] => {
            let words = COMMANDS.iter().flat_map(|row| std::iter::once(&row.name).chain(row.also)).copied();
            let near = did_you_mean(&lower, words.filter(|name| name.len() > 2));
            Err(if near.is_empty() { mistake } else { format!("there is no command {}{near}", Quoted::part(word)) })
        }
        _ => {
            let names: Vec<_> = begun.iter().map(|row| row.name).collect();
            Err(format!("{} can be any of {}", Quoted::part(word), names.join(", ")))
        }
    }
}

/// Finds a command by its name or an alias.
#[must_use]
pub fn row(word: &str) -> Option<&'static CommandRow> {
    let same = |name: &str| name.eq_ignore_ascii_case(word);
    COMMANDS.iter().find(|row| same(row.name) || row.also.iter().any(|name| same(name)))
}

/// Returns the list of all commands, for lines of at most `columns` columns.
#[must_use]
pub fn help(columns: Option<usize>) -> String {
    let rows: Vec<_> = COMMANDS.iter().map(|row| (usage(row), row.help.to_owned())).collect();
    terminal::definitions(&rows, columns)
}

/// Returns a command with the syntax of its arguments.
#[must_use]
pub fn usage(row: &CommandRow) -> String {
    format!("{} {}", row.name, row.takes).trim_end().into()
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

fn alone(rest: &str, command: Command) -> Result<Command, String> {
    if rest.is_empty() {
        Ok(command)
    } else {
        Err(format!("nothing stands behind it: {} is too much", Quoted::part(rest)))
    }
}

fn count(rest: &str) -> Result<usize, String> {
    if rest.is_empty() {
        return Ok(1);
    }
    let most = u64::from(u16::MAX);
    ranged(rest, 1, most)
        .map(|count| count as usize)
        .ok_or_else(|| format!("a number from 1 to {most}, not {}", Quoted::part(rest)))
}

fn strength(rest: &str, read: impl Fn(&str) -> Option<Strength>, expected: &str) -> Result<Command, String> {
    if rest.is_empty() {
        return Ok(Command::Strength(None));
    }
    let strength = read(rest).ok_or_else(|| format!("{expected}, not {}", Quoted::part(rest)))?;
    Ok(Command::Strength(Some(strength)))
}

fn ranged(text: &str, least: u64, most: u64) -> Option<u64> {
    text.parse().ok().filter(|number| (least..=most).contains(number))
}

/// Parses seconds, optionally followed by `s`, or milliseconds followed by `ms`.
fn seconds(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    (1e-3..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn path(rest: &str) -> Result<PathBuf, String> {
    if rest.is_empty() { Err("the name of a file is missing".into()) } else { Ok(rest.into()) }
}

#[cfg(test)]
mod tests;
