//! The balance of material: the value of pieces in combination. It depends on the numbers of pieces alone, so it is
//! kept from move to move, and recomputed after captures.

use super::Total;
use super::layout::{MATERIAL_OPPOSED, MATERIAL_OWN};
use crate::core::Side;
use crate::games::xiangqi::piece::PieceKind;
use crate::games::xiangqi::weighted::{Sink, Tapered, pairs};

/// The number of pieces of each kind, by side.
pub type PieceCounts = [[i8; PieceKind::ALL.len()]; 2];

/// Returns the balance, the first side's less the second's.
pub(crate) fn balance(numbers: &PieceCounts) -> Tapered {
    let [mut first, mut second] = [Total::default(); 2];
    count(numbers, Side::First, &mut first);
    count(numbers, Side::Second, &mut second);
    first.0 - second.0
}

/// Counts the pairs of a side's pieces, and of its pieces and the opponent's.
pub(crate) fn count<S: Sink>(numbers: &PieceCounts, side: Side, sink: &mut S) {
    // Each side has one general.
    let (own, other) = (&numbers[side.index()][1..], &numbers[side.other().index()][1..]);
    pairs::count(own, other, [MATERIAL_OWN, MATERIAL_OPPOSED], sink);
}
