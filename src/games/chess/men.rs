//! The men that a move takes off their squares and puts on others, and the board as a side sees it.

use cozy_chess::{Board, Color, File, Move, Piece, Square};

/// A piece of a side on a square.
pub(super) type Man = (Color, Piece, Square);

/// Returns the men that a legal move, which leads to `after`, removes and adds, the second of each only if there is
/// one.
#[inline]
pub(super) fn moved(board: &Board, mv: Move, after: &Board) -> [[Option<Man>; 2]; 2] {
    let turn = board.side_to_move();
    let Some(piece) = board.piece_on(mv.from) else { return [[None; 2]; 2] };
    if board.colors(turn).has(mv.to) {
        // Castling: the king takes its own rook.
        let king = after.king(turn);
        let rook = if king.file() == File::G { File::F } else { File::D };
        let removed = [Some((turn, Piece::King, mv.from)), Some((turn, Piece::Rook, mv.to))];
        let rook = Square::new(rook, mv.from.rank());
        return [removed, [Some((turn, Piece::King, king)), Some((turn, Piece::Rook, rook))]];
    }
    let captured = match board.piece_on(mv.to) {
        // En passant.
        None if piece == Piece::Pawn && mv.from.file() != mv.to.file() => {
            Some((!turn, Piece::Pawn, Square::new(mv.to.file(), mv.from.rank())))
        }
        victim => victim.map(|victim| (!turn, victim, mv.to)),
    };
    [[Some((turn, piece, mv.from)), captured], [Some((turn, mv.promotion.unwrap_or(piece), mv.to)), None]]
}

/// Whether a side with this king sees the board mirrored: the king is on the files a to d.
#[inline]
pub(super) const fn is_mirrored(king: Square) -> bool {
    king as usize & 7 < 4
}

/// Returns a square as a side sees it from its end of the board, mirrored if its king is on the files a to d.
#[inline]
pub(super) const fn seen(square: Square, side: Color, king: Square) -> Square {
    let seen = square.relative_to(side);
    if is_mirrored(king) { seen.flip_file() } else { seen }
}
