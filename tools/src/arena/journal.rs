//! The journal of a match: a file of records that survives a crash or a kill.

use super::check::Fixtures;
use super::player::FILES;
use super::record::GameRecord;
use crate::client::Fingerprint;
use secateurs::core::error::{Quoted, harmless};
use secateurs::core::{Error, StopFlag};
use secateurs::registry::Setup;
use secateurs::store::append::AppendFile;
use secateurs::util::damage::damage;
use secateurs::util::difference::difference;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The version of the format, in the header.
pub(crate) const VERSION: u64 = 1;

/// The length that a line must stay below, in bytes.
const LONGEST: u64 = 1 << 26;

/// A file of records: the description of the match in the first line, then one game per line, each written at once.
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
    changes: Vec<String>,
}

impl Journal {
    /// Opens the journal of a match of `rounds` rounds, or creates it. Returns its records in the order in which they
    /// were written; of several records of one game, the first. A truncated last line is removed. A journal without a
    /// game, as a match leaves that cannot begin, becomes that of this match.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if the file is not a journal, belongs to another match (the difference is
    /// named), contains a damaged record or an impossible game or games of later rounds, or is open elsewhere; an error
    /// if the header names no game.
    pub fn open(path: &Path, header: &Value, rounds: usize) -> Result<(Self, Vec<GameRecord>), Error> {
        Self::open_as(path, header, &setup(header)?, rounds)
    }

    /// Does the same for a game that the header need not name, outside the registry.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_as(
        path: &Path,
        header: &Value,
        setup: &Setup,
        rounds: usize,
    ) -> Result<(Self, Vec<GameRecord>), Error> {
        let mut journal = Self { path: path.to_owned(), file: AppendFile::open(path)?, changes: Vec::new() };
        let records = journal.read(header, setup, rounds)?;
        if let Some(records) = records {
            return Ok((journal, records));
        }
        journal.write(header)?;
        Ok((journal, Vec::new()))
    }

    /// Returns how the players' files differ from those at the start of the match. Each difference has been logged.
    pub(crate) fn changes(&self) -> &[String] {
        &self.changes
    }

    /// Reads the records; `None` if there are none, and the file is empty now.
    fn read(&mut self, header: &Value, setup: &Setup, rounds: usize) -> Result<Option<Vec<GameRecord>>, Error> {
        let failed = |error: &io::Error| Error::file("read", &self.path, error);
        let mut file = self.file.as_file();
        file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        let fixtures = Fixtures::from_header(header);
        let mut reader = Reader::new(&self.path, BufReader::new(file));
        let (mut records, mut whole) = (None, 0);
        if let Some(found) = reader.header()? {
            let games = match compare(&self.path, &without_files(&found), &without_files(header)) {
                Ok(()) => reader.games(&Ok(setup.clone()), fixtures.as_ref(), &StopFlag::new())?,
                Err(_) if is_record(&found) && !reader.next()? => Vec::new(),
                Err(error) => return Err(error),
            };
            if !games.is_empty() {
                self.changes = changes(&found, header);
                (records, whole) = (Some(games), reader.bytes);
            }
        }
        for change in &self.changes {
            log::warn!("{}: {change}", self.path.display());
        }
        if !reader.line.is_empty() {
            if reader.bytes == 0 && !header.to_string().as_bytes().starts_with(&reader.line) {
                return Err(Error::bad_file(&self.path, "is not a record of a match, or that of another one"));
            }
            log::warn!("{}: the last line was cut off and is removed", self.path.display());
        }
        self.file.cut(whole).map_err(|error| failed(&error))?;
        let held = records.iter().flatten().map(|record| record.round + 1).max().unwrap_or_default();
        if fixtures.is_some() && held > rounds {
            let reason = format!("holds games of {held} rounds: resume it with at least {held} rounds, not {rounds}");
            return Err(Error::bad_file(&self.path, reason));
        }
        Ok(records)
    }

    /// Reads the journal of any match: its header and its games. A truncated last line and further records of a game
    /// are ignored, with a warning.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if the file is not a journal, or contains a damaged record or an impossible
    /// game.
    pub fn load(path: &Path) -> Result<(Value, Vec<GameRecord>), Error> {
        Self::load_until(path, None, &StopFlag::new())
    }

    /// Does the same, but stops early with the games so far if the flag is raised. `known` is the setup of a game
    /// outside the registry.
    ///
    /// # Errors
    /// As [`load`](Self::load); [`Error::BadFile`] for a match of another game.
    pub fn load_until(path: &Path, known: Option<&Setup>, stop: &StopFlag) -> Result<(Value, Vec<GameRecord>), Error> {
        let file = File::open(path).map_err(|error| Error::file("read", path, &error))?;
        let mut reader = Reader::new(path, BufReader::new(file));
        let header = match reader.header()? {
            Some(header) if is_record(&header) => header,
            found => return Err(other(path, found.as_ref())),
        };
        let setup = setup_as(&header, known).map_err(|error| Error::bad_file(path, error.to_string()));
        let records = reader.games(&setup, Fixtures::from_header(&header).as_ref(), stop)?;
        if !reader.line.is_empty() && !reader.line.ends_with(b"\n") {
            log::warn!("{}: the last line was cut off and is left out", path.display());
        }
        Ok((header, records))
    }

    /// Appends a game; it is in the file once this returns.
    ///
    /// # Errors
    /// [`Error::File`]; the file is then unchanged.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Error> {
        self.write(record)
    }

    /// Writes a line in one call: after a kill it is complete or lacks its line feed; on a full disk nothing is left of
    /// it.
    fn write(&mut self, line: &impl Serialize) -> Result<(), Error> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.append(&line)
        });
        written.map_err(|error| Error::file("write", &self.path, &error))
    }
}

