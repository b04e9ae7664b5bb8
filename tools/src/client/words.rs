//! The commands sent to engines, by dialect.

use super::hub;
use super::option::{Declared, Kind};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs::protocol::hub::DEFAULT_GAME;
use secateurs::protocol::session::UCI_GAME;
use secateurs::registry::STARTPOS;
use std::fmt::Write;
use std::time::Duration;

/// The words of a dialect that take no arguments.
pub struct Words {
    /// The opening word of the handshake, and the last word of its reply.
    pub handshake: (&'static str, &'static str),
    /// The game of an engine that has no option to select one; `None`: any game.
    pub default_game: Option<&'static str>,
    /// The command after the options, and its reply, in dialects that have one.
    pub after_options: Option<(&'static str, &'static str)>,
    /// The command that checks whether the engine responds, and its reply.
    pub ready: (&'static str, &'static str),
    /// The command for a new game.
    pub new_game: &'static str,
    /// The command that starts the clock of a search that began in the opponent's time.
    pub ponderhit: &'static str,
    /// The word with which the answer to a search begins.
    pub answer: &'static str,
}

const UCI: Words = Words {
    handshake: ("uci", "uciok"),
    default_game: Some(UCI_GAME),
    after_options: None,
    ready: ("isready", "readyok"),
    new_game: "ucinewgame",
    ponderhit: "ponderhit",
    answer: "bestmove",
};

const UGI: Words = Words { handshake: ("ugi", "ugiok"), default_game: None, new_game: "uginewgame", ..UCI };

const HUB: Words = Words {
    handshake: ("hub", "wait"),
    default_game: Some(DEFAULT_GAME),
    after_options: Some(("init", "ready")),
    ready: ("ping", "pong"),
    new_game: "new-game",
    ponderhit: "ponder-hit",
    answer: "done",
};

pub(crate) const fn of_dialect(dialect: Dialect) -> Words {
    match dialect {
        Dialect::Uci => UCI,
        Dialect::Ugi => UGI,
        Dialect::Hub => HUB,
    }
}

/// Returns the command that sets an option, `value` in the engine's spelling.
pub(crate) fn set_option(dialect: Dialect, option: &Declared, value: &str) -> String {
    let Declared { name, kind, .. } = option;
    match dialect {
        Dialect::Hub => hub::set_param(name, value),
        Dialect::Uci | Dialect::Ugi if *kind == Kind::Button => format!("setoption name {name}"),
        Dialect::Uci | Dialect::Ugi => format!("setoption name {name} value {value}"),
    }
}

pub(crate) fn position(text: &str, moves: &str) -> String {
    let (word, moves) = (if text == STARTPOS { "" } else { "fen " }, moves.trim());
    format!("position {word}{text}{}{moves}", if moves.is_empty() { "" } else { " moves " })
}

/// Returns `go ...` of UCI or UGI in whole milliseconds, without zero increments; `go infinite` without any limit.
pub(crate) fn go(go: &Go, dialect: Dialect) -> String {
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
        // Some engines take 0 for no limit.
        ("movetime", go.movetime.map(|time| millis(time).max(1))),
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
    use secateurs::protocol::command::Command;
    use secateurs::protocol::go::parse;

    #[test]
    fn our_protocol_reads_what_is_written() {
        let seconds = Duration::from_secs;
        let clock =
            Go { time: [Some(seconds(2)), Some(seconds(3))], increment: [seconds(1), Duration::ZERO], ..Go::default() };
        let all = Go { depth: Some(3), nodes: Some(9), mate: Some(2), movetime: Some(seconds(1)), ..clock.clone() };
        let all = Go { moves_to_go: Some(4), moves: vec!["1".into(), "2".into()], ponder: true, infinite: true, ..all };
        for wanted in [clock, all, Go { infinite: true, ..Go::default() }] {
            for dialect in [Dialect::Uci, Dialect::Ugi] {
                let line = go(&wanted, dialect);
                let read = parse(&line, &line[3..]).unwrap();
                assert_eq!(read, Command::Go(wanted.clone()), "{line}");
            }
        }
        assert_eq!(go(&Go::default(), Dialect::Uci), "go infinite");
        let late = Go { time: [Some(Duration::from_micros(900)), None], ..Go::default() };
        assert_eq!(go(&late, Dialect::Ugi), "go p1time 0");
        assert_eq!(position("startpos", ""), "position startpos");
        assert_eq!(position("<1,2> s", "3 4 "), "position fen <1,2> s moves 3 4");
    }
}
