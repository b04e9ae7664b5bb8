//! The Hub protocol of draughts programs, version 2 (Letouzey 2019, `protocol.txt` of Scan).
//!
//! A line is a word and arguments, `level moves=9 time=291.5`; values with spaces are quoted. Unknown commands and
//! arguments are ignored, as the protocol requires.

use super::command::{Command, text_of};
use super::go::Go;
use super::options::VARIANT;
use super::writer::{Writer, expected_reply};
use crate::core::error::{Error, Quoted};
use crate::core::report::Report;
use crate::core::score::{self, UNIT};
use crate::core::{OptionKind, Options};
use crate::engine::Board;
use crate::registry::STARTPOS;
use crate::util::build;
use std::fmt::Write;
use std::time::Duration;

/// The parameter that selects the game.
pub const GAME: &str = "variant";

/// The protocol's names of the games, our names, and the numbers of playing squares.
const GAMES: [(&str, &str, usize); 3] =
    [("normal", "draughts", 50), ("brazilian", "brazilian", 32), ("english", "checkers", 32)];

/// The game if the manager names none.
pub const DEFAULT_GAME: &str = GAMES[0].1;

/// The score of an immediate win in men; each ply before the win subtracts a hundredth.
const WIN: f64 = 100.0;

/// The reply to `ping`.
pub(crate) const PONG: &str = "pong";

/// The state of a dialogue in this protocol.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    /// The limits of the next search.
    level: Go,
}

impl Hub {
    /// Parses a line; `None` for a blank or ignored one.
    ///
    /// # Errors
    /// [`Error::BadCommand`], which describes the mistake; [`Error::BadValue`] for a game that is not in the protocol.
    pub(super) fn parse(&mut self, line: &[u8]) -> Result<Option<Command>, Error> {
        let line = text_of(line)?;
        let bad = |reason: String| Error::bad_command(line, &reason);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let arguments = arguments(rest).map_err(bad)?;
        let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let required = |name: &str| {
            // Only an option may be empty.
            let given = value(name).filter(|value| !value.is_empty() || name == "value");
            given.ok_or_else(|| bad(format!("{word} takes {name}=...")))
        };
        Ok(Some(match word {
            "init" => Command::IsReady,
            "ping" => Command::Ping,
            "new-game" => Command::NewGame,
            "stop" => Command::Stop,
            "ponder-hit" => Command::PonderHit,
            "quit" => Command::Quit,
            "set-param" => set_param(required("name")?, required("value")?)?,
            "pos" => Command::Position {
                // As in Scan; another argument may be a position whose name is missing.
                text: match arguments.iter().all(|(name, _)| ["start", "moves"].contains(&name.as_str())) {
                    true => STARTPOS.to_owned(),
                    false => required("pos")?.to_owned(),
                },
                moves: value("moves").unwrap_or_default().to_owned(),
            },
            "level" => {
                self.level = level(&arguments).map_err(bad)?;
                return Ok(None);
            }
            "go" => Command::Go(Go {
                ponder: value("ponder").is_some(),
                infinite: value("analyze").is_some(),
                ..self.level.clone()
            }),
            _ => return Ok(None),
        }))
    }
}

/// Returns the protocol's name of a game; `None` if it does not have the game.
#[must_use]
pub fn name(game: &str) -> Option<&'static str> {
    GAMES.iter().find(|(_, ours, _)| *ours == game).map(|(theirs, ..)| *theirs)
}

/// Splits arguments into names and values. A value in quotes may contain spaces; it is empty for a name alone, and for
/// one whose sign another pair follows. Spaces around the sign have no meaning.
///
/// # Errors
/// A description, if a quoted value does not end.
pub fn arguments(text: &str) -> Result<Vec<(String, String)>, String> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.trim_start().strip_prefix('=').map(|value| (value, value.trim_start())) {
            None => ("", after),
            Some((_, quoted)) if quoted.starts_with('"') => {
                quoted[1..].split_once('"').ok_or_else(|| format!("the quotes of {} do not end", Quoted::part(name)))?
            }
            Some((value, plain)) => {
                let (word, behind) = plain.split_at(plain.find(char::is_whitespace).unwrap_or(plain.len()));
                let is_pair = plain.len() < value.len() && (word.contains('=') || behind.trim_start().starts_with('='));
                if is_pair { ("", plain) } else { (word, behind) }
            }
        };
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    Ok(found)
}