struct Reader<'a, R> {
    path: &'a Path,
    input: R,
    /// The last line with its line feed; possibly truncated.
    line: Vec<u8>,
    /// The number of whole lines so far, and their bytes.
    number: usize,
    bytes: u64,
}

impl<'a, R: BufRead> Reader<'a, R> {
    fn new(path: &'a Path, input: R) -> Self {
        Self { path, input, line: Vec::new(), number: 0, bytes: 0 }
    }

    /// Reads the next line; `false` if there is none or it is truncated.
    fn next(&mut self) -> Result<bool, Error> {
        self.line.clear();
        let failed = |error| Error::file("read", self.path, &error);
        if self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.line).map_err(failed)? as u64 == LONGEST {
            let reason = format!("a line has {} MiB or more", LONGEST >> 20);
            return Err(failed(io::Error::new(ErrorKind::FileTooLarge, reason)));
        }
        let is_whole = self.line.ends_with(b"\n");
        if is_whole {
            (self.number, self.bytes) = (self.number + 1, self.bytes + self.line.len() as u64);
        }
        Ok(is_whole)
    }

    /// Reads the first line; `None` if there is none or it is truncated.
    fn header(&mut self) -> Result<Option<Value>, Error> {
        let header = self.next()?.then(|| serde_json::from_slice(&self.line)).transpose();
        let mut header: Option<Value> = header.map_err(|_| foreign(self.path))?;
        let engines = header.as_mut().and_then(|header| header.get_mut("engines")?.as_array_mut());
        for name in engines.into_iter().flatten().filter_map(|engine| engine.get_mut("name")) {
            if let Value::String(name) = name {
                *name = harmless(name);
            }
        }
        Ok(header)
    }

    /// Reads the games to the end, or until the flag is raised; of several records of one game, the first.
    fn games(
        &mut self,
        setup: &Result<Setup, Error>,
        fixtures: Option<&Fixtures>,
        stop: &StopFlag,
    ) -> Result<Vec<GameRecord>, Error> {
        let (mut records, mut known) = (Vec::new(), HashSet::new());
        while !stop.is_raised() && self.next()? {
            // An editor may leave a blank line.
            if self.line.trim_ascii().is_empty() {
                continue;
            }
            let record = self.game(setup.as_ref().map_err(Error::clone)?, fixtures)?;
            if known.insert(record.number) {
                records.push(record);
            } else {
                let (path, line, game) = (self.path.display(), self.number, record.number + 1);
                log::warn!("{path}: line {line}: game {game} is recorded more than once; the first record counts");
            }
        }
        Ok(records)
    }

    /// Parses the game of the last line, checked by the rules and the schedule.
    fn game(&self, setup: &Setup, fixtures: Option<&Fixtures>) -> Result<GameRecord, Error> {
        let bad = |reason: String| Error::bad_file(self.path, format!("line {}: {reason}", self.number));
        let mut record: GameRecord =
            serde_json::from_slice(self.line.trim_ascii_end()).map_err(|error| bad(damage(&error)))?;
        // What the rules do not check: a match writes no control characters.
        let rejected = record.moves.last_mut().map(|mv| &mut mv.mv);
        for text in record.players.iter_mut().chain([&mut record.detail]).chain(rejected) {
            *text = harmless(text);
        }
        let wrong = |reason| bad(format!("game {}: {reason}", record.number.saturating_add(1)));
        let checked =
            record.check(setup).and_then(|()| fixtures.map_or(Ok(()), |fixtures| fixtures.check(&record, setup)));
        checked.map_err(wrong)?;
        Ok(record)
    }
}

/// Returns the error for a file with another header.
fn other(path: &Path, header: Option<&Value>) -> Error {
    match header.and_then(|header| header.get("secateurs")?.as_u64()) {
        Some(version) if version != VERSION => {
            Error::bad_file(path, format!("is a record of version {version}: this program reads version {VERSION}"))
        }
        _ => foreign(path),
    }
}

