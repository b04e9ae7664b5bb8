//! Perft: the number of move paths of a given length, the standard test of move generation.

use crate::core::position::legal_moves;
use crate::core::{Position, StopFlag};

/// Counts the paths of exactly `depth` moves from `pos`; shorter paths do not count. Returns `None` if the flag was
/// raised.
pub fn perft<P: Position>(pos: &P, depth: u8, stop: &StopFlag) -> Option<u64> {
    Counter { moves: Vec::new(), stop }.count(pos, depth)
}

/// Counts the paths of exactly `depth` moves and calls `found` with the count after each first move, in the order of
/// [`Position::moves`], as soon as it is known. Returns `None` if the flag was raised before the last. At depth 0 there
/// is no first move.
pub(crate) fn divide<P: Position>(
    pos: &P,
    depth: u8,
    stop: &StopFlag,
    found: &mut dyn FnMut(P::Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in legal_moves(pos) {
        let count = perft(&pos.after(mv), depth - 1, stop)?;
        found(mv, count);
        total += count;
    }
    Some(total)
}

struct Counter<'a, P: Position> {
    /// The moves of every position on the path, in one buffer.
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
        // Bulk counting: the moves of the last ply are not made.
        if depth == 1 {
            self.moves.truncate(first);
            return Some((last - first) as u64);
        }
        // Checked before each pair of plies: three plies of Nim's largest heaps would take minutes.
        if self.stop.is_raised() {
            return None;
        }
        let mut total = 0;
        for index in first..last {
            let mut after = pos.clone();
            after.play(self.moves[index]);
            total += self.count(&after, depth - 1)?;
        }
        self.moves.truncate(first);
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::endless::Endless;

    #[test]
    fn a_raised_flag_ends_every_count_but_the_shortest() {
        let stop = StopFlag::new();
        assert_eq!(perft(&Endless, 10, &stop), Some(1 << 10));
        stop.raise();
        assert_eq!(perft(&Endless, 1, &stop), Some(2));
        assert!((2..=u8::MAX).all(|depth| perft(&Endless, depth, &stop).is_none()));
    }
}
