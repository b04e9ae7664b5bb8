//! The journal of a match: a file of records that survives any end of it.

use super::check::Fixtures;
use super::player::FILES;
use super::record::GameRecord;
use crate::client::Fingerprint;
use crate::core::Error;
use crate::core::damage::damage;
use crate::core::difference::difference;
use crate::core::error::Quoted;
use crate::registry::{self, Setup};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A journal that is locked is tried again so often,
const LOCKS: u32 = 20;

/// after so long each time.
const WAIT: Duration = Duration::from_millis(50);

/// No line of a journal has so many bytes.
const LONGEST: u64 = 1 << 26;

/// A file of records: what the match is in the first line, then a game a line, each written at once.
pub struct Journal {
    path: PathBuf,
    file: File,
    changes: Vec<String>,
}

impl Journal {
    /// Opens the journal of a match of so many rounds, or begins it. The records of the games that it has are returned in the
    /// order in which they were written; of several records of one game the first. A last line that was cut off is removed.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no journal, or the journal of another match: what differs is named; if a
    /// record is damaged or is not that of a game; if there are games of later rounds; or if somebody else has it open. A
    /// header that names no game.
    pub fn open(path: &Path, header: &Value, rounds: usize) -> Result<(Self, Vec<GameRecord>), Error> {
        let failed = |error: &io::Error| Error::file("open", path, error);
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(|error| failed(&error))?;
        // A process that is being started holds what its parent holds until it is another program.
        let mut tries = 0;
        while matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            tries += 1;
            if tries == LOCKS {
                return Err(Error::bad_file(path, "is being written by another match"));
            }
            thread::sleep(WAIT);
        }
        let mut journal = Self { path: path.to_owned(), file, changes: Vec::new() };
        let records = journal.read(header, rounds)?;
        if let Some(records) = records {
            return Ok((journal, records));
        }
        journal.write(header)?;
        Ok((journal, Vec::new()))
    }

    /// How the players' files differ from those that the match began with, in words; each was also logged as a warning.
    #[must_use]
    pub fn changes(&self) -> &[String] {
        &self.changes
    }

    /// The records; `None` if the file is empty.
    fn read(&mut self, header: &Value, rounds: usize) -> Result<Option<Vec<GameRecord>>, Error> {
        let failed = |error: &io::Error| Error::file("read", &self.path, error);
        self.file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        let (setup, fixtures) = (setup(header)?, Fixtures::of(header));
        let (mut reader, mut known) = (BufReader::new(&self.file), HashSet::new());
        let (mut line, mut whole, mut records, mut number) = (Vec::new(), 0, None, 0);
        loop {
            if !next(&mut reader, &mut line).map_err(|error| failed(&error))? {
                break;
            }
            (whole, number) = (whole + line.len() as u64, number + 1);
            match &mut records {
                None => {
                    let foreign = |_| Error::bad_file(&self.path, "is no record of a match");
                    let found = serde_json::from_slice(&line).map_err(foreign)?;
                    compare(&self.path, &without_files(&found), &without_files(header))?;
                    self.changes = changes(&found, header);
                    records = Some(Vec::new());
                }
                Some(records) => {
                    let record = game(&line, &self.path, number, &setup, fixtures.as_ref())?;
                    if is_new(&mut known, &record, &self.path, number) {
                        records.push(record);
                    }
                }
            }
        }
        for change in &self.changes {
            log::warn!("{}: {change}", self.path.display());
        }
        if !line.is_empty() {
            if records.is_none() && !header.to_string().as_bytes().starts_with(&line) {
                return Err(Error::bad_file(&self.path, "is no record of a match, or that of another one"));
            }
            log::warn!("{}: the last line was cut off and is removed", self.path.display());
            self.file.set_len(whole).map_err(|error| failed(&error))?;
        }
        let held = records.iter().flatten().map(|record| record.round + 1).max().unwrap_or_default();
        if fixtures.is_some() && held > rounds {
            let reason = format!("holds games of {held} rounds: take it up with at least {held} rounds, not {rounds}");
            return Err(Error::bad_file(&self.path, reason));
        }
        Ok(records)
    }

    /// Reads the journal of any match: what the match is, and its games. A last line that was cut off is passed over, and so
    /// are further records of a game.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no journal, or if a record is damaged or is not that of a game.
    pub fn load(path: &Path) -> Result<(Value, Vec<GameRecord>), Error> {
        let failed = |error| Error::file("read", path, &error);
        let (mut reader, mut line) = (BufReader::new(File::open(path).map_err(failed)?), Vec::new());
        let begins = next(&mut reader, &mut line).map_err(failed)?;
        let header = begins.then(|| serde_json::from_slice::<Value>(&line).ok()).flatten();
        let header = header.filter(|header| header.get("secateur").is_some());
        let header = header.ok_or_else(|| Error::bad_file(path, "is no record of a match"))?;
        let setup = setup(&header).map_err(|error| Error::bad_file(path, error.to_string()));
        let (mut records, mut known, fixtures) = (Vec::new(), HashSet::new(), Fixtures::of(&header));
        let mut number = 1;
        while next(&mut reader, &mut line).map_err(failed)? {
            number += 1;
            let record = game(&line, path, number, setup.as_ref().map_err(Error::clone)?, fixtures.as_ref())?;
            if is_new(&mut known, &record, path, number) {
                records.push(record);
            }
        }
        Ok((header, records))
    }

    /// Adds a game; it is in the file once this returns.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Error> {
        self.write(record)
    }

    /// One write a line: a kill leaves it whole, or without its end.
    fn write(&mut self, line: &impl Serialize) -> Result<(), Error> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            self.file.write_all(&line)
        });
        written.map_err(|error| Error::file("write", &self.path, &error))
    }
}

