//! Transposition tables that outlast their process: saved to a file, and loaded under the same rules.

use crate::core::{Error, StopFlag};
use crate::engine::Board;
use crate::registry;
use crate::search::Table;
use crate::store::{self, Identity, Saved};
use crc32fast::Hasher;
use std::path::Path;

/// The number of random games that the fingerprint of an evaluation covers.
const GAMES: usize = 8;

/// The maximum length of such a game, plies.
const PLIES: usize = 64;

/// Saves a table that was used for the game and the options of a board. Returns the number of entries, or `None` if the
/// flag was raised; the file is then unchanged. All entries are saved, including those of other games.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file that is not a saved table of the game, which is not replaced.
pub fn save(table: &Table, board: &dyn Board, path: &Path, stop: &StopFlag) -> Result<Option<u64>, Error> {
    store::save(path, &identity(board)?, table.words(), stop)
}

/// Checks that a table of the game of a board may be saved there, before the search that fills it.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file that is not a saved table of the game.
pub fn check_replaced(path: &Path, board: &dyn Board) -> Result<(), Error> {
    store::check_replaced(path, board.game())
}

/// Adds the entries of a file to a table of any size. Returns the number of entries, or `None` if the flag was raised.
/// The whole file is verified before its first entry is used.
///
/// # Errors
/// [`Error::File`], or [`Error::BadFile`] for a file that is not a saved table, is damaged, or was saved for other
/// rules, another evaluation or another version; the table is then unchanged.
pub fn load(table: &Table, board: &dyn Board, path: &Path, stop: &StopFlag) -> Result<Option<u64>, Error> {
    let Some(saved) = Saved::open(path, &identity(board)?, stop)? else { return Ok(None) };
    saved.each(stop, |entry| table.restore(entry))
}

/// Returns the identity of the entries that the searches of a board store.
///
/// # Errors
/// The board's game is not in the registry.
pub fn identity(board: &dyn Board) -> Result<Identity, Error> {
    let outside =
        |_| Error::BadOptions("the tables and learned positions of a game in Python are not kept in files".into());
    let row = registry::find(board.game()).map_err(outside)?;
    let options = board.options().without_folders();
    // Options without a starting position are valid for boards set up from text. The fingerprint then uses the default
    // options.
    let start = row.start(&options).or_else(|_| row.start(&row.defaults()))?;
    Ok(Identity {
        game: row.name.into(),
        options: options.shaping().map(|(row, value)| (row.name.into(), value.to_string())).collect(),
        evaluation: fingerprint(&*start),
        layout: crc32fast::hash(Table::layout().as_bytes()),
    })
}

/// Returns a checksum of the evaluation and the keys: it covers the key, the moves and the static evaluation of every
/// position of a few games. Different evaluations or keys collide with a probability of 2^-32.
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
