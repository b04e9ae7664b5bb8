//! [`Go`]: the arguments of `go`, and the search that they request.

use super::command::Command;
use super::options::General;
use crate::core::error::{Error, Quoted};
use crate::core::score::MAX_PLY;
use crate::core::{ClockLimits, Limits, Request};
use crate::engine::Board;
use std::time::Duration;

/// The minimum that remains of `movetime` after the overhead.
const SHORTEST: Duration = Duration::from_millis(1);

/// The arguments of `go`. Arrays are indexed by player, the first player first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The depth in plies, as given: 0 and values above 255 are clamped later.
    pub depth: Option<u64>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// Full moves to a proven win, as given: 0 is clamped later.
    pub mate: Option<u64>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The time left on the clocks.
    pub time: [Option<Duration>; 2],
    /// The increments per move.
    pub increment: [Duration; 2],
    /// The number of moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// `searchmoves`: search only these moves, or all if empty. Their legality is not checked yet.
    pub moves: Vec<String>,
    /// `ponder`: search in the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// `infinite`: no `bestmove` before `stop`.
    pub infinite: bool,
    /// The unknown words, which are ignored.
    pub ignored: Vec<String>,
}

impl Go {
    /// Returns the requested search of this board, and remarks on ignored words and clamped values.
    ///
    /// # Errors
    /// [`Error::IllegalMove`], which names the first illegal move of `searchmoves`, or [`Error::BadCommand`] if the
    /// search would have no end because a limit cannot be read.
    pub fn request(&self, board: &dyn Board, options: &General) -> Result<(Request, Vec<String>), Error> {
        let codes = board.codes_of(&self.moves)?;
        let mut remarks = Vec::new();
        if !self.ignored.is_empty() {
            remarks.push(format!("go ignores {}", Quoted::new(&self.ignored.join(" "))));
        }
        let depth = self.depth.map(|given| {
            let depth = u8::try_from(given.max(1)).unwrap_or(MAX_PLY);
            // A number that is too large for its type has become another one.
            match given {
                0 => remarks.push("depth 0 is taken as 1".to_owned()),
                _ if given > MAX_PLY.into() => remarks.push(format!("depth above {MAX_PLY} is taken as {depth}")),
                _ => {}
            }
            depth
        });
        let mate = self.mate.map(|given| {
            if given == 0 {
                remarks.push("mate 0 is taken as 1".to_owned());
            }
            u16::try_from(given.max(1)).unwrap_or(u16::MAX)
        });
        let side = board.turn().index();
        let clock = self.time[side].map(|remaining| ClockLimits {
            remaining,
            increment: self.increment[side],
            moves_to_go: self.moves_to_go,
            overhead: options.overhead,
        });
        // The manager's clock runs until it has received `bestmove`. Some time always remains for the search.
        let movetime = self.movetime.map(|time| time.saturating_sub(options.overhead).max(SHORTEST.min(time)));
        let limits = Limits { depth, nodes: self.nodes, movetime, clock, mate };
        let is_limit = |word: &&String| is_keyword(word);
        if let Some(word) = self.ignored.iter().find(is_limit).filter(|_| !self.infinite && !limits.is_finite()) {
            let reason = format!("{word} cannot be read, and no other limit ends the search");
            return Err(Error::bad_command(&format!("go {}", self.ignored.join(" ")), reason));
        }
        let General { lines, threads, ties, aspiration, parameters, random_moves, .. } = *options;
        let drawn = match &codes[..] {
            [] => random_moves.draw(board.key(), &board.codes()),
            given => random_moves.draw(board.key(), given),
        };
        let moves = drawn.map_or(codes, |mv| vec![mv]);
        Ok((Request { limits, moves, lines, threads, ties, aspiration, parameters }, remarks))
    }
}

/// Returns whether a word is a keyword of `go`. Any of them ends the list of `searchmoves`.
fn is_keyword(word: &str) -> bool {
    ["searchmoves", "ponder", "infinite", "perft"].contains(&word) || limit(&mut Go::default(), word, 1)
}

/// Parses the arguments of `go`, the `rest` of a `line`. Unknown words are collected in [`Go::ignored`]. A `go` without
/// any known word is an error, so that a mistyped limit does not start an unlimited search.
///
/// # Errors
/// [`Error::BadCommand`], which shows the line.
pub fn parse(line: &str, rest: &str) -> Result<Command, Error> {
    let mut go = Go::default();
    let mut understood = rest.is_empty();
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                    go.moves.push(mv.to_owned());
                }
                if go.moves.is_empty() {
                    return Err(Error::bad_command(line, "searchmoves takes moves"));
                }
            }
            _ => match words.peek().and_then(|value| number(word, value)) {
                Some(depth) if word == "perft" && depth >= 0 => {
                    return Ok(Command::Perft(u8::try_from(depth).unwrap_or(MAX_PLY)));
                }
                Some(value) if limit(&mut go, word, value) => drop(words.next()),
                _ => {
                    go.ignored.push(word.to_owned());
                    continue;
                }
            },
        }
        understood = true;
    }
    if understood { Ok(Command::Go(go)) } else { Err(Error::bad_command(line, "go has no valid limit")) }
}