/// Reads the next line, with its end; `false`: there is none, or it was cut off.
///
/// # Errors
/// Those of the input; a line that is longer than any game.
fn next(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    if input.take(LONGEST).read_until(b'\n', line)? as u64 == LONGEST {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("a line has {} MiB or more", LONGEST >> 20)));
    }
    Ok(line.ends_with(b"\n"))
}

/// The game that the first line of a journal names, with its options.
///
/// # Errors
/// There is no such game, or it does not take the options.
pub fn setup(header: &Value) -> Result<Setup, Error> {
    let name = header.get("game").and_then(Value::as_str).unwrap_or_default();
    let mut setup = Setup::new(registry::find(name)?);
    for (name, value) in header.get("options").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_str().ok_or_else(|| Error::UnknownOption(Quoted::new(name)))?;
        setup.set(name, value)?;
    }
    Ok(setup)
}

/// The game of a line, once the rules and the schedule have checked it.
fn game(
    line: &[u8],
    path: &Path,
    number: usize,
    setup: &Setup,
    fixtures: Option<&Fixtures>,
) -> Result<GameRecord, Error> {
    let bad = |reason: String| Error::bad_file(path, format!("line {number}: {reason}"));
    let record: GameRecord = serde_json::from_slice(line.trim_ascii_end()).map_err(|error| bad(damage(&error)))?;
    let wrong = |reason| bad(format!("game {}: {reason}", record.number.saturating_add(1)));
    let checked = record.check(setup).and_then(|()| fixtures.map_or(Ok(()), |fixtures| fixtures.check(&record)));
    checked.map_err(wrong)?;
    Ok(record)
}

/// Whether a game was not recorded before; if it was, there is a warning.
fn is_new(known: &mut HashSet<usize>, record: &GameRecord, path: &Path, line: usize) -> bool {
    let new = known.insert(record.number);
    if !new {
        let game = record.number + 1;
        log::warn!("{}: line {line}: game {game} is recorded more than once; the first record counts", path.display());
    }
    new
}

/// A header without the files of the players.
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

/// How the files of the players differ from those that the journal began with. Journals of earlier versions name none.
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

/// Whether a file's header is that of this match.
fn compare(path: &Path, found: &Value, wanted: &Value) -> Result<(), Error> {
    if found.get("secateur").is_none() {
        return Err(Error::bad_file(path, "is no record of a match"));
    }
    difference(found, wanted).map_or(Ok(()), |difference| {
        Err(Error::bad_file(path, format!("is the record of another match: its {difference}")))
    })
}
