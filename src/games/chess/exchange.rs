//! Static exchange evaluation: the material that a move wins if both sides continue to capture on its target, each with
//! the least valuable piece first, for as long as it gains.

use super::rules::Chessboard;
use crate::core::Score;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

/// The values of the pieces in an exchange in centipawns, in the order of [`Piece::ALL`]. A king is never captured.
const VALUE: [Score; Piece::NUM] = [100, 320, 330, 500, 950, 20_000];

/// The value of a piece in an exchange in centipawns.
pub(crate) const fn value(piece: Piece) -> Score {
    VALUE[piece as usize]
}

/// Returns whether a legal move wins at least `threshold` centipawns in the exchange on its target. Pins and discovered
/// checks are not considered.
pub(crate) fn wins(pos: &Chessboard, mv: Move, threshold: Score) -> bool {
    let board = pos.board();
    let turn = board.side_to_move();
    let Some(piece) = board.piece_on(mv.from) else { return false };
    if board.colors(turn).has(mv.to) {
        // Castling.
        return threshold <= 0;
    }
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    let mut gain = board.piece_on(mv.to).map_or(0, value);
    if piece == Piece::Pawn && mv.from.file() != mv.to.file() && gain == 0 {
        gain = value(Piece::Pawn);
        occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    let mut standing = piece;
    if let Some(promotion) = mv.promotion {
        gain += value(promotion) - value(Piece::Pawn);
        standing = promotion;
    }
    // The balance for the side that has just moved: if the exchange ends here, and then if its piece is lost.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(standing);
    if balance >= 0 {
        return true;
    }
    let sliders = |pieces: [Piece; 2]| board.pieces(pieces[0]) | board.pieces(pieces[1]);
    let (diagonal, straight) = (sliders([Piece::Bishop, Piece::Queen]), sliders([Piece::Rook, Piece::Queen]));
    let mut attackers = attackers(board, mv.to, occupied);
    let mut side = !turn;
    loop {
        attackers &= occupied;
        let own = attackers & board.colors(side);
        let Some((piece, square)) = least(board, own) else { break };
        // A king cannot capture a protected piece.
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break;
        }
        occupied ^= square.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            break;
        }
    }
    side != turn
}

/// All pieces that attack a square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let of = |piece| board.pieces(piece);
    let pawns = |color: Color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    (pawns(Color::White) | pawns(Color::Black))
        | (get_knight_moves(square) & of(Piece::Knight))
        | (get_king_moves(square) & of(Piece::King))
        | (get_bishop_moves(square, occupied) & (of(Piece::Bishop) | of(Piece::Queen)))
        | (get_rook_moves(square, occupied) & (of(Piece::Rook) | of(Piece::Queen)))
}

/// The least valuable of some pieces, with its square.
fn least(board: &Board, pieces: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| Some((piece, (board.pieces(piece) & pieces).next_square()?)))
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;

    /// The largest threshold that a move reaches.
    fn exchange(fen: &str, mv: &str) -> Score {
        let (pos, mv) = (fen::parse(fen).unwrap(), mv.parse().unwrap());
        assert!(pos.board().is_legal(mv), "{fen} {mv}");
        let reached: Vec<_> = (-2_000..2_000).filter(|&threshold| wins(&pos, mv, threshold)).collect();
        assert_eq!(reached.len() as Score, reached.last().unwrap() + 2_001, "thresholds are monotonic");
        *reached.last().unwrap()
    }

    #[test]
    fn exchanges_end_where_they_stop_paying() {
        for (fen, mv, expected) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
            // The king recaptures only what is not protected.
            ("8/8/3k4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500),
            ("8/8/3k4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100),
            // The rooks behind the queens take part.
            ("3r2k1/3q4/8/3p4/8/8/3Q4/3R2K1 w - - 0 1", "d2d5", 100 - 950 + 950 - 500),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", 0),
            ("4k3/8/8/2p5/8/8/8/1N2K3 w - - 0 1", "b1a3", 0),
            ("4k3/8/8/2p5/8/1p6/8/1N2K3 w - - 0 1", "b1d2", 0),
        ] {
            assert_eq!(exchange(fen, mv), expected, "{fen} {mv}");
        }
    }
}
