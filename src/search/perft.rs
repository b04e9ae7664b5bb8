//! Perft: the number of move paths of a given length, the field's test of move generation.

use crate::core::{Position, StopFlag};

/// Counts the paths of exactly `depth` moves from `pos`; paths that end earlier do not count.
/// `None` if the flag was raised.
pub fn perft<P: Position>(pos: &P, depth: u8, stop: &StopFlag) -> Option<u64> {
    Counter { moves: Vec::new(), stop }.count(pos, depth)
}

/// The same, divided by first move, in the order of [`Position::moves`]. At depth 0 there is no first move.
pub fn divide<P: Position>(pos: &P, depth: u8, stop: &StopFlag) -> Option<Vec<(P::Move, u64)>> {
    let mut moves = Vec::new();
    if depth > 0 {
        pos.moves(&mut moves);
    }
    moves.into_iter().map(|mv| Some((mv, perft(&pos.after(mv), depth - 1, stop)?))).collect()
}

struct Counter<'a, P: Position> {
    /// The moves of every position on the path, one after another.
    moves: Vec<P::Move>,
    stop: &'a StopFlag,
}

impl<P: Position> Counter<'_, P> {
    fn count(&mut self, pos: &P, depth: u8) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let first = self.moves.len();
        pos.moves(&mut self.moves);
        let last = self.moves.len();
        // Bulk counting: the moves of the last position need not be played.
        if depth == 1 {
            self.moves.truncate(first);
            return Some((last - first) as u64);
        }
        if depth > 3 && self.stop.is_raised() {
            return None;
        }
        let mut total = 0;
        for index in first..last {
            total += self.count(&pos.after(self.moves[index]), depth - 1)?;
        }
        self.moves.truncate(first);
        Some(total)
    }
}
