//! Complete books: all positions of the first plies.
//!
//! A file stores only the values of the last ply, in the order of [`Plies`]. Those before it follow by minimax, and the
//! best moves of a position from the values after its moves.

use super::BookEntry;
use crate::core::score::Score;
#[cfg(doc)]
use crate::engine::Plies;
use crate::engine::{Board, seen_before};

/// Returns the entry of a position from the positions after its moves, whose values, without the settled score, `value`
/// returns. `None` if one of the values is unknown, or if there are no moves.
pub(crate) fn entry(board: &dyn Board, value: impl Fn(&dyn Board) -> Option<Score>) -> Option<BookEntry> {
    let values: Vec<_> = values(board, value).into_iter().collect::<Option<_>>()?;
    let most = *values.iter().max()?;
    let codes = board.codes().into_iter().zip(values);
    Some(BookEntry {
        value: most - board.settled(),
        best: codes.filter(|&(_, value)| value == most).map(|(code, _)| code).collect(),
    })
}

/// Returns the value of each move, in the game's order, from the positions after them, whose values, without the
/// settled score, `value` returns; `None` where that is unknown.
pub(crate) fn values(board: &dyn Board, value: impl Fn(&dyn Board) -> Option<Score>) -> Vec<Option<Score>> {
    let after = |after: Box<dyn Board>| {
        let same = after.turn() == board.turn();
        let seen = match after.outcome() {
            Some(outcome) => outcome.score(),
            None => after.settled() + value(&*after)?,
        };
        Some(seen_before(seen, same))
    };
    board.children().into_iter().map(after).collect()
}
