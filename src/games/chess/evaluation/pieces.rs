//! Knights, bishops, rooks and queens: mobility, and where they stand.
//!
//! Chess Programming Wiki: *Mobility*, *Outposts*, *Rook on Open File*, *Rook on Seventh*.

use super::bits::{ahead, back, behind, rank_set, side};
use super::layout::{
    BISHOP_MOBILITY, BISHOP_PAWNS, KNIGHT_MOBILITY, MINOR_BEHIND_PAWN, OUTPOST, OUTPOST_REACHED, QUEEN_MOBILITY,
    ROOK_BEHIND_PASSED, ROOK_FILE, ROOK_MOBILITY, ROOK_SEVENTH,
};
use super::view::View;
use crate::games::weighted::Sink;
use cozy_chess::{BitBoard, Piece, Rank, get_bishop_moves, get_knight_moves, get_rook_moves};

/// Counts the pieces of a side, and adds their attacks to the view.
#[inline(always)]
pub(crate) fn count<const W: bool, const B: bool, S: Sink>(view: &mut View<'_>, sink: &mut S) {
    let us = side::<W>() as usize;
    let of = |piece: Piece| view.board.pieces(piece);
    let (own_pawns, pawns) = (view.pawns[us], of(Piece::Pawn));
    let (queens, rooks) = (of(Piece::Queen), of(Piece::Rook) & view.board.colors(side::<W>()));

    // Pawns that are blocked or at home are in the way of their pieces, and squares that pawns attack are not safe.
    let stuck = own_pawns & (back::<W>(view.occupied) | rank_set::<W>(Rank::Second));
    let unsafe_squares = view.by_piece[1 - us][Piece::Pawn as usize];
    let area = !(unsafe_squares | stuck | view.kings[us].bitboard());

    let supported = view.by_piece[us][Piece::Pawn as usize];
    let zone = rank_set::<W>(Rank::Fourth) | rank_set::<W>(Rank::Fifth) | rank_set::<W>(Rank::Sixth);
    let outposts = zone & !view.reach_of_pawns::<B>();

    let knights = view.own::<W>(Piece::Knight);
    for square in knights {
        let attacks = get_knight_moves(square);
        view.attack::<W>(Piece::Knight, attacks);
        sink.add(KNIGHT_MOBILITY.at((attacks & area).len() as usize), 1);
        if outposts.has(square) {
            sink.add(OUTPOST.at(usize::from(supported.has(square))), 1);
        } else if !(attacks & outposts & supported & !own_pawns).is_empty() {
            sink.add(OUTPOST_REACHED.at(0), 1);
        }
    }

    let bishops = view.own::<W>(Piece::Bishop);
    for square in bishops {
        let attacks = get_bishop_moves(square, view.occupied & !queens);
        view.attack::<W>(Piece::Bishop, attacks);
        sink.add(BISHOP_MOBILITY.at((attacks & area).len() as usize), 1);
        let colour = if BitBoard::LIGHT_SQUARES.has(square) { BitBoard::LIGHT_SQUARES } else { BitBoard::DARK_SQUARES };
        sink.add(BISHOP_PAWNS.at((own_pawns & colour).len() as usize), 1);
        if outposts.has(square) {
            sink.add(OUTPOST.at(2 + usize::from(supported.has(square))), 1);
        }
    }
    let sheltered = (knights | bishops) & back::<W>(pawns);
    sink.add(MINOR_BEHIND_PAWN.at(0), sheltered.len() as i32);

    let seventh = rank_set::<W>(Rank::Seventh);
    let is_target = rank_set::<W>(Rank::Eighth).has(view.kings[1 - us]) || !(view.pawns[1 - us] & seventh).is_empty();
    for square in rooks {
        let attacks = get_rook_moves(square, view.occupied & !(queens | rooks));
        view.attack::<W>(Piece::Rook, attacks);
        sink.add(ROOK_MOBILITY.at((attacks & area).len() as usize), 1);
        let file = square.file().bitboard();
        if (own_pawns & file).is_empty() {
            sink.add(ROOK_FILE.at(usize::from((pawns & file).is_empty())), 1);
        }
        if is_target && seventh.has(square) {
            sink.add(ROOK_SEVENTH.at(0), 1);
        }
        let before = attacks & file;
        if !(ahead::<W>(square.bitboard()) & before & view.passed[us]).is_empty() {
            sink.add(ROOK_BEHIND_PASSED.at(0), 1);
        }
        if !(behind::<W>(square.bitboard()) & before & view.passed[1 - us]).is_empty() {
            sink.add(ROOK_BEHIND_PASSED.at(1), 1);
        }
    }

    for square in view.own::<W>(Piece::Queen) {
        let attacks = get_bishop_moves(square, view.occupied) | get_rook_moves(square, view.occupied);
        view.attack::<W>(Piece::Queen, attacks);
        sink.add(QUEEN_MOBILITY.at((attacks & area).len() as usize), 1);
    }
}
