//! Positions of self-play for tuning, in files of records of a fixed size: files can be concatenated, and records
//! shuffled.
//!
//! | bytes | contents |
//! |---|---|
//! | fixed for the game | the [packed](secateurs::core::Records::pack) position |
//! | 2 | the score of the search for the side to move, centi-units, little-endian |
//! | 1 | the result for the side to move: 0 a loss, 1 a draw, 2 a win |
//! | 3 | the number of the game, offset by the seed, little-endian: positions of one game share it |
//!
//! - [`play`]: the games;
//! - [`fit`]: parameters fitted to the positions.

pub mod fit;
pub mod play;

pub use fit::{FittedParameters, PositionsPlan, fit_positions};
use secateurs::core::Error;
use secateurs::engine::Board;
use secateurs::registry::{GAMES, GameRow, STARTPOS, Setup};
use std::path::Path;

/// The bytes of a record in addition to the position.
const EXTRA: usize = 6;

/// The number of different game numbers.
pub(crate) const NUMBERS: u32 = 1 << 24;

/// A position with the score of its search and the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The packed position.
    pub position: Vec<u8>,
    /// The score of the search for the side to move, centi-units.
    pub score: i16,
    /// The result for the side to move: 0 a loss, 1 a draw, 2 a win.
    pub result: u8,
    /// The number of the game, below `NUMBERS`.
    pub game: u32,
}

impl Labelled {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.position);
        out.extend_from_slice(&self.score.to_le_bytes());
        out.push(self.result);
        out.extend_from_slice(&self.game.to_le_bytes()[..3]);
    }

    /// Reads a record; `None` if the bytes are not a record.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (position, extra) = bytes.split_at_checked(bytes.len().checked_sub(EXTRA)?)?;
        let &[low, high, result, a, b, c] = extra else { return None };
        let score = i16::from_le_bytes([low, high]);
        (result <= 2).then(|| Self {
            position: position.to_vec(),
            score,
            result,
            game: u32::from_le_bytes([a, b, c, 0]),
        })
    }
}

/// Returns the size of a game's records in bytes, and a board that unpacks them. Fails if positions of the game cannot be
/// packed.
pub(crate) fn format(setup: &Setup) -> Result<(usize, Box<dyn Board>), Error> {
    let board = setup.board(STARTPOS)?;
    let packed = board.pack().len();
    if packed == 0 {
        let is_packed = |row: &&GameRow| row.start(&row.defaults()).is_ok_and(|board| !board.pack().is_empty());
        let games: Vec<_> = GAMES.iter().filter(is_packed).map(|row| row.name).collect();
        let (name, games) = (setup.row().name, games.join(", "));
        let reason = format!("positions of {name} cannot be recorded; those of {games} can");
        return Err(Error::BadOptions(reason));
    }
    Ok((packed + EXTRA, board))
}

/// Reads the record at `index` of a file, with the board of its position.
fn unpack(
    record: &[u8],
    board: &dyn Board,
    (path, index, setup): (&Path, usize, &Setup),
) -> Result<(Box<dyn Board>, Labelled), Error> {
    let read = || {
        let record = Labelled::read(record)?;
        Some((board.unpack(&record.position)?, record))
    };
    let reason = || format!("has a record, number {}, that is not a position of {}", index + 1, setup.row().name);
    read().ok_or_else(|| Error::bad_file(path, reason()))
}
