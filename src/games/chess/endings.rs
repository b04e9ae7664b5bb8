//! Endings that the network does not evaluate alone: a lone king, and advantages that do not win.
//!
//! Chess Programming Wiki: *Mop-up Evaluation*, *KBNK Endgame*, *Opposite Colored Bishops*, *Draw Evaluation*, *Wrong
//! Color Bishop*.

use super::bits::distance;
use super::exchange::value;
use super::lone_pawn;
use crate::core::Score;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

/// The number of parts of an advantage.
const WHOLE: Score = 64;

/// The value of a won ending without pawns in addition to its material, in centipawns.
const WON: Score = 300;

/// Returns the value for White in centipawns if one side has only its king and the other has pieces but no pawns, or a
/// single pawn. The lone king is driven to the edge, or to a corner that the bishop controls, and the kings approach
/// each other.
#[inline]
pub(super) fn lone_king(board: &Board) -> Option<Score> {
    if !board.pieces(Piece::Pawn).is_empty() {
        return lone_pawn(board);
    }
    let weak = Color::ALL.into_iter().find(|&color| board.colors(color).len() == 1)?;
    let strong = !weak;
    let of = |piece| board.colored_pieces(strong, piece);
    let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
    let is_minor = (of(Piece::Queen) | of(Piece::Rook)).is_empty();
    let has_pair = !(bishops & BitBoard::LIGHT_SQUARES).is_empty() && !(bishops & BitBoard::DARK_SQUARES).is_empty();
    if is_minor && !has_pair && (bishops.is_empty() || knights.is_empty()) && knights.len() < 3 {
        return Some(0);
    }
    let (king, lone) = (board.king(strong), board.king(weak));
    let material: Score =
        Piece::ALL[..5].iter().map(|&piece| value(piece) * board.colored_pieces(strong, piece).len() as Score).sum();
    let drive = if is_minor && !has_pair {
        let (one, other) = if (bishops & BitBoard::DARK_SQUARES).is_empty() {
            (Square::A8, Square::H1)
        } else {
            (Square::A1, Square::H8)
        };
        30 * (7 - steps(lone, one).min(steps(lone, other))) + 3 * outward(lone)
    } else {
        20 * outward(lone)
    };
    let score = WON + material + drive + 10 * (7 - distance(king, lone) as Score);
    Some(if strong == Color::White { score } else { -score })
}

/// The value for White of king and pawn against king.
#[inline]
fn lone_pawn(board: &Board) -> Option<Score> {
    let is_won = lone_pawn::is_won(board)?;
    let pawn = board.pieces(Piece::Pawn).next_square()?;
    let strong = board.color_on(pawn)?;
    let rank = pawn.relative_to(strong).rank() as Score;
    let score = if is_won { WON + value(Piece::Pawn) + 20 * rank } else { 0 };
    Some(if strong == Color::White { score } else { -score })
}

/// The Manhattan distance: the number of steps along files and ranks.
const fn steps(one: Square, other: Square) -> Score {
    let files = (one as i32 & 7).abs_diff(other as i32 & 7);
    let ranks = (one as i32 >> 3).abs_diff(other as i32 >> 3);
    (files + ranks) as Score
}

/// The distance from the centre: 0 there, 6 in the corners.
const fn outward(square: Square) -> Score {
    let (file, rank) = (square as Score & 7, square as Score >> 3);
    let side = if file < 4 { 3 - file } else { file - 4 };
    let end = if rank < 4 { 3 - rank } else { rank - 4 };
    side + end
}

/// Returns the evaluation for the side to move in centipawns, given that of the network.
#[inline]
pub(super) fn corrected(board: &Board, network: impl FnOnce() -> Score) -> Score {
    let turn = board.side_to_move();
    if let Some(white) = lone_king(board) {
        return if turn == Color::White { white } else { -white };
    }
    let value = network();
    let strong = if value > 0 { turn } else { !turn };
    value * share(board, strong) / WHOLE
}

