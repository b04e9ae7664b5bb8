//! Games in files: written as PGN, and read back.

use super::command;
use super::game_line::{GameLine, Played};
use super::seats::Side as Seats;
use crate::arena::record::Winner;
use crate::cli::output::FileKind;
use secateurs::core::error::{Quoted, harmless};
use secateurs::core::{Error, OptionKind, Outcome, Side};
use secateurs::opponent::Strength;
use secateurs::pgn::{self, Pgn, PgnGame, PgnMove, games};
use secateurs::registry::Setup;
use secateurs::store::{FileLock, Replacement, bounded};
use std::fs::{self, File, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The size limit of a file in bytes.
const LARGEST: u64 = 16 << 20;

/// The length of a byte order mark, bytes.
const BOM: usize = 3;

/// The termination of a resigned game.
const RESIGNED: &str = "resignation";

/// The tag for the strength of the engine, as a command of the prompt: `level 5`.
const STRENGTH: &str = "Strength";

/// Formats a game as PGN.
pub(crate) fn write(line: &GameLine, setup: &Setup, seats: Seats, strength: Strength) -> Vec<u8> {
    let board = line.board();
    let outcome = board.outcome().map(|outcome| outcome.of_first(board.turn()));
    let (winner, termination) = match (line.resigned(), outcome) {
        (Some(side), _) => (Some(Winner::side(side.other())), RESIGNED),
        (None, Some(outcome)) => (Some(Winner::from_outcome(outcome)), "normal"),
        (None, None) => (None, "unterminated"),
    };
    let game = Pgn {
        event: EVENT,
        site: "?",
        date: Some(line.date().into()),
        round: "-".into(),
        players: seats.names(),
        result: winner.map_or("*", Winner::text),
        setup,
        position: &setup.short_text(line.start().text()),
        margin: match (line.resigned(), outcome) {
            (None, Some(Outcome::Margin(margin))) => Some(margin),
            _ => None,
        },
        termination: termination.into(),
        tags: if seats == Seats::Both { Vec::new() } else { vec![(STRENGTH, strength.command())] },
        moves: line.played().iter().map(|Played { mv, comment }| PgnMove::new(mv, comment.clone())).collect(),
    };
    game.to_bytes()
}

/// The event of the games played here.
const EVENT: &str = "secateurs play";

/// A game read from a file.
pub struct Loaded {
    /// The game's rules.
    pub setup: Setup,
    /// The moves.
    pub line: GameLine,
    /// The players' sides, if the names match.
    pub seats: Option<Seats>,
    /// The strength of the engine, if the file contains it.
    pub strength: Option<Strength>,
}

/// Reads the last game of a file, with the options `given` for it beside; also returns the text before it, and its own.
///
/// # Errors
/// [`Error::File`] for a file that cannot be read, [`Error::BadFile`] with the reason for an invalid game, or one that
/// was played with another option.
pub(crate) fn load(path: &Path, here: &Setup, given: &[(String, String)]) -> Result<(Loaded, [String; 2]), Error> {
    let text = pgn::load(path, LARGEST)?;
    let bad = |reason| Error::bad_file(path, reason);
    let game = last_game(&text, here).map_err(bad)?;
    let loaded = set_up(&game, here, given).map_err(bad)?;
    let start: usize = text.split_inclusive('\n').take(game.line.saturating_sub(1)).map(str::len).sum();
    let (before, game) = text.split_at(start);
    Ok((loaded, [before, game].map(str::to_owned)))
}

/// The file of a running game: rewritten after every move. The current game comes last, after everything else that is
/// in the file by then, also what other programs put there meanwhile. Another `play` cannot write it at the same time.
pub struct Recorder {
    path: PathBuf,
    /// The other games at the last look, for a file that is removed.
    before: String,
    /// The current game as it is in the file.
    written: String,
    /// Text that the file lacks and that comes before the current game: earlier games that could not be written, and
    /// what was added to the file while it was replaced.
    missing: String,
    /// The file that the last write replaced: what another program appends to it has no name any more.
    replaced: Option<File>,
    /// Whether the current game has been written, or could not be.
    begun: bool,
    /// Whether the last write failed: the file lacks what came after the one before.
    failed: bool,
    _lock: FileLock,
}

impl Recorder {
    /// Opens a file of games, which need not exist.
    ///
    /// # Errors
    /// A file that cannot be read or written, that contains something else, or that another process writes.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let lock = FileLock::new(path)?;
        let before = open(path)?.map(|(text, file)| {
            // A byte order mark alone is no loss.
            let is_same = |file: Metadata| [text.len(), text.len() + BOM].contains(&(file.len() as usize));
            if !file.metadata().is_ok_and(is_same) {
                let quoted = Quoted::new(&path.to_string_lossy());
                log::warn!("{quoted} is not UTF-8: it is read as ISO 8859-1 or UTF-16, and rewritten as UTF-8");
            }
            text
        });
        let before = before.unwrap_or_default();
        let (written, missing) = (String::new(), String::new());
        Ok(Self {
            path: path.into(),
            before: with_blank_line(before),
            written,
            missing,
            replaced: None,
            begun: false,
            failed: false,
            _lock: lock,
        })
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the file has the current game as it is.
    pub(crate) fn has_game(&self) -> bool {
        self.begun && !self.failed
    }

    /// Returns whether the file lacks moves that were played: it could not be written.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.failed
    }

    /// Lets the next game replace one loaded from `path`, where it follows the text `before`. A game of another program
    /// stays, because it may have tags, annotations and variations: the next one follows it.
    pub(crate) fn resume(&mut self, path: &Path, [before, game]: [String; 2]) {
        if fs::canonicalize(path).ok() == fs::canonicalize(&self.path).ok() && game.contains(EVENT) {
            (self.before, self.written, self.begun) = (with_blank_line(before), game, true);
        }
    }

    /// Starts another game; the last one stays in the file.
    pub(crate) fn next(&mut self, last: &[u8]) {
        if !self.begun {
            return;
        }
        let last = with_blank_line(String::from_utf8_lossy(last).into_owned());
        self.begun = false;
        if self.failed {
            self.missing += &last;
        } else {
            self.before += &last;
            self.written.clear();
        }
    }

    /// Writes the current game; one without a move or a resignation, only if it has been written before.
    ///
    /// # Errors
    /// The file cannot be read or written, or contains something else by now; it is unchanged then.
    pub(crate) fn update(&mut self, game: &[u8], is_begun: bool) -> Result<(), Error> {
        if !is_begun && !self.begun {
            return Ok(());
        }
        self.begun = true;
        let written = self.write(&String::from_utf8_lossy(game));
        self.failed = written.is_err();
        written
    }

    fn write(&mut self, game: &str) -> Result<(), Error> {
        self.find_late();
        // Once more for what another program appended while the file was being replaced.
        for _ in 0..2 {
            let (others, file) = match open(&self.path)? {
                Some((text, file)) => (without(&text, &self.written), Some(file)),
                None => (self.before.clone(), None),
            };
            let others = with_blank_line(others) + &self.missing;
            let game = with_ends_of(&others, game);
            Replacement::write_whole(&self.path, [&*others, &*game].concat().as_bytes())?;
            (self.before, self.written, self.replaced) = (others, game, file);
            self.missing.clear();
            self.find_late();
            if self.missing.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Takes up what another program appended to the file that was replaced.
    fn find_late(&mut self) {
        let late = self.replaced.as_ref().and_then(|file| bounded::rest(file, LARGEST).ok()).unwrap_or_default();
        self.missing += &with_blank_line(pgn::decode(late));
    }
}

const NO_GAMES: &str = "does not start with a game in PGN and is left unchanged: a file of games starts with a tag, or \
                        with a move number and has a result";

/// Reads a file of games, and returns it open; `None` if it does not exist.
fn open(path: &Path) -> Result<Option<(String, File)>, Error> {
    let (bytes, file) = match bounded::open(path, LARGEST) {
        Err(Error::File { kind: ErrorKind::NotFound, .. }) => return Ok(None),
        opened => opened?,
    };
    let text = pgn::decode(bytes);
    if !text.trim().is_empty() && !FileKind::Pgn.begins(&text) {
        return Err(Error::bad_file(path, NO_GAMES));
    }
    Ok(Some((text, file)))
}

/// Returns a text without a part of it, if it is there.
fn without(text: &str, part: &str) -> String {
    let found = text.rfind(part).filter(|_| !part.is_empty());
    found.map_or_else(|| text.into(), |at| with_blank_line(text[..at].into()) + text[at + part.len()..].trim_start())
}

/// Returns the text with a blank line after the last game, whose comment is closed if it was cut off there.
fn with_blank_line(text: String) -> String {
    let text = text.trim_end();
    text.to_owned() + &with_ends_of(text, pgn::gap(text))
}

/// Returns an addition to a text with the ends of lines of that text.
fn with_ends_of(text: &str, addition: &str) -> String {
    if text.contains("\r\n") { addition.replace('\n', "\r\n") } else { addition.into() }
}

/// Returns the last game of a text that has a tag, and warns of one behind it that has none; in a text without tags, the
/// last one that begins with a legal move.
fn last_game(text: &str, here: &Setup) -> Result<PgnGame, String> {
    let (mut found, mut behind) = (None, None);
    for game in games(text, here) {
        match game {
            Ok(game) if game.tags.is_empty() => behind = Some(game),
            game => (found, behind) = (Some(game), None),
        }
    }
    let none = || format!("holds no game with a tag such as [Variant \"{}\"]", here.row().name);
    let Some(found) = found else {
        return behind.filter(|game| !game.moves.is_empty() && game.board(here, 1).is_ok()).ok_or_else(none);
    };
    if let Some(PgnGame { line, .. }) = behind {
        log::warn!("the game in line {line} has no tag and is left out");
    }
    found.map_err(|error| error.to_string())
}

/// Sets an option that is given beside a game, unless the game was played with another value.
fn add_option(setup: &mut Setup, name: &str, value: &str) -> Result<(), String> {
    let game = setup.row().name;
    let row = setup.row().options.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| format!("has a game of {game}, which has no option {}", Quoted::part(name)))?;
    let before = setup.options().clone();
    let rule = setup.other_game(name, value);
    setup.set(name, value).map_err(|error| error.to_string())?;
    // A folder changes no value.
    let is_other = row.kind != OptionKind::Folder && *setup.options() != before;
    let played = before.changed().find(|(played, _)| is_other && played.name == row.name);
    match rule.map(|(_, here)| here).or_else(|| played.map(|(_, here)| here.to_string())) {
        Some(here) => Err(format!("has a game with {}={here}, not {}", row.name, harmless(value))),
        None => Ok(()),
    }
}

/// Applies the rules to a game.
fn set_up(game: &PgnGame, here: &Setup, given: &[(String, String)]) -> Result<Loaded, String> {
    if let Some(cut) = game.cut() {
        return Err(format!("is cut off: its last game {cut}"));
    }
    let at_fault = |error: Error| format!("line {}: {error}", game.line_at_fault(here));
    let mut setup = game.setup(here).map_err(at_fault)?;
    given.iter().try_for_each(|(name, value)| add_option(&mut setup, name, value))?;
    let mut line = GameLine::new(game.board(&setup, 0).map_err(at_fault)?);
    for (number, PgnMove { mv, comment, line: at, .. }) in (1..).zip(&game.moves) {
        line.play(mv, comment.clone()).map_err(|error| format!("line {at}, move {number}: {error}"))?;
    }
    if let Some(date) = game.tag("Date") {
        line.set_date(date);
    }
    let loser = match pgn::result(&setup, game.result) {
        "1-0" => Some(Side::Second),
        "0-1" => Some(Side::First),
        _ => None,
    };
    // Of a file that is read as another game after an error too, only once.
    for doubt in game.doubts() {
        log::warn!("the last game {doubt}");
    }
    if let (Some(loser), None, Some(RESIGNED)) = (loser, line.board().outcome(), game.tag("Termination")) {
        line.resign(loser);
    }
    if game.result != pgn::RESULTS[3] && line.board().outcome().is_none() && line.resigned().is_none() {
        log::warn!("the game ended with {} before its end on the board: it goes on", game.result);
    }
    let names = pgn::colours(&setup).map(|name| game.tag(name).unwrap_or_default().to_owned());
    let strength = game.tag(STRENGTH).and_then(command::parse).and_then(|command| command.ok()?.strength());
    Ok(Loaded { setup, line, seats: Seats::named(&names), strength })
}

#[cfg(test)]
mod tests;
