//! Orders by rank.

use std::cmp::Reverse;

/// Returns the indices of ranks, the highest rank first; equal ranks stay in order. Moves of all games are sorted by it:
/// the sort of the standard library is compiled once, not for each kind of move.
pub fn descending(ranks: &[i64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..ranks.len()).collect();
    order.sort_by_key(|&index| Reverse(ranks[index]));
    order
}

/// Returns the rank of a move by its score; the hash move is above all others.
pub fn of_move(is_hash: bool, score: i32) -> i64 {
    (i64::from(is_hash) << 33) + i64::from(score)
}
