//! Dead stones: stones whose colour cannot matter any more.
//!
//! A line of four is *live* for a player if each of its squares is vacant or holds a stone of that player; no stone of a
//! game that goes on completes one, so a live line has a vacant square. What is still to come depends on the vacant
//! squares and, for each player, on the vacant squares of each live line, and on nothing else: whoever occupies all of
//! these wins.
//!
//! A stone is *dead* if no live line runs through it. To give dead stones to the side to move leaves all live lines of
//! the other side as they are, for none runs through these stones. It may make a line live that a dead stone of the
//! other side blocked; the stones that block such a line keep their colour. With the others recoloured, two positions
//! with the same stones have the same live lines, and so the same value, distances included. (The idea of the key is
//! that of C. Steininger's solver c4.)

use super::rules::Grid;
use super::size::Size;

/// Returns the grid with all dead stones, but for those that block a line, given to the side to move. Neither side may
/// have a four.
#[inline]
#[must_use]
pub fn forgotten<S: Size>(pos: &Grid<S>) -> Grid<S> {
    let (own, opposing, vacant) = (pos.own(), pos.opposing(), pos.vacant());
    let mut dead = pos.occupied();
    for shift in directions(pos) {
        for stones in [own, opposing] {
            dead &= !through(shift, fours(shift, stones | vacant));
        }
        if dead == 0 {
            return *pos;
        }
    }
    let blocking = directions(pos).into_iter().fold(0, |blocking, shift| {
        let [before, full, after] =
            [own | vacant, own | dead, own | dead | vacant].map(|squares| fours(shift, squares));
        blocking | through(shift, after & !before & !full)
    });
    pos.recoloured(own | (dead & !blocking))
}

/// Returns the first squares of the lines of four within a set, in a direction.
#[inline]
const fn fours(shift: u32, squares: u64) -> u64 {
    let pairs = squares & (squares >> shift);
    pairs & (pairs >> (2 * shift))
}

/// Returns the squares of lines with these first squares, in a direction.
#[inline]
const fn through(shift: u32, firsts: u64) -> u64 {
    let pairs = firsts | (firsts << shift);
    pairs | (pairs << (2 * shift))
}

/// Returns the directions of lines as shifts: up, and the three to the right.
#[inline]
fn directions<S: Size>(pos: &Grid<S>) -> [u32; 4] {
    let rows = pos.size().rows();
    [1, rows, rows + 1, rows + 2]
}

#[cfg(test)]
mod tests {
    use super::super::rules::Column;
    use super::super::size::Free;
    use super::*;
    use crate::core::Position;
    use std::collections::HashMap;

    /// Returns the value of a position, the sooner the win the larger, and records those of all below it.
    fn value(pos: Grid<Free>, values: &mut HashMap<u64, (i32, u64)>) -> i32 {
        if pos.is_won() {
            return pos.stones().cast_signed() - 100;
        }
        if let Some(&(value, _)) = values.get(&pos.number()) {
            return value;
        }
        let mut moves = Vec::<Column>::new();
        pos.moves(&mut moves);
        let best = moves.into_iter().map(|mv| -value(pos.after(mv), values)).max().unwrap_or(0);
        values.insert(pos.number(), (best, forgotten(&pos).number()));
        best
    }

    #[test]
    fn positions_that_differ_in_dead_stones_have_the_same_value() {
        for (columns, rows) in [(4, 4), (5, 4)] {
            let mut values = HashMap::new();
            value(Grid::empty(Free::new(columns, rows).unwrap()), &mut values);
            let mut known = HashMap::new();
            for &(value, number) in values.values() {
                let before = *known.entry(number).or_insert(value);
                assert_eq!(before, value, "{columns} x {rows}, {number:x}");
            }
            assert!(known.len() * 4 < values.len() * 3, "{columns} x {rows}: {} of {}", known.len(), values.len());
        }
    }
}
