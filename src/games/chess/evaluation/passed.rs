//! Passed pawns: the further, the freer and the better accompanied, the stronger.
//!
//! Chess Programming Wiki: *Passed Pawn*, *Connected Passed Pawns*, *Unstoppable Passer*, *King Pawn Tropism*.

use super::bits::{ahead, beside, distance, edge, forward, pawn_attacks, rank, side};
use super::layout::{
    PASSED, PASSED_BLOCKED, PASSED_CONNECTED, PASSED_FILE, PASSED_FREE, PASSED_HELPED, PASSED_KING, PASSED_OPPONENT,
    PASSED_SAFE, UNSTOPPABLE,
};
use super::view::View;
use crate::games::weighted::Sink;
use cozy_chess::{Piece, Square};

/// Counts the passed pawns of a side. The view must contain all attacks.
#[inline(always)]
pub(crate) fn count<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    let (color, us) = (side::<W>(), side::<W>() as usize);
    let passed = view.passed[us];
    if passed.is_empty() {
        return;
    }
    let opponent = view.board.colors(!color);
    let pieces = view.board.pieces(Piece::Pawn) | view.board.pieces(Piece::King);
    let has_pieces = !(opponent & !pieces).is_empty();
    let is_to_move = view.board.side_to_move() == color;
    for square in passed {
        let rank = rank::<W>(square);
        let pawn = square.bitboard();
        let stop = forward::<W>(pawn);
        let way = ahead::<W>(pawn);
        sink.add(PASSED.at(rank), 1);
        sink.add(PASSED_FILE.at(edge(square.file() as usize)), 1);
        if !(stop & opponent).is_empty() {
            sink.add(PASSED_BLOCKED.at(rank), 1);
        }
        if (stop & view.attacked[1 - us]).is_empty() {
            sink.add(PASSED_SAFE.at(rank), 1);
            if (way & (view.attacked[1 - us] | view.occupied)).is_empty() {
                sink.add(PASSED_FREE.at(rank), 1);
            }
        }
        if !(stop & view.attacked[us]).is_empty() {
            sink.add(PASSED_HELPED.at(rank), 1);
        }
        if !(pawn & (beside(passed) | pawn_attacks::<W>(passed))).is_empty() {
            sink.add(PASSED_CONNECTED.at(rank), 1);
        }
        if rank >= 3
            && let Some(stop) = stop.next_square()
        {
            let row = 8 * (rank - 3);
            sink.add(PASSED_KING.at(row + distance(view.kings[us], stop)), 1);
            sink.add(PASSED_OPPONENT.at(row + distance(view.kings[1 - us], stop)), 1);
        }
        if !has_pieces && (way & view.occupied).is_empty() {
            let goal = Square::new(square.file(), cozy_chess::Rank::Eighth.relative_to(color));
            // A pawn at home can advance two squares.
            let moves = (7 - rank).min(5) + usize::from(!is_to_move);
            if distance(view.kings[1 - us], goal) > moves {
                sink.add(UNSTOPPABLE.at(0), 1);
            }
        }
    }
}
