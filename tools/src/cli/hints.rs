//! Hints for what a command line cannot use: words of other programs, and texts in the wrong place.

use super::matches::contestant;
use clap::Command;
use secateurs::core::error::Quoted;
use secateurs::core::{Error, limits};
use secateurs::engine::Board;
use secateurs::registry::{self, STARTPOS, Setup};
use std::path::Path;

/// What `solve` says of a depth.
const NO_DEPTH: &str = "solve searches to the end of the game: --nodes and --time limit it, and analyse has --depth";

/// Words that others have, and what to write instead of them.
type Synonyms = [(&'static [&'static str], &'static str)];

/// Names of arguments, each with the argument that a command has instead.
const ARGUMENTS: [(&str, &Synonyms); 2] = [
    (
        "position",
        &[
            (&["fen", "epd", "position"], "a position is an argument in quotation marks, without a name before it"),
            (&["pgn"], "games are annotated by analyse --pgn FILE"),
            (&["pv"], "the principal variation is shown without it; analyse --multipv N shows those of N moves"),
        ],
    ),
    ("rounds", &[(&["games"], "--rounds N plays N pairs of games, each pair with colours exchanged")]),
];

/// Names of subcommands.
const SUBCOMMANDS: &Synonyms = &[
    (&["annotate", "pgn"], "games are annotated by analyse --pgn FILE"),
    (&["uci", "ugi", "protocol"], "the program speaks the protocol without a subcommand"),
    (&["search", "eval", "go"], "a position is searched by analyse"),
    (&["kgp"], "it is a program of its own, secateurs-kgp"),
];

/// Values.
const VALUES: &Synonyms =
    &[(&["white", "black"], "first is the side that begins: White in chess, Black in checkers and Othello")];

fn find(words: &Synonyms, word: &str) -> Option<String> {
    let has = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    words.iter().find(|(words, _)| has(words)).map(|(_, hint)| (*hint).into())
}

/// Whether a command takes an argument of this name, or there is a hint for it.
pub(super) fn knows(command: &Command, name: &str) -> bool {
    takes(command, name) || argument(command, name).is_some() || unknown(command, &format!("--{name}")).is_some()
}

fn takes(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(name))
}

/// Whether a command has an argument, or several of this kind without a name.
fn has(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|argument| {
        let own = argument.get_id().as_str();
        own == id || argument.is_positional() && own.strip_suffix('s') == Some(id)
    })
}

/// Returns the argument of a command that another name means, such as `time` for `seconds`.
pub(super) fn argument(command: &Command, name: &str) -> Option<&'static str> {
    limits::meant(name).filter(|meant| takes(command, meant))
}

/// Returns the hint for an unknown argument of a command.
pub(super) fn unknown(command: &Command, argument: &str) -> Option<String> {
    if has(command, "position") && argument.starts_with("--") && argument.contains(' ') {
        return Some("a position that begins with - follows -- as an argument of its own".into());
    }
    let Some(name) = argument.strip_prefix("--") else {
        let is_split = has(command, "position") && !argument.starts_with('-');
        return is_split.then(|| "a position is one argument: quote it".into());
    };
    if command.get_name() == "solve" && ["depth", "d"].contains(&name) {
        return Some(NO_DEPTH.into());
    }
    let of_engine = || {
        let is_word = takes(command, "each") && contestant::is_known(name);
        is_word.then(|| format!("{name} is a word of an engine: --each \"{name}=VALUE\" is for all engines"))
    };
    let fits = |(ours, _): &&(&str, &Synonyms)| has(command, ours);
    ARGUMENTS.iter().filter(fits).find_map(|(_, words)| find(words, name)).or_else(of_engine)
}

/// Returns the hint for a value that others have.
pub(super) fn value(value: &str) -> Option<String> {
    find(VALUES, value)
}

/// Returns the hint for a text that should be a subcommand.
pub(super) fn subcommand(text: &str) -> Option<String> {
    let is_position = text == STARTPOS || registry::of_fen(text).is_some();
    let position = || is_position.then(|| format!("a position follows a subcommand: analyse {}", Quoted::new(text)));
    find(SUBCOMMANDS, text).or_else(position).or_else(|| misplaced(text))
}

/// Returns the board of a position of the command line.
///
/// # Errors
/// Those of [`Setup::board`], with a hint where the text is something else.
pub(super) fn board(setup: &Setup, text: &str) -> Result<Box<dyn Board>, Error> {
    let moves = text.trim().trim_start_matches(STARTPOS).trim_start();
    let played = format!("{STARTPOS} moves {moves}");
    let of_moves = || {
        let are_legal = !moves.is_empty() && setup.board(&played).is_ok();
        are_legal.then(|| format!("moves follow a position and the word moves: {}", Quoted::new(&played)))
    };
    let board = setup.board(text).map_err(|error| match (error, misplaced(text).or_else(of_moves)) {
        (Error::BadPosition(text, reason), Some(hint)) => Error::BadPosition(text, format!("{reason}; {hint}")),
        (error, _) => error,
    })?;
    warn_of_passed_over(&*board, "", text);
    Ok(board)
}

/// Warns of what was ignored in the text of a board; the message begins with its place.
pub(super) fn warn_of_passed_over(board: &dyn Board, place: &str, text: &str) {
    if let Some(note) = registry::passed_over(board, text) {
        log::warn!("{place}{note}");
    }
}

/// Returns how a position that the shell has split must be written.
pub(super) fn split(positions: &[String]) -> Option<String> {
    let start = usize::from(positions.first().is_some_and(|first| COMMAND.contains(&&**first)));
    let joined = positions[start..].join(" ");
    let has_moves = positions.iter().any(|position| position == "moves");
    // Quoted positions have blanks, and each FEN has a board.
    let is_fen = || {
        let is_quoted = positions.iter().any(|text| text.contains(char::is_whitespace));
        let are_several = positions[1..].iter().any(|text| registry::of_fen(text).is_some());
        registry::of_fen(&joined).is_some() && !is_quoted && !are_several
    };
    let is_split = positions.len() > 1 && (start > 0 || has_moves || is_fen());
    is_split.then(|| format!("a position is one argument: quote it, as {}", Quoted::new(&joined)))
}

/// The words before a position in the protocol.
const COMMAND: [&str; 2] = ["position", "fen"];

/// Whether a file is named as one of games.
fn is_of_games(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn") || end.eq_ignore_ascii_case("pdn"))
}

/// Returns the hint for a file of games where one of positions is needed, by its name or its first line, a tag.
pub(super) fn games(source: &str, path: Option<&Path>, first: &str) -> Option<String> {
    let tag = first.strip_prefix('[').filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic()));
    let has_tag = tag.is_some_and(|tag| tag.contains(" \""));
    (has_tag || path.is_some_and(is_of_games))
        .then(|| format!("{source} is a file of games, not of positions: analyse --pgn FILE annotates games"))
}

/// Returns the hint for a text that is no position, but a game, a file, or a command of the protocol.
fn misplaced(text: &str) -> Option<String> {
    if let Ok(row) = registry::find(text) {
        return Some(format!("a game is named by --game {}", row.name));
    }
    if let Some(word) = text.split_whitespace().next().filter(|word| COMMAND.contains(word)) {
        return Some(format!("it is written without {}", Quoted::new(word)));
    }
    let path = Path::new(text);
    match is_of_games(path) {
        true => Some("a file of games is read by analyse --pgn and by play --load".into()),
        false => path.is_file().then(|| "a file of positions is read by --file of analyse, solve and compare".into()),
    }
}
