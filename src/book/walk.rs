//! The positions of a book, each once, in an order that the entries decide.

use super::BookEntry;
use crate::core::Error;
use crate::engine::Board;
use std::collections::{HashMap, VecDeque};

/// Bits that say who has kept to best moves so far: the side to move,
const MOVER: u8 = 1;

/// and its opponent.
const OPPONENT: u8 = 2;

/// Walks breadth first from a start over all positions, of fewer than `plies` moves, in whose line one side at least has
/// kept to best moves; asks once for the entry of each, and ends where there is none. Positions are equal if their
/// [book keys](crate::engine::Text::book_key) are; finished ones have no entry.
///
/// # Errors
/// Those of `entry`, and that of a game that refuses its own moves.
pub fn walk<E: From<Error>>(
    start: &dyn Board,
    plies: u8,
    mut entry: impl FnMut(&dyn Board) -> Result<Option<BookEntry>, E>,
) -> Result<(), E> {
    // What is known of a position, and for whom the moves from it have been followed.
    let mut seen = HashMap::<String, (BookEntry, u8)>::new();
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

/// The bits as the other side sees them.
const fn exchanged(sides: u8) -> u8 {
    sides >> 1 | (sides & MOVER) << 1
}