/// Sets one limit. Returns false for an unknown name or a value out of range.
fn limit(go: &mut Go, word: &str, value: i128) -> bool {
    let whole = u64::try_from(value.max(0)).unwrap_or(u64::MAX);
    // Managers send a negative time for a clock that has run out.
    let time = Duration::from_millis(whole.min(u64::from(u32::MAX) * 1000));
    match word {
        "depth" if value >= 0 => go.depth = Some(whole),
        "nodes" if value >= 0 => go.nodes = Some(whole),
        "mate" if value >= 0 => go.mate = Some(whole),
        "movetime" => go.movetime = Some(time),
        "wtime" | "p1time" => go.time[0] = Some(time),
        "btime" | "p2time" => go.time[1] = Some(time),
        "winc" | "p1inc" => go.increment[0] = time,
        "binc" | "p2inc" => go.increment[1] = time,
        // `movestogo 0` means no further time control: the remaining time is for the rest of the game.
        "movestogo" => {
            go.moves_to_go = Some(u32::try_from(whole).unwrap_or(u32::MAX)).filter(|&moves| moves > 0 && value > 0);
        }
        _ => return false,
    }
    true
}

/// Parses the integer after a word, saturating at the limits of `i128`. A time may have decimals, which are cut off.
fn number(word: &str, value: &str) -> Option<i128> {
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = word.ends_with("time") || word.ends_with("inc");
    let whole =
        value.split_once('.').filter(|(_, decimals)| is_time && are_digits(decimals)).map_or(value, |cut| cut.0);
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    if digits.is_empty() || !are_digits(digits) {
        return None;
    }
    let large = if whole.starts_with('-') { i128::MIN } else { i128::MAX };
    Some(whole.parse().unwrap_or(large))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rest: &str) -> Result<Command, Error> {
        parse(&format!("go {rest}"), rest)
    }

    fn read_go(rest: &str) -> Go {
        let Ok(Command::Go(go)) = read(rest) else { panic!("{rest}") };
        go
    }

    fn millis(time: u64) -> Option<Duration> {
        Some(Duration::from_millis(time))
    }

    #[test]
    fn limits_are_read_whatever_their_size() {
        let go = read_go("wtime -5 btime 99999999999999999999999999999999999999999999 winc 0 movestogo 0");
        assert_eq!(go.time[0], Some(Duration::ZERO));
        assert!(go.time[1] > Some(Duration::from_secs(1_000_000)));
        assert_eq!(go.moves_to_go, None, "0 moves to go are as good as none given");
        assert_eq!(read_go("p1time 7 p2inc 3").time, [Some(Duration::from_millis(7)), None]);
        assert_eq!(read_go("depth 300").depth, Some(300));
        assert_eq!(read_go("mate 99999999999999999999").mate, Some(u64::MAX));
        assert_eq!(read_go(""), Go::default());
        assert!(read_go("infinite").infinite);
        let go = read_go("wtime 50.9 btime -0.5 winc 0.25 binc 3. movetime 7.999");
        assert_eq!((go.time, go.movetime), ([50, 0].map(millis), millis(7)));
        assert_eq!((go.increment, go.ignored.len()), ([0, 3].map(Duration::from_millis), 0));
    }

    #[test]
    fn moves_end_at_the_next_word_that_is_known() {
        for (rest, moves) in [
            ("searchmoves 3", vec!["3"]),
            ("searchmoves 3  1 depth 4", vec!["3", "1"]),
            ("depth 4 searchmoves 3 ponder infinite", vec!["3"]),
            ("searchmoves 3 searchmoves e2e4 tempo wtime 5", vec!["3", "e2e4", "tempo"]),
        ] {
            assert_eq!(read_go(rest).moves, moves, "{rest}");
        }
        let go = read_go("ponder searchmoves 1 mate 2");
        assert_eq!((go.ponder, go.infinite, go.mate, go.ignored.len()), (true, false, Some(2), 0));
        assert!(read("searchmoves").is_err());
        assert!(read("searchmoves depth 5").is_err());
    }

    #[test]
    fn what_go_does_not_understand_is_named_or_refused() {
        assert_eq!(read_go("tempo 3 depth 4").ignored, ["tempo", "3"]);
        assert_eq!(read_go("depth x nodes 5").ignored, ["depth", "x"]);
        assert_eq!(read_go("depth 5 nodes").ignored, ["nodes"]);
        assert_eq!(read_go("ponder mate soon").ignored, ["mate", "soon"]);
        for rest in
            ["depth x", "depth -1", "mate -1", "perft -1", "perft x", "fast", "depth 3.5", "wtime 1e3", "wtime ."]
        {
            assert!(read(rest).is_err(), "{rest}");
        }
    }
}
