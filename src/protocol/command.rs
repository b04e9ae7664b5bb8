//! Parses a line into a [`Command`].

use super::go::{self, Go};
use super::solve;
use super::tree::{self, TreeRequest};
use crate::core::error::{Error, Quoted};
use crate::core::solution::SolveRequest;
use crate::registry::{STARTPOS, split_moves};
use std::path::PathBuf;

/// A command of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`, `ugi`: the handshake.
    Handshake(Dialect),
    /// `ping`, in the Hub protocol.
    Ping,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `uginewgame`.
    NewGame,
    /// `debug on|off`.
    Debug(bool),
    /// `setoption name N [value V]`.
    SetOption {
        /// The name, which may contain spaces.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// `position startpos|fen TEXT|TEXT [moves M ...]`.
    Position {
        /// `startpos`, or a position in the game's notation.
        text: String,
        /// The moves played from there, separated by white space.
        moves: String,
    },
    /// `go ...`.
    Go(Go),
    /// `go perft N`: the depth in plies.
    Perft(u8),
    /// `solve ...`.
    Solve(SolveRequest),
    /// `tree ...`.
    Tree(TreeRequest),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `query ...`.
    Query(Query),
    /// `d`.
    Draw,
    /// `moves`.
    Moves,
    /// `eval`.
    Eval,
    /// `savehash FILE`.
    SaveHash(PathBuf),
    /// `loadhash FILE`.
    LoadHash(PathBuf),
    /// `bench`.
    Bench,
    /// `help`.
    Help,
}

impl Command {
    /// Returns whether the command starts work that `stop` ends.
    pub(crate) const fn is_work(&self) -> bool {
        matches!(
            self,
            Self::Go(_)
                | Self::Perft(_)
                | Self::Solve(_)
                | Self::Tree(_)
                | Self::SaveHash(_)
                | Self::LoadHash(_)
                | Self::Bench
        )
    }

    /// Returns whether the command is a `go`, which `bestmove` answers if it is refused.
    pub(crate) const fn is_go(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Perft(_))
    }

    /// Returns whether the command starts a search that waits for `ponderhit`.
    pub(crate) const fn ponders(&self) -> bool {
        matches!(self, Self::Go(go) if go.ponder)
    }
}

/// The protocol that the manager chose by its handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
    /// The [Hub protocol](super::hub) of draughts programs, which determines the rest of the dialogue.
    Hub,
}

/// The subject of a `query`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether player 1 is to move.
    P1Turn,
    /// Whether the game is over.
    GameOver,
    /// The result of the game.
    Result,
    /// Whether a move is legal.
    IsLegal(String),
}

