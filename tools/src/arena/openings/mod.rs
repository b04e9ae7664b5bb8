//! The openings of a match: positions of a file, or random ones that a search finds balanced.

use secateurs::core::error::Quoted;
use secateurs::core::notation::without_comment;
use secateurs::core::{Error, Limits, MissingOption, Report, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::pgn;
use secateurs::registry::{self, STARTPOS, Setup};
use secateurs::search::Table;
use secateurs::store::bounded;
use secateurs::util::counted::counted;
use secateurs::util::random::Random;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The size limit of a file of openings in bytes.
const LARGEST: u64 = 1 << 26;

/// An opening: a position and the moves from it, so that engines know the history.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Opening {
    /// `startpos`, or a position in the game's notation.
    pub position: String,
    /// The moves from that position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

impl Opening {
    pub(crate) fn board(&self, setup: &Setup) -> Result<Box<dyn Board>, Error> {
        let mut board = setup.board(&self.position)?;
        // A move of a game outside the registry may have spaces in it.
        self.moves.iter().try_for_each(|mv| board.play(mv))?;
        Ok(board)
    }
}

/// The source of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The openings of a list, in order and cyclically; shuffled first if requested.
    Lines {
        /// The openings, at least one.
        openings: Vec<Opening>,
        /// Whether to shuffle them by the seed.
        shuffled: bool,
        /// The number of the first one played, from 1, in the order after shuffling.
        #[serde(default = "first", skip_serializing_if = "is_first")]
        start: usize,
    },
    /// Random moves from the starting position.
    Random(RandomWalk),
}

const fn first() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_first(start: &usize) -> bool {
    *start == 1
}

impl Source {
    /// Checks that there is an opening, and that the first one played is among them.
    ///
    /// # Errors
    /// [`Error::BadOptions`] with both numbers.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Lines { openings, .. } if openings.is_empty() => Err(Error::BadOptions("there is no opening".into())),
            Self::Lines { openings, start, .. } if !(1..=openings.len()).contains(start) => {
                let count = openings.len();
                Err(Error::BadOptions(format!("start is the number of an opening, 1 to {count}, not {start}")))
            }
            _ => Ok(()),
        }
    }
}

/// Random walks, from which the most balanced is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomWalk {
    /// The number of plies from the starting position; walks that end the game are rejected.
    pub plies: usize,
    /// The number of walks that are evaluated; the one with the value nearest to 0 is selected. A single walk is not
    /// evaluated.
    pub candidates: usize,
    /// The node limit of each evaluation.
    pub nodes: u64,
}

impl Default for RandomWalk {
    fn default() -> Self {
        Self { plies: 6, candidates: 8, nodes: 2_000 }
    }
}

/// The number of attempts to find a new random opening before one is repeated.
const TRIES: usize = 200;

/// The openings of a match, one per round, generated on demand. They depend on the source and the seed alone.
pub struct Openings {
    setup: Setup,
    source: Source,
    seed: u64,
    /// The openings of the rounds so far.
    made: Vec<Opening>,
    /// The positions after these openings, each with its first opening.
    seen: HashMap<String, Opening>,
    /// Whether a random opening was repeated.
    has_repeated: bool,
    table: Arc<Table>,
}

impl Openings {
    /// Creates the openings of a match. An earlier run of the same match has the same ones, round by round.
    ///
    /// # Errors
    /// As [`Source::check`]; [`Error::TableTooLarge`].
    pub fn new(setup: &Setup, source: Source, seed: u64) -> Result<Self, Error> {
        source.check()?;
        let table = Arc::new(Table::new(1)?);
        let (made, seen) = (Vec::new(), HashMap::new());
        Ok(Self { setup: setup.clone(), source, seed, made, seen, has_repeated: false, table })
    }

    /// Returns the opening of a round, from 0; `None` if the flag was raised before it was found. Openings that lead to
    /// the same position are replaced by the first of them, so that repeated games are recognized.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if every random walk of this length ends the game; an opening that is invalid in this
    /// game.
    pub fn opening(&mut self, round: usize, stop: &StopFlag) -> Result<Option<Opening>, Error> {
        while self.made.len() <= round {
            let next = match &self.source {
                Source::Lines { openings, shuffled, start } => {
                    let next = line(openings, *shuffled, self.seed, start - 1 + self.made.len());
                    Some(self.seen.entry(end(&self.setup, &next)?).or_insert(next).clone())
                }
                Source::Random(walk) => self.random(*walk, stop)?,
            };
            let Some(next) = next else { return Ok(None) };
            self.made.push(next);
        }
        Ok(Some(self.made[round].clone()))
    }

