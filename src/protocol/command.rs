//! From text to [`Command`].

use crate::core::error::{Error, Quoted};
use crate::core::score::MAX_PLY;
use std::path::PathBuf;
use std::time::Duration;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`, `ugi`: the handshake.
    Handshake(Dialect),
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `uginewgame`.
    NewGame,
    /// `debug on|off`.
    Debug(bool),
    /// `setoption name N [value V]`.
    SetOption {
        /// The name; may contain spaces.
        name: String,
        /// The value; a button has none.
        value: Option<String>,
    },
    /// `position startpos|fen TEXT|TEXT [moves M ...]`.
    Position {
        /// `startpos` or the game's notation.
        text: String,
        /// Moves played from there, separated by white space.
        moves: String,
    },
    /// `go ...`.
    Go(Go),
    /// `go perft N`, plies.
    Perft(u8),
    /// `stop`.
    Stop,
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

/// The protocol that a manager chose by its handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// What `query` asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether player 1 is to move.
    P1Turn,
    /// Whether the game is over.
    GameOver,
    /// Who has won.
    Result,
    /// Whether a move is legal.
    IsLegal(String),
}

/// The limits of a `go`; times by player, the first player's first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies, as asked for: neither 0 nor more than 255 is searched.
    pub depth: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Clocks.
    pub time: [Option<Duration>; 2],
    /// Increments.
    pub increment: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// `infinite`: no answer before `stop`.
    pub infinite: bool,
    /// What could not be understood and is passed over.
    pub ignored: Vec<String>,
}

/// Reads a line; a blank one is `None`.
///
/// # Errors
/// [`Error::BadCommand`], which names what was wrong.
pub fn parse(line: &[u8]) -> Result<Option<Command>, Error> {
    let Ok(line) = std::str::from_utf8(line) else {
        return Err(Error::BadCommand(Quoted::bytes(line), "not UTF-8".into()));
    };
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match word {
        "" => return Ok(None),
        "uci" => Command::Handshake(Dialect::Uci),
        "ugi" => Command::Handshake(Dialect::Ugi),
        "isready" => Command::IsReady,
        "ucinewgame" | "uginewgame" => Command::NewGame,
        "debug" => match rest {
            "on" => Command::Debug(true),
            "off" => Command::Debug(false),
            _ => return Err(bad(line, "debug takes on or off")),
        },
        "setoption" => set_option(line, rest)?,
        "position" => position(line, rest)?,
        "go" => go(line, rest)?,
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "query" => Command::Query(query(line, rest)?),
        "d" => Command::Draw,
        "moves" => Command::Moves,
        "eval" => Command::Eval,
        "savehash" | "loadhash" if rest.is_empty() => return Err(bad(line, "the name of a file is missing")),
        "savehash" => Command::SaveHash(rest.into()),
        "loadhash" => Command::LoadHash(rest.into()),
        "bench" => Command::Bench,
        "help" => Command::Help,
        _ => return Err(bad(line, "unknown command; help lists them")),
    };
    Ok(Some(command))
}

fn bad(line: &str, reason: impl Into<String>) -> Error {
    Error::BadCommand(Quoted::new(line), reason.into())
}

fn set_option(line: &str, rest: &str) -> Result<Command, Error> {
    let name = rest.strip_prefix("name").filter(|rest| rest.starts_with(char::is_whitespace));
    let rest = name.ok_or_else(|| bad(line, "setoption takes name N and, but for buttons, value V"))?.trim();
    let mut words = rest.split_whitespace();
    let name: Vec<_> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<_> = words.collect();
    if name.is_empty() {
        return Err(bad(line, "an option has a name"));
    }
    let has_value = rest.split_whitespace().any(|word| word == "value");
    Ok(Command::SetOption { name: name.join(" "), value: has_value.then(|| value.join(" ")) })
}

fn position(line: &str, rest: &str) -> Result<Command, Error> {
    let (text, moves) = split_at_word(rest, "moves");
    let moves = moves.to_owned();
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] | ["fen"] => Err(bad(line, "position takes startpos or fen and a position, then moves")),
        ["fen", text @ ..] | text => Ok(Command::Position { text: text.join(" "), moves }),
    }
}

/// What stands before and behind the first such word; nothing stands behind a word that is not there.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, &'a str) {
    let whole = |&at: &usize| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(|c: char| !c.is_whitespace()) && !behind.starts_with(|c: char| !c.is_whitespace())
    };
    let found = text.match_indices(word).map(|(at, _)| at).find(whole);
    found.map_or((text, ""), |at| (&text[..at], &text[at + word.len()..]))
}

fn query(line: &str, rest: &str) -> Result<Query, Error> {
    let words: Vec<_> = rest.split_whitespace().collect();
    match words.as_slice() {
        ["p1turn"] => Ok(Query::P1Turn),
        ["gameover"] => Ok(Query::GameOver),
        ["result"] => Ok(Query::Result),
        ["islegal", mv] => Ok(Query::IsLegal((*mv).to_owned())),
        _ => Err(bad(line, "query takes p1turn, gameover, result, or islegal and a move")),
    }
}

/// Reads the limits. Words that are not understood are passed over and named; a `go` of which nothing at all
/// is understood is refused, lest a mistyped limit become no limit.
fn go(line: &str, rest: &str) -> Result<Command, Error> {
    let mut go = Go::default();
    let mut understood = rest.is_empty();
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if word == "infinite" {
            (go.infinite, understood) = (true, true);
            continue;
        }
        let value = words.peek().and_then(|value| number(value));
        let known = match (word, value) {
            ("perft", Some(depth)) => return Ok(Command::Perft(u8::try_from(depth.max(0)).unwrap_or(MAX_PLY))),
            (_, Some(value)) => limit(&mut go, word, value),
            (_, None) => false,
        };
        if known {
            understood = true;
            words.next();
        } else {
            go.ignored.push(word.to_owned());
        }
    }
    if understood { Ok(Command::Go(go)) } else { Err(bad(line, "go has no limit that can be read")) }
}

/// Sets one limit; false if there is none of that name or it cannot have that value.
fn limit(go: &mut Go, word: &str, value: i128) -> bool {
    let whole = u64::try_from(value.max(0)).unwrap_or(u64::MAX);
    // Clocks that have run out come as negative numbers.
    let time = Duration::from_millis(whole.min(u64::from(u32::MAX) * 1000));
    match word {
        "depth" if value >= 0 => go.depth = Some(whole),
        "nodes" if value >= 0 => go.nodes = Some(whole),
        "movetime" => go.movetime = Some(time),
        "wtime" | "p1time" => go.time[0] = Some(time),
        "btime" | "p2time" => go.time[1] = Some(time),
        "winc" | "p1inc" => go.increment[0] = time,
        "binc" | "p2inc" => go.increment[1] = time,
        "movestogo" => go.moves_to_go = Some(u32::try_from(whole).unwrap_or(u32::MAX)),
        _ => return false,
    }
    true
}

/// A whole number; one too large to hold becomes the largest or the smallest.
fn number(word: &str) -> Option<i128> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let large = if word.starts_with('-') { i128::MIN } else { i128::MAX };
    Some(word.parse().unwrap_or(large))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Option<Command>, Error> {
        parse(line.as_bytes())
    }

    fn read_go(line: &str) -> Go {
        let Ok(Some(Command::Go(go))) = read(line) else { panic!("{line}") };
        go
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
        assert!(read("position").is_err());
        assert!(read("position moves 3").is_err());
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

    #[test]
    fn limits_are_read_whatever_their_size() {
        let go = read_go("go wtime -5 btime 99999999999999999999999999999999999999999999 winc 0 movestogo 0");
        assert_eq!(go.time[0], Some(Duration::ZERO));
        assert!(go.time[1] > Some(Duration::from_secs(1_000_000)));
        assert_eq!(go.moves_to_go, Some(0));
        assert_eq!(read_go("go p1time 7 p2inc 3").time, [Some(Duration::from_millis(7)), None]);
        assert_eq!(read_go("go depth 300").depth, Some(300));
        assert_eq!(read_go("go"), Go::default());
        assert!(read_go("go infinite").infinite);
    }

    #[test]
    fn what_go_does_not_understand_is_named_or_refused() {
        assert_eq!(read_go("go tempo 3 depth 4").ignored, ["tempo", "3"]);
        assert_eq!(read_go("go depth x nodes 5").ignored, ["depth", "x"]);
        assert_eq!(read_go("go depth 5 nodes").ignored, ["nodes"]);
        assert!(read("go depth x").is_err());
        assert!(read("go depth -1").is_err());
        assert!(read("go fast").is_err());
    }
}
