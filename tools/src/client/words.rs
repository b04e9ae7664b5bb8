//! The commands sent to engines, by dialect.

use super::hub;
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs::protocol::hub::DEFAULT_GAME;
use secateurs::protocol::session::UCI_GAME;
use secateurs::registry::STARTPOS;
use std::fmt::Write;
use std::time::Duration;

/// Returns the opening word of the handshake, and the last word of its reply.
#[must_use]
pub fn handshake(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Uci => ("uci", "uciok"),
        Dialect::Ugi => ("ugi", "ugiok"),
        Dialect::Hub => ("hub", "wait"),
    }
}

/// Returns the game of an engine without an option to select one; `None`: any.
#[must_use]
pub fn default_game(dialect: Dialect) -> Option<&'static str> {
    match dialect {
        Dialect::Uci => Some(UCI_GAME),
        Dialect::Ugi => None,
        Dialect::Hub => Some(DEFAULT_GAME),
    }
}

/// Returns the command after the options, and its reply; `None` in dialects without one.
#[must_use]
pub fn after_options(dialect: Dialect) -> Option<(&'static str, &'static str)> {
    (dialect == Dialect::Hub).then_some(("init", "ready"))
}

/// Returns the command that asks whether the engine listens, and its reply.
#[must_use]
pub fn ready(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Uci | Dialect::Ugi => ("isready", "readyok"),
        Dialect::Hub => ("ping", "pong"),
    }
}

/// Returns the word with which the answer to a search begins.
#[must_use]
pub fn answer(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci | Dialect::Ugi => "bestmove",
        Dialect::Hub => "done",
    }
}

/// Returns the command that starts the clock of a search in the opponent's time.
#[must_use]
pub fn ponderhit(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci | Dialect::Ugi => "ponderhit",
        Dialect::Hub => "ponder-hit",
    }
}

/// Returns the command that sets an option, `value` in the engine's spelling.
#[must_use]
pub fn set_option(dialect: Dialect, name: &str, value: &str) -> String {
    match dialect {
        Dialect::Uci | Dialect::Ugi if value.is_empty() => format!("setoption name {name}"),
        Dialect::Uci | Dialect::Ugi => format!("setoption name {name} value {value}"),
        Dialect::Hub => hub::set_param(name, value),
    }
}

/// Returns the command for a new game.
#[must_use]
pub fn new_game(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "ucinewgame",
        Dialect::Ugi => "uginewgame",
        Dialect::Hub => "new-game",
    }
}

/// Returns `position startpos|fen TEXT [moves M ...]`.
#[must_use]
pub fn position(text: &str, moves: &str) -> String {
    let (word, moves) = (if text == STARTPOS { "" } else { "fen " }, moves.trim());
    format!("position {word}{text}{}{moves}", if moves.is_empty() { "" } else { " moves " })
}

/// Returns `go ...` of UCI or UGI in whole milliseconds, without zero increments; `go infinite` without any limit.
#[must_use]
pub fn go(go: &Go, dialect: Dialect) -> String {
    let [time, increment] = match dialect {
        Dialect::Ugi => [["p1time", "p2time"], ["p1inc", "p2inc"]],
        _ => [["wtime", "btime"], ["winc", "binc"]],
    };
    let millis = |time: Duration| time.as_millis();
    let limits = [
        (time[0], go.time[0].map(millis)),
        (time[1], go.time[1].map(millis)),
        (increment[0], Some(millis(go.increment[0])).filter(|&time| time > 0)),
        (increment[1], Some(millis(go.increment[1])).filter(|&time| time > 0)),
        ("movestogo", go.moves_to_go.map(u128::from)),
        ("depth", go.depth.map(u128::from)),
        ("nodes", go.nodes.map(u128::from)),
        ("mate", go.mate.map(u128::from)),
        ("movetime", go.movetime.map(millis)),
    ];
    let mut line = "go".to_owned();
    if go.ponder {
        line.push_str(" ponder");
    }
    if go.infinite || limits.iter().all(|(_, value)| value.is_none()) {
        line.push_str(" infinite");
    }
    for (word, value) in limits {
        if let Some(value) = value {
            let _ = write!(line, " {word} {value}");
        }
    }
    // Last, because some engines take all words after `searchmoves` for moves.
    if !go.moves.is_empty() {
        let _ = write!(line, " searchmoves {}", go.moves.join(" "));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::protocol::go::{GoCommand, parse};

    #[test]
    fn what_is_said_is_what_our_protocol_reads() {
        let seconds = Duration::from_secs;
        let clock =
            Go { time: [Some(seconds(2)), Some(seconds(3))], increment: [seconds(1), Duration::ZERO], ..Go::default() };
        let all = Go { depth: Some(3), nodes: Some(9), mate: Some(2), movetime: Some(seconds(1)), ..clock.clone() };
        let all = Go { moves_to_go: Some(4), moves: vec!["1".into(), "2".into()], ponder: true, infinite: true, ..all };
        for wanted in [clock, all, Go { infinite: true, ..Go::default() }] {
            for dialect in [Dialect::Uci, Dialect::Ugi] {
                let line = go(&wanted, dialect);
                let read = parse(&line, &line[3..]).unwrap();
                assert_eq!(read, GoCommand::Search(wanted.clone()), "{line}");
            }
        }
        assert_eq!(go(&Go::default(), Dialect::Uci), "go infinite");
        let late = Go { time: [Some(Duration::from_micros(900)), None], ..Go::default() };
        assert_eq!(go(&late, Dialect::Ugi), "go p1time 0");
        assert_eq!(position("startpos", ""), "position startpos");
        assert_eq!(position("<1,2> s", "3 4 "), "position fen <1,2> s moves 3 4");
    }
}
