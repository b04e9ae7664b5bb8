//! The Hub protocol of draughts programs (see [`protocol::hub`](secateurs::protocol::hub)), from the manager's side.

use super::fault::NO_MOVE;
use super::info::{Info, Score};
use super::option::{Declared, Kind};
use secateurs::core::Side;
use secateurs::protocol::go::Go;
use secateurs::protocol::hub::{self, DEFAULT_GAME, GAME, arguments, quoted};
use secateurs::registry;
use std::fmt::Write;
use std::time::Duration;

/// The smallest score of a forced win, in men: the win may be a hundred plies away.
const FORCED: f64 = 99.0;

pub(crate) fn set_param(name: &str, value: &str) -> String {
    format!("set-param name={} value={}", quoted(name), quoted(value))
}

/// Returns the parameter and the value that select a game; `None` if the protocol does not have it.
pub(crate) fn variant(game: &str) -> Option<(&'static str, &'static str)> {
    hub::name(game).map(|name| (GAME, name))
}

/// Reads the name and the version of `id name=N version=V author=A`, and the author.
pub(crate) fn identity(line: &str) -> Option<[String; 2]> {
    let arguments = arguments(line.strip_prefix("id ")?).ok()?;
    let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let full = format!("{} {}", value("name")?, value("version").unwrap_or_default());
    Some([full.trim().to_owned(), value("author").unwrap_or_default().to_owned()])
}

pub(crate) fn parameter(line: &str) -> Option<Declared> {
    let arguments = arguments(line.strip_prefix("param ")?).ok()?;
    let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let number = |name: &str| value(name).and_then(|value| value.parse().ok());
    let default = value("value").unwrap_or_default();
    let kind = match value("type").as_deref() {
        Some("bool") => Kind::Check { default: default == "true" },
        Some("int") => Kind::Spin {
            default: default.parse().unwrap_or_default(),
            min: number("min").unwrap_or(i64::MIN),
            max: number("max").unwrap_or(i64::MAX),
        },
        Some("enum") => {
            let choices = value("values").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
            Kind::Combo { default, choices }
        }
        _ => Kind::Text { default },
    };
    value("name").filter(|name| !name.is_empty()).map(|name| Declared { name, kind, empty: "" })
}

/// Returns `pos pos=P moves="M ..."` and the side to move after the moves; `None` if the protocol does not have the
/// game, its position or a move.
pub(crate) fn position(game: Option<&str>, text: &str, moves: &str) -> Option<(String, Side)> {
    let row = registry::find(game.unwrap_or(DEFAULT_GAME)).ok()?;
    let mut board = row.parse(&row.defaults(), text).ok()?;
    let start = hub::position(&*board)?;
    let moves: Vec<_> = moves.split_whitespace().collect();
    let written = hub::moves(&*board, &moves);
    for mv in moves {
        board.play(mv).ok()?;
    }
    let moves = if written.is_empty() { String::new() } else { format!(" moves=\"{}\"", written.join(" ")) };
    Some((format!("pos pos={start}{moves}"), board.turn()))
}

/// Returns `level ...` and `go ...`, for the side to move.
pub(crate) fn go(go: &Go, turn: Side) -> [String; 2] {
    let mut level = "level".to_owned();
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let increment = go.increment[turn.index()];
    let limits = [
        ("depth", go.depth.map(|depth| depth.to_string())),
        ("nodes", go.nodes.map(|nodes| nodes.to_string())),
        ("move-time", go.movetime.map(seconds)),
        ("moves", go.moves_to_go.map(|moves| moves.to_string())),
        ("time", go.time[turn.index()].map(seconds)),
        ("inc", (!increment.is_zero()).then(|| seconds(increment))),
    ];
    for (name, value) in &limits {
        if let Some(value) = value {
            let _ = write!(level, " {name}={value}");
        }
    }
    let is_infinite = go.infinite || limits.iter().all(|(_, value)| value.is_none());
    if is_infinite {
        level.push_str(" infinite");
    }
    let mode = match (go.ponder, is_infinite) {
        (true, _) => "ponder",
        (_, true) => "analyze",
        _ => "think",
    };
    [level, format!("go {mode}")]
}

