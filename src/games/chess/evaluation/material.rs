//! The balance of material: the value of pieces in combination, and with more or fewer pawns.
//!
//! It depends on the numbers of pieces alone, so it is kept from move to move, and recomputed after captures and
//! promotions.
//!
//! Chess Programming Wiki: *Material*, *Bishop Pair*, *Piece Values: Knight versus Bishop*; Kaufman, *The evaluation of
//! material imbalances* (1999).

use super::Total;
use super::layout::{MATERIAL_OPPOSED, MATERIAL_OWN, PAWNS_OPPOSED, PAWNS_OWN};
use crate::games::weighted::{Sink, Tapered, pairs};
use cozy_chess::{BitBoard, Board, Color, Piece};

/// The kinds of material: pawns, knights, bishops, rooks, queens, the bishop pair.
const KINDS: usize = 6;

/// The maximum number of a side's pawns.
const PAWNS: usize = 8;

/// Returns the balance of a board, White's less Black's.
#[inline]
pub(crate) fn balance(board: &Board) -> Tapered {
    let [white, black] = count::<Total>(board);
    white.0 - black.0
}

/// Counts the pairs of kinds, and the pieces by the numbers of pawns, for White and for Black.
pub(crate) fn count<S: Sink>(board: &Board) -> [S; Color::NUM] {
    let (white, black) = (numbers(board, Color::White), numbers(board, Color::Black));
    let mut sinks = [S::default(), S::default()];
    count_side(white, black, &mut sinks[0]);
    count_side(black, white, &mut sinks[1]);
    sinks
}

/// The number of each kind.
fn numbers(board: &Board, color: Color) -> [u8; KINDS] {
    let mut numbers = [0; KINDS];
    for piece in &Piece::ALL[..KINDS - 1] {
        numbers[*piece as usize] = board.colored_pieces(color, *piece).len() as u8;
    }
    let bishops = board.colored_pieces(color, Piece::Bishop);
    let is_on = |colour: BitBoard| !(bishops & colour).is_empty();
    numbers[KINDS - 1] = u8::from(is_on(BitBoard::LIGHT_SQUARES) && is_on(BitBoard::DARK_SQUARES));
    numbers
}

fn count_side<S: Sink>(own: [u8; KINDS], other: [u8; KINDS], sink: &mut S) {
    pairs::count(&own, &other, [MATERIAL_OWN, MATERIAL_OPPOSED], sink);
    let (own_pawns, other_pawns) = (PAWNS.min(own[0].into()), PAWNS.min(other[0].into()));
    sink.add(PAWNS_OWN.at(own_pawns), 1);
    for (kind, &number) in own[1..KINDS - 1].iter().enumerate() {
        sink.add(PAWNS_OWN.at((kind + 1) * (PAWNS + 1) + own_pawns), number.into());
        sink.add(PAWNS_OPPOSED.at(kind * (PAWNS + 1) + other_pawns), number.into());
    }
}
