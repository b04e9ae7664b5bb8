//! The features of chess: the pieces on their squares, as each side sees them.
//!
//! A side sees its own pieces and those of its opponent from its end of the board, with files mirrored so that its own
//! king stands on the files e to h: 2 x 6 x 64 features. The output has a bucket for every four men.

use super::Chess;
use super::heuristics::{ChessHeuristics, HIDDEN};
use super::men::{Man, is_mirrored, moved, seen};
use super::rules::Chessboard;
use crate::core::features::Changes;
use crate::core::{Features, Game, NetworkShape, Side};
use crate::network::BuiltIn;
use cozy_chess::{Color, Move, Piece, Square};

/// The features of one colour's pieces.
const COLOUR: usize = Piece::NUM * Square::NUM;

/// The number of buckets, and the men of each.
const BUCKETS: usize = 8;
const MEN: usize = 4;

/// Returns the number of a man as a side with this king sees it.
#[inline]
fn feature((side, king): (Color, Square), (color, piece, square): Man) -> usize {
    let owner = if color == side { 0 } else { COLOUR };
    owner + piece as usize * Square::NUM + seen(square, side, king) as usize
}

/// The shape of the network.
const SHAPE: NetworkShape = NetworkShape { features: 2 * COLOUR, hidden: HIDDEN, buckets: BUCKETS };

/// The network that evaluates chess.
pub(super) static NETWORK: BuiltIn<HIDDEN> = BuiltIn::new(Chess::NAME, SHAPE, include_bytes!("chess.net"));

const fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

impl Features<Chessboard> for ChessHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { hidden, ..SHAPE }
    }

    fn active(&self, pos: &Chessboard, side: Side, mut found: impl FnMut(usize)) {
        let (board, side) = (pos.board(), color(side));
        let view = (side, board.king(side));
        for square in board.occupied() {
            if let (Some(color), Some(piece)) = (board.color_on(square), board.piece_on(square)) {
                found(feature(view, (color, piece, square)));
            }
        }
    }

    #[inline]
    fn bucket(&self, pos: &Chessboard) -> usize {
        // There are 2 to 32 men.
        ((pos.board().occupied().len() as usize).saturating_sub(2) / MEN).min(BUCKETS - 1)
    }

    #[inline]
    fn changes(&self, pos: &Chessboard, mv: Move, after: &Chessboard, side: Side, changes: &mut Changes) -> bool {
        let side = color(side);
        let view = (side, after.board().king(side));
        if is_mirrored(view.1) != is_mirrored(pos.board().king(side)) {
            return false;
        }
        let [removed, added] = moved(pos.board(), mv, after.board());
        removed.iter().flatten().for_each(|&man| changes.removed.push(feature(view, man)));
        added.iter().flatten().for_each(|&man| changes.added.push(feature(view, man)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::fen;
    use crate::network::testing::{self, check_updates};

    fn numbers(pos: &Chessboard, side: Side) -> Vec<usize> {
        let mut found = Vec::new();
        ChessHeuristics::new("").unwrap().active(pos, side, |feature| found.push(feature));
        found.sort_unstable();
        found
    }

    /// Both sides see the same position with colours exchanged, and mirrored positions alike.
    #[test]
    fn sides_see_their_own_pieces_from_their_end() {
        let [pos, other, mirrored] = [
            "rn1q1rk1/pp2b1pp/2p2p2/3p4/8/2N1P3/PPP2PPP/R2QKB1R w - - 0 1",
            "r2qkb1r/ppp2ppp/2n1p3/8/3P4/2P2P2/PP2B1PP/RN1Q1RK1 b - - 0 1",
            "1kr1q1nr/pp2b1pp/2p2p2/3p4/8/2N1P3/PPP2PPP/R2QKB1R w - - 0 1",
        ]
        .map(|text| fen::parse(text).unwrap());
        let [white, black] = [Side::First, Side::Second];
        assert_eq!(numbers(&pos, white), numbers(&other, black));
        assert_eq!(numbers(&pos, black), numbers(&other, white));
        // The white rook on a1, which is h1 while the king is on the files a to d.
        let lone = fen::parse("4k3/8/8/8/8/8/8/RK6 w - - 0 1").unwrap();
        assert!(numbers(&lone, white).contains(&(3 * 64 + 7)) && numbers(&lone, black).contains(&(384 + 3 * 64 + 56)));
        assert_eq!(numbers(&mirrored, white).len(), mirrored.board().occupied().len() as usize);
        assert!(numbers(&pos, black).iter().all(|&feature| feature < 2 * COLOUR));
    }

    /// Castling, en passant, promotions and kings that cross the middle included.
    #[test]
    fn updated_sums_are_those_from_scratch() {
        let heuristics = ChessHeuristics { network: testing::network(Chess::NAME, SHAPE).into() };
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pPpp1ppp/8/3Pp3/8/8/PPP2PpP/R3K2R w KQkq e6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ];
        check_updates(&heuristics, starts.map(|start| fen::parse(start).unwrap()));
    }
}