fn foreign(path: &Path) -> Error {
    Error::bad_file(path, "is not a record of a match")
}

/// Calls a function with the games of each journal. Returns the name of their game; `None` without a journal.
/// Fails if a journal cannot be read or is of another game than the ones before it, or if the function fails.
pub(crate) fn each_match(
    paths: &[PathBuf],
    mut work: impl FnMut(&Path, &Setup, &[GameRecord]) -> Result<(), Error>,
) -> Result<Option<&'static str>, Error> {
    let mut game = None;
    for path in paths {
        let (header, records) = Journal::load(path)?;
        let setup = setup(&header)?;
        let (name, first) = (setup.row().name, *game.get_or_insert(setup.row().name));
        if name != first {
            return Err(Error::bad_file(path, format!("is a match of {name}, and those before it of {first}")));
        }
        work(path, &setup, &records)?;
    }
    Ok(game)
}

/// Returns the same as [`setup`]; for a game outside the registry `known`, which the line must name.
///
/// # Errors
/// Those of [`setup`]; [`Error::BadOptions`] if the line names another game.
pub fn setup_as(header: &Value, known: Option<&Setup>) -> Result<Setup, Error> {
    let Some(known) = known else { return setup(header) };
    let (name, own) = (header.get("game").and_then(Value::as_str).unwrap_or_default(), known.row().name);
    if name != own {
        return Err(Error::BadOptions(format!("is a match of {}, not of {own}", Quoted::part(name))));
    }
    Ok(known.clone())
}

/// Returns the game that the first line of a journal names, with its options.
///
/// # Errors
/// An unknown game or an invalid option.
pub fn setup(header: &Value) -> Result<Setup, Error> {
    let name = header.get("game").and_then(Value::as_str).unwrap_or_default();
    if header.get("start").is_some() {
        let name = Quoted::part(name);
        return Err(Error::BadOptions(format!(
            "is a match of {name}, a game in Python: secateurs.Match.load(path, position) reads it there"
        )));
    }
    let mut setup = Setup::named(name)?;
    for (name, value) in header.get("options").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_str().ok_or_else(|| Error::UnknownOption(Quoted::new(name)))?;
        setup.set(name, value)?;
    }
    Ok(setup)
}

fn without_files(header: &Value) -> Value {
    let mut header = header.clone();
    let engines = header.get_mut("engines").and_then(Value::as_array_mut);
    for engine in engines.into_iter().flatten() {
        if let Some(engine) = engine.as_object_mut() {
            engine.remove(FILES);
        }
    }
    header
}

/// Returns how the files of the players differ from those at the start of the journal. Journals of earlier versions
/// do not name the files.
fn changes(found: &Value, wanted: &Value) -> Vec<String> {
    let engines = |header: &Value| header.get("engines").and_then(Value::as_array).cloned().unwrap_or_default();
    let files = |engine: &Value| {
        let files = engine.get(FILES).cloned()?;
        serde_json::from_value::<Vec<Fingerprint>>(files).ok()
    };
    let mut changes = Vec::new();
    for (there, here) in engines(found).iter().zip(engines(wanted)) {
        let name = here.get("name").and_then(Value::as_str).unwrap_or_default();
        let (Some(there), Some(here)) = (files(there), files(&here)) else { continue };
        for file in &there {
            let path = Quoted::new(&file.path);
            match here.iter().find(|now| now.path == file.path) {
                Some(now) if now == file => {}
                Some(_) => changes.push(format!("{name}: {path} has changed since the match began")),
                None => changes.push(format!("{name}: {path} cannot be read any more")),
            }
        }
    }
    changes
}

/// Returns whether this is the header of a record, of this version or an earlier one.
fn is_record(header: &Value) -> bool {
    let has = |key: &str| header.get(key).is_some();
    // Without a version it has the engines of a match, or the plan of learning: a tree has a game and options too.
    let known = header.get("secateurs").map_or_else(|| has("engines") || has("learn"), |version| *version == VERSION);
    known && has("game") && has("options")
}

/// Checks that the header of a file is that of this match.
fn compare(path: &Path, found: &Value, wanted: &Value) -> Result<(), Error> {
    if !is_record(found) {
        return Err(other(path, Some(found)));
    }
    if found.get("secateurs").is_none() {
        let reason = "is the record of a version before 0.3: it can be read, but the match cannot be continued";
        return Err(Error::bad_file(path, reason));
    }
    let [there, here] =
        [found, wanted].map(|header| if header.get("learn").is_some() { "run of `learn`" } else { "match" });
    if there != here {
        return Err(Error::bad_file(path, format!("is the record of a {there}, not of a {here}")));
    }
    difference(found, wanted).map_or(Ok(()), |difference| {
        Err(Error::bad_file(path, format!("is the record of another {here}: its {difference}")))
    })
}
