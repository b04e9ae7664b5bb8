//! What remains of a game, as a line of JSON; and the journal, a file of such lines that survives any end of the match.

use super::openings::Opening;
use super::statistics::GameResult;
use crate::client::info::{Info, Score};
use crate::core::score::UNIT;
use crate::core::{Error, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// The names of p1 and p2.
    pub players: [String; 2],
    /// Where it began.
    pub opening: Opening,
    /// The winner.
    pub result: Winner,
    /// Why it ended.
    pub ending: Ending,
    /// More about that, for people: what an engine did wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// In a game of margins that was played to its end: units by which p1 is ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i16>,
    /// How often p1 and p2 said that they had a proven win, and did not get it.
    #[serde(default, skip_serializing_if = "none_wrong")]
    pub wrong_claims: [u32; 2],
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
}

fn none_wrong(claims: &[u32; 2]) -> bool {
    *claims == [0, 0]
}

/// Who has won, as PGN writes it for White and Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    /// p1.
    #[serde(rename = "1-0")]
    First,
    /// p2.
    #[serde(rename = "0-1")]
    Second,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Nobody,
}

impl Winner {
    /// The player of this side.
    #[must_use]
    pub const fn side(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// The result for a side.
    #[must_use]
    pub const fn result(self, side: Side) -> GameResult {
        match (self, side) {
            (Self::Nobody, _) => GameResult::Draw,
            (Self::First, Side::First) | (Self::Second, Side::Second) => GameResult::Win,
            _ => GameResult::Loss,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Nobody => "1/2-1/2",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// Both engines thought for long that one of them had won.
    Resignation,
    /// Both engines thought for long that nobody would win.
    Draw,
    /// Both engines said that it was proven, and agreed.
    Proven,
    /// It was as long as a game may be.
    Length,
    /// The loser made a move that the rules do not allow,
    IllegalMove,
    /// said that there was no move where there was one,
    WrongClaim,
    /// used up its time,
    Time,
    /// did not answer at all,
    Hang,
    /// ended or crashed,
    Crash,
    /// or broke the connection, or said what cannot be understood.
    Disconnection,
}

impl Ending {
    /// All of them, those of sound games first.
    pub const ALL: [Self; 11] = [
        Self::Rules,
        Self::Resignation,
        Self::Draw,
        Self::Proven,
        Self::Length,
        Self::IllegalMove,
        Self::WrongClaim,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::Disconnection,
    ];

    /// Whether the loser did something wrong.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Rules | Self::Resignation | Self::Draw | Self::Proven | Self::Length)
    }

    /// In words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules => "by the rules",
            Self::Resignation => "adjudicated as won",
            Self::Draw => "adjudicated as drawn",
            Self::Proven => "adjudicated as proven",
            Self::Length => "too long",
            Self::IllegalMove => "illegal move",
            Self::WrongClaim => "wrong claim",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Disconnection => "disconnection",
        }
    }
}

/// A move, what it took and what the engine thought of it: `[move, microseconds, score, depth, nodes]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord(
    /// The move.
    pub String,
    /// Time from `go` to `bestmove`, microseconds.
    pub u64,
    /// The score for the mover as [`told`] writes it; empty if none was said.
    pub String,
    /// The depth, plies; 0 if none was said.
    pub u32,
    /// The nodes; 0 if none were said.
    pub u64,
);

/// A score in words: `+1.50` units, `#3` a win in three moves, `#-2` a loss in two; with `exact`, `lower` or `upper`
/// behind it if the engine said that it was proven.
#[must_use]
pub fn told(info: &Info) -> String {
    let mut text = match info.score {
        Some(Score::Cp(score)) => format!("{:+.2}", f64::from(score) / f64::from(UNIT)),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => return String::new(),
    };
    if let Some(proof) = info.proof.name() {
        text += &format!(" {proof}");
    }
    text
}

/// A file of records: what the match is in the first line, then a game a line, each written at once.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a match, or begins it. The records of the games that it has are returned in the order in which
    /// they were written. A last line that was cut off is removed.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no journal, or the journal of another match: what differs is named.
    pub fn open(path: &Path, header: &Value) -> Result<(Self, Vec<GameRecord>), Error> {
        let failed = |error: &io::Error| Error::file("open", path, error);
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(|error| failed(&error))?;
        let mut journal = Self { path: path.to_owned(), file };
        let records = journal.read(header)?;
        if let Some(records) = records {
            return Ok((journal, records));
        }
        journal.write(header)?;
        Ok((journal, Vec::new()))
    }

    /// The records; `None` if the file is empty.
    fn read(&mut self, header: &Value) -> Result<Option<Vec<GameRecord>>, Error> {
        let failed = |error: &io::Error| Error::file("read", &self.path, error);
        self.file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        let mut reader = BufReader::new(&self.file);
        let (mut line, mut whole, mut records, mut number) = (Vec::new(), 0, None, 0);
        loop {
            line.clear();
            // Longer than any game: what is no journal is not read to its end.
            let read = (&mut reader).take(1 << 26).read_until(b'\n', &mut line).map_err(|error| failed(&error))?;
            if !line.ends_with(b"\n") {
                break;
            }
            (whole, number) = (whole + read as u64, number + 1);
            let bad = |error: serde_json::Error| Error::bad_file(&self.path, format!("line {number}: {error}"));
            match &mut records {
                None => {
                    compare(&self.path, &serde_json::from_slice(&line).map_err(bad)?, header)?;
                    records = Some(Vec::new());
                }
                Some(records) => records.push(serde_json::from_slice::<GameRecord>(&line).map_err(bad)?),
            }
        }
        if !line.is_empty() {
            if records.is_none() && !line.starts_with(b"{\"secateur\"") {
                return Err(Error::bad_file(&self.path, "is no record of a match"));
            }
            log::warn!("{}: the last line was cut off and is removed", self.path.display());
            self.file.set_len(whole).map_err(|error| failed(&error))?;
        }
        Ok(records)
    }

    /// Reads the journal of any match: what the match is, and its games. A last line that was cut off is passed over.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it is no journal.
    pub fn load(path: &Path) -> Result<(Value, Vec<GameRecord>), Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::file("read", path, &error))?;
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).zip(1..);
        let bad = |number: usize| move |error| Error::bad_file(path, format!("line {number}: {error}"));
        let header = lines.next().and_then(|(line, _)| serde_json::from_str::<Value>(line).ok());
        let header = header.filter(|header| header.get("secateur").is_some());
        let header = header.ok_or_else(|| Error::bad_file(path, "is no record of a match"))?;
        let records = lines.map(|(line, number)| serde_json::from_str(line).map_err(bad(number)));
        Ok((header, records.collect::<Result<_, _>>()?))
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

/// Whether a file's header is that of this match.
fn compare(path: &Path, found: &Value, wanted: &Value) -> Result<(), Error> {
    if found.get("secateur").is_none() {
        return Err(Error::bad_file(path, "is no record of a match"));
    }
    let (Value::Object(found), Value::Object(wanted)) = (found, wanted) else { return Ok(()) };
    let differs = wanted.keys().chain(found.keys()).find(|&key| found.get(key) != wanted.get(key));
    let shown = |value: Option<&Value>| value.map_or("nothing".into(), Value::to_string);
    differs.map_or(Ok(()), |key| {
        let (there, here) = (shown(found.get(key)), shown(wanted.get(key)));
        let cut = |text: String| crate::core::error::Quoted::new(&text).to_string();
        let reason = format!("is the record of another match: its {key} is {}, not {}", cut(there), cut(here));
        Err(Error::bad_file(path, reason))
    })
}
