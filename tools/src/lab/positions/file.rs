//! Games of self-play in a file of [records], one for each game.
//!
//! | bytes | contents |
//! |---|---|
//! | 1 | the result of the first player: 0 a loss, 1 a draw, 2 a win |
//! | 2 | n |
//! | n | the position after the opening, as text |
//! | 4 for each ply | the code of the move, then the score of its search for the side to move, centi-units |
//!
//! Games outside the registry have no text, and their codes differ from one process to the next: n is 0, the moves of
//! the opening have the score -32,768, and a move is its place among the legal moves.
//!
//! Numbers are little-endian. The subject of the file is JSON: the game, its options and the plan. With the same
//! program, they and the number of a game determine it.

use super::play::GamesPlan;
use secateurs::core::{Error, OptionKind};
use secateurs::registry::Setup;
use secateurs::store::container::Format;
use secateurs::store::records::{self, Records};
use secateurs::util::difference::{as_options, difference};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: Format = Format { letters: b"SSP", version: 1, foreign: "is not a file of `selfplay`" };

/// The bytes of a ply.
const PLY: usize = 4;

/// The score of a move without a search.
pub(super) const UNSCORED: i16 = i16::MIN;

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The result of the first player: 0 a loss, 1 a draw, 2 a win.
    pub result: u8,
    /// The position after the opening, as text.
    pub start: String,
    /// The moves, by their codes, each with the score of its search for the side to move, centi-units.
    pub plies: Vec<(u16, i16)>,
}

impl RecordedGame {
    /// Returns the number of positions that were searched.
    pub(super) fn positions(&self) -> u64 {
        self.plies.iter().filter(|&&(_, score)| score != UNSCORED).count() as u64
    }

    /// Returns the bytes of the game, without its frame.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = vec![self.result];
        bytes.extend((self.start.len() as u16).to_le_bytes());
        bytes.extend(self.start.as_bytes());
        for (code, score) in &self.plies {
            bytes.extend(code.to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes
    }

    /// Reads a game; `None` if the bytes are not one.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (&[result, low, high], rest) = bytes.split_first_chunk()?;
        let (start, rest) = rest.split_at_checked(u16::from_le_bytes([low, high]).into())?;
        let (plies, []) = rest.as_chunks::<PLY>() else { return None };
        let plies = plies.iter().map(|&[a, b, c, d]| (u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])));
        let start = String::from_utf8(start.to_vec()).ok()?;
        (result <= 2).then(|| Self { result, start, plies: plies.collect() })
    }
}

/// What the games of a file depend on.
#[derive(Debug, Serialize, Deserialize)]
struct Subject {
    game: String,
    options: BTreeMap<String, String>,
    /// The options that are texts or files: weights. Games of all weights can be learned from.
    texts: BTreeMap<String, String>,
    plan: Value,
}

impl Subject {
    fn new(setup: &Setup, plan: Value) -> Self {
        let mut subject =
            Self { game: setup.row().name.into(), options: BTreeMap::new(), texts: BTreeMap::new(), plan };
        for (row, value) in setup.options().iter() {
            let list = match row.kind {
                OptionKind::Folder => continue,
                OptionKind::Text { .. } | OptionKind::File => &mut subject.texts,
                _ => &mut subject.options,
            };
            list.insert(row.name.into(), value.to_string());
        }
        subject
    }

    fn read(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(json).map_err(|_| "has games of another version of Secateurs".to_owned())
    }

    /// Describes how the subject of a file differs.
    fn difference(&self, there: &Self) -> Option<String> {
        if there.game != self.game {
            return Some(format!("has games of {}, not of {}", there.game, self.game));
        }
        let named = |subject: &Self| {
            let mut all = as_options(&subject.plan);
            let options = subject.options.iter().chain(&subject.texts);
            all.extend(options.map(|(name, value)| (format!("--option {name}"), value.as_str().into())));
            Value::Object(all)
        };
        difference(&named(there), &named(self)).map(|difference| format!("has other games: its {difference}"))
    }
}

/// Opens the games of a plan, to which others are then appended. Returns those that are there.
///
/// # Errors
/// As [`Records::open`], for a file of another plan too.
pub(crate) fn open(path: &Path, setup: &Setup, plan: &GamesPlan) -> Result<(Records, Vec<RecordedGame>), Error> {
    let here = Subject::new(setup, json!(plan));
    let other = |there: &[u8]| Subject::read(there).map_or_else(Some, |there| here.difference(&there));
    let (file, found) = Records::open(path, &FORMAT, json!(here).to_string().as_bytes(), other)?;
    Ok((file, games(path, &found)?))
}

/// Reads the games of a file, whatever their plan and the weights of their evaluation.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of something else, of another game or of other options.
pub(crate) fn read(path: &Path, setup: &Setup) -> Result<Vec<RecordedGame>, Error> {
    let other = |there: &[u8]| {
        Subject::read(there).map_or_else(Some, |there| {
            let here = Subject::new(setup, there.plan.clone());
            Subject { texts: there.texts.clone(), ..here }.difference(&there)
        })
    };
    games(path, &Records::read(path, &FORMAT, other)?)
}

fn games(path: &Path, records: &[Vec<u8>]) -> Result<Vec<RecordedGame>, Error> {
    let read = |(index, record): (usize, &Vec<u8>)| {
        let reason = || format!("has a record, number {}, that is not a game", index + 1);
        RecordedGame::read(record).ok_or_else(|| Error::bad_file(path, reason()))
    };
    records.iter().enumerate().map(read).collect()
}

/// Appends a game.
///
/// # Errors
/// [`Error::File`]; the file is then as before.
pub(crate) fn add(file: &mut Records, game: &RecordedGame) -> Result<(), Error> {
    let mut framed = Vec::new();
    records::frame(&game.write(), &mut framed);
    file.add(&framed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_back() {
        let game = RecordedGame { result: 2, start: "8/8 w".into(), plies: vec![(0, -3), (65_534, 30_000)] };
        let bytes = game.write();
        assert_eq!((bytes.len(), RecordedGame::read(&bytes)), (16, Some(game)));
        assert!((0..bytes.len()).filter(|&end| RecordedGame::read(&bytes[..end]).is_some()).eq([8, 12]));
        assert!([[3, 0, 0, 0], [1, 1, 0, 0xff]].iter().all(|bytes| RecordedGame::read(bytes).is_none()));
    }
}
