//! The opening book of the last game that was searched with it.

use crate::threads::lock::lock;
use secateurs::book::Openings;
use secateurs::core::{Error, Options};
use secateurs::engine::Board;
use std::sync::{Arc, Mutex};

/// The values of a book, for the game and the options of the board that they were read for.
struct Last {
    game: &'static str,
    options: Options,
    openings: Arc<Openings>,
}

/// The book read last: reading one takes up to half a second.
static LAST: Mutex<Option<Last>> = Mutex::new(None);

/// Returns the values in the books of the game of this board.
///
/// # Errors
/// Those of [`Openings::for_board`].
pub fn openings(board: &dyn Board) -> Result<Arc<Openings>, Error> {
    let serves = |last: &&Last| last.game == board.game() && last.options == *board.options();
    if let Some(last) = lock(&LAST).as_ref().filter(serves) {
        return Ok(Arc::clone(&last.openings));
    }
    // Nothing is locked while a book is read: a fork waits for locks.
    let openings = Arc::new(Openings::for_board(board)?);
    let last = Last { game: board.game(), options: board.options().clone(), openings: Arc::clone(&openings) };
    *lock(&LAST) = Some(last);
    Ok(openings)
}
