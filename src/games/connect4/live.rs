//! What decides the rest of a game: threats, the stones of live lines, and the heights of the columns.
//!
//! A line of four is *open* to a player if no stone of the other side is on it. The rest of the game depends on the
//! heights and, for each player, on the sets of vacant squares of the open lines: a player that occupies all squares of
//! one wins. Two kinds of sets do not matter:
//!
//! - One that contains a *threat* of its player and other squares: the threat alone wins.
//! - One with a square *out of reach*. These are the squares above a threat of both players, and above two threats of
//!   one player, the upper directly above the lower. A threat of both ends the game when it is occupied. Of two threats
//!   of one player, one is occupied by that player, or the other side occupies the lower, and then the owner of the
//!   upper wins at once; no win is better than that.
//!
//! The lines of the remaining sets of two and more squares are *live*: their squares hold stones of the player or are
//! vacant, within reach, and no threats of the player. So the live lines follow from the heights, the threats, and the
//! stones on live lines. A stone on none matters no more, whatever its colour: it is *dead*.
//!
//! A column is *idle* if it is not full and none of its vacant squares is a threat or on a live line. A stone there
//! changes nothing but the turn, so only the number of such squares in all idle columns matters, not which columns
//! these are. Positions that agree in all this have the same value, distances included.
//!
//! (That dead stones need no colour in the key is the idea of C. Steininger's solver c4.)

use super::rules::Grid;
use super::size::Size;
use super::squares::Squares;
use crate::util::random::{GOLDEN, folded};

/// Returns the key for exact search, a hash of what decides the rest of the game. Neither side may have a four.
#[inline]
pub(crate) fn key<S: Size>(pos: &Grid<S>) -> u64 {
    let Rest { stones, heights, idle } = Rest::new(pos);
    let stones = folded(stones[0].digest() ^ 0xa076_1d64_78bd_642f, stones[1].digest() ^ 0xe703_7ed1_a0b4_28db);
    let heights = heights.digest() ^ u64::from(idle).wrapping_mul(GOLDEN);
    folded(stones ^ 0x8ebc_6af0_9c88_c6e3, heights ^ 0x5899_65cc_7537_4cc3)
}

/// Returns whether the mirror image represents the position.
#[inline]
pub(crate) fn is_turned<S: Size>(pos: &Grid<S>) -> bool {
    let (size, heights) = (pos.size(), pos.occupied());
    let mirrored = size.mirrored(heights);
    if mirrored == heights {
        let squares = Rest::new(pos).stones;
        let image = [size.mirrored(squares[0]), size.mirrored(squares[1])];
        // What decides the rest may be symmetric although the stones are not.
        if image == squares { pos.mirrored().number() < pos.number() } else { image < squares }
    } else {
        mirrored < heights
    }
}

/// What decides the rest of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rest<W> {
    /// The threats within reach and the stones on live lines, of the side to move and of the other one.
    stones: [W; 2],
    /// The occupied squares, and all squares of idle columns.
    heights: W,
    /// The number of vacant squares in idle columns.
    idle: u32,
}

impl<W: Squares> Rest<W> {
    #[inline]
    fn new<S: Size<Set = W>>(pos: &Grid<S>) -> Self {
        let (size, threats) = (pos.size(), pos.threats());
        let vacant = pos.vacant() & !out_of_reach(size, threats);
        let (own, opposing) = (threats[0] & vacant, threats[1] & vacant);
        let lines = [lines(size, pos.own() | (vacant & !own)), lines(size, pos.opposing() | (vacant & !opposing))];
        let wanted = pos.vacant() & (own | opposing | lines[0] | lines[1]);
        // In a column with a wanted square, the addition carries into the bit above the highest row.
        let carries = (wanted + size.board()) & (size.bottom() << size.rows());
        let idle = pos.vacant() & !(carries - (carries >> size.rows()));
        Self {
            stones: [(pos.own() & lines[0]) | own, (pos.opposing() & lines[1]) | opposing],
            heights: pos.occupied() | idle,
            idle: idle.count_ones(),
        }
    }
}

/// Returns the squares that are not occupied before one of these threats wins.
#[inline]
fn out_of_reach<S: Size>(size: S, [own, opposing]: [S::Set; 2]) -> S::Set {
    above(size, (own & opposing) | (own & (own << 1)) | (opposing & (opposing << 1)))
}