    /// Returns the most balanced of several walks to new positions; `None` if the flag was raised. If none is new, it
    /// is an earlier opening, with a warning for the first of these.
    fn random(&mut self, walk: RandomWalk, stop: &StopFlag) -> Result<Option<Opening>, Error> {
        let mut random = chance(self.seed, self.made.len() as u64);
        let mut best: Option<(u32, Box<dyn Board>)> = None;
        let (mut tried, mut repeated) = (0, None);
        for _ in 0..TRIES.max(2 * walk.candidates) {
            let Some(board) = self::walk(&self.setup, walk.plies, &mut random)? else { continue };
            if let Some(known) = self.seen.get(&board.text()) {
                repeated = Some(known.clone());
                continue;
            }
            let value = if walk.candidates > 1 { self.value(&*board, walk.nodes, stop) } else { 0 };
            if stop.is_raised() {
                return Ok(None);
            }
            if best.as_ref().is_none_or(|&(least, _)| value < least) {
                best = Some((value, board));
            }
            tried += 1;
            if tried >= walk.candidates {
                break;
            }
        }
        let Some((_, board)) = best else {
            let again = repeated.ok_or_else(|| {
                Error::BadOptions(format!(
                    "every game ends within {} random moves: use fewer, by --random-plies, in Python random_plies=",
                    walk.plies
                ))
            })?;
            if !std::mem::replace(&mut self.has_repeated, true) {
                log::warn!(
                    "after {} there are no more random openings of this length: they are repeated, and a game that \
                     repeats an earlier one is no further evidence",
                    counted(self.made.len(), "round")
                );
            }
            return Ok(Some(again));
        };
        let opening = Opening { position: STARTPOS.into(), moves: board.history() };
        self.seen.insert(board.text(), opening.clone());
        Ok(Some(opening))
    }

    /// Returns the absolute score of a search in centi-units.
    fn value(&self, board: &dyn Board, nodes: u64, stop: &StopFlag) -> u32 {
        self.table.clear();
        let request = Request::new(Limits { nodes: Some(nodes), ..Limits::default() });
        let reports = board.engine(Arc::clone(&self.table)).search(&request, stop, &mut |_| {});
        reports.first().map_or(0, |Report { score, .. }| score.unsigned_abs())
    }
}

/// Plays random moves from the starting position; `None` if they end the game.
pub(crate) fn walk(setup: &Setup, plies: usize, random: &mut Random) -> Result<Option<Box<dyn Board>>, Error> {
    let mut board = setup.board(STARTPOS)?;
    for _ in 0..plies {
        let moves = board.moves();
        if moves.is_empty() {
            return Ok(None);
        }
        board.play(&moves[random.below(moves.len())])?;
    }
    Ok((!is_over(&*board)).then_some(board))
}

/// Returns an opening of a list, repeated cyclically, by its index; each cycle is shuffled separately if requested.
fn line(openings: &[Opening], shuffled: bool, seed: u64, index: usize) -> Opening {
    let (lap, at) = (index / openings.len(), index % openings.len());
    let mut order: Vec<_> = (0..openings.len()).collect();
    if shuffled {
        chance(seed, lap as u64).shuffle(&mut order);
    }
    openings[order[at]].clone()
}

/// Parses openings, one per line: `startpos` or the game's notation, then optionally `moves` and moves. Blank lines and
/// text after `;` are ignored, and so is a byte order mark.
///
/// # Errors
/// [`Error::BadOptions`] with the number of the first line that is invalid, ends the game, or needs another
/// option, and the reason.
pub fn read(setup: &Setup, text: &str) -> Result<Vec<Opening>, Error> {
    of_lines(setup, "in line ", text.trim_start_matches('\u{feff}').lines())
}

/// Returns openings from texts in the format of [`read`], one each.
///
/// # Errors
/// Those of [`read`], with the number of the text.
pub fn of_texts(setup: &Setup, texts: &[String]) -> Result<Vec<Opening>, Error> {
    of_lines(setup, "number ", texts.iter().map(String::as_str))
}

/// Parses openings; errors have the number of the line after the word `place`.
fn of_lines<'a>(setup: &Setup, place: &str, lines: impl Iterator<Item = &'a str>) -> Result<Vec<Opening>, Error> {
    let lines = lines.map(|line| without_comment(line).trim()).zip(1..);
    let opening = |(line, number): (&str, usize)| {
        let bad =
            |reason: String| Error::BadOptions(format!("opening {place}{number}, {}: {reason}", Quoted::new(line)));
        let board = setup.board(line).map_err(|error| bad(error.to_string()))?;
        if let Some(note) = registry::passed_over(&*board, line) {
            log::warn!("opening {place}{number}: {note}");
        }
        opening(line.split_whitespace().next(), &*board).map_err(bad)
    };
    lines.filter(|(line, _)| !line.is_empty()).map(opening).collect()
}

/// Returns openings from the starting position, each by its moves.
///
/// # Errors
/// [`Error::BadOptions`] with the number of the first opening that is illegal or ends the game, and the reason.
pub fn of_moves(setup: &Setup, lines: Vec<Vec<String>>) -> Result<Vec<Opening>, Error> {
    let opening = |(moves, number): (Vec<String>, usize)| {
        let bad = |reason: String| Error::BadOptions(format!("opening number {number}: {reason}"));
        let board = Opening { position: STARTPOS.into(), moves }.board(setup);
        self::opening(Some(STARTPOS), &*board.map_err(|error| bad(error.to_string()))?).map_err(bad)
    };
    lines.into_iter().zip(1..).map(opening).collect()
}