/// Parses the name and the value of a parameter.
///
/// # Errors
/// [`Error::BadValue`] for a game that the protocol does not have, [`Error::UnknownOption`] for the option
/// `UCI_Variant` of the other protocols, which could select any game.
fn set_param(name: &str, value: &str) -> Result<Command, Error> {
    if name.eq_ignore_ascii_case(VARIANT) {
        return Err(Error::UnknownOption(Quoted::new(name)));
    }
    if name != GAME {
        return Ok(Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) });
    }
    match GAMES.iter().find(|(theirs, ..)| *theirs == value) {
        Some((_, ours, _)) => Ok(Command::SetOption { name: VARIANT.to_owned(), value: Some((*ours).to_owned()) }),
        None => Err(Error::BadValue {
            name: GAME.to_owned(),
            value: Quoted::new(value),
            expected: format!("one of {}", GAMES.map(|(theirs, ..)| theirs).join(", ")),
        }),
    }
}

/// Parses the limits of a search.
fn level(arguments: &[(String, String)]) -> Result<Go, String> {
    let mut go = Go::default();
    for (name, value) in arguments {
        let whole =
            || value.parse::<u64>().map_err(|_| format!("{name} is a whole number, not {}", Quoted::part(value)));
        let seconds = || {
            let seconds = value.parse::<f64>().ok().filter(|seconds| !seconds.is_nan());
            let seconds =
                seconds.ok_or_else(|| format!("{name} is a number of seconds, not {}", Quoted::part(value)))?;
            // A clock that has run out may be below 0.
            Ok::<_, String>(Duration::from_secs_f64(seconds.clamp(0.0, f64::from(u32::MAX))))
        };
        match name.as_str() {
            "depth" => go.depth = Some(whole()?),
            "nodes" => go.nodes = Some(whole()?),
            "move-time" => go.movetime = Some(seconds()?),
            "time" => go.time = [Some(seconds()?); 2],
            "inc" => go.increment = [seconds()?; 2],
            "moves" => go.moves_to_go = Some(u32::try_from(whole()?).unwrap_or(u32::MAX)).filter(|&moves| moves > 0),
            _ => {}
        }
    }
    Ok(go)
}

/// Returns the lines of the handshake, given the game and the options: those that belong to no game, and those of each
/// game of the protocol. A manager sets only those whose values differ from the ones shown here.
pub(super) fn handshake<'a>(game: &str, options: impl IntoIterator<Item = &'a Options>) -> Vec<String> {
    let mut lines =
        vec![format!("id name=Secateurs version={} author=\"the Secateurs developers\"", quoted(build::VERSION))];
    let games = GAMES.map(|(theirs, ..)| theirs).join(" ");
    let game = name(game).unwrap_or(game);
    lines.push(format!("param name={GAME} value={} type=enum values=\"{games}\"", quoted(game)));
    let rows = options.into_iter().flat_map(Options::iter).filter(|(row, _)| row.name != VARIANT);
    lines.extend(rows.map(|(row, value)| {
        let kind = match row.kind {
            OptionKind::Check { .. } => "bool".into(),
            OptionKind::Spin { min, max, .. } => format!("int min={min} max={max}"),
            OptionKind::Combo { choices, .. } => format!("enum values=\"{}\"", choices.join(" ")),
            OptionKind::Text { .. } | OptionKind::File | OptionKind::Folder => "string".into(),
        };
        format!("param name={} value={} type={kind}", quoted(row.name), quoted(&value.to_string()))
    }));
    lines.push("wait".into());
    lines
}