/// Parses a line; `None` for a blank one.
///
/// # Errors
/// [`Error::BadCommand`], which describes the mistake.
pub fn parse(line: &[u8]) -> Result<Option<Command>, Error> {
    let line = text_of(line)?;
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match word {
        "" => return Ok(None),
        "uci" => Command::Handshake(Dialect::Uci),
        "ugi" => Command::Handshake(Dialect::Ugi),
        "hub" => Command::Handshake(Dialect::Hub),
        "isready" => Command::IsReady,
        "ucinewgame" | "uginewgame" => Command::NewGame,
        "debug" => match rest {
            "on" => Command::Debug(true),
            "off" => Command::Debug(false),
            _ => return Err(Error::bad_command(line, "debug takes on or off")),
        },
        "setoption" => set_option(line, rest)?,
        "position" => position(line, rest)?,
        "go" => go::parse(line, rest)?,
        "solve" => Command::Solve(solve::parse(line, rest)?),
        "tree" => Command::Tree(tree::parse(line, rest)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "query" => Command::Query(query(line, rest)?),
        "d" => Command::Draw,
        "moves" => Command::Moves,
        "eval" => Command::Eval,
        "savehash" | "loadhash" if rest.is_empty() => {
            return Err(Error::bad_command(line, "the name of a file is missing"));
        }
        "savehash" => Command::SaveHash(rest.into()),
        "loadhash" => Command::LoadHash(rest.into()),
        "bench" => Command::Bench,
        "help" => Command::Help,
        _ => return Err(Error::bad_command(line, "unknown command; help lists them")),
    };
    Ok(Some(command))
}

/// Returns the text of a line without white space around it.
pub(super) fn text_of(line: &[u8]) -> Result<&str, Error> {
    let not_text = |_| Error::BadCommand(Quoted::bytes(line.trim_ascii()), "not UTF-8".into());
    Ok(std::str::from_utf8(line).map_err(not_text)?.trim())
}

fn set_option(line: &str, rest: &str) -> Result<Command, Error> {
    let name = rest.strip_prefix("name").filter(|rest| rest.starts_with(char::is_whitespace));
    let rest =
        name.ok_or_else(|| Error::bad_command(line, "setoption needs name N and, except for buttons, value V"))?.trim();
    let mut words = rest.split_whitespace();
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<_> = words.collect();
    if name.is_empty() {
        return Err(Error::bad_command(line, "an option has a name"));
    }
    let has_value = rest.split_whitespace().any(|word| word == "value");
    Ok(Command::SetOption { name: name.join(" "), value: has_value.then(|| value.join(" ")) })
}

fn position(line: &str, rest: &str) -> Result<Command, Error> {
    let (text, moves) = split_moves(rest);
    let text = match text.split_once(' ').unwrap_or((&text, "")) {
        ("fen", position) => position.to_owned(),
        _ => text,
    };
    if let Some(other) = text.strip_prefix(STARTPOS).and_then(|rest| rest.strip_prefix(' ')) {
        let reason = format!("the word moves is missing between {STARTPOS} and {}", Quoted::part(other));
        return Err(Error::bad_command(line, reason));
    }
    Ok(Command::Position { text, moves: moves.to_owned() })
}

fn query(line: &str, rest: &str) -> Result<Query, Error> {
    let words: Vec<_> = rest.split_whitespace().collect();
    match words.as_slice() {
        ["p1turn"] => Ok(Query::P1Turn),
        ["gameover"] => Ok(Query::GameOver),
        ["result"] => Ok(Query::Result),
        ["islegal", mv] => Ok(Query::IsLegal((*mv).to_owned())),
        _ => Err(Error::bad_command(line, "query takes p1turn, gameover, result, or islegal and a move")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Command>, Error> {
        parse(line.as_bytes())
    }

    #[test]
    fn positions_are_cut_at_moves() {
        for (line, text, moves) in [
            ("position startpos", "startpos", vec![]),
            (" position  startpos moves 3  2\r", "startpos", vec!["3", "2"]),
            ("position fen <1,0,0,1,1> s moves 1", "<1,0,0,1,1> s", vec!["1"]),
            ("position fen  3,4,5   2 moves", "3,4,5 2", vec![]),
            ("position 3,4,5 2", "3,4,5 2", vec![]),
        ] {
            let Ok(Some(Command::Position { text: said, moves: played })) = read(line) else { panic!("{line}") };
            assert_eq!((said.as_str(), played.split_whitespace().collect()), (text, moves), "{line}");
        }
        for line in ["position startpos e2e4", "position startpos foo moves e2e4", "position fen startpos 1. e4"] {
            let error = read(line).unwrap_err().to_string();
            assert!(error.contains("the word moves is missing between startpos and "), "{error}");
        }
        // The session rejects these.
        for line in ["position", "position fen", "position moves 3"] {
            assert!(matches!(read(line), Ok(Some(Command::Position { text, .. })) if text.is_empty()), "{line}");
        }
    }

    #[test]
    fn options_may_have_spaces_and_empty_values() {
        let option = |name: &str, value: Option<&str>| {
            Ok(Some(Command::SetOption { name: name.into(), value: value.map(str::to_owned) }))
        };
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(read("setoption name Move Overhead value 20"), option("Move Overhead", Some("20")));
        assert_eq!(read("setoption name Heaps value"), option("Heaps", Some("")));
        assert!(read("setoption Hash 3").is_err());
        assert!(read("setoption name").is_err());
        assert!(read("setoption name value 3").is_err());
    }

    #[test]
    fn names_of_files_may_have_spaces() {
        assert_eq!(read("savehash  my table.sct "), Ok(Some(Command::SaveHash("my table.sct".into()))));
        assert_eq!(read("loadhash /tmp/x"), Ok(Some(Command::LoadHash("/tmp/x".into()))));
        assert!(read("savehash").is_err() && read("loadhash ").is_err());
    }
}
