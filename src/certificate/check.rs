//! Checks certificates in one pass: later lines must make the claims that a line rests on.
//!
//! A line that no earlier line rests on is refused, and so is a file that ends before every required claim. An accepted
//! certificate therefore follows, from the last line to the first, from finished games, and no claim rests on itself.

use super::format::{Header, LONGEST, ProofLine, VERSION, named, read};
use crate::core::error::Quoted;
use crate::core::score::{self, Score, WIN};
use crate::core::{Bounds, Error};
use crate::registry::Setup;
use crate::util::damage::damage;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::path::Path;

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The game.
    pub game: &'static str,
    /// The options without folders, name and value, in the order of the names; options that the file omits have their
    /// defaults.
    pub options: Vec<(String, String)>,
    /// The position.
    pub position: String,
    /// The value of the position for the side to move: centi-units or a win distance.
    pub score: Score,
    /// The value as the game counts it.
    pub value: i64,
    /// The number of lines, including the header.
    pub lines: u64,
}

/// Checks a certificate; errors name `path`.
///
/// # Errors
/// [`Error::BadFile`]: the first wrong line, and why. [`Error::File`] if the file cannot be read.
pub fn check(path: &Path, input: impl BufRead) -> Result<Proven, Error> {
    let mut lines = ProofLines { path, input, number: 0 };
    let header: Header = lines.next()?.ok_or_else(|| Error::bad_file(path, "is empty"))?;
    let setup = lines.setup(&header)?;
    let mut checker = Checker { setup, owed: HashMap::new() };
    let mut proven = None;
    while let Some(line) = lines.next::<ProofLine>()? {
        let found = checker.line(&line, lines.number, proven.is_none()).map_err(|reason| lines.wrong(reason))?;
        proven = proven.or(Some((line.position, found)));
    }
    if let Some((position, owed)) = checker.owed.iter().min_by_key(|(_, owed)| owed.line) {
        let reason = format!("no later line shows that {} has {owed}", Quoted::new(position));
        return Err(Error::bad_file(path, format!("line {}: {reason}", owed.line)));
    }
    let (position, score) = proven.ok_or_else(|| lines.wrong("nothing is claimed"))?;
    let value = checker.setup.board(&position)?.count(score);
    let options = named(checker.setup.options()).into_iter().collect();
    Ok(Proven { game: checker.setup.row().name, options, position, score, value, lines: lines.number })
}

struct ProofLines<'a, R> {
    path: &'a Path,
    input: R,
    /// The number of the last line read, from 1.
    number: u64,
}

impl<R: BufRead> ProofLines<'_, R> {
    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        let mut line = Vec::new();
        let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut line);
        read.map_err(|error| Error::file("read", self.path, &error))?;
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if line.pop() != Some(b'\n') {
            return Err(self.wrong("is cut off or too long"));
        }
        let read = serde_json::from_slice(&line);
        read.map(Some).map_err(|error| self.wrong(damage(&error)))
    }

    fn setup(&self, header: &Header) -> Result<Setup, Error> {
        if header.certificate != VERSION {
            return Err(self.wrong(format!("version {}, not {VERSION}", header.certificate)));
        }
        let mut setup = Setup::named(&header.game).map_err(|error| self.wrong(error))?;
        let names = named(setup.options());
        for (name, value) in &header.options {
            // Folders are not allowed: the check uses only the rules.
            if !names.contains_key(name) {
                return Err(self.wrong(Error::UnknownOption(Quoted::new(name))));
            }
            setup.set(name, value).map_err(|error| self.wrong(error))?;
        }
        setup.row().start(setup.options()).map_err(|error| self.wrong(error))?;
        Ok(setup)
    }

    /// Returns an error for the last line read.
    fn wrong(&self, reason: impl ToString) -> Error {
        // Reasons may quote a line of any length.
        let reason: String = reason.to_string().chars().take(1000).collect();
        Error::bad_file(self.path, format!("line {}: {reason}", self.number))
    }
}

struct Checker {
    setup: Setup,
    /// The claims still required, by position.
    owed: HashMap<String, Owed>,
}

/// A claim that later lines must contain.
struct Owed {
    bounds: Bounds,
    /// The first line that rests on it.
    line: u64,
}