/// Returns how much of an advantage counts if it favours this side, in parts of [`WHOLE`]: some do not win.
#[inline]
fn share(board: &Board, strong: Color) -> Score {
    let count = |color, piece| board.colored_pieces(color, piece).len() as Score;
    let pieces = |color| {
        3 * (count(color, Piece::Knight) + count(color, Piece::Bishop))
            + 5 * count(color, Piece::Rook)
            + 9 * count(color, Piece::Queen)
    };
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    if pawns.is_empty() {
        let (own, other) = (pieces(strong), pieces(!strong));
        let is_pair_of_knights = own == 6 && count(strong, Piece::Knight) == 2;
        return match own {
            0..5 => 0,
            _ if is_pair_of_knights => 0,
            _ if own - other > 3 => WHOLE,
            _ => WHOLE / 6,
        };
    }
    let (bishops, others) = (board.pieces(Piece::Bishop), board.colors(!strong) & board.pieces(Piece::Bishop));
    let own = bishops & board.colors(strong);
    if own.len() == 1 && others.len() == 1 && (bishops & BitBoard::LIGHT_SQUARES).len() == 1 {
        let is_alone = pieces(strong) == 3 && pieces(!strong) == 3;
        return if is_alone { WHOLE * 7 / 16 } else { WHOLE * 13 / 16 };
    }
    if is_wrong_bishop(board, strong, own, pawns) {
        return 0;
    }
    WHOLE
}

/// Whether all pawns are on one edge, the bishop does not control their last square, and the other king does.
#[inline]
fn is_wrong_bishop(board: &Board, strong: Color, bishops: BitBoard, pawns: BitBoard) -> bool {
    let pieces = board.colors(strong) & !(pawns | bishops | board.pieces(Piece::King));
    if !pieces.is_empty() {
        return false;
    }
    let file = match pawns {
        pawns if pawns.is_subset(File::A.bitboard()) => File::A,
        pawns if pawns.is_subset(File::H.bitboard()) => File::H,
        _ => return false,
    };
    let goal = Square::new(file, Rank::Eighth.relative_to(strong));
    let colour = if BitBoard::LIGHT_SQUARES.has(goal) { BitBoard::LIGHT_SQUARES } else { BitBoard::DARK_SQUARES };
    (bishops & colour).is_empty() && distance(board.king(!strong), goal) <= 1
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;

    fn share_of_white(text: &str) -> Score {
        share(fen::parse(text).unwrap().board(), Color::White)
    }

    #[test]
    fn advantages_that_do_not_win_count_less() {
        for (fen, most) in [
            ("8/8/4k3/8/8/3K4/2N1N3/7n w - - 0 1", 0),
            ("8/8/2r1k3/8/8/3K4/2RB4/8 w - - 0 1", WHOLE / 4),
            ("8/8/4kn2/8/8/3K4/2R5/8 w - - 0 1", WHOLE / 4),
            // The bishop does not control the pawn's last square.
            ("k7/8/8/P7/8/3K4/3B4/8 w - - 0 1", 0),
            ("8/5k2/1P6/8/2b5/5P2/4K3/4B3 w - - 0 1", WHOLE / 2),
            ("8/5k2/1P6/8/2b1r3/5P2/4K1R1/4B3 w - - 0 1", WHOLE - 1),
        ] {
            assert!((0..=most).contains(&share_of_white(fen)), "{fen}");
            assert_eq!(corrected(fen::parse(fen).unwrap().board(), || 640), 10 * share_of_white(fen), "{fen}");
        }
        for fen in [
            "8/8/4kr2/8/8/3K4/2Q5/8 w - - 0 1",
            "8/8/k7/P7/8/3K4/4B3/8 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        ] {
            assert_eq!(share_of_white(fen), WHOLE, "{fen}");
        }
        assert_eq!(lone_king(fen::parse("8/8/4k3/8/8/3K4/2N1N3/8 w - - 0 1").unwrap().board()), Some(0));
    }

    /// The lone king is worst at the edge; with bishop and knight, in the corner of the bishop.
    #[test]
    fn the_lone_king_is_driven_where_it_is_mated() {
        let order = |fens: &[&str]| {
            let values: Vec<_> = fens.iter().map(|fen| lone_king(fen::parse(fen).unwrap().board()).unwrap()).collect();
            assert!(values.is_sorted() && values[0] > 500, "{fens:?} {values:?}");
        };
        order(&["8/8/8/4k3/8/3K4/8/R7 w - - 0 1", "4k3/8/8/8/3K4/8/8/R7 w - - 0 1", "k7/8/8/3K4/8/8/8/7R w - - 0 1"]);
        // A bishop on dark squares: a1 and h8.
        order(&["k7/8/1K6/8/8/8/3B4/3N4 w - - 0 1", "7k/8/6K1/8/8/8/3B4/3N4 w - - 0 1"]);
    }
}