/// Returns a value as the protocol writes it.
#[must_use]
pub fn quoted(value: &str) -> String {
    let is_plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if is_plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "'")) }
}

/// The end of a search without a move.
const DONE: &str = "done";

/// Writes lines in the Hub protocol.
pub(super) struct HubWriter;

impl Writer for HubWriter {
    fn ready(&self) -> &'static str {
        "ready"
    }

    /// Returns `error message="..."`.
    fn remark(&self, text: &str) -> String {
        format!("error message={}", quoted(&text.replace(['\n', '\r'], " ")))
    }

    /// Returns `info depth=... pv="..."`.
    fn info(&self, report: &Report, board: &dyn Board) -> String {
        let value = match score::distance(report.score) {
            Some(plies) => {
                let size = WIN - f64::from(plies.abs()) / f64::from(UNIT);
                if report.score > 0 { size } else { -size }
            }
            None => f64::from(report.score) / f64::from(UNIT),
        };
        let (nodes, seconds) = (report.nodes, report.time.as_secs_f64());
        let mut line = format!(
            "info depth={} score={value:.2} nodes={nodes} time={seconds:.3} nps={:.3}",
            report.depth,
            report.nps() as f64 / 1e6
        );
        if !report.pv.is_empty() {
            let _ = write!(line, " pv=\"{}\"", moves(board, &report.pv).join(" "));
        }
        line
    }

    fn current_move(&self, _: u8, _: &str, _: usize) -> Option<String> {
        None
    }

    /// Returns `done move=M`, or `done move=M ponder=R` with a reply.
    fn closing(&self, report: &Report, board: &dyn Board) -> String {
        let reply = expected_reply(board, report);
        let line = &report.pv[..report.pv.len().min(1 + usize::from(reply.is_some()))];
        match &moves(board, line)[..] {
            [best, reply] => format!("done move={best} ponder={reply}"),
            _ => self.failed(report.best().map(String::as_str), board),
        }
    }

    /// Returns `done move=M`. Without a move, it returns an error and `done` alone, so that a manager that waits for
    /// `done` continues.
    fn failed(&self, best: Option<&str>, board: &dyn Board) -> String {
        match best.and_then(|best| moves(board, &[best]).pop()) {
            Some(best) => format!("done move={best}"),
            None => self.remark("there is no legal move") + "\n" + DONE,
        }
    }

    fn no_move(&self) -> String {
        DONE.into()
    }
}

/// Returns a position as the protocol writes it: the side to move and every square in order, `w` and `b` for men, `W`
/// and `B` for kings, `e` for a vacant square. `None` if the protocol does not have the game.
pub fn position(board: &dyn Board) -> Option<String> {
    let &(.., squares) = GAMES.iter().find(|(_, ours, _)| *ours == board.game())?;
    let text = board.text();
    let mut fields = text.split(':');
    let mut written = vec!["e".to_owned(); squares + 1];
    fields.next()?.clone_into(&mut written[0]);
    for (side, pieces) in fields.filter_map(|field| field.split_at_checked(1)).filter(|(side, _)| "WB".contains(side)) {
        for piece in pieces.split(',').filter(|piece| !piece.is_empty()) {
            let (number, letter) = match piece.strip_prefix('K') {
                Some(number) => (number, side.to_owned()),
                None => (piece, side.to_ascii_lowercase()),
            };
            *written.get_mut(number.parse::<usize>().ok()?)? = letter;
        }
    }
    Some(written.concat())
}