impl std::fmt::Display for Owed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a value of {}", shown(self.bounds))
    }
}

impl Checker {
    /// Checks a line. Returns the lower bound that it claims.
    fn line(&mut self, line: &ProofLine, number: u64, is_root: bool) -> Result<Score, String> {
        let position = Quoted::new(&line.position);
        let board = self.setup.board(&line.position).map_err(|error| error.to_string())?;
        if board.text() != line.position {
            return Err(format!("{position} is written {}", Quoted::new(&board.text())));
        }
        let bounds =
            read(line.lower, line.upper).ok_or_else(|| format!("{position} has a bound that is not a value"))?;
        let Bounds { lower, upper } = bounds;
        if lower > upper {
            return Err(format!("{position} has its lower bound above the upper one"));
        }
        if is_root && !bounds.is_exact() {
            return Err(format!("{position} is the first and has no exact value"));
        }
        if !is_root {
            let owed = self.owed.remove(&line.position).ok_or_else(|| {
                format!("nothing rests on {position}: it is claimed twice, or before the line that rests on it")
            })?;
            if bounds.and(owed.bounds) != bounds {
                return Err(format!(
                    "{position} is claimed to be {}, but line {} rests on {owed}",
                    shown(bounds),
                    owed.line
                ));
            }
        }
        if let Some(outcome) = board.outcome() {
            let value = outcome.score();
            if bounds.hold(value) != value || !line.moves.is_empty() {
                return Err(format!("{position} is over, and worth {}", shown(Bounds::exactly(value))));
            }
            return Ok(lower);
        }
        // Win distances end at 0 plies, so `passed_on` requires no more of a move than is claimed there.
        let soonest = score::win_in(1);
        if lower > soonest || upper < -soonest {
            return Err(format!(
                "{position} is claimed to be {}, but it is not over: no win is nearer than one ply",
                shown(bounds)
            ));
        }
        let (shows_lower, shows_upper) = (lower > -WIN, upper < WIN);
        let mut legal = board.moves();
        let given = line.moves.len();
        let fits = if shows_upper { given == legal.len() } else { shows_lower && given == 1 };
        if !fits {
            let needed = if shows_upper { legal.len() } else { usize::from(shows_lower) };
            return Err(format!("{position} has {given} moves where {needed} show its bounds"));
        }
        for (index, mv) in line.moves.iter().enumerate() {
            let known = legal.iter().position(|legal| legal == mv);
            let at = known.ok_or_else(|| format!("{} is not a move of {position}, or given twice", Quoted::new(mv)))?;
            legal.swap_remove(at);
            let mut after = board.boxed();
            after.play(mv).map_err(|error| error.to_string())?;
            let lower = if index == 0 { lower } else { -WIN };
            let owed = passed_on(Bounds { lower, upper }, after.turn() == board.turn());
            if let Some(outcome) = after.outcome() {
                let value = outcome.score();
                if owed.hold(value) != value {
                    let (mv, ends) = (Quoted::new(mv), shown(Bounds::exactly(value)));
                    return Err(format!("{mv} ends {position} at {ends}, but {} is needed there", shown(owed)));
                }
            } else if owed.lower > -WIN || owed.upper < WIN {
                let first = self.owed.entry(after.text());
                let all = first.or_insert(Owed { bounds: owed, line: number });
                all.bounds = all.bounds.and(owed);
            }
        }
        Ok(lower)
    }
}

/// Returns the bounds that a position's bounds require of the position after a move; `same` if the side that moved is
/// to move again. A win is one ply nearer there.
fn passed_on(Bounds { lower, upper }: Bounds, same: bool) -> Bounds {
    let bounds = Bounds { lower: score::to_node(lower, 1), upper: score::to_node(upper, 1) };
    if same { bounds } else { bounds.reversed() }
}

/// Formats bounds for messages, in the units of the file.
fn shown(bounds: Bounds) -> String {
    match super::format::written(bounds) {
        [Some(lower), Some(upper)] if lower == upper => format!("{lower}"),
        [Some(lower), Some(upper)] => format!("{lower} to {upper}"),
        [Some(lower), None] => format!("at least {lower}"),
        [None, Some(upper)] => format!("at most {upper}"),
        [None, None] => "anything".into(),
    }
}
