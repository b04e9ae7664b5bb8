//! The safety of the kings: the attack on them, safe checks, their pawns and the opponent's.
//!
//! Each attacker, square and check adds units to an attack. There is one weight for every four units, so that the
//! danger may grow faster than their number. The units are rounded from a fit by gradient descent of the loss that
//! `secateurs tune` uses, with linear interpolation between the weights of successive units.
//!
//! Chess Programming Wiki: *King Safety*, *Pin*, *Pawn Shield*, *Pawn Storm*, *King Pawn Tropism*, *Castling Rights*.

use super::bits::{ahead, behind, beside, distance, edge, forward, rank, rank_set, side};
use super::layout::{CASTLING, DANGER, KING_DISTANCE, KING_PAWN, PINNED, SAFE_CHECK, SHELTER, STORM, STORM_BLOCKED};
use super::view::View;
use crate::games::weighted::Sink;
use cozy_chess::{
    BitBoard, File, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_rook_moves, get_rook_rays,
};

/// The pieces that give check, with the units of a safe check and of any other.
const CHECKS: [(Piece, [i32; 2]); 4] =
    [(Piece::Knight, [11, 3]), (Piece::Bishop, [11, 4]), (Piece::Rook, [15, 7]), (Piece::Queen, [12, 3])];

/// The units of a weakly protected square near the king.
const WEAK: i32 = 7;

/// The units of a piece that stands alone between the king and a piece that would attack it.
const SHIELD: i32 = 12;

/// The units of a knight that protects squares near its king.
const KNIGHT: i32 = -4;

/// The number of units that share a weight of [`DANGER`].
const STEP: i32 = 4;

/// The files of a king's flank, by its file.
const FLANKS: [BitBoard; File::NUM] = {
    let (west, centre) = (0x0f0f_0f0f_0f0f_0f0f, 0x3c3c_3c3c_3c3c_3c3c);
    let (west, centre, east) = (BitBoard(west), BitBoard(centre), BitBoard(west << 4));
    [west, west, west, centre, centre, east, east, east]
};

/// Counts the dangers to a side's king, and its shelter. The view must contain all attacks.
#[inline(always)]
pub(crate) fn count<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    danger::<W, S>(view, sink);
    pawns::<W, S>(view, sink);
    let king = view.kings[side::<W>() as usize];
    for (first, piece) in [(0, Piece::Knight), (8, Piece::Bishop)] {
        for square in view.own::<W>(piece) {
            sink.add(KING_DISTANCE.at(first + distance(square, king)), 1);
        }
    }
    let rights = view.board.castle_rights(side::<W>());
    sink.add(CASTLING.at(0), i32::from(rights.short.is_some()) + i32::from(rights.long.is_some()));
}

#[inline(always)]
fn danger<const W: bool, S: Sink>(view: &View<'_>, sink: &mut S) {
    let (us, them) = (side::<W>() as usize, 1 - side::<W>() as usize);
    let king = view.kings[us];
    let by = |piece: Piece| view.by_piece[us][piece as usize];
    let other = |piece: Piece| view.board.colored_pieces(!side::<W>(), piece);
    let queens = other(Piece::Queen);
    // Squares that nothing protects but the king or the queen.
    let weak = view.attacked[them] & !view.twice[us] & (!view.attacked[us] | by(Piece::King) | by(Piece::Queen));
    let safe = !view.attacked[us] | (weak & view.twice[them]);
    let straight = get_rook_moves(king, view.occupied);
    let diagonal = get_bishop_moves(king, view.occupied);
    let mut units = view.danger[us] + WEAK * (view.zones[us] & weak).len() as i32;
    for (index, (piece, [if_safe, if_not])) in CHECKS.into_iter().enumerate() {
        let lines = match piece {
            Piece::Knight => get_knight_moves(king),
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            _ => straight | diagonal,
        };
        let checks = lines & view.by_piece[them][piece as usize] & !view.board.colors(!side::<W>());
        let sure = (checks & safe).len() as i32;
        sink.add(SAFE_CHECK.at(index), sure);
        units += if_safe * sure + if_not * (checks.len() as i32 - sure);
    }
    let mut shields = BitBoard::EMPTY;
    let sliders = (get_bishop_rays(king) & (other(Piece::Bishop) | queens))
        | (get_rook_rays(king) & (other(Piece::Rook) | queens));
    for slider in sliders {
        let between = get_between_rays(slider, king) & view.occupied;
        if between.len() == 1 {
            shields |= between;
        }
    }
    if !shields.is_empty() {
        units += SHIELD * shields.len() as i32;
        for piece in &Piece::ALL[..PINNED.len] {
            sink.add(PINNED.at(*piece as usize), (shields & view.own::<W>(*piece)).len() as i32);
        }
    }
    if !(by(Piece::Knight) & view.zones[us]).is_empty() {
        units += KNIGHT;
    }
    // Attacks on the king's flank within the side's five ranks.
    let attacks = view.attacked[them] & FLANKS[king.file() as usize] & behind::<W>(rank_set::<W>(Rank::Sixth));
    units += (attacks.len() + (attacks & view.twice[them]).len()) as i32;
    if queens.is_empty() {
        units /= 2;
    }
    let step = (units.max(0) / STEP) as usize;
    sink.add(DANGER.at(step.min(DANGER.len - 1)), 1);
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
        // The squares within a number of king's moves, one move more at a time.
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
