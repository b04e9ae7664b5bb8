//! Discs that no move can ever flip.
//!
//! A disc is stable if on each of the four lines through it one of these holds: the line has no vacant square; the next
//! square in one of its two directions is off the board or a stable disc of the same colour. The test is repeated until
//! no disc is added. It misses some stable discs, but never counts an unstable one.

use super::rules::Size;

/// The squares of the columns, rows and diagonals of a set of squares: those that share a line with one of them.
#[inline(always)]
fn spread(set: u64, up: u32, inner_up: u64, inner_down: u64) -> u64 {
    let (mut rising, mut falling) = (set, set);
    let (mut to_up, mut to_down) = (inner_up, inner_down);
    let mut step = up;
    for _ in 0..3 {
        rising |= to_up & rising << step;
        falling |= to_down & falling >> step;
        to_up &= to_up << step;
        to_down &= to_down >> step;
        step *= 2;
    }
    rising | falling
}

/// The squares that a step to the right, or down and right, can reach from another square of the board; those that a
/// step to the left can reach.
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns stable discs of the side with the discs `own`.
#[inline(always)]
pub(crate) fn stable(own: u64, opposing: u64, board: u64) -> u64 {
    let vacant = board & !(own | opposing);
    let outside = !board;
    // The lines without a vacant square, by direction.
    let full = [
        !spread(vacant, 1, NOT_A, NOT_H),
        !spread(vacant, 7, NOT_H, NOT_A),
        !spread(vacant, 8, u64::MAX, u64::MAX),
        !spread(vacant, 9, NOT_A, NOT_H),
    ];
    let mut found = own & full[0] & full[1] & full[2] & full[3];
    // Squares next to the edge, by direction.
    let past = |step: u32, up: u64, down: u64| (outside << step | !up) | (outside >> step | !down);
    let edges = [
        full[0] | past(1, NOT_A, NOT_H),
        full[1] | past(7, NOT_H & !0xff, NOT_A & !(0xff << 56)),
        full[2] | past(8, !0xff, !(0xff << 56)),
        full[3] | past(9, NOT_A & !0xff, NOT_H & !(0xff << 56)),
    ];
    loop {
        let beside = [
            found << 1 & NOT_A | found >> 1 & NOT_H,
            found << 7 & NOT_H | found >> 7 & NOT_A,
            found << 8 | found >> 8,
            found << 9 & NOT_A | found >> 9 & NOT_H,
        ];
        let next =
            own & (edges[0] | beside[0]) & (edges[1] | beside[1]) & (edges[2] | beside[2]) & (edges[3] | beside[3])
                | found;
        if next == found {
            return found;
        }
        found = next;
    }
}

/// Returns the number of stable discs of the side with the discs `own` on a board of this size.
#[must_use]
pub fn count(own: u64, opposing: u64, size: Size) -> u32 {
    stable(own, opposing, size.board()).count_ones()
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Disc, Discs};
    use super::*;
    use crate::core::Position;
    use crate::core::position::legal_moves;
    use crate::util::random::Random;

    #[test]
    fn a_corner_and_what_leans_on_it_are_stable() {
        assert_eq!(count(0b111, 0b1000, Size::Eight), 3);
        assert_eq!(count(0b110, 0b1001, Size::Eight), 0);
        assert_eq!(count(0b0111, 0b1000, Size::Eight) + count(0b1000, 0b0111, Size::Eight), 3);
        assert_eq!(count(u64::MAX, 0, Size::Eight), 64);
        assert_eq!(count(1 << 18, 0, Size::Four), 1, "c3 is a corner of the board of four");
    }

    /// No disc that counts as stable is ever flipped in random games.
    #[test]
    fn stable_discs_stay() {
        let (mut random, mut checked) = (Random(1), 0);
        for number in 0..600 {
            let size = Size::ALL[number % 3];
            let mut pos = Discs::start(size);
            let mut held = [0, 0];
            while !pos.is_over() {
                let moves = legal_moves(&pos);
                let mv: Disc = moves[random.below(moves.len())];
                pos = pos.after(mv);
                for (held, side) in held.iter_mut().zip([crate::core::Side::First, crate::core::Side::Second]) {
                    assert_eq!(*held & !pos.discs(side), 0, "a stable disc was turned over");
                    *held = stable(pos.discs(side), pos.discs(side.other()), size.board());
                    checked += held.count_ones();
                }
            }
        }
        assert!(checked > 100_000, "{checked}");
    }
}
