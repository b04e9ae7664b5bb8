//! The features of chess: the pieces on their squares, as each side sees them.
//!
//! A side sees its own pieces and those of its opponent from its end of the board, with files mirrored so that its own
//! king stands on the files e to h: 2 x 6 x 64 features. The output has a bucket for every four men.

use super::heuristics::{ChessHeuristics, HIDDEN};
use super::men::{Man, is_mirrored, moved, seen};
use super::rules::Chessboard;
use crate::core::features::Changes;
use crate::core::{Features, Shape, Side};
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
pub(super) const SHAPE: Shape = Shape { features: 2 * COLOUR, hidden: HIDDEN, buckets: BUCKETS };

const fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

impl Features<Chessboard> for ChessHeuristics {
    fn shape_with(&self, hidden: usize) -> Shape {
        Shape { hidden, ..SHAPE }
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
    fn changes(&self, pos: &Chessboard, mv: Move, after: &Chessboard, side: Side) -> Option<Changes> {
        let side = color(side);
        let view = (side, after.board().king(side));
        if is_mirrored(view.1) != is_mirrored(pos.board().king(side)) {
            return None;
        }
        let mut changes = Changes::default();
        let [removed, added] = moved(pos.board(), mv, after.board());
        removed.into_iter().flatten().for_each(|man| changes.removed.push(feature(view, man)));
        added.into_iter().flatten().for_each(|man| changes.added.push(feature(view, man)));
        Some(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Evaluation, Position};
    use crate::games::chess::fen;
    use crate::network::{Network, NetworkFile};
    use crate::util::random::Random;
    use std::sync::Arc;

    /// A network with random weights.
    fn heuristics() -> ChessHeuristics {
        let shape = SHAPE;
        let random = &mut Random(5);
        let rows = shape.features + 1 + 2 * shape.buckets;
        let file = NetworkFile {
            game: "chess".into(),
            shape,
            scale: 200,
            origin: String::new(),
            weights: (0..rows * shape.hidden).map(|_| random.below(120) as i16 - 60).collect(),
            biases: (0..shape.buckets).map(|_| random.below(2_000) as i32 - 1_000).collect(),
        };
        let network = Network::new(&file);
        ChessHeuristics { network: Arc::new(network) }
    }

    fn numbers(pos: &Chessboard, side: Side) -> Vec<usize> {
        let mut found = Vec::new();
        ChessHeuristics::new().unwrap().active(pos, side, |feature| found.push(feature));
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
        let heuristics = heuristics();
        let mut random = Random(11);
        let mut seen = 0;
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/pPpp1ppp/8/3Pp3/8/8/PPP2PpP/R3K2R w KQkq e6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            for _ in 0..40 {
                let mut pos = fen::parse(start).unwrap();
                let mut state = heuristics.refresh(&pos);
                for _ in 0..80 {
                    let mut moves = Vec::new();
                    pos.moves(&mut moves);
                    let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                    let after = pos.after(mv);
                    state = heuristics.update(&state, &pos, mv, &after);
                    assert_eq!(state, heuristics.refresh(&after), "{mv} in {}", pos.board());
                    assert_eq!(heuristics.evaluate_with(&after, &state), heuristics.evaluate(&after));
                    pos = after;
                    seen += 1;
                }
            }
        }
        assert!(seen > 3_000, "{seen}");
    }
}