/// Returns a board's game as an opening, from `startpos` if its text begins so; an error with the reason if it cannot
/// be played on.
fn opening(first: Option<&str>, board: &dyn Board) -> Result<Opening, String> {
    if is_over(board) {
        return Err(OVER.into());
    }
    if let Some(MissingOption { name, value, .. }) = board.missing_option() {
        return Err(format!("engines can play it only with the option {name}={value}"));
    }
    let position = if first == Some(STARTPOS) { STARTPOS.into() } else { board.start() };
    Ok(Opening { position, moves: board.history() })
}

/// Returns whether the game is over, also by a draw after which there are legal moves.
fn is_over(board: &dyn Board) -> bool {
    board.moves().is_empty() || board.outcome().is_some()
}

const OVER: &str = "the game is over";

/// How a finished game becomes an opening.
const PLIES_HINT: &str =
    "; the first N plies of each game are openings by --opening-plies N, in Python opening_plies=N";

/// Why a number of plies is refused.
const LINES: &str = "is no file of games (*.pgn or *.pdn): --opening-plies shortens no other --openings, in Python \
                     opening_plies no other openings";

/// Returns the games of a text in Portable Game Notation as openings, each up to the end or `plies` moves.
///
/// # Errors
/// [`Error::BadOptions`] with the line of the first game that is invalid, of another game, over, or needs
/// another option, and the reason.
pub(crate) fn of_games(setup: &Setup, text: &str, plies: usize) -> Result<Vec<Opening>, Error> {
    let mut openings = Vec::new();
    for game in pgn::games(text, setup) {
        let game = game.map_err(|error| Error::BadOptions(error.to_string()))?;
        let bad =
            |reason: String| Error::BadOptions(format!("the game in line {}: {reason}", game.line_at_fault(setup)));
        let own = game.setup(setup).map_err(|error| bad(error.to_string()))?;
        if own.row().name != setup.row().name {
            return Err(bad(format!("it is {}, not {}", own.row().name, setup.row().name)));
        }
        let other = own.options().iter().find_map(|(row, value)| {
            let (name, here) = setup.other_game(row.name, &value.to_string())?;
            Some(format!("it is played with {name}={value}, not {here}"))
        });
        if let Some(other) = other {
            return Err(bad(other));
        }
        // The game after the opening may be incomplete.
        if let Some(cut) = game.cut().filter(|_| game.moves.len() < plies) {
            return Err(bad(format!("it {cut}")));
        }
        let board = game.board(setup, plies).map_err(|error| bad(error.to_string()))?;
        let hint = |reason: String| if reason == OVER { reason + PLIES_HINT } else { reason };
        openings.push(opening(Some(game.position()), &*board).map_err(|reason| bad(hint(reason)))?);
    }
    Ok(openings)
}

/// Reads the openings of a file, at least one: games in Portable Game Notation, up to `plies` moves of each, by default
/// all, if the name ends in `.pgn` or `.pdn`; otherwise lines in the format of [`read`].
///
/// # Errors
/// [`Error::File`], also for more than 64 MiB; [`Error::BadFile`] if the file contains no opening or an invalid one, or
/// has lines that `plies` would not shorten.
pub fn load(setup: &Setup, path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, Error> {
    let foreign = |reason: String| Error::bad_file(path, format!("is not a file of openings: {reason}"));
    let bytes = bounded::read(path, LARGEST).map_err(|error| Error::file("read", path, &error))?;
    let is_named = |name: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name));
    let text = pgn::decode(bytes);
    let openings = match plies {
        _ if is_named("pgn") || is_named("pdn") => of_games(setup, &text, plies.unwrap_or(usize::MAX)),
        Some(_) => return Err(Error::bad_file(path, LINES)),
        None => read(setup, &text),
    };
    let openings = openings.map_err(|error| foreign(error.to_string()))?;
    if openings.is_empty() { Err(Error::bad_file(path, "has no opening")) } else { Ok(openings) }
}

/// Returns the number of distinct positions after the openings. Fails if an opening is invalid in this game.
pub(crate) fn distinct(setup: &Setup, openings: &[Opening]) -> Result<usize, Error> {
    Ok(openings.iter().map(|opening| end(setup, opening)).collect::<Result<HashSet<_>, Error>>()?.len())
}

/// Returns the position after an opening.
fn end(setup: &Setup, opening: &Opening) -> Result<String, Error> {
    Ok(opening.board(setup)?.text())
}

/// Returns the random generator of a stream; streams are independent.
fn chance(seed: u64, stream: u64) -> Random {
    Random(Random(seed).draw().wrapping_add(stream.wrapping_mul(0xd134_2543_de82_ef95)))
}

#[cfg(test)]
mod tests;
