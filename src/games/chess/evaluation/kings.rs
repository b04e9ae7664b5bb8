//! The safety of the kings: the attack on them, safe checks, their pawns and the opponent's.
//!
//! Chess Programming Wiki: *King Safety*, *Pawn Shield*, *Pawn Storm*, *King Pawn Tropism*, *Castling Rights*.

use super::bits::{ahead, beside, edge, forward, rank, side};
use super::layout::{CASTLING, DANGER, KING_PAWN, SAFE_CHECK, SHELTER, STORM, STORM_BLOCKED};
use super::sink::Sink;
use super::view::View;
use cozy_chess::{BitBoard, File, Piece, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

/// The pieces that give check, with the units of a safe check.
const CHECKS: [(Piece, u32); 4] = [(Piece::Knight, 6), (Piece::Bishop, 4), (Piece::Rook, 6), (Piece::Queen, 5)];

/// Counts the dangers of a side's king, and its shelter. All attacks are known.
#[inline(always)]
pub fn count<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    danger::<W, S>(view, sink);
    pawns::<W, S>(view, sink);
    let rights = view.board.castle_rights(side::<W>());
    sink.add(CASTLING.at(0), i32::from(rights.short.is_some()) + i32::from(rights.long.is_some()));
}

#[inline(always)]
fn danger<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    let (us, them) = (side::<W>() as usize, 1 - side::<W>() as usize);
    let king = view.kings[us];
    let by = |piece: Piece| view.by_piece[us][piece as usize];
    // Squares that only the king or the queen protects, or nothing.
    let weak = view.attacked[them] & !view.twice[us] & (!view.attacked[us] | by(Piece::King) | by(Piece::Queen));
    let safe = !view.board.colors(!side::<W>()) & (!view.attacked[us] | (weak & view.twice[them]));
    let straight = get_rook_moves(king, view.occupied);
    let diagonal = get_bishop_moves(king, view.occupied);
    let mut units = view.danger[us] + 2 * (view.zones[us] & weak).len();
    for (index, (piece, unit)) in CHECKS.into_iter().enumerate() {
        let lines = match piece {
            Piece::Knight => get_knight_moves(king),
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            _ => straight | diagonal,
        };
        let checks = (lines & safe & view.by_piece[them][piece as usize]).len();
        if checks > 0 {
            sink.add(SAFE_CHECK.at(index), checks as i32);
            units += unit;
        }
    }
    // One piece alone mates nobody, unless it is the queen.
    let queens = !view.board.colored_pieces(!side::<W>(), Piece::Queen).is_empty();
    if view.attackers[us] + u32::from(queens) >= 2 {
        let units = if queens { units } else { units / 2 };
        sink.add(DANGER.at(units.min(47) as usize), 1);
    }
}

#[inline(always)]
fn pawns<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    let us = side::<W>() as usize;
    let king = view.kings[us];
    let (own, other) = (view.pawns[us], view.pawns[1 - us]);
    let row = king.rank().bitboard();
    let front = ahead::<W>(row) | row;
    let middle = (king.file() as usize).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let squares = front & File::index(file).bitboard();
        let row = 8 * edge(file);
        let shield = nearest::<W>(own & squares);
        sink.add(SHELTER.at(row + shield.map_or(0, rank::<W>)), 1);
        match nearest::<W>(other & squares) {
            Some(pawn) if !(forward::<W>(own) & pawn.bitboard()).is_empty() => {
                sink.add(STORM_BLOCKED.at(rank::<W>(pawn)), 1);
            }
            pawn => sink.add(STORM.at(row + pawn.map_or(0, rank::<W>)), 1),
        }
    }
    let pawns = own | other;
    if !pawns.is_empty() {
        // Squares within a king's moves, one move more at a time.
        let (mut near, mut moves) = (king.bitboard(), 0);
        while (near & pawns).is_empty() {
            near |= beside(near);
            near |= forward::<true>(near) | forward::<false>(near);
            moves += 1;
        }
        sink.add(KING_PAWN.at(moves), 1);
    }
}

/// The square of a set that is nearest to the side.
#[inline(always)]
fn nearest<const W: bool>(set: BitBoard) -> Option<Square> {
    if set.is_empty() {
        return None;
    }
    let index = if W { set.0.trailing_zeros() } else { 63 - set.0.leading_zeros() };
    Square::try_index(index as usize)
}
