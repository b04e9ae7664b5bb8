//! Sets of squares as one side sees them; `W` is whether that side is White.

use cozy_chess::{BitBoard, Color, File, Rank, Square};

#[inline(always)]
pub(crate) const fn side<const W: bool>() -> Color {
    if W { Color::White } else { Color::Black }
}

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
pub(crate) const fn forward<const W: bool>(set: BitBoard) -> BitBoard {
    BitBoard(if W { set.0 << 8 } else { set.0 >> 8 })
}

/// The squares one rank back.
#[inline(always)]
pub(crate) const fn back<const W: bool>(set: BitBoard) -> BitBoard {
    BitBoard(if W { set.0 >> 8 } else { set.0 << 8 })
}

/// All squares in front, up to the last rank.
#[inline(always)]
pub(crate) const fn ahead<const W: bool>(set: BitBoard) -> BitBoard {
    let mut bits = forward::<W>(set).0;
    if W {
        bits |= bits << 8;
        bits |= bits << 16;
        bits |= bits << 32;
    } else {
        bits |= bits >> 8;
        bits |= bits >> 16;
        bits |= bits >> 32;
    }
    BitBoard(bits)
}

/// All squares behind, down to the first rank.
#[inline(always)]
pub(crate) fn behind<const W: bool>(set: BitBoard) -> BitBoard {
    if W { ahead::<false>(set) } else { ahead::<true>(set) }
}

#[inline(always)]
pub(crate) const fn pawn_attacks<const W: bool>(pawns: BitBoard) -> BitBoard {
    beside(forward::<W>(pawns))
}

/// The rank, from 0 for the side's first.
#[inline(always)]
pub(crate) const fn rank<const W: bool>(square: Square) -> usize {
    (if W { square as usize } else { square as usize ^ 56 }) / 8
}

/// A rank of the side.
#[inline(always)]
pub(crate) const fn rank_set<const W: bool>(rank: Rank) -> BitBoard {
    rank.relative_to(side::<W>()).bitboard()
}

/// The distance of a file to the nearer edge, 0 to 3.
#[inline(always)]
pub(crate) const fn edge(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// The number of king's moves from one square to another.
#[inline(always)]
pub(crate) const fn distance(one: Square, other: Square) -> usize {
    let files = (one as i32 & 7).abs_diff(other as i32 & 7);
    let ranks = (one as i32 >> 3).abs_diff(other as i32 >> 3);
    (if files > ranks { files } else { ranks }) as usize
}
