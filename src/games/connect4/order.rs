//! The order of moves in exact search, determined by the position after a move alone: where two lines of play
//! transpose, the search continues in the same way.

use super::live::{lines_through, open_squares};
use super::rules::{Column, Grid};
use super::size::Size;
use super::squares::Squares;

/// The weights of the [features](features), found by random steps that minimise the nodes to solve 67 positions of 9
/// and 10 random stones and the public set of positions near the beginning, Test_L1_R1. The third lies between the
/// weights found with and without that set.
const WEIGHTS: [i32; 11] = [883, 356, 1100, 1592, 358, -194, 420, 61, -235, -74, 499];

/// Returns the score of a move to the position `after`: higher scores are searched earlier.
#[inline]
pub(crate) fn score<S: Size>(pos: &Grid<S>, mv: Column, after: &Grid<S>) -> i32 {
    let (features, mut score) = (features(pos, mv, after), 0);
    for (index, weight) in WEIGHTS.into_iter().enumerate() {
        score += weight * features[index];
    }
    score
}

/// Returns the features that determine the order.
#[inline]
fn features<S: Size>(pos: &Grid<S>, mv: Column, after: &Grid<S>) -> [i32; 11] {
    let (square, [_, threats]) = (pos.landing(mv), after.threats());
    let (below, above) = (square >> 1, (square << 1) & pos.size().board());
    let is_second = below.meets(pos.own()) && !(below >> 1).meets(pos.own());
    let count = |squares: S::Set| squares.count_ones().cast_signed();
    [
        // The threats of the side that moves; whether it can play one; those that it can play as soon as the square
        // below is occupied; whether one is directly above another.
        count(threats),
        i32::from(threats.meets(after.playable())),
        count(after.playable() & (threats >> 1)),
        i32::from(threats.meets(threats << 1)),
        // The lines with two of the mover's stones that may still become a four, and those of the other side.
        after.pairs(after.opposing()),
        after.pairs(after.own()),
        // The vacant squares where the mover can still make a four; the squares of the other side's lines that the
        // stone blocks.
        count(open_squares(after, after.opposing())),
        count(lines_through(square, pos, pos.opposing())),
        // The replies that do not lose at once.
        count(after.safe()),
        // The distance from the middle, in half columns.
        pos.size().distance_from_middle(mv.0.into()),
        // Whether the stone makes two in its column, where there is room for a four.
        i32::from(is_second && (above << 1).meets(pos.size().board())),
    ]
}