/// Reads `info depth=D score=S ...`; `None` for any other line. Values that are not numbers are ignored.
pub(crate) fn info(line: &str) -> Option<Info> {
    let arguments = arguments(line.strip_prefix("info")?).ok()?;
    let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let real = |name: &str| value(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    Some(Info {
        depth: value("depth").and_then(|value| value.parse().ok()),
        score: real("score").map(score),
        nodes: value("nodes").and_then(|value| value.parse().ok()),
        nps: real("nps").filter(|speed| *speed >= 0.0).map(|millions| (millions * 1e6) as u64),
        time: real("time").and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        pv: value("pv").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        ..Info::default()
    })
}

/// Converts a score in men to the internal scale: a win in `n` plies is 100 minus `n` hundredths.
fn score(men: f64) -> Score {
    let plies = ((100.0 - men.abs()) * 100.0).round() as i32;
    match men.abs() {
        FORCED..=100.0 if men > 0.0 => Score::Mate((plies + 1) / 2),
        FORCED..=100.0 => Score::Mate(-(plies / 2)),
        _ => Score::Cp((men * 100.0).round() as i32),
    }
}

/// Reads `done move=M ponder=R`: the move and the expected reply, if there is one; `None` for any other line.
/// The error describes the mistake.
pub(crate) fn done(line: &str) -> Option<Result<[Option<String>; 2], &'static str>> {
    let rest = line.strip_prefix("done").filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))?;
    let Ok(arguments) = arguments(rest) else { return Some(Err("its quotes do not end")) };
    let value = |name: &str| {
        let found = arguments.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
    };
    Some(value("move").map(|mv| [Some(mv), value("ponder")]).ok_or(NO_MOVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_scan_are_read() {
        let line = "id name=Scan version=3.1 author=\"Fabien Letouzey\" country=France";
        assert_eq!(identity(line), Some(["Scan 3.1".into(), "Fabien Letouzey".into()]));
        let kind = |line: &str| parameter(line).map(|option| (option.name, option.kind));
        let choices = ["normal", "killer", "bt"].map(str::to_owned).to_vec();
        assert_eq!(
            kind("param name=variant value=normal type=enum values=\"normal killer bt\""),
            Some(("variant".into(), Kind::Combo { default: "normal".into(), choices }))
        );
        assert_eq!(kind("param name=book value=true type=bool"), Some(("book".into(), Kind::Check { default: true })));
        assert_eq!(
            kind("param name=threads value=1 type=int min=1 max=16"),
            Some(("threads".into(), Kind::Spin { default: 1, min: 1, max: 16 }))
        );
        let read =
            info("info depth=21 mean-depth=20.8 score=-0.01 nodes=31261613 time=3.906 nps=8.0 pv=\"32-28 17-22\"");
        let read = read.unwrap();
        assert_eq!((read.depth, read.score, read.nodes), (Some(21), Some(Score::Cp(-1)), Some(31_261_613)));
        assert_eq!((read.time, read.nps), (Some(Duration::from_millis(3906)), Some(8_000_000)));
        assert_eq!(read.pv, ["32-28", "17-22"]);
        assert_eq!(done("done move=32-28 ponder=17-22"), Some(Ok([Some("32-28".into()), Some("17-22".into())])));
        assert_eq!(done("done move=\"32-28\""), Some(Ok([Some("32-28".into()), None])));
        assert_eq!((done("done"), done("done ponder=17-22")), (Some(Err(NO_MOVE)), Some(Err(NO_MOVE))));
        assert_eq!(done("done move=\"31-27"), Some(Err("its quotes do not end")));
        assert_eq!((done("pong"), done("donemove")), (None, None));
        assert_eq!(info("info score=99.95 depth=x").unwrap().score, Some(Score::Mate(3)));
        assert_eq!(info("info score=-99.94").unwrap().score, Some(Score::Mate(-3)));
        assert_eq!(info("info score=nan time=-1").unwrap(), Info::default());
    }

    #[test]
    fn positions_limits_and_parameters_are_written() {
        let (line, turn) = position(None, "startpos", "32-28 19-23 28x19").unwrap();
        let start = format!("pos pos=W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert_eq!((line, turn), (format!("{start} moves=\"32-28 19-23 28x19x23\""), Side::Second));
        assert_eq!(position(Some("kalah"), "startpos", ""), None);
        assert_eq!(position(Some("checkers"), "startpos", "1-2"), None);
        let clock = Go { time: [Some(Duration::from_secs(9)), Some(Duration::from_millis(1500))], ..Go::default() };
        let clock = Go { increment: [Duration::ZERO, Duration::from_millis(100)], ..clock };
        assert_eq!(go(&clock, Side::First), ["level time=9.000", "go think"]);
        assert_eq!(go(&clock, Side::Second), ["level time=1.500 inc=0.100", "go think"]);
        assert_eq!(go(&Go::default(), Side::First), ["level infinite", "go analyze"]);
        let nodes = Go { nodes: Some(7), ponder: true, ..Go::default() };
        assert_eq!(go(&nodes, Side::First), ["level nodes=7", "go ponder"]);
        assert_eq!(set_param("bb-size", "5"), "set-param name=bb-size value=5");
        assert_eq!(set_param("x", ""), "set-param name=x value=\"\"");
        assert_eq!(variant("draughts"), Some(("variant", "normal")));
        assert_eq!(variant("kalah"), None);
    }
}
