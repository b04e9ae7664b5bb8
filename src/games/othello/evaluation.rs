//! The evaluation on 6 x 6 and 4 x 4: five terms with weights set by hand.

use super::rules::{Discs, Size};
use super::stability;
use crate::core::Score;

/// Returns the terms of the evaluation for the side to move in centi-units: hundredths of a disc.
///
/// - `mobility`: moves of the side to move, less those of the opponent;
/// - `frontier`: discs next to vacant squares, which give the opponent moves later;
/// - `corners`: discs in corners, and corners that can be taken;
/// - `squares beside a corner`: discs next to a vacant corner, which may give it away;
/// - `stable discs`: discs that can [never be flipped](super::stability).
pub(crate) fn terms(pos: &Discs) -> [(&'static str, Score); 5] {
    let [own, opposing] = [pos.own(), pos.opposing()];
    let (board, vacant) = (pos.size().board(), pos.vacant());
    let count = |set: u64| set.count_ones().cast_signed();
    let lead = |[mine, theirs]: [u64; 2]| count(mine) - count(theirs);
    let corners = corners(board);
    let (frontier, beside) = (frontier(vacant), frontier(vacant & corners));
    let mobile = [pos.mobile(), pos.opposing_mobile()];
    let stable = [stability::stable(own, opposing, board), stability::stable(opposing, own, board)];
    [
        ("mobility", 90 * lead(mobile)),
        ("frontier", -25 * lead([own & frontier, opposing & frontier])),
        (
            "corners",
            600 * lead(mobile.map(|mobile| mobile & corners)) + 500 * lead([own & corners, opposing & corners]),
        ),
        ("squares beside a corner", -200 * lead([own & beside, opposing & beside])),
        ("stable discs", 100 * lead(stable)),
    ]
}

/// Returns the squares next to vacant ones.
#[inline(always)]
pub(crate) fn frontier(vacant: u64) -> u64 {
    let row = vacant | (vacant & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (vacant & 0xfefe_fefe_fefe_fefe) >> 1;
    row | row << 8 | row >> 8
}

/// Returns the corners of a board, given as the set of its squares.
#[inline(always)]
pub(crate) const fn corners(board: u64) -> u64 {
    const SIX: u64 = Size::Six.board();
    const FOUR: u64 = Size::Four.board();
    match board {
        SIX => 0x0042_0000_0000_4200,
        FOUR => 0x0000_2400_0024_0000,
        _ => 0x8100_0000_0000_0081,
    }
}
