//! Attacks on pieces that are worth more than the attacker or are not protected, and space.
//!
//! Chess Programming Wiki: *Threats*, *Hanging Piece*, *Pawn Pushes*, *Space*.

use super::bits::{behind, forward, pawn_attacks, rank_set, side};
use super::layout::{
    HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, QUEEN_THREAT, RESTRICTED, ROOK_THREAT, SPACE,
};
use super::view::View;
use crate::games::weighted::Sink;
use cozy_chess::{BitBoard, File, Piece, Rank, get_bishop_moves, get_knight_moves, get_rook_moves};

/// Counts the threats of a side. The view must contain all attacks.
#[inline(always)]
pub(crate) fn count<const W: bool, const B: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    let (us, them) = (side::<W>() as usize, 1 - side::<W>() as usize);
    let of = |piece: Piece| view.own::<B>(piece);
    let by = |piece: Piece| view.by_piece[us][piece as usize];
    let pieces = view.board.colors(side::<B>());
    let (pawns, king) = (view.pawns[them], of(Piece::King));
    let held = view.by_piece[them][Piece::Pawn as usize] | (view.twice[them] & !view.twice[us]);
    let weak = pieces & !held & view.attacked[us];

    let by_pawn = by(Piece::Pawn);
    for (index, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
        sink.add(PAWN_THREAT.at(index), (by_pawn & of(piece)).len() as i32);
    }
    let by_minor = by(Piece::Knight) | by(Piece::Bishop);
    for (index, piece) in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
    {
        let targets = if piece == Piece::Pawn { weak & pawns } else { of(piece) };
        sink.add(MINOR_THREAT.at(index), (by_minor & targets).len() as i32);
        let targets = if piece == Piece::Queen { of(piece) } else { weak & of(piece) };
        sink.add(ROOK_THREAT.at(index), (by(Piece::Rook) & targets).len() as i32);
    }
    sink.add(KING_THREAT.at(0), (by(Piece::King) & weak & !king).len() as i32);
    let hanging = weak & !king & (!view.attacked[them] | view.twice[us]);
    sink.add(HANGING.at(0), hanging.len() as i32);

    // Advances to squares that are not attacked by pawns, and are protected or not attacked at all.
    let safe = !view.by_piece[them][Piece::Pawn as usize] & (view.attacked[us] | !view.attacked[them]);
    let once = forward::<W>(view.pawns[us]) & !view.occupied;
    let double = forward::<W>(once & rank_set::<W>(Rank::Third)) & !view.occupied;
    let pushes = pawn_attacks::<W>((once | double) & safe) & pieces & !pawns & !by_pawn;
    sink.add(PUSH_THREAT.at(0), pushes.len() as i32);

    let queens = of(Piece::Queen);
    if let (Some(queen), true) = (queens.next_square(), queens.len() == 1) {
        let free = !view.pawns[us] & !held & (!view.attacked[them] | view.twice[us]);
        let jumps = get_knight_moves(queen) & by(Piece::Knight) & free;
        sink.add(QUEEN_THREAT.at(0), jumps.len() as i32);
        let lines = (get_bishop_moves(queen, view.occupied) & by(Piece::Bishop))
            | (get_rook_moves(queen, view.occupied) & by(Piece::Rook));
        sink.add(QUEEN_THREAT.at(1), (lines & free & view.twice[us]).len() as i32);
    }
    let restricted = view.attacked[them] & !held & view.attacked[us];
    sink.add(RESTRICTED.at(0), restricted.len() as i32);

    const CENTRE: BitBoard =
        BitBoard(File::C.bitboard().0 | File::D.bitboard().0 | File::E.bitboard().0 | File::F.bitboard().0);
    let camp = rank_set::<W>(Rank::Second) | rank_set::<W>(Rank::Third) | rank_set::<W>(Rank::Fourth);
    let room = CENTRE & camp & !view.pawns[us] & !view.by_piece[them][Piece::Pawn as usize];
    let behind = room & behind::<W>(view.pawns[us]) & !view.attacked[them];
    sink.add(SPACE.at(0), (room.len() + behind.len()) as i32);
}
