//! Parses the arguments of `solve` into a [`SolveRequest`].

use crate::core::error::{Error, Quoted};
use crate::core::score::{MAX_EVALUATION, Score, UNIT};
use crate::core::solution::{SolveRequest, Valued};
use std::time::Duration;

/// Parses the arguments of `solve`, the `rest` of a `line`. Unknown words are errors: a search without its intended
/// limit may take days.
///
/// # Errors
/// [`Error::BadCommand`], which names the invalid word.
pub(crate) fn parse(line: &str, rest: &str) -> Result<SolveRequest, Error> {
    let mut solve = SolveRequest::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let mut value =
            |takes: &str| words.next().ok_or_else(|| Error::bad_command(line, format!("{word} takes {takes}")));
        match word {
            "nodes" => solve.limits.nodes = Some(count(line, word, value(COUNT)?)?),
            "movetime" => solve.limits.movetime = Some(Duration::from_millis(count(line, word, value(COUNT)?)?)),
            "moves" => {
                let name = value(NAMES)?;
                let named = Valued::named(name);
                solve.moves = named.ok_or_else(|| {
                    Error::bad_command(line, format!("moves takes {NAMES}, not {}", Quoted::new(name)))
                })?;
            }
            "nopv" => solve.pv = false,
            "guess" => {
                let text = value(MARGIN)?;
                let wrong = || Error::bad_command(line, format!("guess takes {MARGIN}, not {}", Quoted::new(text)));
                solve.guess = Some(margin(text).ok_or_else(wrong)?);
            }
            _ => {
                let word = Quoted::new(word);
                return Err(Error::bad_command(
                    line,
                    format!("solve takes nodes, movetime, moves, nopv and guess, not {word}"),
                ));
            }
        }
    }
    Ok(solve)
}

/// The description of a positive number in errors.
pub(super) const COUNT: &str = "a whole number, at least 1";

const NAMES: &str = "none, best or all";

const MARGIN: &str = "a margin from -288 to 288";

/// Parses a margin in units into a score.
fn margin(text: &str) -> Option<Score> {
    let units = text.parse::<Score>().ok()?;
    units.checked_mul(UNIT).filter(|score| score.abs() <= MAX_EVALUATION)
}

/// Parses a positive number, saturating at `u64::MAX`.
pub(super) fn count(line: &str, word: &str, text: &str) -> Result<u64, Error> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().unwrap_or(u64::MAX) } else { 0 };
    if number == 0 {
        Err(Error::bad_command(line, format!("{word} takes {COUNT}, not {}", Quoted::new(text))))
    } else {
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Limits;

    fn read(rest: &str) -> Result<SolveRequest, String> {
        parse(&format!("solve {rest}"), rest).map_err(|error| error.to_string())
    }

    #[test]
    fn limits_and_moves_come_in_any_order() {
        assert_eq!(read(""), Ok(SolveRequest::default()));
        let limits = Limits { nodes: Some(7), movetime: Some(Duration::from_millis(30)), ..Limits::default() };
        let (moves, guess) = (Valued::All, Some(-400));
        let limited = SolveRequest { limits, moves, pv: false, guess, ..SolveRequest::default() };
        assert_eq!(read("nodes 7 movetime 30 moves all nopv guess -4"), Ok(limited.clone()));
        assert_eq!(read(" moves best nopv guess -4 moves  all movetime 30\tnodes 7"), Ok(limited));
        assert_eq!(read("nodes 99999999999999999999").map(|solve| solve.limits.nodes), Ok(Some(u64::MAX)));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (rest, named) in [
            ("depth 3", "not \"depth\""),
            ("nodes", "nodes takes a whole number, at least 1"),
            ("nodes 0", "nodes takes a whole number, at least 1, not \"0\""),
            ("movetime -5", "movetime takes a whole number, at least 1, not \"-5\""),
            ("nodes 5 movetime x", "not \"x\""),
            ("moves", "moves takes none, best or all"),
            ("moves some", "moves takes none, best or all, not \"some\""),
            ("guess", "guess takes a margin from -288 to 288"),
            ("guess 289", "guess takes a margin from -288 to 288, not \"289\""),
            ("guess 99999999999999999999", "not \"99999999999999999999\""),
            ("infinite", "solve takes nodes, movetime, moves, nopv and guess, not \"infinite\""),
        ] {
            let error = read(rest).unwrap_err();
            assert!(error.contains("bad command \"solve ") && error.ends_with(named), "{error}");
        }
    }
}
