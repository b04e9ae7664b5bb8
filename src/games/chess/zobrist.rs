//! The key after a move, predicted before the move is made, so that the table entry can be prefetched.

use super::rules::Chessboard;
use crate::core::Position;
use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Square};
use std::sync::LazyLock;

/// The Zobrist numbers (1970) of men on squares and of the side to move. `cozy-chess` does not export its own, so they
/// are derived from the hashes of boards. Those of kings contain an unknown number, which cancels out in a king's move.
struct Numbers {
    men: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM],
    turn: u64,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(Numbers::new);

/// Corners for a king, of which one is far from any square.
const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// Returns the hash of a board with these men; `None` for an illegal position.
fn hash(men: &[(Square, Color, Piece)], turn: Color) -> Option<u64> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = turn;
    for &(square, color, piece) in men {
        if builder.board[square as usize].replace((piece, color)).is_some() {
            return None;
        }
    }
    builder.build().ok().as_ref().map(Board::hash)
}

impl Numbers {
    fn new() -> Self {
        let kings = |white, black| [(white, Color::White, Piece::King), (black, Color::Black, Piece::King)];
        let bare = |turn| hash(&kings(Square::E1, Square::E8), turn).unwrap_or_default();
        let mut numbers =
            Self { men: [[[0; Square::NUM]; Piece::NUM]; Color::NUM], turn: bare(Color::White) ^ bare(Color::Black) };
        for color in Color::ALL {
            for square in Square::ALL {
                for piece in Piece::ALL {
                    let found = CORNERS.into_iter().flat_map(|corner| CORNERS.map(|other| (corner, other)));
                    let number = found.flat_map(|corners| Color::ALL.map(|turn| (corners, turn))).find_map(
                        |((corner, other), turn)| {
                            if piece == Piece::King {
                                let men = |own| [(own, color, piece), (corner, !color, piece)];
                                Some(hash(&men(square), turn)? ^ hash(&men(Square::E4), turn)?)
                            } else {
                                let [white, black] = kings(corner, other);
                                Some(
                                    hash(&[white, black, (square, color, piece)], turn)? ^ hash(&[white, black], turn)?,
                                )
                            }
                        },
                    );
                    // No pawn is on the first or last rank.
                    numbers.men[color as usize][piece as usize][square as usize] = number.unwrap_or_default();
                }
            }
        }
        numbers
    }
}

/// Returns the key after a move, unless the move castles, captures en passant or changes the right to do so.
#[inline]
pub(crate) fn likely_key(pos: &Chessboard, mv: Move) -> u64 {
    let board = pos.board();
    let turn = board.side_to_move();
    let numbers = &*NUMBERS;
    let number =
        |color: Color, piece: Piece, square: Square| numbers.men[color as usize][piece as usize][square as usize];
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let moved = number(turn, piece, mv.from) ^ number(turn, mv.promotion.unwrap_or(piece), mv.to);
    let captured = board.piece_on(mv.to).map_or(0, |piece| number(!turn, piece, mv.to));
    pos.key() ^ numbers.turn ^ moved ^ captured
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    /// The numbers are computed while a game clock may be running.
    #[test]
    fn the_numbers_are_computed_at_once() {
        let took = (0..5).map(|_| {
            let began = web_time::Instant::now();
            assert!(Numbers::new().turn != 0);
            began.elapsed()
        });
        let least = took.min().unwrap();
        assert!(cfg!(miri) || least < std::time::Duration::from_millis(10), "{least:?}");
    }

    #[test]
    fn most_keys_are_guessed() {
        let (mut random, mut right, mut all) = (Random(3), 0, 0);
        for _ in 0..30 {
            let mut pos = Chessboard::new(Board::startpos());
            for _ in 0..100 {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                for &mv in &moves {
                    let (after, guess) = (pos.after(mv), likely_key(&pos, mv));
                    let plain = pos.board().castle_rights(Color::White) == after.board().castle_rights(Color::White)
                        && pos.board().castle_rights(Color::Black) == after.board().castle_rights(Color::Black)
                        && pos.en_passant().is_none()
                        && after.en_passant().is_none();
                    assert!(!plain || guess == after.key(), "{mv} {}", pos.board());
                    right += usize::from(guess == after.key());
                    all += 1;
                }
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                pos = pos.after(mv);
            }
        }
        assert!(right * 10 > all * 9, "{right} of {all}");
    }
}
