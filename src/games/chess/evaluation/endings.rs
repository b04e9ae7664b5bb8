//! Endings that the sums of terms misjudge: a lone king, and advantages that do not win.
//!
//! Chess Programming Wiki: *Mop-up Evaluation*, *KBNK Endgame*, *Opposite Colored Bishops*, *Draw Evaluation*, *Wrong
//! Color Bishop*.

use super::bits::distance;
use super::lone_pawn;
use crate::core::Score;
use crate::games::chess::exchange::value;
use crate::games::weighted::WHOLE;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

/// The value of a won ending without pawns in addition to its material, in centipawns.
const WON: Score = 300;

/// Returns the value for White in centipawns if one side has only its king and the other has pieces but no pawns, or a
/// single pawn. The lone king is driven to the edge, or to a corner that the bishop controls, and the kings approach
/// each other.
#[inline]
pub(crate) fn lone_king(board: &Board) -> Option<Score> {
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

/// Returns how much of the endgame's score counts if it favours this side, in parts of [`WHOLE`].
#[inline]
pub(crate) fn scale(board: &Board, strong: Color) -> Score {
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
    (WHOLE * 5 / 8 + 6 * pawns.len() as Score).min(WHOLE)
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