/// Returns a line of moves as the protocol writes them, up to the first that is illegal: `32-28` for a step; for a
/// capture the two ends and the captured squares, `28x19x23`.
pub fn moves(board: &dyn Board, line: &[impl AsRef<str>]) -> Vec<String> {
    let mut board = board.boxed();
    let (mut before, mut written) = (position(&*board), Vec::new());
    for mv in line {
        if board.play(mv.as_ref()).is_err() {
            break;
        }
        let after = position(&*board);
        let mv = board.history().pop().unwrap_or_default();
        written.push(match (mv.split_once('x'), &before, &after) {
            (Some((from, way)), Some(before), Some(after)) => {
                let to = way.rsplit('x').next().unwrap_or(way);
                let squares = before.bytes().zip(after.bytes()).enumerate().skip(1);
                let captured = squares.filter(|&(_, (old, new))| {
                    let is_opponent = !before.starts_with(char::from(old.to_ascii_uppercase()));
                    old != b'e' && is_opponent && new == b'e'
                });
                let captured: String = captured.map(|(square, _)| format!("x{square}")).collect();
                format!("{from}x{to}{captured}")
            }
            _ => mv,
        });
        before = after;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(hub: &mut Hub, line: &str) -> Command {
        hub.parse(line.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn values_may_be_quoted() {
        let words = |text| arguments(text).unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            words(" a=1  b c=\"x y=z\" d=\"\""),
            [pair("a", "1"), pair("b", ""), pair("c", "x y=z"), pair("d", "")]
        );
        assert_eq!(
            words("a = 1 b= \"x y\" c =2 d= e=3 f = g = 4 h="),
            [pair("a", "1"), pair("b", "x y"), pair("c", "2"), pair("d", ""), pair("e", "3")]
                .into_iter()
                .chain([pair("f", ""), pair("g", "4"), pair("h", "")])
                .collect::<Vec<_>>()
        );
        assert!(arguments("a=\"x").unwrap_err().contains("quotes of \"a\""));
    }

    #[test]
    fn the_level_holds_for_the_searches_after_it() {
        let mut hub = Hub::default();
        assert_eq!(hub.parse(b"level moves=9 time=291.5 inc=0.1").unwrap(), None);
        for (line, ponder, infinite) in
            [("go think", false, false), ("go ponder", true, false), ("go analyze", false, true)]
        {
            let Command::Go(go) = parse(&mut hub, line) else { panic!("{line}") };
            assert_eq!((go.ponder, go.infinite, go.moves_to_go), (ponder, infinite, Some(9)));
            assert_eq!(go.time, [Some(Duration::from_millis(291_500)); 2]);
            assert_eq!(go.increment, [Duration::from_millis(100); 2]);
        }
        hub.parse(b"level move-time=0.5").unwrap();
        let Command::Go(go) = parse(&mut hub, "go think") else { panic!("no search") };
        assert_eq!((go.movetime, go.time), (Some(Duration::from_millis(500)), [None; 2]));
        for line in
            ["level depth=x", "level time=soon", "level nodes=-1", "pos pos=", "pos Wbbbbb", "set-param name=Hash"]
        {
            assert!(hub.parse(line.as_bytes()).is_err(), "{line}");
        }
        assert_eq!(hub.parse(b"time-travel back=1").unwrap(), None);
        for (line, moves) in [("pos", ""), ("pos start", ""), ("pos start moves=\"32-28\"", "32-28")] {
            let expected = Command::Position { text: STARTPOS.into(), moves: moves.into() };
            assert_eq!(parse(&mut hub, line), expected, "{line}");
        }
    }

    #[test]
    fn games_have_the_names_of_the_protocol() {
        let set = |value: &str| Command::SetOption { name: VARIANT.into(), value: Some(value.into()) };
        let mut hub = Hub::default();
        assert_eq!(parse(&mut hub, "set-param name=variant value=normal"), set("draughts"));
        let mut error = |line: &str| hub.parse(line.as_bytes()).unwrap_err().to_string();
        for game in ["frisian", "chess", "draughts"] {
            let expected = format!("bad value \"{game}\" for option variant: one of normal, brazilian, english");
            assert_eq!(error(&format!("set-param name=variant value={game}")), expected);
        }
        assert_eq!(error("set-param name=UCI_Variant value=chess"), "unknown option \"UCI_Variant\"");
    }
}