/// Returns the squares above those of a set.
#[inline]
pub(super) fn above<S: Size>(size: S, mut squares: S::Set) -> S::Set {
    let mut above = S::Set::NONE;
    while !squares.is_empty() {
        squares = (squares << 1) & size.board();
        above = above | squares;
    }
    above
}

/// Returns the vacant squares of the open lines of the player with these stones.
#[inline]
pub(super) fn open_squares<S: Size>(pos: &Grid<S>, stones: S::Set) -> S::Set {
    pos.vacant() & lines(pos.size(), stones | pos.vacant())
}

/// Returns the squares of the lines of four within a set.
#[inline]
fn lines<S: Size>(size: S, squares: S::Set) -> S::Set {
    in_all_directions(size, |shift| through(shift, fours(shift, squares)))
}

/// Returns the other squares of the open lines through a vacant square, of the player with these stones.
#[inline]
pub(super) fn lines_through<S: Size>(square: S::Set, pos: &Grid<S>, stones: S::Set) -> S::Set {
    let squares = stones | pos.vacant();
    let lines = in_all_directions(pos.size(), |shift| {
        let firsts = square | square >> shift | square >> (2 * shift) | square >> (3 * shift);
        through(shift, firsts & fours(shift, squares))
    });
    lines & !square
}

/// Returns the squares found along each direction, a shift. Written out, because a map over an array is not inlined.
#[inline]
fn in_all_directions<S: Size>(size: S, along: impl Fn(u32) -> S::Set) -> S::Set {
    let rows = size.rows();
    along(1) | along(rows) | along(rows + 1) | along(rows + 2)
}

/// Returns the first squares of the lines of four within a set, in a direction.
#[inline]
pub(super) fn fours<W: Squares>(shift: u32, squares: W) -> W {
    let pairs = squares & (squares >> shift);
    pairs & (pairs >> (2 * shift))
}

/// Returns the squares of lines with these first squares, in a direction.
#[inline]
fn through<W: Squares>(shift: u32, firsts: W) -> W {
    let pairs = firsts | (firsts << shift);
    pairs | (pairs << (2 * shift))
}

#[cfg(test)]
mod tests {
    use super::super::rules::Column;
    use super::super::size::{Free, Large};
    use super::*;
    use crate::core::Position;
    use std::collections::HashMap;

    /// Returns the value of a position, larger for an earlier win, and records those of all positions below it.
    fn value<S: Size>(pos: Grid<S>, values: &mut HashMap<S::Set, (i32, Rest<S::Set>)>) -> i32 {
        if pos.is_won() {
            return pos.stones().cast_signed() - 100;
        }
        if let Some(&(value, _)) = values.get(&pos.number()) {
            return value;
        }
        let mut moves = Vec::<Column>::new();
        pos.moves(&mut moves);
        let best = moves.into_iter().map(|mv| -value(pos.after(mv), values)).max().unwrap_or(0);
        values.insert(pos.number(), (best, Rest::new(&pos)));
        best
    }

    #[test]
    fn the_rest_decides_the_value() {
        for (columns, rows) in [(4, 4), (4, 5)] {
            let mut values = HashMap::new();
            value(Grid::empty(Free::new(columns, rows).unwrap()), &mut values);
            let mut known = HashMap::new();
            for &(value, rest) in values.values() {
                let before = *known.entry(rest).or_insert(value);
                assert_eq!(before, value, "{columns} x {rows}, {rest:?}");
            }
            assert!(known.len() * 4 < values.len(), "{columns} x {rows}: {} of {}", known.len(), values.len());
        }
    }

    #[test]
    fn mirror_images_have_one_representative() {
        fn check<S: Size>(mut pos: Grid<S>) {
            for column in [3, 3, 2, 4, 0, 6, 5, 1, 1, 3] {
                pos = pos.after(Column(column));
                let both =
                    [pos, pos.mirrored()].map(|pos| if is_turned(&pos) { key(&pos.mirrored()) } else { key(&pos) });
                assert_eq!(both[0], both[1], "{pos:?}");
            }
        }
        check(Grid::empty(Free::new(7, 6).unwrap()));
        check(Grid::empty(Large::new(8, 8).unwrap()));
    }
}
