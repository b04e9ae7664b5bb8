//! Sets of squares, shifted as White sees them.

use cozy_chess::{BitBoard, File, Square};

#[inline(always)]
pub(crate) const fn east(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !File::H.bitboard().0) << 1)
}

#[inline(always)]
pub(crate) const fn west(set: BitBoard) -> BitBoard {
    BitBoard((set.0 & !File::A.bitboard().0) >> 1)
}

/// The squares on both sides.
#[inline(always)]
pub(crate) const fn beside(set: BitBoard) -> BitBoard {
    BitBoard(east(set).0 | west(set).0)
}

/// The squares one rank forward.
#[inline(always)]
pub(crate) const fn forward(set: BitBoard) -> BitBoard {
    BitBoard(set.0 << 8)
}

/// The squares one rank back.
#[inline(always)]
pub(crate) const fn back(set: BitBoard) -> BitBoard {
    BitBoard(set.0 >> 8)
}

#[inline(always)]
pub(crate) const fn pawn_attacks(pawns: BitBoard) -> BitBoard {
    beside(forward(pawns))
}

/// The number of king's moves from one square to another.
#[inline(always)]
pub(crate) const fn distance(one: Square, other: Square) -> usize {
    let files = (one as i32 & 7).abs_diff(other as i32 & 7);
    let ranks = (one as i32 >> 3).abs_diff(other as i32 >> 3);
    (if files > ranks { files } else { ranks }) as usize
}
