//! Tables that outlive their process: saved to a file, and loaded by whoever plays by the same rules.

use crate::core::{Error, StopFlag};
use crate::engine::Board;
use crate::registry;
use crate::search::Table;
use crate::store::{self, Identity, Saved};
use crc32fast::Hasher;
use std::path::Path;

/// Random games that the fingerprint of an evaluation rests on,
const GAMES: usize = 8;

/// and the plies of each that it sees.
const PLIES: usize = 64;

/// Saves a table that was used for the game and the options of a board; returns the number of entries, or `None` if the
/// flag was raised: the file is as it was then. All entries are saved, those too that other games left.
///
/// # Errors
/// [`Error::File`].
pub fn save(table: &Table, board: &dyn Board, path: &Path, stop: &StopFlag) -> Result<Option<u64>, Error> {
    store::save(path, &identity(board)?, table.words(), stop)
}

/// Adds what a file holds to a table of any size; returns the number of entries, or `None` if the flag was raised. A
/// file is verified whole before the first of its entries is used.
///
/// # Errors
/// [`Error::File`], or [`Error::BadFile`] for a file that is no saved table, is damaged, or was saved for other rules,
/// another evaluation or another version: the table is as it was then.
pub fn load(table: &Table, board: &dyn Board, path: &Path, stop: &StopFlag) -> Result<Option<u64>, Error> {
    let Some(saved) = Saved::open(path, &identity(board)?, stop)? else { return Ok(None) };
    saved.each(stop, |entry| table.restore(entry))
}

/// What the entries of a table mean to the searches of a board.
///
/// # Errors
/// A board of no game of the registry.
pub fn identity(board: &dyn Board) -> Result<Identity, Error> {
    let (row, options) = (registry::find(board.game())?, board.options().without_folders());
    // Options that make no start serve boards that are set up from text; their game is judged by its own start then.
    let start = row.start(&options).or_else(|_| row.start(&row.defaults()))?;
    Ok(Identity {
        game: row.name.into(),
        options: options.shaping().map(|(row, value)| (row.name.into(), value.to_string())).collect(),
        evaluation: fingerprint(&*start),
        layout: crc32fast::hash(Table::layout().as_bytes()),
    })
}

/// A number that differs, but for one time in four thousand million, if positions are judged or hashed differently:
/// it follows from the key, the moves and the judgement of every position of a few games.
fn fingerprint(start: &dyn Board) -> u32 {
    let mut sum = Hasher::new();
    for _ in 0..GAMES {
        let mut board = start.boxed();
        for _ in 0..PLIES {
            let (moves, evaluated) = (board.moves(), board.static_evaluation());
            sum.update(format!("{:x} {moves:?} {evaluated:?} {:?}", board.key(), board.outcome()).as_bytes());
            let Some(mv) = moves.get(sum.clone().finalize() as usize % moves.len().max(1)) else { break };
            if board.play(mv).is_err() {
                break;
            }
        }
    }
    sum.finalize()
}
