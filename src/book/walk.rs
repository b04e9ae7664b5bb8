//! The positions of a book, each once, in an order that the entries determine.

use super::BookEntry;
use crate::core::Error;
use crate::engine::Board;
use std::collections::{HashMap, VecDeque};

/// Set while the side to move has played only best moves.
const MOVER: u8 = 1;

/// Set while its opponent has played only best moves.
const OPPONENT: u8 = 2;

/// Walks breadth-first from a start through all positions, after fewer than `plies` moves, in whose line at least one
/// side has played only best moves. Calls `entry` once for each, and ends when it returns `None`. Positions with equal
/// [book keys](crate::engine::Text::book_key) are the same; finished ones have no entry.
///
/// # Errors
/// Errors of `entry`; an error of the game if it rejects its own moves.
pub fn walk<E: From<Error>>(
    start: &dyn Board,
    plies: u8,
    mut entry: impl FnMut(&dyn Board) -> Result<Option<BookEntry>, E>,
) -> Result<(), E> {
    // The entry of each position, and the sides for which its moves have been followed.
    let mut seen = HashMap::<Vec<u8>, (BookEntry, u8)>::new();
    let mut queue = VecDeque::from([(start.boxed(), 0, MOVER | OPPONENT)]);
    while let Some((board, ply, sides)) = queue.pop_front() {
        let moves = board.moves();
        if ply >= plies || moves.is_empty() {
            continue;
        }
        let key = board.book_key();
        let (known, followed) = match seen.remove(&key) {
            Some(known) => known,
            None => match entry(&*board)? {
                Some(entry) => (entry, 0),
                None => return Ok(()),
            },
        };
        if sides & !followed != 0 {
            for (mv, code) in moves.iter().zip(board.codes()) {
                let sides = if known.best.contains(&code) { sides } else { sides & !MOVER };
                if sides == 0 {
                    continue;
                }
                let mut after = board.boxed();
                after.play(mv)?;
                let same = after.turn() == board.turn();
                queue.push_back((after, ply + 1, if same { sides } else { exchanged(sides) }));
            }
        }
        seen.insert(key, (known, followed | sides));
    }
    Ok(())
}

/// Returns the bits from the other side's view.
const fn exchanged(sides: u8) -> u8 {
    sides >> 1 | (sides & MOVER) << 1
}
